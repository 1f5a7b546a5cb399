"""What one ring does about orders: what is in force, and what happens once.

The ring is given all that is in force, at its beginning and after each order. It does what is new of it, so
that it may be given the same twice. What happens once has the number of its order: the last one that was done
is noted in the same commit as what came of it.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec
from msgspec import Struct

from gossamer.base.durable import Durable
from gossamer.base.records import Candidate
from gossamer.base.url import Url
from gossamer.crawl.control.in_force import InForce
from gossamer.crawl.control.orders import AddSeeds, Ordered, RevisitNow
from gossamer.crawl.control.patterns import Patterns
from gossamer.crawl.inbox import Announcement
from gossamer.crawl.rests import Rests
from gossamer.crawl.rooms import Rooms

_PORTION, _PORTION_BYTES = 250, 8 << 20
"""Orders that are sent together, at most: each may have 10,000 URLs, of any length."""


class StandingOrders(Struct, frozen=True, array_like=True):
    """What a ring is given: all that is in force, and what happens once and may not have happened here."""

    in_force: InForce = InForce()
    once: tuple[Ordered, ...] = ()

    def portions(self) -> "Iterator[StandingOrders]":
        """The same in pieces, to be sent one after the other."""
        some, size = list[Ordered](), 0
        for one in self.once:
            size += (length := len(_encode(one)))
            if some and (len(some) == _PORTION or size > _PORTION_BYTES):
                yield StandingOrders(self.in_force, tuple(some))
                some, size = [], length
            some.append(one)
        yield StandingOrders(self.in_force, tuple(some))


NO_ORDERS = StandingOrders()


class ObedienceState(Struct, frozen=True, array_like=True):
    done: int = 0
    """The number of the last order that happens once, of those that were done …"""
    moved: int = 0
    """… and of the last one that gave waiting URLs another level; only a checkpoint knows of that."""


class WantedOnce(NamedTuple):
    """What orders ask for, once."""

    seeds: list[Candidate]
    announced: list[Announcement]


class Obedience(Durable):
    """Carries out orders in the rooms of one ring."""

    name = "orders"

    def __init__(self, rooms: Rooms, rests: Rests, notes: bytes = b"", state: bytes = b"") -> None:
        """`notes` is what was noted last, `state` what the checkpoint has."""
        self._rooms = rooms
        self._rests = rests
        self._in_force = InForce()
        self._has_begun = False
        """Was it told what is in force at the beginning of the run?"""
        self._done = self._noted = _read(notes or state).done
        self._moved = self._moving = _read(state).moved
        self._priorities: Patterns[int] = Patterns()

    @property
    def done(self) -> int:
        """The number of the last order that happens once, as far as it is on record here."""
        return self._noted

    @property
    def taken(self) -> int:
        """The same, on record or not: what was ordered before need not be said again in this life."""
        return self._done

    @property
    def obeys(self) -> int:
        """The number of the last order that it goes by."""
        return self._in_force.number

    def obey(self, in_force: InForce) -> None:
        """Go by this from now on."""
        before, self._in_force = self._in_force, in_force
        self._rooms.blocked.block(in_force.blocked)
        if in_force.delays != before.delays:
            self._slow_down(before, in_force)
        if in_force.priorities != before.priorities:
            self._prefer(in_force)
        self._has_begun = True

    def once(self, ordered: Sequence[Ordered]) -> WantedOnce:
        """What is asked for by orders that were not done before."""
        wanted = WantedOnce([], [])
        for one in ordered:
            if one.number <= self._done:
                continue
            self._done = one.number
            match one.order:
                case AddSeeds(urls):
                    wanted.seeds.extend(map(Candidate, self._parse(urls)))
                case RevisitNow(urls):
                    wanted.announced.append(Announcement("", list(urls)))
        return wanted

    def level_of(self, url: Url) -> int | None:
        """The level that an order gives a URL."""
        return self._priorities.find(url)

    @property
    def has_priorities(self) -> bool:
        return bool(self._priorities)

    def look(self) -> None:
        """Is what waits in its new levels by now?"""
        if self._moving > self._moved and not self._rooms.frontier.is_moving:
            self._moved = self._moving

    def _parse(self, urls: Sequence[str]) -> list[Url]:
        found = map(self._rooms.spelling.parse, urls)
        return [url for url in found if url is not None]

    def _slow_down(self, before: InForce, after: InForce) -> None:
        """A host that has just been given a longer gap is left in peace for that time at once."""
        self._rests.delays = {host: seconds for host, (seconds, _) in after.delays.items()}
        now = self._rooms.clock.now()
        for host, entry in after.delays.items():
            is_longer = entry[0] > before.delays.get(host, (0.0, 0))[0]
            is_new = self._has_begun and entry[1] > before.number
            if is_longer and is_new and self._rooms.neighbours.is_own(host):
                self._rests.rest(host, now + entry[0], now)

    def _prefer(self, in_force: InForce) -> None:
        levels = {what: level for what, (level, _) in in_force.priorities.items()}
        self._priorities = Patterns(levels)
        find = self._priorities.find
        newest = max((number for _, number in in_force.priorities.values()), default=0)
        self._moving = max(self._moving, newest)
        is_new = self._moving > self._moved
        self._rooms.frontier.prefer(find if levels else None, is_new=is_new)

    # On record.

    def note(self) -> bytes:
        return _encode(ObedienceState(self._done)) if self._done != self._noted else b""

    def noted(self) -> None:
        self._noted = self._done

    def checkpoint(self) -> bytes:
        self.look()
        return _encode(ObedienceState(self._done, self._moved))


_encode = msgspec.msgpack.Encoder().encode


def _read(data: bytes) -> ObedienceState:
    return msgspec.msgpack.decode(data, type=ObedienceState) if data else ObedienceState()
