"""Choose the pages that announce new pages, and the times at which they change for that."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gossamer.lab.living_web.fates import Fates
from gossamer.lab.living_web.rhythm import FOREVER

Ints = NDArray[np.int64]


class Rows(NamedTuple):
    """Numbers for each page: those of page `p` are `values[offsets[p] : offsets[p + 1]]`."""

    offsets: Ints
    values: Ints

    def of(self, page: int) -> Ints:
        return self.values[self.offsets[page] : self.offsets[page + 1]]


def news_of(fates: Fates) -> Rows:
    """The pages that each page announces, in the order of their births."""
    newborn = np.flatnonzero(fates.hub >= 0)
    order = newborn[np.lexsort((fates.born[newborn], fates.hub[newborn]))]
    return Rows(_offsets(fates.hub[order], len(fates.hub)), order)


def marks_of(fates: Fates) -> Rows:
    """The seconds at which each page has to change: it announces a new page, or it moves."""
    newborn = np.flatnonzero(fates.hub >= 0)
    movers = np.flatnonzero(fates.moved < FOREVER)
    owners = np.concatenate((fates.hub[newborn], movers))
    moments = np.concatenate((fates.born[newborn], fates.moved[movers]))
    order = np.lexsort((moments, owners))
    return Rows(_offsets(owners[order], len(fates.hub)), moments[order])


def _offsets(owners: Ints, count: int) -> Ints:
    return np.concatenate(([0], np.cumsum(np.bincount(owners, minlength=count))))
