"""`gossamer graph draw`: a picture of who links to whom among hosts."""

from typing import Annotated

import typer

from gossamer.cli.graph_options import Crawled, Pictures


def draw(
    directory: Crawled,
    most: Annotated[
        int,
        typer.Option(help="Largest number of hosts: those of the highest rank.", min=1, max=1000),
    ] = 100,
    domains: Annotated[
        bool, typer.Option("--domains", help="Pay-level domains instead of hosts.")
    ] = False,
    out: Pictures = None,
) -> int:
    """Draw the graph of hosts: hosts.html, and the picture alone as hosts.svg."""
    from gossamer.graph.picture.picture_pages import write_hosts
    from gossamer.graph.rank.graph_opening import open_web

    web = open_web(directory)
    folded, name = (web.domains, "domain") if domains else (web.hosts, "host")
    for file in write_hosts(out or directory / "graph", name, folded, most):
        print(file)
    return 0
