"""`gossamer resume`: continue a crawl after any stop."""

from pathlib import Path
from typing import Annotated

import typer

from gossamer.cli.conduct import conduct
from gossamer.cli.duration import parse_duration
from gossamer.cli.knobs import read_knobs


def resume(
    directory: Annotated[Path, typer.Argument(help="The crawl directory.")],
    max_pages: Annotated[
        int | None,
        typer.Option(help="Stop after this many pages, earlier runs included; 0: no limit."),
    ] = None,
    max_time: Annotated[
        str | None, typer.Option(help="Stop after this time, earlier runs included; 0: no limit.")
    ] = None,
    knobs: Annotated[
        list[str] | None,
        typer.Option(
            "--set", help="Change any setting: section.name=value; can be given several times."
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object at the end.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
) -> int:
    """Continue a crawl after any stop: Ctrl-C, kill -9, a full disk, a power cut."""
    from gossamer.cluster.crawl import Crawl

    changes = {
        "crawl.max_pages": max_pages,
        "crawl.max_seconds": None if max_time is None else parse_duration(max_time),
        **read_knobs(knobs or []),
    }
    turned = {name: value for name, value in changes.items() if value is not None}
    return conduct(Crawl.resume(directory, changes=turned), json, quiet, turned)
