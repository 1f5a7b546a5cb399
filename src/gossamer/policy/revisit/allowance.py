"""Allow as many visits by now that no more are made in a day than there may be."""

_SAVED = 60.0
"""Seconds for which visits that were not made may be made up for; at least one visit may."""
_BLINK = 1e-6
"""Seconds that a time may be off, which is a number like 1,800,000,000.25."""


class Allowance:
    """A purse that is filled all the time, and pays for visits.

    >>> purse = Allowance(visits_per_day=86_400 / 2, day=86_400)
    >>> purse.available(now=100.0), purse.available(now=104.0)
    (1, 3)
    >>> purse.spend(3)
    >>> purse.available(now=104.0), purse.next_time(104.0)
    (0, 106.0)
    """

    def __init__(self, visits_per_day: float, day: float) -> None:
        """Without `visits_per_day`, everything is allowed."""
        self._day = day
        self._purse = 1.0
        self._filled: float | None = None
        self.set_rate(visits_per_day)

    def set_rate(self, visits_per_day: float) -> None:
        """This many visits a day are allowed from now on."""
        self._per_second = visits_per_day / self._day
        self._most = max(1.0, self._per_second * _SAVED)

    def available(self, now: float) -> int:
        """The number of visits that may begin."""
        if not self._per_second:
            return 1 << 30
        self._fill(now)
        return max(0, int(self._purse + self._per_second * _BLINK + 1e-9))

    @property
    def is_short(self) -> bool:
        """Had to wait who could have been visited, when `available` was asked for last?"""
        return self._per_second > 0 and self._purse < 1

    def spend(self, visits: int) -> None:
        """This many have begun."""
        if self._per_second:
            self._purse -= visits

    def next_time(self, now: float) -> float:
        """The time when the next visit may begin."""
        if not self._per_second:
            return now
        self._fill(now)
        return now + max(0.0, (1 - self._purse) / self._per_second)

    def _fill(self, now: float) -> None:
        passed = 0.0 if self._filled is None else max(0.0, now - self._filled)
        self._purse = min(self._most, self._purse + passed * self._per_second)
        self._filled = now
