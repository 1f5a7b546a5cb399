"""Distances between pages, estimated without a search from every page.

The same comes from `exact_distances`, by just these searches, and from `hyperball`, by estimates for all
pages at once. With the links of a graph the distances are those from a page to others; with its transpose,
those from others to it, which is what a ranking wants.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from gossamer.graph.rank.arcs import Arcs, Values
from gossamer.graph.rank.distance_search import Search


class Distances(Struct, frozen=True):
    """Distances between the nodes of a graph."""

    harmonic: Values
    """For each page, the sum of 1/distance over all others (harmonic centrality, with the transpose)."""
    within: tuple[float, ...]
    """How many pairs of pages, each page with itself among them, are at most 0, 1, 2 … links apart."""
    supporters: dict[int, Values]
    """For the distances asked for: how many other pages are within that distance of each page."""

    def effective_diameter(self, share: float = 0.9) -> float:
        """The distance within which are so many of the pairs that have one, with parts of a link.

        >>> Distances(np.zeros(0), (4.0, 8.0, 12.0), {}).effective_diameter(0.75)
        1.25
        """
        wanted = share * self.within[-1]
        place = int(np.searchsorted(self.within, wanted))
        if place == 0:
            return 0.0
        before, after = self.within[place - 1], self.within[place]
        return place - 1 + (wanted - before) / (after - before)

    def mean(self) -> float:
        """The mean distance of pages that have one; 0 if there are none.

        >>> Distances(np.zeros(0), (4.0, 8.0, 12.0), {}).mean()
        1.5
        """
        counts = np.diff(self.within)
        pairs = float(counts.sum())
        return float(counts @ np.arange(1, len(self.within))) / pairs if pairs else 0.0


def exact_distances(arcs: Arcs, supporters: Sequence[int] = ()) -> Distances:
    """One search from each page: for graphs of some ten thousand pages.

    >>> from gossamer.graph.rank.arcs import arcs_of
    >>> found = exact_distances(arcs_of([0, 1], [1, 2], nodes=3), supporters=[1, 2])
    >>> found.harmonic.tolist(), found.within, found.supporters[1].tolist()
    ([1.5, 1.0, 0.0], (3.0, 5.0, 6.0), [1.0, 1.0, 0.0])
    """
    search = Search(arcs)
    harmonic, balls = np.zeros(len(arcs)), {far: np.zeros(len(arcs)) for far in supporters}
    inverses = 1.0 / np.arange(1, len(arcs) + 1)
    totals = np.zeros(len(arcs) + 1)
    start = np.zeros(1, np.uint32)
    for node in range(len(arcs)):
        start[0] = node
        counts = search.counts(start)
        totals[: len(counts)] += counts
        harmonic[node] = counts[1:] @ inverses[: len(counts) - 1]
        for far, ball in balls.items():
            ball[node] = counts[1 : far + 1].sum()
    within = np.cumsum(np.trim_zeros(totals, "b"))
    return Distances(harmonic, tuple(within.tolist()) or (0.0,), balls)
