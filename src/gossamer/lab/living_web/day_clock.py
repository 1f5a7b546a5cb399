"""The day of a living web: a clock from outside, and the seconds of a day."""

from typing import NamedTuple, Protocol

from gossamer.core.clock import Clock
from gossamer.core.errors import SettingsError
from gossamer.lab.living_web.rhythm import DAY

EPOCH = 1_704_067_200.0
"""Seconds since 1970 at day 0: 1 January 2024, a Monday."""


class Days(Protocol):
    """Says what day it is, in days and parts of days since the beginning."""

    def days(self) -> float: ...


class FixedDay(NamedTuple):
    """Time stands still."""

    day: float = 0.0

    def days(self) -> float:
        return self.day


class WebClock:
    """Days as a clock goes; a `day` of a few seconds is for the impatient.

    >>> from gossamer.core.clock import VirtualClock
    >>> clock = VirtualClock(1000.0)
    >>> evolution = WebClock(clock, day=2.0)
    >>> clock.advance(3.0)
    >>> evolution.days()
    1.5
    """

    def __init__(self, clock: Clock, day: float = DAY, start: float | None = None) -> None:
        """`start` is what the clock says at day 0; without it, day 0 is now."""
        if not day > 0:
            raise SettingsError(f"a day of a living web takes more than 0 seconds, not {day}")
        self._clock = clock
        self._day = day
        self._start = clock.now() if start is None else start

    def days(self) -> float:
        return self.days_at(self._clock.now())

    def days_at(self, seconds: float) -> float:
        """The day at which the clock says this."""
        return max(0.0, (seconds - self._start) / self._day)
