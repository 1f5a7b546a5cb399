"""`gossamer status`: how a crawl is doing, or how it went."""

from pathlib import Path
from typing import Annotated

import typer

from gossamer.base.errors import DirectoryError


def status(
    directory: Annotated[Path, typer.Argument(help="A crawl directory.")],
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Show what a crawl has done so far, running or ended."""
    import msgspec
    from msgspec.structs import replace

    from gossamer.cli.summary import print_summary
    from gossamer.directory import Directory, check_is_crawl
    from gossamer.tally import Summary

    check_is_crawl(directory)
    try:
        text = (directory / "state" / "status.json").read_bytes()
        summary = msgspec.json.decode(text, type=Summary)
    except (OSError, msgspec.MsgspecError):
        raise DirectoryError(
            f"{directory} says nothing of itself yet; wait, or go on with `gossamer resume {directory}`"
        ) from None
    if not summary.stopped_by and not Directory(directory).is_in_use:
        summary = replace(summary, stopped_by="killed")
    if json:
        print(msgspec.json.encode(summary).decode())
    else:
        print_summary(summary)
    return 0
