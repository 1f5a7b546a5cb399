"""The command that undoes another one, decided when that one is taken: only then is it known what was
before.
"""

from collections.abc import Sequence

import msgspec

from gossamer.core.settings import Settings
from gossamer.engine.control.active_commands import ActiveCommands
from gossamer.engine.control.command_patterns import CommandError
from gossamer.engine.control.commands import (
    BlockUrls,
    Change,
    Command,
    DelayHost,
    GoOn,
    Pause,
    Prioritise,
    RecordedCommand,
    UnblockUrls,
    say,
)


def inverse(
    command: Command, active_commands: ActiveCommands, settings: Settings
) -> Command | None:
    """The command that restores what was active before; None when it changes nothing, or happens once.

    >>> say(inverse(BlockUrls("a.test"), ActiveCommands(), Settings()))
    'unblock a.test'
    >>> say(inverse(Change("politeness.delay", 2), ActiveCommands(), Settings()))
    'set politeness.delay=1.0'
    """
    match command:
        case Pause():
            return None if active_commands.is_paused else GoOn()
        case GoOn():
            return Pause() if active_commands.is_paused else None
        case BlockUrls(what):
            return None if what in active_commands.blocked else UnblockUrls(what)
        case UnblockUrls(what):
            return BlockUrls(what) if what in active_commands.blocked else None
        case DelayHost(host, seconds):
            before, _ = active_commands.delays.get(host, (None, 0))
            return None if before == seconds else DelayHost(host, before)
        case Prioritise(what, level):
            place, _ = active_commands.priorities.get(what, (None, 0))
            return None if place == level else Prioritise(what, place)
        case Change(name, value):
            section, _, field = name.partition(".")
            was = msgspec.to_builtins(getattr(getattr(settings, section), field))
            return None if was == value else Change(name, was)
    return None


def find_undo(number: int, history: Sequence[RecordedCommand]) -> RecordedCommand:
    """The command that is meant by its number; without one, the last that can be taken back and was not."""
    undone = {command.undoes for command in history}
    if number:
        found = next((command for command in history if command.number == number), None)
        if found is None:
            raise CommandError(
                f"undo: there is no command {number} recorded; see `gossamer log DIR`"
            )
        if found.undo is None:
            raise CommandError(
                f"undo: command {number}, {say(found.command)[:100]}, cannot be taken back"
            )
        if number in undone:
            raise CommandError(
                f"undo: command {number}, {say(found.command)[:100]}, was taken back already"
            )
        return found
    for command in reversed(history):
        if command.undo is not None and not command.undoes and command.number not in undone:
            return command
    raise CommandError("undo: no command is recorded that can be taken back")
