"""A virtual crawl: the ring without sockets, on arrays."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from gossamer.core.clock import VirtualClock
from gossamer.core.kernel import kernel
from gossamer.lab.crawl_orders.buffer import Buffer
from gossamer.lab.crawl_orders.exact_queue import ExactQueue
from gossamer.lab.crawl_orders.known_web import LabGraph, Nodes
from gossamer.lab.crawl_orders.level_queue import LevelQueue
from gossamer.lab.crawl_orders.polite_queue import PoliteQueue
from gossamer.lab.crawl_orders.turn_queue import HostTurns
from gossamer.policy.order.levels import make_levels
from gossamer.policy.order.order_protocol import Policy
from gossamer.policy.order.policy_batches import NO_KEYS, Crawled, Needs, Numbers, Scores, Waiting

_LARGEST_BATCH = 4096


class VirtualQueue(Protocol):
    """Pages that wait, and which is next."""

    def put(self, nodes: Nodes, scores: Scores) -> None: ...

    def move(self, nodes: Nodes, scores: Scores) -> None: ...

    def pop(self, count: int) -> Nodes: ...

    def __len__(self) -> int: ...


class CrawlPlan(Struct, frozen=True):
    """Options of a virtual crawl."""

    levels: int = 0
    """Front queues; 0 is exact order by score."""
    batch: float = 0.001
    """Pages fetched between two looks at the order: a part of those fetched, at least one."""
    pages: int = 0
    """Stop after this many; 0 is when nothing waits."""
    delay: float = 0.0
    """Seconds between two fetches from one host; 0 is none."""
    rate: float = 1.0
    """Fetches a second in all, at most."""
    keep: int = 0
    """Pages that can be kept; the least valuable go. 0 is all."""
    by_host: bool = False
    """Hosts take turns as in the real frontier; with levels, without delay."""


_EXACT = CrawlPlan()


class Run(Struct, frozen=True):
    """The result of a virtual crawl."""

    order: Nodes
    """Pages in the order they were fetched."""
    times: NDArray[np.float64]
    """When each was fetched, in virtual seconds."""
    kept: Nodes
    """Pages that were kept in the end."""


def crawl(
    graph: LabGraph, policy: Policy, seeds: Sequence[int] | Nodes, plan: CrawlPlan = _EXACT
) -> Run:
    """Fetch what can be reached from the seeds, in the order of a policy.

    >>> from gossamer.policy.order import BreadthFirst
    >>> graph = LabGraph(np.array([0, 2, 3, 3, 3]), np.array([2, 1, 3]))
    >>> crawl(graph, BreadthFirst(), [0]).order.tolist()
    [0, 2, 1, 3]
    """
    return _Crawl(graph, policy, plan).run(np.asarray(seeds, np.int64))


def revisit(graph: LabGraph, policy: Policy, order: Nodes, rounds: int, batch: int = 1024) -> None:
    """Fetch pages again and again, in the same order, and let a policy learn from it."""
    again = _Crawl(graph, policy, _EXACT)
    for _ in range(rounds):
        for begin in range(0, len(order), batch):
            again.learn(order[begin : begin + batch])


class _Crawl:
    def __init__(self, graph: LabGraph, policy: Policy, plan: CrawlPlan) -> None:
        self._graph = graph
        self._policy = policy
        self._plan = plan
        self._is_met = np.zeros(len(graph), np.bool_)
        self._depths: Numbers = np.zeros(len(graph), np.int64)
        self._via: Numbers = np.full(len(graph), -1, np.int64)
        """The link by which a page became known."""
        self._order: Nodes = np.empty(len(graph), np.int64)
        self._times = np.empty(len(graph))
        self._fetched = 0
        self._clock = VirtualClock()
        self._queue = _make_queue(graph, policy, plan, self._clock)
        self._buffer = Buffer(policy, plan.keep)

    def run(self, seeds: Nodes) -> Run:
        seeds = np.array(list(dict.fromkeys(seeds.tolist())), np.int64)
        self._is_met[seeds] = True
        self._offer(seeds)
        limit = self._plan.pages or len(self._graph)
        while len(self._queue) and self._fetched < limit:
            self._turn(min(self._batch(), limit - self._fetched))
        order = self._order[: self._fetched]
        return Run(
            order, self._times[: self._fetched], self._buffer.pages if self._plan.keep else order
        )

    def learn(self, nodes: Nodes) -> None:
        """Let the policy know what stands on these pages."""
        self._policy.learn(self._crawled(nodes, *self._links(nodes)))

    def _batch(self) -> int:
        if self._plan.delay or self._plan.by_host:  # who is next may change with every page
            return 1
        return max(1, min(_LARGEST_BATCH, int(self._fetched * self._plan.batch)))

    def _turn(self, room: int) -> None:
        nodes = self._queue.pop(room)
        end = self._fetched + len(nodes)
        self._order[self._fetched : end] = nodes
        self._times[self._fetched : end] = (
            self._clock.now() + np.arange(len(nodes)) / self._plan.rate
        )
        self._clock.advance(len(nodes) / self._plan.rate)
        self._fetched = end
        offsets, links = self._links(nodes)
        if Needs.LINKS in self._policy.needs:
            self._policy.learn(self._crawled(nodes, offsets, links))
        if self._plan.keep:
            self._buffer.take(nodes)
        self._offer(self._new(nodes, offsets, links))
        revised = self._policy.revised()
        if len(revised):
            self._queue.move(revised.keys.astype(np.int64), revised.scores)

    def _offer(self, nodes: Nodes) -> None:
        if len(nodes):
            self._queue.put(nodes, self._policy.score(self._waiting(nodes)))

    def _links(self, nodes: Nodes) -> tuple[Numbers, Numbers]:
        """The places in `links` where the links of each page begin."""
        begins, ends = self._graph.offsets[nodes], self._graph.offsets[nodes + 1]
        offsets = np.concatenate(([0], np.cumsum(ends - begins)))
        links = np.empty(offsets[-1], np.int64)
        _expand(begins, ends, links)
        return offsets, links

    def _new(self, nodes: Nodes, offsets: Numbers, links: Numbers) -> Nodes:
        new = np.empty(len(links), np.int64)
        count = _meet(
            nodes, offsets, links, self._graph.targets, self._is_met, self._depths, self._via, new
        )
        return new[:count]

    def _crawled(self, nodes: Nodes, offsets: Numbers, links: Numbers) -> Crawled:
        graph, needs = self._graph, self._policy.needs
        targets = graph.targets[links]
        with_sites = Needs.SITES in needs and len(graph.hosts)
        words = targets.tolist() if Needs.WORDS in needs and graph.has_words else []
        return Crawled(
            nodes.astype(np.uint64),
            offsets,
            targets.astype(np.uint64),
            graph.hosts[nodes] if with_sites else np.zeros_like(nodes, np.uint64),
            graph.hosts[targets] if with_sites else np.zeros_like(targets, np.uint64),
            [graph.urls[target] for target in words],
            [graph.anchors[link] for link in links.tolist()] if words else (),
            [graph.titles[node] for node in nodes.tolist()] if Needs.TEXT in needs else (),
            [graph.texts[node] for node in nodes.tolist()] if Needs.TEXT in needs else (),
        )

    def _waiting(self, nodes: Nodes) -> Waiting:
        graph, needs = self._graph, self._policy.needs
        with_sites = Needs.SITES in needs and len(graph.hosts)
        nobody = np.zeros_like(nodes, np.uint64) if Needs.SITES in needs else NO_KEYS
        words = nodes.tolist() if Needs.WORDS in needs and graph.has_words else []
        return Waiting(
            nodes.astype(np.uint64),
            self._depths[nodes],
            graph.hosts[nodes] if with_sites else nobody,
            graph.domains[nodes] if with_sites else nobody,
            [graph.urls[node] for node in words],
            [graph.anchors[self._via[node]] if self._via[node] >= 0 else "" for node in words],
        )


def _make_queue(
    graph: LabGraph, policy: Policy, plan: CrawlPlan, clock: VirtualClock
) -> VirtualQueue:
    if plan.delay:
        scale = make_levels(policy.scale, plan.levels) if plan.levels else None
        return PoliteQueue(graph.hosts, plan.delay, clock, scale)
    if plan.levels:
        levels = make_levels(policy.scale, plan.levels)
        if plan.by_host:
            return HostTurns(graph.hosts, plan.levels, levels)
        return LevelQueue(len(graph), plan.levels, levels)
    return ExactQueue(len(graph))


@kernel
def _expand(begins: Numbers, ends: Numbers, links: Numbers) -> None:
    count = 0
    for row in range(len(begins)):
        for link in range(begins[row], ends[row]):
            links[count] = link
            count += 1


@kernel
def _meet(
    nodes: Nodes,
    offsets: Numbers,
    links: Numbers,
    targets: Nodes,
    is_met: NDArray[np.bool_],
    depths: Numbers,
    via: Numbers,
    new: Nodes,
) -> int:
    count = 0
    for row in range(len(nodes)):
        depth = depths[nodes[row]] + 1
        for at in range(offsets[row], offsets[row + 1]):
            target = targets[links[at]]
            if not is_met[target]:
                is_met[target] = True
                depths[target] = depth
                via[target] = links[at]
                new[count] = target
                count += 1
    return count
