"""The right of one incarnation of a partition to ask hosts and to send to remote storage.

It is asked for again and again, and counted from the moment of the question, by the clock of who asks. Who
grants it counts from the moment of the answer. So the holder always thinks that it ends sooner than the
granter does, whatever their clocks show. Clocks need only go alike: within one part in fifty.
"""

import time
from collections.abc import Callable
from math import inf

from gossamer.core.errors import GossamerError

Steady = Callable[[], float]
RENEWALS = 6
"""Questions in the time of a lease."""
_LAST_PART = 1 / 3
"""The part of a lease that is left for a clean end, when nobody answers any more."""
_LEEWAY = 0.02
_LEAST_LEEWAY = 0.2


def steady() -> float:
    """Seconds that go on even while a machine sleeps."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class PassingError(GossamerError):
    """This incarnation of a partition is over; the next one may have more luck."""


class LeaseError(PassingError):
    """The lease has run out."""


class Lease:
    """As its holder sees it.

    >>> now = 0.0
    >>> lease = Lease(30.0, lambda: now)
    >>> lease.renew(asked=0.0)
    >>> now = 19.0; lease.holds, lease.is_running_out
    (True, False)
    >>> now = 29.0; lease.holds, lease.is_running_out
    (True, True)
    >>> now = 31.0; lease.holds
    False
    """

    def __init__(self, seconds: float, now: Steady = steady) -> None:
        self.seconds = seconds
        self._now = now
        self._until = -inf

    def renew(self, asked: float) -> None:
        """A question of that moment was answered with yes. One that has run out stays so."""
        if self._until == -inf or self.holds:
            self._until = max(self._until, asked + self.seconds)

    @property
    def holds(self) -> bool:
        return self._now() < self._until

    @property
    def is_running_out(self) -> bool:
        """Is it time to end cleanly?"""
        return self._now() >= self._until - self.seconds * _LAST_PART

    def check(self) -> None:
        if not self.holds:
            raise LeaseError("the lease has run out: the supervisor cannot be reached")


class GrantedLease:
    """As its granter sees it.

    >>> now = 0.0
    >>> granted = GrantedLease(30.0, lambda: now)
    >>> granted.is_over, granted.grant(), granted.is_over
    (True, True, False)
    >>> now = 31.0; granted.is_over, granted.grant(), granted.is_over
    (True, False, True)
    """

    def __init__(self, seconds: float, now: Steady = steady) -> None:
        self._seconds = seconds + max(_LEAST_LEEWAY, seconds * _LEEWAY)
        self._now = now
        self._until = -inf
        self._is_withdrawn = False

    def grant(self) -> bool:
        """Say yes, unless it is over already. Once it is over it never begins again."""
        if self._is_withdrawn or (self.has_begun and self.is_over):
            return False
        self._until = self._now() + self._seconds
        return True

    def withdraw(self) -> None:
        """Say no from now on."""
        self._is_withdrawn = True

    @property
    def has_begun(self) -> bool:
        return self._until > -inf

    @property
    def is_over(self) -> bool:
        """Does nobody hold it, or not any more?"""
        return self._now() >= self._until
