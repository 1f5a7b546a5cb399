"""Limit announcements by name and hour."""

from gossamer.core.clock import Clock

_HOUR = 3600.0
_MOST_NAMES = 10_000


class HourlyLimit:
    """Lets this many pass in an hour for each name; what was not used is saved for an hour at most.

    >>> from gossamer.core.clock import VirtualClock
    >>> clock = VirtualClock(0.0)
    >>> limit = HourlyLimit(60, clock)
    >>> limit.has_room("a.test", 60), limit.take("a.test", 60), limit.has_room("a.test", 1)
    (True, None, False)
    >>> clock.advance(60.0)
    >>> limit.has_room("a.test", 1), limit.has_room("b.test", 60)
    (True, True)
    """

    def __init__(self, per_hour: int, clock: Clock) -> None:
        self._per_hour = per_hour
        self._clock = clock
        self._used: dict[str, tuple[float, float]] = {}
        """How much is used, and when that was so. What is not here has not been used."""

    def has_room(self, name: str, count: int) -> bool:
        return self._usage(name) + count <= self._per_hour

    def take(self, name: str, count: int) -> None:
        if len(self._used) >= _MOST_NAMES:
            self._used = {one: used for one, used in self._used.items() if self._usage(one) > 0}
        self._used[name] = (self._usage(name) + count, self._clock.now())

    def _usage(self, name: str) -> float:
        used, then = self._used.get(name, (0.0, 0.0))
        return max(0.0, used - (self._clock.now() - then) / _HOUR * self._per_hour)
