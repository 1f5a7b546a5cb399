"""Marks on charts over time: commands, events of the log, pauses and checkpoints."""

from collections.abc import Iterator
from math import inf

from msgspec import Struct

from gossamer.core.directory import Directory
from gossamer.core.log_events import LogEvent
from gossamer.dashboard.file_stamp import stamp, stamps
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.engine.control.command_journal import command_history
from gossamer.engine.control.commands import GoOn, Pause, RecordedCommand, say
from gossamer.engine.event_log import read_log
from gossamer.engine.event_log.log_files import log_files

MOST = 40
"""The last ones are shown."""
_EARLIER = 5.0
"""Seconds: the start of a crawl is noted a little before its first figures."""
_KINDS: dict[str, str] = {
    LogEvent.STARTED: "run",
    LogEvent.RESUMED: "run",
    LogEvent.STOPPED: "run",
    LogEvent.LIMIT: "run",
    LogEvent.STUCK: "trouble",
    LogEvent.LOGIN: "trouble",
    LogEvent.PARTITION_DIED: "trouble",
    LogEvent.PARTITION_MOVED: "trouble",
    LogEvent.DISK: "trouble",
    LogEvent.SLOW_COMMIT: "trouble",
    LogEvent.REPAIRED: "trouble",
    LogEvent.MISTAKE: "trouble",
}


class ChartMark(Struct, frozen=True):
    """Something that happened, and may be why a curve bends."""

    time: float
    """Seconds since 1970."""
    kind: str
    """`command`, `pause`, `run` for starts and ends, `trouble` or `checkpoint`."""
    words: str
    until: float | None = None
    """When a pause ended; the present, if it has not."""


def read_marks(crawl: ShownCrawl, since: float) -> list[ChartMark]:
    """The last marks from a time on, the oldest first."""
    directory = Directory(crawl.path)
    files = [*log_files(directory.log), *sorted(directory.control.glob("journal-*.log"))]
    found = crawl.keep("chart_marks", stamps(files), lambda: [*_read(crawl)])
    recent = [
        mark
        for mark in [*found, *_checkpoints(crawl)]
        if (mark.until or mark.time) >= since - _EARLIER
    ]
    return [_end(one, crawl.present) for one in sorted(recent, key=lambda one: one.time)[-MOST:]]


def _end(mark: ChartMark, present: float) -> ChartMark:
    if mark.until is None or mark.until <= present:
        return mark
    return ChartMark(mark.time, mark.kind, mark.words, present)


def _read(crawl: ShownCrawl) -> Iterator[ChartMark]:
    for entry in read_log(crawl.path):
        kind = _KINDS.get(entry.event)
        if kind is not None:
            yield ChartMark(entry.time, kind, f"{entry.event.replace('_', ' ')}: {entry.message}")
    orders: list[RecordedCommand] = [*command_history(crawl.path)]
    ends = [order.time for order in orders if isinstance(order.command, GoOn)]
    for given in orders:
        words = f"{say(given.command)} ({given.origin})"
        if isinstance(given.command, Pause):
            until = next((end for end in ends if end > given.time), inf)
            yield ChartMark(given.time, "pause", words, until)
        else:
            yield ChartMark(given.time, "command", words)


def _checkpoints(crawl: ShownCrawl) -> Iterator[ChartMark]:
    """The last one of the first partition."""
    about = stamp(Directory(crawl.path, 0).state / "checkpoint")
    if about is not None:
        yield ChartMark(about[1] / 1e9, "checkpoint", "checkpoint")
