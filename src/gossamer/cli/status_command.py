"""`gossamer status`: how a crawl is doing, or how it went."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from gossamer.engine.crawl_health import CrawlSnapshot
    from gossamer.engine.summary import Summary


def status(
    directory: Annotated[
        str, typer.Argument(help="The crawl directory, or the URL of the crawl's remote storage.")
    ],
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Show what a crawl has done so far; it may be running or have ended."""
    import msgspec

    from gossamer.cli.end_summary import print_summary
    from gossamer.engine.crawl_health import judge

    at = _snapshot(directory)
    verdict = judge(at)
    if json:
        status = {**msgspec.to_builtins(at.summary), "verdict": verdict}
        print(msgspec.json.encode(status).decode())
    else:
        print_summary(at.summary, at, verdict)
    return 0


def _snapshot(directory: str) -> "CrawlSnapshot":
    """Take a snapshot of the crawl's state, as the dashboard shows it."""
    from gossamer.dashboard.crawl_snapshot import take_snapshot
    from gossamer.dashboard.shown_crawl import ShownCrawl
    from gossamer.engine.crawl_health import CrawlSnapshot
    from gossamer.engine.status_file import read_summary

    if "://" in directory:  # only what it said last is fetched
        status = _ask_storage(directory)
        is_running = not status.stopped_by
        speed = status.pages_per_second if is_running else 0.0
        return CrawlSnapshot(
            time.time(), status, is_running, status.is_paused, pages_per_second=speed
        )
    read_summary(Path(directory))  # complains when there is none
    return take_snapshot(ShownCrawl(Path(directory)), waits=True)


def _ask_storage(url: str) -> "Summary":
    from gossamer.cluster.storage import CrawlStorage
    from gossamer.core.clock import SystemClock

    return CrawlStorage(url, SystemClock()).summary()
