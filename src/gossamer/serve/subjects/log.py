"""What happened in the crawl: its log with the orders that were given, the newest first."""

from typing import Literal

from msgspec import Struct

from gossamer.crawl.log import LEVELS, LogEntry, read_log, read_orders
from gossamer.serve.shown_crawl import ShownCrawl
from gossamer.serve.subject import SortableAsked, Subject

_MOST = 300


class LogAsked(SortableAsked, frozen=True):
    level: Literal["debug", "info", "warning", "error"] = "info"
    """Lower levels are left out."""
    event: str = ""
    """Only this kind of event."""


class LogShown(Struct, frozen=True):
    """The last lines of the log."""

    entries: list[LogEntry]
    """The newest first."""
    most: int = _MOST
    """There may be more; `gossamer log` prints all of them."""


def look(crawl: ShownCrawl, asked: LogAsked) -> LogShown:
    least = LEVELS[asked.level]
    told = sorted([*read_log(crawl.path), *read_orders(crawl.path)], key=lambda one: one.time)
    wanted = [one for one in told if one.number >= least and asked.event in ("", one.event)]
    return LogShown(wanted[: -_MOST - 1 : -1])


LOG = Subject(
    path="/log",
    title="Log",
    about="What happened in the crawl, the newest first.",
    asked=LogAsked,
    answer=LogShown,
    look=look,
    template="log.html",
    live="log.live.html",
)
