"""Carry out commands in one ring: those that are active, and those that happen once.

The ring is given all that is active, at its beginning and after each command. It does what is new of it, so
that it may be given the same twice. What happens once has the number of its command: the last one that was
done is noted in the same commit as what came of it.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec
from msgspec import Struct

from gossamer.core.durable import Durable
from gossamer.core.records import Candidate
from gossamer.core.url import Url
from gossamer.engine.control.active_commands import ActiveCommands
from gossamer.engine.control.command_patterns import Patterns
from gossamer.engine.control.commands import AddSeeds, RecordedCommand, RevisitNow
from gossamer.engine.host_delays import HostDelays
from gossamer.engine.inbox import Announcement
from gossamer.engine.seeds import as_candidate, read_seeds_again
from gossamer.engine.stateful_components import Components

_PORTION, _PORTION_BYTES = 250, 8 << 20
"""Commands that are sent together, at most: each may have 10,000 URLs, of any length."""


class StandingCommands(Struct, frozen=True, array_like=True):
    """The commands given to a ring: the active ones, and those done once that may not have been done here."""

    active_commands: ActiveCommands = ActiveCommands()
    once: tuple[RecordedCommand, ...] = ()

    def portions(self) -> "Iterator[StandingCommands]":
        """The same in pieces, to be sent one after the other."""
        some, size = list[RecordedCommand](), 0
        for command in self.once:
            size += (length := len(_encode(command)))
            if some and (len(some) == _PORTION or size > _PORTION_BYTES):
                yield StandingCommands(self.active_commands, tuple(some))
                some, size = [], length
            some.append(command)
        yield StandingCommands(self.active_commands, tuple(some))


NO_COMMANDS = StandingCommands()


class RingCommandState(Struct, frozen=True, array_like=True):
    done: int = 0
    """The number of the last command that happens once, of those that were done …"""
    moved: int = 0
    """… and of the last one that gave waiting URLs another level; only a checkpoint knows of that."""


class WantedOnce(NamedTuple):
    """The visits that commands ask for, once."""

    seeds: list[Candidate]
    announced: list[Announcement]


class RingCommands(Durable):
    """Carries out commands in the components of one ring."""

    name = "orders"

    def __init__(
        self,
        components: Components,
        host_delays: HostDelays,
        notes: bytes = b"",
        state: bytes = b"",
    ) -> None:
        """`notes` is what was noted last, `state` what the checkpoint has."""
        self._components = components
        self._host_delays = host_delays
        self._active_commands = ActiveCommands()
        self._has_begun = False
        """Was it told what is active at the beginning of the run?"""
        self._done = self._noted = _read(notes or state).done
        self._moved = self._moving = _read(state).moved
        self._priorities: Patterns[int] = Patterns()

    @property
    def done(self) -> int:
        """The number of the last command that happens once, as far as it is recorded here."""
        return self._noted

    @property
    def taken(self) -> int:
        """The same, recorded or not: what was ordered before need not be said again in this life."""
        return self._done

    @property
    def active_number(self) -> int:
        """The number of the last command that it goes by."""
        return self._active_commands.number

    def apply_commands(self, active_commands: ActiveCommands) -> None:
        """Go by this from now on."""
        before, self._active_commands = self._active_commands, active_commands
        self._components.blocked.block(active_commands.blocked)
        if active_commands.delays != before.delays:
            self._slow_down(before, active_commands)
        if active_commands.priorities != before.priorities:
            self._prefer(active_commands)
        self._has_begun = True

    def once(self, recorded: Sequence[RecordedCommand]) -> WantedOnce:
        """The visits asked for by commands that were not done before."""
        wanted = WantedOnce([], [])
        for command in recorded:
            if command.number <= self._done:
                continue
            self._done = command.number
            match command.command:
                case AddSeeds(urls):
                    seeds = read_seeds_again(urls, self._components.spelling)
                    wanted.seeds.extend(map(as_candidate, seeds))
                case RevisitNow(urls):
                    wanted.announced.append(Announcement("", list(urls)))
        return wanted

    def level_of(self, url: Url) -> int | None:
        """The level that a command gives a URL."""
        return self._priorities.find(url)

    @property
    def has_priorities(self) -> bool:
        return bool(self._priorities)

    def look(self) -> None:
        """Is what waits in its new levels by now?"""
        if self._moving > self._moved and not self._components.frontier.is_moving:
            self._moved = self._moving

    def _slow_down(self, before: ActiveCommands, after: ActiveCommands) -> None:
        """A host that has just been given a longer delay is left in peace for that time at once."""
        self._host_delays.delays = {host: seconds for host, (seconds, _) in after.delays.items()}
        now = self._components.clock.now()
        for host, entry in after.delays.items():
            is_longer = entry[0] > before.delays.get(host, (0.0, 0))[0]
            is_new = self._has_begun and entry[1] > before.number
            if is_longer and is_new and self._components.neighbours.is_own(host):
                self._host_delays.delay_until(host, now + entry[0], now)

    def _prefer(self, active_commands: ActiveCommands) -> None:
        levels = {what: level for what, (level, _) in active_commands.priorities.items()}
        self._priorities = Patterns(levels)
        find = self._priorities.find
        latest = max((number for _, number in active_commands.priorities.values()), default=0)
        self._moving = max(self._moving, latest)
        is_new = self._moving > self._moved
        self._components.frontier.prefer(find if levels else None, is_new=is_new)

    # Recorded.

    def note(self) -> bytes:
        return _encode(RingCommandState(self._done)) if self._done != self._noted else b""

    def noted(self) -> None:
        self._noted = self._done

    def checkpoint(self) -> bytes:
        self.look()
        return _encode(RingCommandState(self._done, self._moved))


_encode = msgspec.msgpack.Encoder().encode


def _read(data: bytes) -> RingCommandState:
    return msgspec.msgpack.decode(data, type=RingCommandState) if data else RingCommandState()
