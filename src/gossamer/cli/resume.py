"""`gossamer resume`: go on with a crawl that was stopped, by whatever."""

from pathlib import Path
from typing import Annotated

import typer

from gossamer.cli.conduct import conduct
from gossamer.cli.duration import parse_duration
from gossamer.cli.knobs import read_knobs


def resume(
    directory: Annotated[Path, typer.Argument(help="A crawl directory.")],
    max_pages: Annotated[
        int | None, typer.Option(help="Stop after this many pages, those of earlier runs included.")
    ] = None,
    max_time: Annotated[
        str | None, typer.Option(help="Stop after this time, that of earlier runs included.")
    ] = None,
    knobs: Annotated[
        list[str] | None,
        typer.Option("--set", help="Any setting, as section.name=value; repeatable."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object at the end.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress display.")] = False,
) -> int:
    """Go on with a crawl after any stop: Ctrl-C, kill -9, a full disk, a power cut."""
    from gossamer.cluster.crawl import Crawl

    changes = {
        "crawl.max_pages": max_pages,
        "crawl.max_seconds": None if max_time is None else parse_duration(max_time),
        **read_knobs(knobs or []),
    }
    turned = {name: value for name, value in changes.items() if value is not None}
    return conduct(Crawl.resume(directory, changes=turned), json, quiet, turned)
