"""The log of the crawl with the commands that were given, the latest first."""

from typing import Literal

from msgspec import Struct

from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.view_protocol import SortableAsked, View
from gossamer.engine.event_log import LEVELS, LogEntry, read_commands, read_log

_MOST = 300


class LogAsked(SortableAsked, frozen=True):
    level: Literal["debug", "info", "warning", "error"] = "info"
    """Lower levels are left out."""
    event: str = ""
    """Only this kind of event."""


class LogShown(Struct, frozen=True):
    """The last lines of the log."""

    entries: list[LogEntry]
    """The latest first."""
    most: int = _MOST
    """There may be more; `gossamer log` prints all of them."""


def look(crawl: ShownCrawl, asked: LogAsked) -> LogShown:
    least = LEVELS[asked.level]
    told = sorted([*read_log(crawl.path), *read_commands(crawl.path)], key=lambda one: one.time)
    wanted = [entry for entry in told if entry.number >= least and asked.event in ("", entry.event)]
    return LogShown(wanted[: -_MOST - 1 : -1])


LOG = View(
    path="/log",
    title="Log",
    about="Events of the crawl, the latest first.",
    asked=LogAsked,
    answer=LogShown,
    look=look,
    template="log.html",
    live="log.live.html",
)
