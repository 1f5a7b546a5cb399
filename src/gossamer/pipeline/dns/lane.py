"""One round of attempts: every name that is asked for the k-th time.

Each round has its own channels, its own capacity and its own timeout. So names that get no answer, which
soon are all in the late and patient rounds, take no capacity from the names asked first.
"""

import socket
from collections import deque
from collections.abc import Callable

import pycares
from msgspec import Struct

from gossamer.pipeline.dns.dns_channel import Channel

CHANNEL_SECONDS = 60.0
CHANNEL_NAMES = 10_000
"""A channel is retired after so long or this many names, and its cache with it (see `channel`)."""
ISOLATED = 64
"""Suspects asked for at a time on a channel of their own; more of them share one."""
BURST = 128
"""Names asked for between two looks at the sockets, so that the answers fit a socket's buffer."""


class Pending(Struct, gc=False, eq=False):
    """A name that is being resolved."""

    host: str
    """As it was asked of us."""
    name: str
    """As we ask for it."""
    domain: str
    attempt: int = 0
    """How often it was asked for before."""
    ends: float = 0.0
    """When the wait for the last question ends."""
    is_settled: bool = False
    is_suspect: bool = False
    """A packet nobody could read came in while it was asked for, perhaps on its account."""
    detail: str = ""
    """What the last attempt failed by."""
    family: socket.AddressFamily | None = None
    """The kind of addresses that is asked for; None is any."""
    doubts: tuple[socket.AddressFamily, ...] = ()
    """Kinds of addresses that are to be asked for one by one, before it is believed that there are none."""


Completed = Callable[[Pending, "Lane", pycares.AddrInfoResult | None, int | None], None]


class Lane:
    """Names wait in `queue` for room; names asked for are in `timers` until their wait is over."""

    def __init__(
        self,
        wait: float,
        most_open: int,
        make_channel: Callable[[float], Channel],
        completed: Completed,
    ) -> None:
        self.wait = wait
        self.open = 0
        """Names that c-ares has not called back for."""
        self.credit = BURST
        """Names that may still be asked for before the sockets are looked at."""
        self.queue: deque[Pending] = deque()
        self._most_open = most_open
        self._make_channel = make_channel
        self._completed = completed
        self._timers: deque[tuple[float, Pending]] = deque()
        """When each wait ends. All are of one length, so the first to begin is the first to end. Of a name
        that was asked for again meanwhile, only the last one counts."""
        self._channel: Channel | None = None
        self._retires = 0.0
        """When the channel is retired."""
        self._parting: list[Channel] = []
        """Retired channels and those of suspects, closed when they fall silent."""

    @property
    def has_free_slot(self) -> bool:
        return self.open < self._most_open

    @property
    def may_ask(self) -> bool:
        return self.credit > 0 and self.open < self._most_open

    def ask(self, pending: Pending, now: float) -> None:
        channel = self._isolated() if pending.is_suspect else self._current(now)
        channel.asked += 1
        channel.open += 1
        self.open += 1
        self.credit -= 1
        pending.ends = now + self.wait
        self._timers.append((pending.ends, pending))
        channel.ask(pending.name, _Ear(self, channel, pending), pending.family)

    def complete(
        self,
        channel: Channel,
        pending: Pending,
        family: socket.AddressFamily | None,
        found: pycares.AddrInfoResult | None,
        error: int | None,
    ) -> None:
        channel.open -= 1
        self.open -= 1
        if (
            found is not None or family == pending.family
        ):  # else something else is being asked by now
            self._completed(pending, self, found, error)

    def expired(self, now: float) -> list[Pending]:
        """Names whose wait is over, without an answer."""
        over = []
        while (ends := self.next_expiry()) is not None and ends <= now:
            over.append(self._timers.popleft()[1])
        return over

    def next_expiry(self) -> float | None:
        timers = self._timers
        while timers and (timers[0][1].is_settled or timers[0][0] != timers[0][1].ends):
            timers.popleft()
        return timers[0][0] if timers else None

    def sweep(self) -> None:
        """Let c-ares time out what it will, and close the parting channels that are silent."""
        for channel in self._channels():
            if channel.open:
                channel.sweep()
        for channel in self._parting:
            if not channel.open:
                channel.close()
        self._parting = [channel for channel in self._parting if channel.open]

    def close(self) -> None:
        for channel in self._channels():
            channel.close()
        self._channel = None
        self._parting.clear()
        self._timers.clear()
        self.queue.clear()

    def _channels(self) -> list[Channel]:
        return [*self._parting, self._channel] if self._channel else [*self._parting]

    def _current(self, now: float) -> Channel:
        channel = self._channel
        if channel is not None and (channel.asked >= CHANNEL_NAMES or now >= self._retires):
            self._parting.append(channel)
            channel = None
        if channel is None:
            channel = self._channel = self._make_channel(self.wait)
            self._retires = now + CHANNEL_SECONDS
        return channel

    def _isolated(self) -> Channel:
        """A channel for one name.

        c-ares ends everything that is open on a socket when a packet is malformed, so a name that
        causes such packets must not share its socket with others again.
        """
        if len(self._parting) >= ISOLATED:
            return self._parting[-1]
        channel = self._make_channel(self.wait)
        self._parting.append(channel)
        return channel


class _Ear:
    """The callback of one attempt."""

    __slots__ = ("channel", "family", "lane", "pending")

    def __init__(self, lane: Lane, channel: Channel, pending: Pending) -> None:
        self.lane = lane
        self.channel = channel
        self.pending = pending
        self.family = pending.family

    def __call__(self, found: pycares.AddrInfoResult | None, error: int | None) -> None:
        self.lane.complete(self.channel, self.pending, self.family, found, error)
