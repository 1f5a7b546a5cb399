"""Active commands: all that still count, as one small record.

Pure: a fold over the journal. No command is in here that happens once, such as seeds or a revisit.
"""

from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from gossamer.engine.control.commands import (
    BlockUrls,
    Change,
    DelayHost,
    GoOn,
    Pause,
    Prioritise,
    RecordedCommand,
    UnblockUrls,
)

_Entry = TypeVar("_Entry")


class ActiveCommands(Struct, frozen=True):
    """Each entry has the number of its command."""

    number: int = 0
    """Of the last command that it knows of."""
    is_paused: bool = False
    blocked: dict[str, int] = {}
    """Hosts and URL patterns."""
    delays: dict[str, tuple[float, int]] = {}
    """Seconds, by host."""
    priorities: dict[str, tuple[int, int]] = {}
    """Levels, by host or URL pattern; the last that matches counts."""
    settings: dict[str, tuple[Any, int]] = {}
    """Settings that were changed since the run began; `crawl.toml` has them, too."""

    @property
    def size(self) -> int:
        return len(self.blocked) + len(self.delays) + len(self.priorities)

    @property
    def changes(self) -> dict[str, Any]:
        """Settings by name."""
        return {name: value for name, (value, _) in self.settings.items()}


def fold(before: ActiveCommands, recorded: RecordedCommand) -> ActiveCommands:
    """The active commands after one more.

    >>> blocked = fold(ActiveCommands(), RecordedCommand(1, 0.0, "python", BlockUrls("a.test")))
    >>> blocked.blocked, fold(blocked, RecordedCommand(2, 0.0, "python", UnblockUrls("a.test"))).blocked
    ({'a.test': 1}, {})
    """
    number = recorded.number
    after = replace(before, number=number)
    match recorded.command:
        case Pause():
            return replace(after, is_paused=True)
        case GoOn():
            return replace(after, is_paused=False)
        case BlockUrls(what):
            return replace(after, blocked={**before.blocked, what: number})
        case UnblockUrls(what):
            return replace(after, blocked=_without(before.blocked, what))
        case DelayHost(host, seconds):
            rest = _without(before.delays, host)
            entry = {} if seconds is None else {host: (seconds, number)}
            return replace(after, delays={**rest, **entry})
        case Prioritise(what, level):
            others = _without(before.priorities, what)
            place = {} if level is None else {what: (level, number)}
            return replace(after, priorities={**others, **place})
        case Change(name, value):
            return replace(after, settings={**before.settings, name: (value, number)})
    return after


def _without(entries: dict[str, _Entry], name: str) -> dict[str, _Entry]:
    return {other: entry for other, entry in entries.items() if other != name}
