"""Times at which pages changed: one table for living webs and for histories of real pages."""

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class ChangeTable(Struct, frozen=True):
    """All changes of pages after `begin` and not after `end`; times are days.

    Page `p` changed at `times[offsets[p] : offsets[p + 1]]`, in this order, after its birth and before it
    was gone. Its birth itself is no change.

    >>> offsets, times, there = np.array([0, 2, 2]), np.array([1.0, 4.0]), np.zeros(2)
    >>> changes = ChangeTable(0.0, 9.0, offsets, times, there, there + np.inf)
    >>> len(changes), changes.of(0).tolist(), changes.counts().tolist()
    (2, [1.0, 4.0], [2, 0])
    """

    begin: float
    end: float
    offsets: Ints
    times: Floats
    born: Floats
    """0 for pages that were there before."""
    gone: Floats
    """Infinity for pages that stay."""

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def of(self, page: int) -> Floats:
        """The times of one page's changes."""
        return self.times[self.offsets[page] : self.offsets[page + 1]]

    def counts(self) -> Ints:
        """The number of changes of each page."""
        return np.diff(self.offsets)

    def pages(self) -> Ints:
        """The page of each change."""
        return np.repeat(np.arange(len(self)), self.counts())

    def is_alive(self, time: float) -> NDArray[np.bool_]:
        """The pages that exist at a moment."""
        return (self.born <= time) & (time < self.gone)

    def between(self, begin: float, end: float) -> "ChangeTable":
        """The changes of a part of the time."""
        if not self.begin <= begin <= end <= self.end:
            raise ValueError(f"{begin} to {end} is not within {self.begin} to {self.end}")
        kept = (self.times > begin) & (self.times <= end)
        before = np.concatenate(([0], np.cumsum(kept)))
        return ChangeTable(begin, end, before[self.offsets], self.times[kept], self.born, self.gone)

    def from_zero(self) -> "ChangeTable":
        """The same with `begin` as day 0."""
        later = self.begin
        born, gone = np.maximum(self.born - later, 0.0), self.gone - later
        return ChangeTable(0.0, self.end - later, self.offsets, self.times - later, born, gone)
