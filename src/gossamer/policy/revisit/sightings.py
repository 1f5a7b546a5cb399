"""Sightings of pages: a row for each visit after the first one, one page after the other."""

from enum import IntEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gossamer.policy.revisit.population import Floats

Kinds = npt.NDArray[np.uint8]
Places = npt.NDArray[np.int64]


class Sight(IntEnum):
    """Evidence of changes between two visits."""

    UNCHANGED = 0
    """There was none."""
    CHANGED = 1
    """There was at least one."""
    DATED = 2
    """There was at least one, and the page says when the last was: this many days before this visit."""
    COUNTED = 3
    """All are known, from a push or a sitemap: this many changes."""


class Sightings(NamedTuple):
    """The visits of pages."""

    starts: Places
    """Where the visits of each page begin, and, behind the last page, where they end."""
    intervals: Floats
    """Days since the visit before."""
    kinds: Kinds
    """A `Sight` for each."""
    details: Floats
    """For `DATED`: days since the last change. For `COUNTED`: the number of changes. Otherwise 0."""


def sight(
    intervals: npt.ArrayLike, kinds: npt.ArrayLike, details: npt.ArrayLike = 0.0
) -> Sightings:
    """The visits of pages that all have as many: a row for each page.

    >>> sight([[1.0, 2.0], [1.0, 1.0]], [[0, 1], [1, 1]]).starts.tolist()
    [0, 2, 4]
    """
    table = np.atleast_2d(np.asarray(intervals, np.float64))
    pages, each = table.shape
    seen = np.broadcast_to(np.asarray(kinds, np.uint8), table.shape)
    more = np.broadcast_to(np.asarray(details, np.float64), table.shape)
    starts = np.arange(pages + 1, dtype=np.int64) * each
    return Sightings(starts, table.ravel(), seen.ravel(), more.ravel())
