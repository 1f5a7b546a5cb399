"""The queue with levels: lines like those of the real frontier, first come first served in each."""

import numpy as np
from numpy.typing import NDArray

from gossamer.core.kernel import kernel
from gossamer.lab.crawl_orders.known_web import Nodes
from gossamer.policy.order.levels import Levels
from gossamer.policy.order.policy_batches import Numbers, Scores
from gossamer.policy.order.roster import stretch

_NONE = -1


class LevelQueue:
    """Lines of pages, best level first; a page whose level changes goes to the end of the other line.

    >>> from gossamer.policy.order import Steps, make_levels
    >>> queue = LevelQueue(10, 4, make_levels(Steps(), 4))
    >>> queue.put(np.array([3, 4, 5]), np.array([-1.0, -2.0, -1.0]))
    >>> queue.move(np.array([4]), np.array([-1.0]))
    >>> queue.pop(9).tolist()
    [3, 5, 4]
    """

    def __init__(self, nodes: int, count: int, levels: Levels) -> None:
        self._levels = levels
        self._first: Numbers = np.full(count, _NONE, np.int64)
        self._last: Numbers = np.full(count, _NONE, np.int64)
        self._node_of: Nodes = np.empty(1024, np.int64)
        self._next: Numbers = np.empty(1024, np.int64)
        self._entries = 0
        self._entry_of: Numbers = np.full(nodes, _NONE, np.int64)
        """The entry of a page that waits; all others of it are void."""
        self._level_of: NDArray[np.int64] = np.full(nodes, _NONE, np.int64)
        self._waiting = 0

    def __len__(self) -> int:
        return self._waiting

    def put(self, nodes: Nodes, scores: Scores) -> None:
        self._append(nodes, self._levels.place(scores))
        self._waiting += len(nodes)

    def move(self, nodes: Nodes, scores: Scores) -> None:
        levels = self._levels.place(scores)
        is_other = levels != self._level_of[nodes]
        self._append(nodes[is_other], levels[is_other])

    def pop(self, count: int) -> Nodes:
        """Take out the first of the best lines, at most this many."""
        best = np.empty(min(count, self._waiting), np.int64)
        _pop(self._first, self._last, self._next, self._node_of, self._entry_of, best)
        self._waiting -= len(best)
        return best

    def _append(self, nodes: Nodes, levels: Numbers) -> None:
        wanted = self._entries + len(nodes)
        self._node_of = stretch(self._node_of, wanted)
        self._next = stretch(self._next, wanted)
        self._level_of[nodes] = levels
        self._entry_of[nodes] = np.arange(self._entries, wanted)
        self._node_of[self._entries : wanted] = nodes
        _link(self._first, self._last, self._next, self._entries, levels)
        self._entries = wanted


@kernel
def _link(first: Numbers, last: Numbers, next_: Numbers, entry: int, levels: Numbers) -> None:
    for level in levels:
        next_[entry] = -1
        if first[level] < 0:
            first[level] = entry
        else:
            next_[last[level]] = entry
        last[level] = entry
        entry += 1


@kernel
def _pop(
    first: Numbers,
    last: Numbers,
    next_: Numbers,
    node_of: Nodes,
    entry_of: Numbers,
    best: Nodes,
) -> None:
    found, level = 0, 0
    while found < len(best):
        entry = first[level]
        if entry < 0:
            level += 1
            continue
        first[level] = next_[entry]
        node = node_of[entry]
        if entry_of[node] == entry:
            entry_of[node] = -1
            best[found] = node
            found += 1
