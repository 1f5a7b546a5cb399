"""People who tell a simulated crawl what to do, whatever happens to it.

An order is sent at its time, and sent again in the next life of the crawl until it was answered. Once it was
answered, it counts: nobody asks a host that is blocked, and nobody asks anybody in a pause.
"""

from collections.abc import Sequence
from random import Random

import msgspec

from gossamer.core.clock import VirtualClock
from gossamer.core.poller import Poller
from gossamer.engine.control.commands import (
    AddSeeds,
    BlockUrls,
    Change,
    Command,
    DelayHost,
    GoOn,
    Pause,
    Prioritise,
    UnblockUrls,
)
from gossamer.engine.control.control_messages import ControlRequest, encode
from gossamer.lab.server.request_log import LoggedRequest
from gossamer.lab.simulator.politeness_check import Foul
from gossamer.lab.simulator.virtual_poller import VirtualPoller

_GRACE = 15.0
"""Seconds that an order may take to each partition, and a request to its server."""


class Script:
    """The orders of one play, one after the other."""

    def __init__(
        self,
        count: int,
        hosts: Sequence[str],
        seeds: Sequence[str],
        chance: Random,
        clock: VirtualClock,
    ) -> None:
        self._clock = clock
        self._orders = _draw(count, hosts, seeds, chance)
        self._times = [clock.now() + 3.0]
        for _ in self._orders:
            self._times.append(self._times[-1] + chance.uniform(2, 40))
        self._at = 0
        self._blocked: dict[str, float] = {}
        self._paused: float | None = None
        """Since when that counts."""

    @property
    def is_over(self) -> bool:
        return self._at >= len(self._orders)

    @property
    def next_time(self) -> float:
        return self._times[self._at]

    def send(self) -> Command:
        """The next order. What it ends does not count from now on, whether it is answered or not."""
        order = self._orders[self._at]
        if isinstance(order, UnblockUrls):
            self._blocked.pop(order.what, None)
        elif isinstance(order, GoOn):
            self._paused = None
        return order

    def answered(self) -> None:
        """It is active."""
        order, now = self._orders[self._at], self._clock.now()
        if isinstance(order, BlockUrls):
            self._blocked[order.what] = now
        elif isinstance(order, Pause):
            self._paused = now
        self._at += 1

    def see(self, request: LoggedRequest) -> None:
        """A server is asked."""
        for what, since in (*self._blocked.items(), ("everything", self._paused)):
            is_meant = what in ("everything", request.host.partition(":")[0])
            if since is not None and is_meant and request.start > since + _GRACE:
                raise Foul(
                    f"{request.host}{request.path} is asked though {what} is stopped by an order"
                )


def _draw(count: int, hosts: Sequence[str], seeds: Sequence[str], chance: Random) -> list[Command]:
    """Orders after which all is as before: the crawl must come to the same end."""
    orders: list[Command] = []
    while len(orders) < count:
        host = chance.choice(hosts)
        few: list[list[Command]] = [
            [BlockUrls(host), UnblockUrls(host)],
            [Pause(), GoOn()],
            [AddSeeds((chance.choice(seeds),))],
            [DelayHost(host, 4.0), DelayHost(host)],
            [Prioritise(host, chance.randrange(16)), Prioritise(host)],
            [
                BlockUrls(host),
                Pause(),
                AddSeeds((chance.choice(seeds),)),
                GoOn(),
                UnblockUrls(host),
            ],
            [Change("store.checkpoint_every", chance.choice([5.0, 20.0, 60.0]))],
        ]
        orders += chance.choice(few)
    return orders


class ScriptedEntrance:
    """Fulfils `Entrance` for one life of the crawl."""

    def __init__(self, script: Script, poller: Poller) -> None:
        assert isinstance(poller, VirtualPoller)
        self._script = script
        self._poller = poller
        self._is_sent = False
        self._wake()

    def received(self) -> list[tuple[int, bytes]]:
        script = self._script
        if self._is_sent or script.is_over or self._poller.clock.now() < script.next_time:
            return []
        self._is_sent = True
        return [(1, encode(ControlRequest(command=script.send(), origin="the play")))]

    def say(self, number: int, line: bytes) -> None:
        assert "is_done" in msgspec.json.decode(line), "it is an answer"
        self._script.answered()
        self._is_sent = False
        self._wake()

    def close(self) -> None:
        """Nothing is open."""

    def leave(self) -> None:
        """Nothing is open."""

    def _wake(self) -> None:
        """Have the crawl look at the door when the next order is due."""
        if not self._script.is_over:
            self._poller.call_at(self._script.next_time, lambda: None)
