"""Choose old pages to watch for links to new ones.

A few pages (front pages, lists, feeds) link to most of what is new. Which, is learned from what was found
before: of the pairs (old page, new page it linked to), old pages are chosen that cover most new pages at
the least cost: each time the one that adds most new pages for its cost (greedy set cover: Dasgupta and
others, The discoverability of the web, WWW 2007; no choice in polynomial time is much better in the worst
case).
"""

import heapq
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gossamer.policy.revisit.population import Floats

Numbers = npt.NDArray[np.int64]


class Hubs(NamedTuple):
    """Old pages to watch, the best first."""

    pages: Numbers
    gains: Numbers
    """New pages that each added to those before it."""
    costs: Floats
    """Visits that a look at it takes."""
    covered: float
    """The part of all new pages that they link to."""


def choose_hubs(
    old: npt.ArrayLike,
    new: npt.ArrayLike,
    costs: npt.ArrayLike = 1.0,
    *,
    cover: float = 0.9,
    most: int | None = None,
    least: int = 1,
) -> Hubs:
    """The pages to watch, from pairs of an old page and a new page that it linked to.

    `costs` has a number for each pair, of its old page. The choice ends when a part `cover` of the new pages
    is covered, with `most` pages, or when no page adds `least` new pages.

    >>> choose_hubs([1, 1, 1, 2, 3, 3], [10, 11, 12, 12, 12, 13], cover=1.0).pages.tolist()
    [1, 3]
    """
    cover_search = _Cover(np.asarray(old, np.int64), np.asarray(new, np.int64), costs)
    return cover_search.choose(cover, most, least)


class _Cover:
    """Greedy set cover: gains are corrected for pages that lose some, and read when they are due."""

    def __init__(self, old: Numbers, new: Numbers, costs: npt.ArrayLike) -> None:
        price = np.broadcast_to(np.asarray(costs, np.float64), old.shape)
        pairs, first = np.unique(np.column_stack((old, new)), axis=0, return_index=True)
        self._old, before, left = np.unique(pairs[:, 0], return_index=True, return_inverse=True)
        known, right = np.unique(pairs[:, 1], return_inverse=True)
        self._costs = price[first][before]
        self._new_of = np.split(right, before[1:])
        order = np.argsort(right, kind="stable")
        self._old_of = np.split(left[order], np.cumsum(np.bincount(right))[:-1])
        self._gains = np.bincount(left, minlength=len(self._old)).astype(np.int64)
        self._open = np.ones(len(known), np.bool_)

    def choose(self, cover: float, most: int | None, least: int) -> Hubs:
        heap = [(-gain / cost, at, gain) for at, (gain, cost) in enumerate(self._each())]
        heapq.heapify(heap)
        chosen: list[tuple[int, int]] = []
        wanted, found = cover * len(self._open), 0
        while heap and found < wanted and (most is None or len(chosen) < most):
            _, at, gain = heapq.heappop(heap)
            now = int(self._gains[at])
            if now < max(least, 1):
                continue
            if now < gain:  # others were chosen since
                heapq.heappush(heap, (-now / float(self._costs[at]), at, now))
                continue
            self._take(at)
            chosen.append((at, now))
            found += now
        return self._result(chosen, found)

    def _each(self) -> Iterator[tuple[int, float]]:
        return zip(self._gains.tolist(), self._costs.tolist(), strict=True)

    def _take(self, at: int) -> None:
        added = self._new_of[at][self._open[self._new_of[at]]]
        self._open[added] = False
        for new in added.tolist():
            self._gains[self._old_of[new]] -= 1

    def _result(self, chosen: list[tuple[int, int]], found: int) -> Hubs:
        table = np.array(chosen, np.int64).reshape(-1, 2)
        places = table[:, 0]
        covered = found / len(self._open) if len(self._open) else 1.0
        return Hubs(self._old[places], table[:, 1], self._costs[places], covered)


def watch_hubs(
    hubs: Hubs, days: float, budget: float, *, share: float = 0.1, overhead: float = 1.0
) -> Floats:
    """Visits per day for each hub; `days` is the time in which the pairs were found.

    All together are at most a part `share` of the budget, and at most `overhead` visits for each new page
    that they find. New pages wait for the next visit, half an interval on average: the sum of these times
    is least when visits are as the square roots of new pages per day and cost.
    """
    found = hubs.gains / days
    total = min(share * budget, overhead * float(found.sum()))
    often = np.sqrt(found / hubs.costs)
    whole = float(often @ hubs.costs)
    return often * (total / whole) if whole > 0 else often
