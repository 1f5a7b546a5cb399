"""The exact queue: the best score first, and of equal ones the page that came first."""

import numpy as np

from gossamer.core.kernel import kernel
from gossamer.lab.crawl_orders.known_web import Nodes
from gossamer.policy.order.policy_batches import Numbers, Scores
from gossamer.policy.order.roster import stretch


class ExactQueue:
    """A binary heap over arrays; a page with a new score gets another entry, and the old one is void.

    >>> queue = ExactQueue(10)
    >>> queue.put(np.array([3, 4, 5]), np.array([1.0, 2.0, 2.0]))
    >>> queue.move(np.array([3]), np.array([3.0]))
    >>> queue.pop(2).tolist(), len(queue)
    ([3, 4], 1)
    """

    def __init__(self, nodes: int) -> None:
        self._scores: Scores = np.empty(1024)
        self._nodes: Nodes = np.empty(1024, np.int64)
        self._came_at: Numbers = np.empty(1024, np.int64)
        self._entries = 0
        self._current: Scores = np.empty(nodes)
        self._arrival: Numbers = np.zeros(nodes, np.int64)
        """When a page came, counted from 1; 0 for those that do not wait."""
        self._came = 0
        self._waiting = 0

    def __len__(self) -> int:
        return self._waiting

    def put(self, nodes: Nodes, scores: Scores) -> None:
        self._arrival[nodes] = self._came + 1 + np.arange(len(nodes))
        self._came += len(nodes)
        self._waiting += len(nodes)
        self.move(nodes, scores)

    def move(self, nodes: Nodes, scores: Scores) -> None:
        """Pages that wait have another score."""
        self._current[nodes] = scores
        if self._entries + len(nodes) > 4 * self._waiting + 1024:
            self._rebuild()
            return
        self._make_room(self._entries + len(nodes))
        heap = (self._scores, self._came_at, self._nodes)
        self._entries = _push(*heap, self._entries, nodes, scores, self._arrival)

    def pop(self, count: int) -> Nodes:
        """Take out the best pages, at most this many."""
        best = np.empty(min(count, self._waiting), np.int64)
        heap = (self._scores, self._came_at, self._nodes)
        self._entries = _pop(*heap, self._entries, self._arrival, self._current, best)
        self._waiting -= len(best)
        return best

    def _rebuild(self) -> None:
        """One entry for each page that waits: sorted entries are a heap."""
        waiting = np.flatnonzero(self._arrival)
        scores = self._current[waiting]
        order = np.lexsort((self._arrival[waiting], -scores))
        self._entries = len(order)
        self._make_room(self._entries)
        self._scores[: self._entries] = scores[order]
        self._came_at[: self._entries] = self._arrival[waiting[order]]
        self._nodes[: self._entries] = waiting[order]

    def _make_room(self, entries: int) -> None:
        self._scores = stretch(self._scores, entries)
        self._came_at = stretch(self._came_at, entries)
        self._nodes = stretch(self._nodes, entries)


@kernel
def _is_before(scores: Scores, came_at: Numbers, one: int, other: int) -> bool:
    if scores[one] != scores[other]:
        return bool(scores[one] > scores[other])
    return bool(came_at[one] < came_at[other])


@kernel
def _swap(scores: Scores, came_at: Numbers, nodes: Nodes, one: int, other: int) -> None:
    scores[one], scores[other] = scores[other], scores[one]
    came_at[one], came_at[other] = came_at[other], came_at[one]
    nodes[one], nodes[other] = nodes[other], nodes[one]


@kernel
def _push(
    scores: Scores,
    came_at: Numbers,
    nodes: Nodes,
    entries: int,
    new: Nodes,
    values: Scores,
    arrival: Numbers,
) -> int:
    for i in range(len(new)):
        at = entries
        scores[at], came_at[at], nodes[at] = values[i], arrival[new[i]], new[i]
        entries += 1
        while at and _is_before(scores, came_at, at, (at - 1) // 2):
            _swap(scores, came_at, nodes, at, (at - 1) // 2)
            at = (at - 1) // 2
    return entries


@kernel
def _sift_down(scores: Scores, came_at: Numbers, nodes: Nodes, entries: int) -> None:
    at = 0
    while True:
        child = 2 * at + 1
        if child >= entries:
            return
        if child + 1 < entries and _is_before(scores, came_at, child + 1, child):
            child += 1
        if not _is_before(scores, came_at, child, at):
            return
        _swap(scores, came_at, nodes, child, at)
        at = child


@kernel
def _pop(
    scores: Scores,
    came_at: Numbers,
    nodes: Nodes,
    entries: int,
    arrival: Numbers,
    current: Scores,
    best: Nodes,
) -> int:
    found = 0
    while found < len(best):
        node, score = nodes[0], scores[0]
        entries -= 1
        scores[0], came_at[0], nodes[0] = scores[entries], came_at[entries], nodes[entries]
        _sift_down(scores, came_at, nodes, entries)
        if arrival[node] and current[node] == score:
            arrival[node] = 0
            best[found] = node
            found += 1
    return entries
