"""`gossamer status`: how a crawl is doing, or how it went."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from gossamer.crawl.summary import Summary


def status(
    directory: Annotated[
        str, typer.Argument(help="The crawl directory, or the URL of the crawl's home.")
    ],
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Show what a crawl has done so far; it may be running or have ended."""
    import msgspec

    from gossamer.cli.summary import print_summary
    from gossamer.crawl.status_file import read_summary

    summary = _ask_home(directory) if "://" in directory else read_summary(Path(directory))
    if json:
        print(msgspec.json.encode(summary).decode())
    else:
        print_summary(summary, is_paused=_is_paused(directory))
    return 0


def _is_paused(directory: str) -> bool:
    """Was the crawl in this directory paused by a command?"""
    from gossamer.base.directory import Directory
    from gossamer.crawl.control.order_journal import OrdersOnRecord

    if "://" in directory:
        return False
    return OrdersOnRecord(Directory(Path(directory)).control).in_force.is_paused


def _ask_home(url: str) -> "Summary":
    from gossamer.base.clock import SystemClock
    from gossamer.cluster.home import CrawlHome

    return CrawlHome(url, SystemClock()).summary()
