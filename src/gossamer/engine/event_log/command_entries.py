"""Commands that a crawl was given, as entries of its log. They stand in a journal of their own."""

from collections.abc import Iterator
from pathlib import Path

from gossamer.core.directory import Directory
from gossamer.core.log_events import LogEvent
from gossamer.engine.control.command_journal import command_history
from gossamer.engine.control.commands import say
from gossamer.engine.event_log.log_entry import LogEntry, tame


def read_commands(path: Path) -> Iterator[LogEntry]:
    """All commands, the first one first, each with where it came from."""
    for command in command_history(path):
        yield LogEntry(
            command.time, "info", LogEvent.ORDER, tame(f"{say(command.command)} ({command.origin})")
        )


class CommandsFollower:
    """Hands out commands that are new since the last call. It reads the journal only when that has grown."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._folder = Directory(path).control
        self._size = -1
        self._logged = 0

    def more(self) -> Iterator[LogEntry]:
        size = sum(file.stat().st_size for file in self._folder.glob("journal-*.log"))
        if size != self._size:
            self._size = size
            commands = list(read_commands(self._path))
            new, self._logged = commands[self._logged :], len(commands)
            yield from new
