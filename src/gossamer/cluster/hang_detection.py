"""Detect a partition that hangs: its process exists, but it was silent for too long.

A partition reports several times in the time that it may be silent, at the beginning of its turns. It says
nothing while it opens its state, catches up with its journal, makes a checkpoint, merges or ends, all of
which read or write its files once from end to end; so the limit has to be longer than that takes, not longer
than a turn. (A heartbeat from another thread would go on even while the ring is stuck in a page.)

Pure: the supervisor tells what it heard and how much time went by.
"""

from math import inf

_STEP = 1.0
"""Seconds of one turn that count, at most, unless it was meant to take longer. If the supervisor itself could
not listen (it was stopped, or a program took long over a document), the partitions were not silent."""
_TURNS = 10
"""Turns of the supervisor in the time that a partition may be silent, at least."""


class Silence:
    """Counts for how long each partition was silent while the supervisor listened.

    >>> silence = Silence(limit=1.5)
    >>> silence.hear(0), silence.hear(1), silence.wait(1.0)
    (None, None, None)
    >>> silence.hear(0), silence.wait(1.0)
    (None, 1)
    """

    def __init__(self, limit: float) -> None:
        """With a limit of 0 no partition ever counts as hung."""
        self._limit = limit
        self._seconds: dict[int, float] = {}

    def hear(self, partition: int) -> None:
        """A partition was started, or said something."""
        self._seconds[partition] = 0.0

    def forget(self, partition: int) -> None:
        """A partition has gone."""
        self._seconds.pop(partition, None)

    @property
    def step(self) -> float:
        """For how long the supervisor may listen in one turn, so that it finds out in time."""
        return self._limit / _TURNS or inf

    def wait(self, seconds: float, timeout: float = _STEP) -> int | None:
        """Time went by, in a turn of so much timeout; returns the partition that hangs, if one does.

        Others may have waited for it, so the time of all begins again at 0.
        """
        step = min(seconds, max(timeout, _STEP))
        self._seconds = {number: before + step for number, before in self._seconds.items()}
        worst = max(self._seconds, key=lambda number: self._seconds[number], default=None)
        if not self._limit or worst is None or self._seconds[worst] < self._limit:
            return None
        self._seconds = dict.fromkeys(self._seconds, 0.0)
        return worst
