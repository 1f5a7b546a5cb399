"""Events that are worth a line in the log of a crawl, and their words.

What is only for the log goes to a logger of its own, `LOG_ONLY`. What people at the terminal must see goes
to the logger `gossamer` as well; a library's program finds it there, too. Who writes the log listens to
both (`engine/event_log`).
"""

import logging
from enum import StrEnum
from typing import Any

from msgspec import Struct


class LogEvent(StrEnum):
    """Kinds of lines."""

    STARTED = "started"
    RESUMED = "resumed"
    STOPPED = "stopped"
    PAUSED = "paused"
    WENT_ON = "went_on"
    STUCK = "stuck"
    """No page could be fetched so far, and all URLs wait for hosts that failed."""
    LIMIT = "limit"
    """A limit other than those of pages and time ended the crawl."""
    HOST_FAILS = "host_fails"
    """A host failed several times in a row."""
    HOST_ANSWERS = "host_answers"
    """One of these answers again."""
    ROBOTS_FORBIDS = "robots_forbids"
    """A robots.txt forbids everything."""
    DECIDED = "decided"
    """A pattern, mirror, spelling or error page was found that is not worth following."""
    SEED_FAILED = "seed_failed"
    LOGIN = "login"
    """A login was lost, or holds again."""
    PARTITION_DIED = "partition_died"
    PARTITION_MOVED = "partition_moved"
    SLOW_COMMIT = "slow_commit"
    DISK = "disk"
    """The disk is nearly full."""
    REPAIRED = "repaired"
    """Something was damaged and is made again."""
    MISTAKE = "mistake"
    """A function of a program or package raised an error."""
    ORDER = "order"
    """A command was given to the running crawl."""
    LEFT_OUT = "left_out"
    """There are too many lines of a kind."""
    PAGE = "page"
    """A visit ended; only with `log.log_level = "debug"`."""
    SAID = "said"
    """Anything else that is said at the terminal."""


MANY = frozenset(
    {LogEvent.HOST_FAILS, LogEvent.HOST_ANSWERS, LogEvent.ROBOTS_FORBIDS, LogEvent.DECIDED}
)
"""Events that a broad crawl could have without end: an hour has room for some."""

ALOUD = logging.getLogger("gossamer")
LOG_ONLY = logging.Logger("log of a crawl", logging.DEBUG)
"""No other logger knows it, so nothing that it is told comes out at the terminal of a program."""
LOG_ONLY.addHandler(logging.NullHandler())


class ToldLine(Struct, frozen=True, array_like=True):
    """A line on its way from a partition to the supervisor."""

    event: str
    """Empty for what has no kind."""
    message: str
    is_aloud: bool
    node: str = ""
    """The machine, when partitions live on several."""


def log_event(event: LogEvent, message: str, *arguments: object, level: int = logging.INFO) -> None:
    """Put a line into the log, and nowhere else."""
    LOG_ONLY.log(level, message, *arguments, extra={"event": event})


def log_aloud(
    event: LogEvent, message: str, *arguments: object, level: int = logging.WARNING
) -> None:
    """Put a line into the log, and let people at the terminal see it: each has a record of its own."""
    for logger in (ALOUD, LOG_ONLY):
        logger.log(level, message, *arguments, extra={"event": event})


def retell(said: ToldLine, level: int, partition: int) -> None:
    """Tell what a partition has told."""
    extra: dict[str, Any] = {"partition": partition, "node": said.node}
    if said.event:
        extra["event"] = said.event
    logger = ALOUD if said.is_aloud else LOG_ONLY
    logger.log(level, "%s", said.message, extra=extra)


def is_for_log(record: logging.LogRecord) -> bool:
    """Is it a record of which the log has no other? What was told aloud comes twice."""
    return record.name == LOG_ONLY.name or not hasattr(record, "event")


class Restraint:
    """Lets through some lines of each kind that may come without end, and then one that says so.

    >>> restraint = Restraint(most=1)
    >>> [restraint.judge(LogEvent.HOST_FAILS, time) for time in (0.0, 1.0, 2.0, 3601.0)]
    ['pass', 'last', 'drop', 'pass']
    """

    def __init__(self, most: int = 50, window: float = 3600.0) -> None:
        self._most = most
        self._window = window
        self._begun: dict[str, tuple[float, int]] = {}

    def judge(self, event: str, time: float) -> str:
        """`pass`, `drop`, or `last` for the first one that is dropped."""
        if event not in MANY:
            return "pass"
        begun, count = self._begun.get(event, (time, 0))
        if not begun <= time < begun + self._window:
            begun, count = time, 0
        self._begun[event] = begun, count + 1
        if count < self._most:
            return "pass"
        return "last" if count == self._most else "drop"


LEFT_OUT = "too many events of the kind %s: the others of this hour are left out"
