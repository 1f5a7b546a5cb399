"""Waiting without waiting: a poller on a virtual clock."""

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from math import inf

from gossamer.core.clock import VirtualClock
from gossamer.core.poller import Poller, Ready

Action = Callable[[], None]


class VirtualPoller(Poller):
    """Does what is due, and notes until when it would have waited for more.

    Real sockets do not exist here. Later events are registered by `call_at`.

    >>> clock, heard = VirtualClock(), []
    >>> poller = VirtualPoller(clock)
    >>> poller.call_at(2.0, lambda: heard.append("now"))
    >>> poller.wait(5.0), poller.next_wake
    (0, 2.0)
    >>> clock.advance(2.0)
    >>> poller.wait(5.0), heard
    (1, ['now'])
    """

    def __init__(self, clock: VirtualClock) -> None:
        self.clock = clock
        self._agenda: list[tuple[float, int, Action]] = []
        self._numbers = count()
        self._waits_until = inf
        self.is_closed = False

    def call_at(self, time: float, action: Action) -> None:
        """Have something happen then, in the turn that follows."""
        heappush(self._agenda, (time, next(self._numbers), action))

    @property
    def next_wake(self) -> float:
        """The time when the actor that waits with this poller continues."""
        if self.is_closed:
            return inf
        due = self._agenda[0][0] if self._agenda else inf
        return min(self._waits_until, due)

    def wait(self, seconds: float) -> int:
        now, done = self.clock.now(), 0
        while self._agenda and self._agenda[0][0] <= now:
            heappop(self._agenda)[2]()
            done += 1
        self._waits_until = now if done else now + max(0.0, seconds)
        return done

    def watch(self, fd: int, events: int, ready: Ready) -> None:
        raise AssertionError("there are no descriptors in a simulation")

    def rest(self, fd: int) -> None:
        """There are no descriptors."""

    def wake(self) -> None:
        """There are no descriptors."""

    def forget(self, fd: int) -> None:
        """There are no descriptors."""

    def close(self) -> None:
        self.is_closed = True
        self._agenda.clear()
