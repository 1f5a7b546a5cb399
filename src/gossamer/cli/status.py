"""`gossamer status`: how a crawl is doing, or how it went."""

from pathlib import Path
from typing import Annotated

import typer


def status(
    directory: Annotated[Path, typer.Argument(help="The crawl directory.")],
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Show what a crawl has done so far; it may be running or have ended."""
    import msgspec

    from gossamer.cli.summary import print_summary
    from gossamer.crawl.summary import read_summary

    summary = read_summary(directory)
    if json:
        print(msgspec.json.encode(summary).decode())
    else:
        print_summary(summary)
    return 0
