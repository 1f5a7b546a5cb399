"""`gossamer log`: what happened in a crawl."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.core.errors import SettingsError
from gossamer.core.quantities import parse_duration

if TYPE_CHECKING:
    from gossamer.engine.event_log import LogEntry

_LOOK_EVERY = 0.3
"""Seconds between two looks at whether there is more …"""
_ASK_STORAGE_EVERY = 5.0
"""… and at remote storage, where lines arrive every ten seconds."""


def log(
    directory: Annotated[
        str, typer.Argument(help="The crawl directory, or the URL of the crawl's remote storage.")
    ],
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Follow the log until Ctrl-C.")
    ] = False,
    level: Annotated[
        str, typer.Option(help="Leave out lower levels: debug, info, warning or error.")
    ] = "debug",
    since: Annotated[
        str | None,
        typer.Option(help="Leave out older lines: a time (2026-05-01T12:00) or a duration (2h)."),
    ] = None,
    event: Annotated[
        list[str] | None,
        typer.Option(help="Only this kind of event; can be given several times."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print each line as a JSON object.")] = False,
) -> int:
    """Print the log of a crawl: starts, stops, troubles and commands. It may be running."""
    from gossamer.engine.event_log import LEVELS, encode

    if level not in LEVELS:
        raise SettingsError(f"--level: {level!r} is not a level; write {', '.join(LEVELS)}")
    first = _read_since(since)
    for entry in _entries(directory, follow):
        is_kind = not event or entry.event in event
        if entry.number >= LEVELS[level] and entry.time >= first and is_kind:
            print(encode(entry, is_json=json), flush=follow)
    return 0


def _read_since(text: str | None) -> float:
    """The time from which on lines count; a time without a zone is UTC, as in the log."""
    if text is None:
        return 0.0
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        try:
            return time.time() - parse_duration(text)
        except SettingsError:
            raise SettingsError(
                f"--since: {text!r} is neither a time nor a duration; write e.g. 2026-05-01T12:00 or 2h"
            ) from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _entries(directory: str, follow: bool) -> "Iterator[LogEntry]":
    from gossamer.cluster.storage import is_storage_url

    if is_storage_url(directory):
        return _follow_storage(directory) if follow else _read_storage(directory)
    return _follow(Path(directory)) if follow else _read(Path(directory))


def _read_storage(url: str) -> "Iterator[LogEntry]":
    """Read the log in remote storage up to now."""
    from gossamer.cluster.storage import CrawlStorage
    from gossamer.core.clock import SystemClock

    with TemporaryDirectory(prefix="gossamer-") as folder:
        CrawlStorage(url, SystemClock()).make_shell(Path(folder) / "crawl")
        yield from [*_read(Path(folder) / "crawl")]


def _follow_storage(url: str) -> "Iterator[LogEntry]":
    """The same again and again, but for what was shown before."""
    shown: set[LogEntry] = set()
    while True:
        entries = [*_read_storage(url)]
        yield from (entry for entry in entries if entry not in shown)
        shown = {*entries}
        time.sleep(_ASK_STORAGE_EVERY)


def _read(directory: Path) -> "Iterator[LogEntry]":
    """All there is, in the order of time."""
    from gossamer.engine.event_log import read_commands, read_log

    entries = [*read_log(directory), *read_commands(directory)]
    yield from sorted(entries, key=lambda entry: entry.time)


def _follow(directory: Path) -> "Iterator[LogEntry]":
    from gossamer.engine.event_log import CommandsFollower, LogFollower

    followers = LogFollower(directory), CommandsFollower(directory)
    while True:
        new = [entry for follower in followers for entry in follower.more()]
        yield from sorted(new, key=lambda entry: entry.time)
        time.sleep(_LOOK_EVERY)
