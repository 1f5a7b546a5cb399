"""Nodes in the order of their distance from others: reach, exact distances, supporters."""

import numpy as np
from numpy.typing import NDArray

from gossamer.core.kernel import kernel
from gossamer.graph.rank.arcs import Arcs, Flags, Nodes, Offsets


class Search:
    """Searches from some nodes at a time; memory is made once.

    >>> from gossamer.graph.rank.arcs import arcs_of
    >>> search = Search(arcs_of([0, 1, 1], [1, 2, 3], nodes=5))
    >>> [level.tolist() for level in search.levels(np.array([0], np.uint32))]
    [[0], [1], [2, 3]]
    """

    def __init__(self, arcs: Arcs) -> None:
        self._arrays = arcs.arrays()[:2]
        self._order = np.empty(len(arcs), np.uint32)
        self._is_met = np.zeros(len(arcs), np.bool_)
        self._ends = np.empty(len(arcs) + 1, np.int64)

    def reach(self, start: Nodes) -> Flags:
        """The nodes that can be reached, the start included."""
        is_met = np.zeros(len(self._is_met), np.bool_)
        self._search(start, is_met)
        return is_met

    def counts(self, start: Nodes) -> Offsets:
        """The number of nodes at distance 0, 1, 2 …"""
        return np.diff(self._ends[: self._levels(start)], prepend=0)

    def levels(self, start: Nodes) -> list[Nodes]:
        """The nodes at distance 0, 1, 2 …"""
        ends = self._ends[: self._levels(start)]
        return [level.copy() for level in np.split(self._order[: ends[-1]], ends[:-1])]

    def _levels(self, start: Nodes) -> int:
        """Search, and tidy up; returns the number of levels."""
        levels = self._search(start, self._is_met)
        self._is_met[self._order[: self._ends[levels - 1]]] = False
        return levels

    def _search(self, start: Nodes, is_met: Flags) -> int:
        first = np.unique(start)
        self._order[: len(first)] = first
        is_met[first] = True
        return int(_search(*self._arrays, is_met, self._order, self._ends, len(first)))


@kernel
def _search(
    offsets: Offsets,
    targets: Nodes,
    is_met: NDArray[np.bool_],
    order: Nodes,
    ends: Offsets,
    count: int,
) -> int:
    """Go on from the first `count` nodes in `order`; returns how many levels end at `ends`."""
    ends[0] = count
    done, levels = 0, 1
    while done < count:
        end = count
        while done < end:
            node = order[done]
            done += 1
            for at in range(offsets[node], offsets[node + 1]):
                target = targets[at]
                if not is_met[target]:
                    is_met[target] = True
                    order[count] = target
                    count += 1
        if count > end:
            ends[levels] = count
            levels += 1
    return levels
