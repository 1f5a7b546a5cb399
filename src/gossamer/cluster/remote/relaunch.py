"""An incarnation that ended before it called is launched again, and so is one whose machine is out of reach.

Clusters learn late that a machine has gone, and go on to start things there for a while; networks are cut.
That says nothing about the partition, so it does not count as one of its deaths.
"""

from collections.abc import Callable

from gossamer.cluster.remote.launcher import IncarnationEnded, Launched
from gossamer.cluster.remote.lease import Steady, steady

_PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 16.0, 16.0, 16.0, 16.0)
"""Seconds before each further try."""


class SecondTry:
    """Fulfils `Launched`, with as many of them as it takes.

    >>> class Stillborn:
    ...     place, is_astray = "", False
    ...     def ended(self): return IncarnationEnded(-9)
    ...     def kill(self): pass
    >>> now, launches = 0.0, []
    >>> incarnation = SecondTry(lambda: launches.append(now) or Stillborn(), lambda: False, lambda: now)
    >>> incarnation.ended(), len(launches)
    (None, 1)
    >>> now = 0.6; incarnation.ended(), len(launches)
    (None, 2)
    """

    def __init__(
        self, launch: Callable[[], Launched], has_called: Callable[[], bool], now: Steady = steady
    ) -> None:
        self._launch = launch
        self._has_called = has_called
        self._now = now
        self._launched = launch()
        self._tries = 0
        self._again: float | None = None
        """When the next try begins."""
        self._is_killed = False

    @property
    def place(self) -> str:
        return self._launched.place

    @property
    def is_astray(self) -> bool:
        return self._launched.is_astray

    def ended(self) -> IncarnationEnded | None:
        if self._again is not None and self._has_called():
            self._again = None  # it was only late
        if self._again is not None:
            self._try_again()
            return None
        ended = self._launched.ended()
        is_final = self._is_killed or self._tries == len(_PAUSES) or self._has_called()
        if is_final or (ended is not None and ended.said and not ended.may_pass):
            return ended
        if ended is None:
            if not self._launched.is_astray:
                return None
            self._launched.kill()
        self._again = self._now() + _PAUSES[self._tries]
        return None

    def kill(self) -> None:
        self._is_killed, self._again = True, None
        self._launched.kill()

    def give_up(self) -> None:
        self._launched.give_up()

    def _try_again(self) -> None:
        if self._again is not None and self._now() >= self._again:
            self._again = None
            self._tries += 1
            self._launched = self._launch()
