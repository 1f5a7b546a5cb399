"""Bytes that BEAST moves for a page stay below the bound of Theorem 5 (Lee et al. 2008)."""

from collections.abc import Sequence
from itertools import accumulate
from math import ceil, log2
from random import Random

import pytest

from gossamer.policy.budget import Beast, MemoryQueueStore
from gossamer.policy.budget.queue_protocol import MemoryQueue


class CountingShelf(MemoryQueueStore):
    """Counts URLs that went through a queue when it is dropped: then all was read that was written."""

    def __init__(self) -> None:
        super().__init__()
        self.moved = 0

    def drop(self, name: str) -> None:
        queue = self.open(name)
        assert isinstance(queue, CountingQueue)
        self.moved += 2 * queue.written
        super().drop(name)

    def open(self, name: str) -> MemoryQueue:
        return self._queues.setdefault(name, CountingQueue())


class CountingQueue(MemoryQueue):
    written = 0

    def append(self, records: Sequence[bytes]) -> None:
        self.written += len(records)
        super().append(records)


@pytest.mark.parametrize(
    ("domains", "links", "stages", "seed"),
    [(50, 6.5, 5, 0), (30, 3.0, 4, 1), (30, 10.0, 4, 2)],
)
def test_traffic_stays_below_the_bound(domains: int, links: float, stages: int, seed: int) -> None:
    """An endless web: each page links to `links` new URLs, of domains as popular as their budget."""
    top, random, queue_store = max(1, domains // 10), Random(seed), CountingShelf()
    budgets = [10 * (1 + top - rank) if rank < top else 10 for rank in range(domains)]
    beast = Beast(
        queue_store,
        lambda some: [budgets[one] for one in some],
        queues=1,
        most_queues=1 << 16,
        seats=domains,
    )
    popularity = list(accumulate(budgets))
    file(beast, [domain for domain, budget in enumerate(budgets) for _ in range(budget)])
    fetched, queues = 0, list[int]()
    while len(queues) < stages:
        begun, moved, before = fetched, queue_store.moved, beast.statistics().queues
        while not beast.is_splitting:
            if not (pages := len(beast.release(len(beast)))):
                beast.next_round()
                continue
            new = int((fetched + pages) * links) - int(fetched * links)
            fetched += pages
            file(beast, random.choices(range(domains), cum_weights=popularity, k=new))
        while beast.is_splitting:
            beast.split(1 << 16)
        if fetched == begun:
            continue
        alpha = max(1.0, fetched / popularity[-1])
        by_theorem_5 = 2 * (2 * alpha / (1 + alpha) * (links - 1) + 1)
        assert (queue_store.moved - moved) / (fetched - begun) <= by_theorem_5 < 2 * (2 * links - 1)
        assert before == 1 << ceil(log2(alpha + 1)) - 1, "equation 11"
        queues.append(before)
    assert queues == [2 << stage for stage in range(stages)]


def file(beast: Beast, domains: list[int]) -> None:
    beast.file([b""] * len(domains), domains)
