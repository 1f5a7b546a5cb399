"""Foresee the effect of a command on the URLs that wait.

A crawl that runs is asked. Of one that does not run, the last checkpoint is read.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from gossamer.core.directory import Directory, check_is_crawl
from gossamer.core.errors import DirectoryError
from gossamer.core.records import Visit
from gossamer.core.settings import Settings
from gossamer.core.url import Spelling
from gossamer.engine.control.command_checks import catch_up, change, check
from gossamer.engine.control.command_journal import RecordedCommands, command_history
from gossamer.engine.control.command_patterns import Patterns
from gossamer.engine.control.commands import (
    BlockUrls,
    Change,
    Command,
    Stop,
    UnblockUrls,
    Undo,
    say,
)
from gossamer.engine.control.control_client import SECONDS, ask
from gossamer.engine.control.control_messages import AskEffect
from gossamer.engine.control.undo_command import find_undo
from gossamer.engine.following import refuses
from gossamer.engine.ledger import Checkpoint, Ledger
from gossamer.engine.seeds import read_seeds_again
from gossamer.engine.status_file import read_summary
from gossamer.pipeline.frontier.disk_frontier import DiskFrontier
from gossamer.pipeline.frontier.frontier_checkpoint import count_committed
from gossamer.pipeline.scope import Scope


class Effect(Struct, frozen=True, array_like=True):
    """The effect of a command."""

    reached: int
    """URLs that wait and would be set aside."""
    waiting: int
    """All that wait in queues."""
    is_estimate: bool = False
    unseen: int = 0
    """Those that wait over the budget of their domain: nobody looked at which they are."""

    def __add__(self, other: "Effect") -> "Effect":
        is_estimate = self.is_estimate or other.is_estimate
        return Effect(
            self.reached + other.reached,
            self.waiting + other.waiting,
            is_estimate,
            self.unseen + other.unseen,
        )


def reach_of(command: Command, settings: Settings, scope: Scope) -> Callable[[Visit], bool]:
    """Which waiting URLs a command would set aside. `scope` is that of the crawl as it is."""
    if isinstance(command, BlockUrls):
        blocked = Patterns({command.what: True})
        return lambda visit: blocked.find(visit.url) is not None
    if isinstance(command, Change):
        after = change(settings, command)
        if (after.scope, after.parse) != (settings.scope, settings.parse):
            wanted = scope.changed(after.scope)
            return lambda visit: refuses(visit, after, wanted) is not None
    return lambda visit: False


def foresee(path: str | Path, command: Command, seconds: float = SECONDS) -> tuple[Command, Effect]:
    """The command that would be recorded, and its effect; `GossamerError` if it makes no sense.

    A crawl that runs is waited for as long as `seconds`.
    """
    path = Path(path)
    check_is_crawl(path)
    directory = Directory(path)
    committed = RecordedCommands(directory.control)
    settings = catch_up(directory.look(), committed)
    if isinstance(command, Undo):
        command = find_undo(command.number, command_history(path)).undo or command
    command = check(command, settings, committed.active_commands)
    reply = ask(path, AskEffect(command), seconds)
    if reply is not None:
        return command, msgspec.convert(reply.found, Effect)
    none = Effect(0, 0, unseen=_over_budget(path))
    return command, sum((_look(state, command, settings) for state in _states(path)), none)


def _over_budget(path: Path) -> int:
    """By the last word of a crawl that does not run."""
    with suppress(DirectoryError):
        return read_summary(path).deferred
    return 0


def say_effect(command: Command, effect: Effect) -> str:
    """Describe the effect of a command in one line.

    >>> say_effect(BlockUrls("a.test"), Effect(3, 10))
    'block a.test: 3 of 10 waiting URLs would be set aside; `undo` brings them back'
    >>> say_effect(BlockUrls("a.io"), Effect(0, 9, unseen=5))
    'block a.io: none of the 9 waiting URLs would be set aside; 5 more, over their budget, were not counted'
    """
    about = "about " * effect.is_estimate
    if isinstance(command, Stop):
        waiting = effect.waiting + effect.unseen
        return f"stop: the crawl would end with {waiting:,} URLs waiting; it can be resumed"
    more = f"; {effect.unseen:,} more, over their budget, were not counted" * bool(effect.unseen)
    if effect.reached:
        what = f"{about}{effect.reached:,} of {effect.waiting:,} waiting URLs would be set aside"
        return f"{say(command)[:200]}: {what}; `undo` brings them back{more}"
    what = f"none of the {effect.waiting:,} waiting URLs would be set aside"
    if isinstance(command, UnblockUrls):
        what, more = "the URLs that this block set aside would wait again", ""
    return f"{say(command)[:200]}: {what}{more}"


def _states(path: Path) -> Iterator[Path]:
    for number in range(Directory(path).partitions):
        yield Directory(path, number).state


def _look(state: Path, command: Command, settings: Settings) -> Effect:
    """By the last checkpoint of a partition; nothing waits where there is none."""
    if not (state / "checkpoint").is_file():
        return Effect(0, 0)
    checkpoint = Ledger.read_checkpoint(state)
    packed = checkpoint.components.get(DiskFrontier.name, b"")
    if not packed:
        return Effect(0, 0)
    is_meant = reach_of(command, settings, _scope(settings, checkpoint))
    return Effect(*count_committed(state / "frontier", packed, is_meant))


def _scope(settings: Settings, checkpoint: Checkpoint) -> Scope:
    seeds = read_seeds_again(settings.crawl.seeds, Spelling(settings.url.rules))
    fetch = settings.fetch
    scope = Scope(
        *(settings.scope, seeds, fetch.max_url, None, fetch.schemes),
        personal_hosts=fetch.personal_hosts,
    )
    if state := checkpoint.components.get(Scope.name):
        scope.replay([state])
    return scope
