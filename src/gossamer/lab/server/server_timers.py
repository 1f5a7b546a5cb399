"""Things to do later, without blocking."""

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count


class Timers:
    """Calls back when a time has come; the loop asks how long it may sleep."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._waiting: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()

    def call_later(self, seconds: float, action: Callable[[], None]) -> None:
        heappush(self._waiting, (self._now() + seconds, next(self._order), action))

    def until_next(self, longest: float) -> float:
        if not self._waiting:
            return longest
        return min(longest, max(0.0, self._waiting[0][0] - self._now()))

    def run_due(self) -> None:
        while self._waiting and self._waiting[0][0] <= self._now():
            heappop(self._waiting)[2]()
