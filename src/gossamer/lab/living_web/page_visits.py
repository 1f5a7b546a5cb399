"""Visits of pages, ordered by page and time."""

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Visits(Struct, frozen=True):
    """Page `p` was visited at `times[offsets[p] : offsets[p + 1]]`, in this order.

    >>> visits = visits_of(3, [2, 0, 2], [5.0, 1.0, 4.0])
    >>> visits.of(2).tolist(), visits.copies(4.5).tolist()
    ([4.0, 5.0], [1.0, -inf, 4.0])
    """

    offsets: Ints
    times: Floats

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def of(self, page: int) -> Floats:
        return self.times[self.offsets[page] : self.offsets[page + 1]]

    def copies(self, time: float) -> Floats:
        """The time of the last visit to each page by then; minus infinity for those without."""
        before = np.concatenate(([0], np.cumsum(self.times <= time)))
        counts = np.diff(before[self.offsets])
        last = np.maximum(self.offsets[:-1] + counts - 1, 0)
        if not len(self.times):
            return np.full(len(self), -np.inf)
        return np.where(counts > 0, self.times[last], -np.inf)


def visits_of(count: int, pages: ArrayLike, times: ArrayLike) -> Visits:
    """The visits of `count` pages, given in any order as a page and a time each."""
    rows, moments = np.asarray(pages, np.int64), np.asarray(times, np.float64)
    if len(rows) != len(moments):
        raise ValueError(f"{len(rows)} pages, but {len(moments)} times: a visit has one of each")
    if len(rows) and not 0 <= rows.min() <= rows.max() < count:
        raise ValueError(f"pages have numbers from 0 to {count - 1}")
    order = np.lexsort((moments, rows))
    offsets = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=count))))
    return Visits(offsets.astype(np.int64), moments[order])
