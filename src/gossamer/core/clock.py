"""The only way to see the time, so that tests and the lab can turn it."""

import time
from collections.abc import Callable
from typing import Protocol

Seconds = Callable[[], float]


class Clock(Protocol):
    """Seconds since 1970, never going backwards while a crawl runs."""

    def now(self) -> float: ...


class SystemClock:
    """The machine's time at the start, carried on by the monotonic clock.

    Times in a crawl directory must mean something after a restart, so they are seconds since 1970;
    but a wall clock that is set back must not let two requests come closer than was asked.
    """

    def __init__(self, wall: Seconds = time.time, steady: Seconds = time.monotonic) -> None:
        """`wall` may be set while it runs; `steady` goes on as it does."""
        self._steady = steady
        self._offset = wall() - steady()

    def now(self) -> float:
        return self._steady() + self._offset


class VirtualClock:
    """A clock that moves only when it is told to.

    >>> clock = VirtualClock(100.0)
    >>> clock.advance(5)
    >>> clock.now()
    105.0
    """

    def __init__(self, start: float = 0.0) -> None:
        self._now = start

    def now(self) -> float:
        return self._now

    def advance(self, seconds: float) -> None:
        assert seconds >= 0, "time does not go backwards"
        self._now += seconds
