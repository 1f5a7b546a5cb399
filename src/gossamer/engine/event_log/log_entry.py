"""One line of the log."""

import logging
import re
from datetime import UTC, datetime

import msgspec
from msgspec import Struct

LEVELS = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}
_MOST_LETTERS = 8_000
_UNPRINTABLE = re.compile(
    r"[^\x20-\x7e\xa0-\U0010ffff]|[\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
"""What would begin another line, or make a terminal do something, or turn the words around."""


class LogEntry(Struct, frozen=True, omit_defaults=True):
    """An event, as the log has it."""

    time: float
    """In seconds since 1970."""
    level: str
    event: str
    """Its kind (`core/log_events.py`)."""
    message: str
    partition: int | None = None
    """Whose it is; None for the whole crawl."""
    node: str = ""
    """The machine of the partition, when there are several."""

    @property
    def number(self) -> int:
        """Its level as a number."""
        return LEVELS.get(self.level, logging.INFO)

    @property
    def date(self) -> str:
        return write_time(self.time)


class _Line(Struct, omit_defaults=True):
    """The same as JSON."""

    time: str
    level: str
    event: str
    message: str
    partition: int | None = None
    node: str = ""


def write_time(time: float) -> str:
    """A time as it stands in the log.

    >>> write_time(1.8e9)
    '2027-01-15T08:00:00.000Z'
    """
    moment = datetime.fromtimestamp(time, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def name_level(number: int) -> str:
    """The name of a level, or of the next lower one."""
    return next((name for name, least in reversed(LEVELS.items()) if number >= least), "debug")


def tame(message: str) -> str:
    r"""A message as one line without anything that a terminal would obey.

    >>> tame("a\nb\x1b[31m")
    'a\\nb\\x1b[31m'
    """
    return _UNPRINTABLE.sub(lambda found: repr(found[0])[1:-1], message[:_MOST_LETTERS])


def encode(entry: LogEntry, *, is_json: bool) -> str:
    """An entry as a line.

    >>> print(encode(LogEntry(1.8e9, "info", "started", "of 3 seeds"), is_json=False))
    2027-01-15T08:00:00.000Z info started - of 3 seeds
    """
    if is_json:
        line = _Line(
            *(entry.date, entry.level, entry.event, entry.message, entry.partition, entry.node)
        )
        return msgspec.json.encode(line).decode()
    who = "-" if entry.partition is None else str(entry.partition)
    who += f"@{entry.node}" if entry.node else ""
    return f"{entry.date} {entry.level} {entry.event} {who} {entry.message}"


def decode(line: str) -> LogEntry | None:
    """The entry of a line; None when a crash has torn it."""
    try:
        return _decode_json(line) if line.startswith("{") else _decode_text(line)
    except (ValueError, msgspec.MsgspecError):
        return None


def _decode_json(line: str) -> LogEntry:
    one = msgspec.json.decode(line, type=_Line)
    time = _read_time(one.time)
    return LogEntry(time, one.level, one.event, one.message, one.partition, one.node)


def _decode_text(line: str) -> LogEntry:
    date, level, event, who, message = line.split(" ", 4)
    if level not in LEVELS:
        raise ValueError(level)
    partition, _, node = who.partition("@")
    number = None if partition == "-" else int(partition)
    return LogEntry(_read_time(date), level, event, message, number, node)


def _read_time(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()
