"""Active commands of a crawl that may be running, for people."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from gossamer.core.directory import Directory
from gossamer.engine.control.active_commands import ActiveCommands
from gossamer.engine.control.command_checks import catch_up
from gossamer.engine.control.command_journal import RecordedCommands, command_history
from gossamer.engine.control.commands import Change, RecordedCommand, say


class ControlState(Struct, frozen=True):
    """The state that commands have led to."""

    is_running: bool
    active_commands: ActiveCommands
    settings: dict[str, Any] = {}
    """Settings that were ever changed by a command, as they are now."""
    last: RecordedCommand | None = None


def look(path: str | Path) -> ControlState:
    """The active commands, from the journal: no process has to be asked."""
    directory = Directory(Path(path))
    committed, history = RecordedCommands(directory.control), command_history(path)
    settings = catch_up(directory.look(), committed)
    names = {command.command.name for command in history if isinstance(command.command, Change)}
    values = {name: _find(settings, name) for name in sorted(names)}
    last = history[-1] if history else None
    return ControlState(directory.is_in_use, committed.active_commands, values, last)


def say_state(state: ControlState) -> str:
    """The same in lines.

    >>> print(say_state(ControlState(False, ActiveCommands(2, True, {"a.test": 1}))))
    the crawl does not run; when it is resumed, this is active:
    paused
    block a.test
    """
    head = "the crawl runs" if state.is_running else "the crawl does not run; when it is resumed"
    lines = [*_lines(state)]
    return "\n".join(
        [f"{head}, this is active:" if lines else f"{head}, no command is active", *lines]
    )


def _lines(state: ControlState) -> Iterator[str]:
    active_commands = state.active_commands
    if active_commands.is_paused:
        yield "paused"
    yield from (f"block {what}" for what in active_commands.blocked)
    yield from (
        f"delay {host} {seconds:g}" for host, (seconds, _) in active_commands.delays.items()
    )
    yield from (
        f"priority {what} {level}" for what, (level, _) in active_commands.priorities.items()
    )
    yield from (say(Change(name, value)) for name, value in state.settings.items())


def _find(settings: Any, name: str) -> Any:
    section, _, field = name.partition(".")
    return getattr(getattr(settings, section, None), field, None)
