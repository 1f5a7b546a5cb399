"""The round that a URL has to wait for: the arithmetic of BEAST, without its queues.

Rounds are numbered 1, 2, 3 … for ever; the paper's Q1 … Qj, used again and again ("note the
wrap-around"), are the j rounds that are open at a time. While round c is read, arrivals go to the
rounds c+1 … c+j-1: the first Bx of domain x to the first, the next Bx to the one after. What does
not fit overflows to QF. A pass is j rounds; after it QF is split over the open rounds, and j doubles.
"""

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

OVERFLOW = 0
"""No round: the URL waits in QF."""

_OVERFLOWED = 1 << 31
"""Added to its round, it marks a domain that has URLs in QF: no round is that late."""

_BLOCK = 10
"""Entries are looked through in blocks of two to this power."""

_LONGEST = 64
"""No round has more budgets for a domain than this: a new domain may come at any time."""


class Pass(Struct, frozen=True):
    """The position of the crawl in the order of rounds."""

    current: int
    """The round being read."""
    queues: int
    """Open rounds: the paper's j."""
    ends: int
    """The last round of this pass."""
    scale: int = 1
    """Budgets that a domain has in a round: more than one if nobody else waited when QF was split."""

    @property
    def last(self) -> int:
        """The last open round."""
        return self.current + self.queues - 1

    @property
    def is_last(self) -> bool:
        """Is this the last round of the pass?"""
        return self.current >= self.ends

    def next_round(self) -> "Pass":
        """One round further; a pass that ends is followed by one of the same length.

        >>> Pass(current=3, queues=4, ends=4).next_round().next_round()
        Pass(current=5, queues=4, ends=8, scale=1)
        """
        current = self.current + 1
        ends = current + self.queues - 1 if self.is_last else self.ends
        return Pass(current, self.queues, ends, self.scale)

    def widen(self, most_queues: int, is_all_waiting: bool) -> "Pass":
        """The pass in which QF is split: with twice the queues.

        When there can be no more of them, passes do not get longer, and a large QF would be read
        again and again for a few URLs each time. If all that waits is in QF (`is_all_waiting`), rounds
        get longer instead, which takes nothing away from anybody.

        >>> Pass(current=5, queues=4, ends=8).widen(most_queues=64, is_all_waiting=False)
        Pass(current=5, queues=8, ends=12, scale=1)
        """
        queues = max(self.queues, min(2 * self.queues, most_queues))
        scale = 2 * self.scale if is_all_waiting and queues == self.queues else 1
        return Pass(self.current, queues, self.current + queues - 1, min(scale, _LONGEST))


class Seats:
    """For every domain the first round that has room for it, and how much of its budget is taken.

    A domain fills round after round and never goes back to an earlier one, so its URLs keep their
    order, and one pair of numbers is all there is to remember of it. A domain that has overflowed
    gets no seat until QF is split: its new URLs line up behind the old ones. (Not so a domain whose
    budget is zero; it has no line that anybody could jump.)

    The table has a fixed size, for memory must not grow with the web. Two domains that meet at one
    entry share one budget: either may wait longer than it had to, none gets more than its own.

    >>> seats = Seats(16)
    >>> [seats.take(domain=7, budget=2, first=2, last=3) for _ in range(5)] == [2, 2, 3, 3, OVERFLOW]
    True
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._table = np.zeros((2, count), np.uint32)
        self._used_blocks = bytearray((count >> _BLOCK) + 1)
        self._rounds, self._taken = memoryview(self._table[0]), memoryview(self._table[1])

    def take(self, domain: int, budget: int, first: int, last: int) -> int:
        """The round for a URL of this domain, not before `first`; `OVERFLOW` if after `last`."""
        if budget <= 0:
            return OVERFLOW
        entry = domain % self.count
        number, taken = self._rounds[entry], self._taken[entry]
        if number < first:
            number, taken = first, 0
        elif taken >= budget:
            number, taken = number + 1, 0
        self._used_blocks[entry >> _BLOCK] = 1
        if number > last:
            self._rounds[entry] = number | _OVERFLOWED
            self._taken[entry] = 0
            return OVERFLOW
        self._rounds[entry] = number
        self._taken[entry] = taken + 1
        return number

    def readmit(self) -> None:
        """QF is about to be split: who overflowed may have seats again, after those it has."""
        self._table[0, self._used()] &= _OVERFLOWED - 1

    def export(self, current: int) -> NDArray[np.uint32]:
        """Entries, rounds and seats taken, of all that matter after the current round."""
        used = self._used()
        entries = used[self._table[0, used] >= current]
        return np.vstack([entries.astype(np.uint32), self._table[:, entries]])

    def restore(self, exported: NDArray[np.uint32]) -> None:
        """Take over what was exported. To be called before any seat is taken: what is 0 stays untouched, and
        takes neither time nor memory."""
        self._table[:, exported[0]] = exported[1:]
        np.frombuffer(self._used_blocks, np.uint8)[exported[0] >> _BLOCK] = 1

    def _used(self) -> NDArray[np.intp]:
        """The entries of all blocks in which a seat was taken: a small crawl need not read the whole table
        at each checkpoint.
        """
        blocks = np.flatnonzero(np.frombuffer(self._used_blocks, np.uint8))
        entries = ((blocks[:, None] << _BLOCK) + np.arange(1 << _BLOCK)).ravel()
        return entries[entries < self.count]
