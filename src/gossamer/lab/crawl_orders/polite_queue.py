"""The queue of a polite crawl: the best page whose host may be asked now, on a virtual clock."""

from heapq import heappop, heappush

import numpy as np

from gossamer.core.clock import VirtualClock
from gossamer.core.errors import SettingsError
from gossamer.lab.crawl_orders.known_web import Nodes
from gossamer.policy.order.levels import Levels
from gossamer.policy.order.policy_batches import Keys, Scores

Entry = tuple[float, int, int]
"""Score (the lowest is the best here), arrival, node."""


class PoliteQueue:
    """A heap for each host, a heap of hosts that may be asked, and one of hosts that rest.

    >>> clock = VirtualClock()
    >>> queue = PoliteQueue(np.array([7, 7, 8], np.uint64), delay=10.0, clock=clock)
    >>> queue.put(np.array([0, 1, 2]), np.array([3.0, 2.0, 1.0]))
    >>> [(queue.pop(1).tolist(), clock.now()) for _ in range(3)]
    [([0], 0.0), ([2], 0.0), ([1], 10.0)]
    """

    def __init__(
        self, hosts: Keys, delay: float, clock: VirtualClock, levels: Levels | None = None
    ) -> None:
        if not len(hosts):
            raise SettingsError(
                "this graph has no hosts, so a delay has no effect; leave out --delay"
            )
        self._host_of: list[int] = np.unique(hosts, return_inverse=True)[1].tolist()
        self._delay = delay
        self._clock = clock
        self._levels = levels
        self._lines: dict[int, list[Entry]] = {}
        self._current: dict[int, float] = {}
        """The score of each page that waits."""
        self._arrival: dict[int, int] = {}
        self._eligible: list[tuple[Entry, int]] = []
        """The best entry of each host that may be asked; entries that are void meanwhile, too."""
        self._resting: list[tuple[float, int]] = []
        self._ready: dict[int, float] = {}

    def __len__(self) -> int:
        return len(self._current)

    def put(self, nodes: Nodes, scores: Scores) -> None:
        for node in nodes.tolist():
            self._arrival[node] = len(self._arrival)
        self.move(nodes, scores)

    def move(self, nodes: Nodes, scores: Scores) -> None:
        if self._levels is not None:
            scores = -self._levels.place(scores).astype(float)
        for node, score in zip(nodes.tolist(), (-scores).tolist(), strict=True):
            host = self._host_of[node]
            entry = (score, self._arrival[node], node)
            self._current[node] = score
            heappush(self._lines.setdefault(host, []), entry)
            if self._ready.get(host, 0.0) <= self._clock.now():
                heappush(self._eligible, (entry, host))

    def pop(self, count: int) -> Nodes:
        """The best page whose host may be asked; time goes on until there is one."""
        while (node := self._next()) is None:
            self._clock.advance(max(0.0, self._resting[0][0] - self._clock.now()))
        host = self._host_of[node]
        self._ready[host] = self._clock.now() + self._delay
        heappush(self._resting, (self._ready[host], host))
        del self._current[node]
        return np.array([node], np.int64)

    def _next(self) -> int | None:
        self._wake()
        while self._eligible:
            (score, _, node), host = heappop(self._eligible)
            is_rested = self._ready.get(host, 0.0) <= self._clock.now()
            if is_rested and self._current.get(node) == score:
                return node
        return None

    def _wake(self) -> None:
        """Hosts whose time has come bring their best page forward."""
        while self._resting and self._resting[0][0] <= self._clock.now():
            host = heappop(self._resting)[1]
            line = self._lines.get(host, [])
            while line and self._current.get(line[0][2]) != line[0][0]:
                heappop(line)
            if line:
                heappush(self._eligible, (line[0], host))
