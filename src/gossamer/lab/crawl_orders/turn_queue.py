"""The queue of the real frontier with politeness off and one transfer in flight: hosts take turns.

The frontier keeps a line for each host and level. Of all hosts that may be asked, the one with the best
level comes first; of several, the one that has waited longest. A host waits since its first page came,
since a page of a better level came, since one of its pages changed its level, or since the fetch before
this one, whichever was last. Within a host it is the best level first, and first come first served.
"""

from collections import deque
from heapq import heappop, heappush

import numpy as np

from gossamer.lab.crawl_orders.known_web import Nodes
from gossamer.policy.order.levels import Levels
from gossamer.policy.order.policy_batches import Keys, Scores


class HostTurns:
    """Lines by host and level, and a heap of hosts.

    >>> from gossamer.policy.order import Steps, make_levels
    >>> queue = HostTurns(np.array([7, 7, 8], np.uint64), 4, make_levels(Steps(), 4))
    >>> queue.put(np.array([0, 1, 2]), np.array([0.0, 0.0, 0.0]))
    >>> [int(queue.pop(1)[0]) for _ in range(3)]
    [0, 2, 1]
    """

    def __init__(self, hosts: Keys, count: int, levels: Levels) -> None:
        self._host_of: list[int] = np.unique(hosts, return_inverse=True)[1].tolist()
        self._count = count
        self._levels = levels
        self._lines: dict[int, list[deque[tuple[int, int]]]] = {}
        """Place and page; entries of pages that have moved on are void."""
        self._level_of: dict[int, int] = {}
        """The level of each page that waits."""
        self._place_of: dict[int, int] = {}
        """Places in lines are numbered as they are taken."""
        self._entry_of: dict[int, int] = {}
        """The one entry of a host in the heap that counts."""
        self._turns: list[tuple[int, int, int]] = []
        """Level, entry, host."""
        self._serial = self._places = 0
        self._fetched = -1
        """The host that was asked last: it is let in again when the next page is taken."""

    def __len__(self) -> int:
        return len(self._level_of)

    def put(self, nodes: Nodes, scores: Scores) -> None:
        for node, level in zip(nodes.tolist(), self._levels.place(scores).tolist(), strict=True):
            host = self._host_of[node]
            best = self._best(host)
            self._append(node, level)
            if host != self._fetched and level < best:
                self._enter(host)

    def move(self, nodes: Nodes, scores: Scores) -> None:
        moved = dict[int, None]()
        goals = zip(nodes.tolist(), self._levels.place(scores).tolist(), strict=True)
        changes = {node: level for node, level in goals if level != self._level_of[node]}
        for node in self._in_line(changes):
            self._append(node, changes[node])
            moved[self._host_of[node]] = None
        for host in moved:
            if host != self._fetched:
                self._enter(host)

    def pop(self, count: int) -> Nodes:
        if self._fetched >= 0 and self._best(self._fetched) < self._count:
            self._enter(self._fetched)
        self._fetched = -1
        while True:
            level, entry, host = heappop(self._turns)
            if self._entry_of.get(host) == entry:
                break
        node = self._first(self._lines[host][level])
        self._lines[host][level].popleft()
        del self._level_of[node], self._place_of[node], self._entry_of[host]
        self._fetched = host
        return np.array([node], np.int64)

    def _best(self, host: int) -> int:
        """The best level of a host with a page in it; beyond the last when it has none."""
        lines = self._lines.get(host, ())
        return next(
            (level for level, line in enumerate(lines) if self._first(line) >= 0), self._count
        )

    def _first(self, line: deque[tuple[int, int]]) -> int:
        """The page that is first in line; -1 when there is none."""
        while line and self._place_of.get(line[0][1]) != line[0][0]:
            line.popleft()
        return line[0][1] if line else -1

    def _append(self, node: int, level: int) -> None:
        lines = self._lines.setdefault(self._host_of[node], [deque() for _ in range(self._count)])
        self._places += 1
        lines[level].append((self._places, node))
        self._place_of[node] = self._places
        self._level_of[node] = level

    def _enter(self, host: int) -> None:
        self._serial += 1
        self._entry_of[host] = self._serial
        heappush(self._turns, (self._best(host), self._serial, host))

    def _in_line(self, changes: dict[int, int]) -> list[int]:
        """Pages in the order in which they stand now: of two that move, the first stays first."""
        hosts = {host: turn for turn, host in enumerate(dict.fromkeys(map(self._host, changes)))}
        return sorted(
            changes,
            key=lambda node: (hosts[self._host(node)], self._level_of[node], self._place_of[node]),
        )

    def _host(self, node: int) -> int:
        return self._host_of[node]
