"""`gossamer status`: how a crawl is doing, or how it went."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from gossamer.crawl.summary import Summary
    from gossamer.crawl.verdict import CrawlSnapshot


def status(
    directory: Annotated[
        str, typer.Argument(help="The crawl directory, or the URL of the crawl's home.")
    ],
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Show what a crawl has done so far; it may be running or have ended."""
    import msgspec

    from gossamer.cli.summary import print_summary
    from gossamer.crawl.verdict import judge

    at = _snapshot(directory)
    verdict = judge(at)
    if json:
        told = {**msgspec.to_builtins(at.summary), "verdict": verdict}
        print(msgspec.json.encode(told).decode())
    else:
        print_summary(at.summary, at, verdict)
    return 0


def _snapshot(directory: str) -> "CrawlSnapshot":
    """How the crawl is doing at the moment, as the dashboard would show it."""
    from gossamer.crawl.status_file import read_summary
    from gossamer.crawl.verdict import CrawlSnapshot
    from gossamer.serve.shown_crawl import ShownCrawl
    from gossamer.serve.snapshot import take_snapshot

    if "://" in directory:  # only what it said last is fetched
        told = _ask_home(directory)
        is_running = not told.stopped_by
        speed = told.pages_per_second if is_running else 0.0
        return CrawlSnapshot(time.time(), told, is_running, told.is_paused, pages_per_second=speed)
    read_summary(Path(directory))  # complains when there is none
    return take_snapshot(ShownCrawl(Path(directory)), waits=True)


def _ask_home(url: str) -> "Summary":
    from gossamer.base.clock import SystemClock
    from gossamer.cluster.home import CrawlHome

    return CrawlHome(url, SystemClock()).summary()
