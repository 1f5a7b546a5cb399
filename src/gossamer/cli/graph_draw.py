"""`gossamer graph draw`: a picture of who links to whom among hosts."""

from pathlib import Path
from typing import Annotated

import typer


def draw(
    directory: Annotated[Path, typer.Argument(help="The crawl directory, with a graph.")],
    most: Annotated[
        int,
        typer.Option(help="Largest number of hosts: those of the highest rank.", min=1, max=1000),
    ] = 100,
    domains: Annotated[
        bool, typer.Option("--domains", help="Pay-level domains instead of hosts.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="The folder for the picture.", show_default="graph/"),
    ] = None,
) -> int:
    """Draw the graph of hosts: hosts.html, and the picture alone as hosts.svg."""
    from gossamer.harvest.graph.picture.pages import write_hosts
    from gossamer.harvest.graph.rank.opening import open_web

    web = open_web(directory)
    folded, name = (web.domains, "domain") if domains else (web.hosts, "host")
    for file in write_hosts(out or directory / "graph", name, folded, most):
        print(file)
    return 0
