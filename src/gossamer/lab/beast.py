"""What budgets cost the disk: IRLbot's model of it, and a simulation beside it.

Lee et al. (2008), section 6.2, compare BEAST with the naive enforcement of budgets, which keeps two
queues, Q and QF, and reads all of QF each time that Q is empty. `Model` has their formulas, Theorems 4
and 5; `simulate` crawls an imaginary web with the real `Beast` and with the naive version, and counts.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import ceil, log2
from random import Random
from typing import Protocol

from msgspec import Struct

from gossamer.policy.budget.beast import Beast
from gossamer.policy.budget.queues import MemoryQueue, MemoryShelf
from gossamer.policy.budget.rounds import OVERFLOW, Seats


class Model(Struct, frozen=True):
    """The paper's overhead model; the defaults are IRLbot's own crawl.

    >>> irlbot = Model()
    >>> [round(irlbot.naive(pages) / 1e6, 1) for pages in (100e6, 8e9, 80e9)]
    [3.8, 82.7, 826.7]
    >>> round(irlbot.bound / 1e6, 1), irlbot.queues(8e9), irlbot.queues(80e9)
    (8.2, 16, 128)
    """

    budget: float = 11.0
    """E[Bx], pages: the budget of a domain on average."""
    domains: float = 33e6
    """V: domains seen in one pass through QF."""
    links: float = 6.5
    """L: unique URLs found on a page."""
    rate: float = 3100.0
    """S: pages a second."""
    url_bytes: float = 110.0
    """b: bytes of a URL in a queue."""

    def alpha(self, pages: float) -> float:
        """α of equation 9: how many times over all budgets were used up."""
        return max(1.0, pages / (self.budget * self.domains))

    def naive(self, pages: float) -> float:
        """Bytes a second that two queues need after so many pages: Theorem 4, equation 8."""
        return 2 * self.rate * self.url_bytes * (self.links - 1) * self.alpha(pages)

    def beast(self, pages: float) -> float:
        """Bytes a second that BEAST needs after so many pages: Theorem 5, equation 10."""
        alpha = self.alpha(pages)
        again = 2 * alpha / (1 + alpha) * (self.links - 1)
        return 2 * self.rate * self.url_bytes * (again + 1)

    @property
    def bound(self) -> float:
        """Bytes a second that BEAST never needs more than: the right side of equation 10."""
        return 2 * self.rate * self.url_bytes * (2 * self.links - 1)

    def queues(self, pages: float) -> int:
        """BEAST's queues in the last stage: equation 11."""
        return 1 << ceil(log2(self.alpha(pages) + 1)) - 1


class BeastWeb:
    """An endless web: every page links to `links` new URLs, of domains as popular as their budget."""

    def __init__(self, domains: int, links: float, seed: int) -> None:
        self._links = links
        self._random = Random(seed)
        top = max(1, domains // 10)
        self.budgets = [10 * (1 + top - rank) if rank < top else 10 for rank in range(domains)]
        """The top tenth has more, as by IRLbot's function."""
        self._weights = list(accumulate(self.budgets))
        self._owed = 0.0

    @property
    def capacity(self) -> int:
        """E[Bx]·V: the pages of one round."""
        return self._weights[-1]

    def seeds(self) -> list[int]:
        """The domains of the first URLs: just enough for one round."""
        return [domain for domain, budget in enumerate(self.budgets) for _ in range(budget)]

    def links(self, pages: int) -> list[int]:
        """The domains of the new URLs on so many pages."""
        self._owed += pages * self._links
        count = int(self._owed)
        self._owed -= count
        everybody = range(len(self.budgets))
        return self._random.choices(everybody, cum_weights=self._weights, k=count)


class BeastStage(Struct, frozen=True):
    """What happened between two readings of QF."""

    pages: int
    """Fetched since the crawl began."""
    queues: int
    moved: float
    """URLs written to and read from queues that were done with in this stage, for each page of it."""


class Enforcer(Protocol):
    """One way to keep to budgets."""

    @property
    def queues(self) -> int:
        """Besides QF."""

    @property
    def moved(self) -> int:
        """URLs written and read so far; a queue is counted when it is done with, as in the paper."""

    def file(self, domains: list[int]) -> None:
        """Take in URLs of these domains."""

    def stage(self) -> Iterator[int]:
        """Give out URLs until QF has been read once; yields how many at a time."""


class BeastTwoQueues:
    """The naive way, of IRLbot's earlier versions."""

    queues = 1

    def __init__(self, budgets: list[int]) -> None:
        self._budgets = budgets
        self._seats = Seats(len(budgets))
        self._round = 1
        self._ready = 0
        self._failed: list[int] = []
        self.moved = 0

    def file(self, domains: list[int]) -> None:
        """Q takes what is within the budget, QF the rest."""
        take, budgets, number = self._seats.take, self._budgets, self._round
        failed = [one for one in domains if take(one, budgets[one], number, number) == OVERFLOW]
        self._ready += len(domains) - len(failed)
        self._failed += failed

    def stage(self) -> Iterator[int]:
        while self._ready:
            fetched, self._ready = self._ready, 0
            self.moved += 2 * fetched
            yield fetched
        failed, self._failed = self._failed, []
        self.moved += 2 * len(failed)
        self._round += 1
        self._seats.readmit()
        self.file(failed)


class ManyQueues:
    """The real BEAST, on queues that count."""

    def __init__(self, budgets: list[int]) -> None:
        self._shelf = _CountingShelf()
        self._beast = Beast(
            self._shelf,
            lambda domains: [budgets[domain] for domain in domains],
            queues=1,
            most_queues=1 << 16,
            seats=len(budgets),
        )

    @property
    def queues(self) -> int:
        return self._beast.statistics().queues

    @property
    def moved(self) -> int:
        return self._shelf.moved

    def file(self, domains: list[int]) -> None:
        self._beast.file([b""] * len(domains), domains)

    def stage(self) -> Iterator[int]:
        beast = self._beast
        while not beast.is_splitting:
            if records := beast.release(len(beast)):
                yield len(records)
            else:
                beast.next_round()
        while beast.is_splitting:
            beast.split(1 << 16)


class _CountingQueue(MemoryQueue):
    written = 0

    def append(self, records: Sequence[bytes]) -> None:
        self.written += len(records)
        super().append(records)


class _CountingShelf(MemoryShelf):
    """Counts what went through a queue when it is dropped: then all was read that was written."""

    def __init__(self) -> None:
        super().__init__()
        self.moved = 0
        self._counting: dict[str, _CountingQueue] = {}

    def open(self, name: str) -> MemoryQueue:
        return self._counting.setdefault(name, _CountingQueue())

    def drop(self, name: str) -> None:
        self.moved += 2 * self._counting.pop(name).written


def simulate(web: BeastWeb, enforcer: Enforcer, rounds: int) -> list[BeastStage]:
    """Crawl until all budgets were used up so many times."""
    stages: list[BeastStage] = []
    pages = 0
    enforcer.file(web.seeds())
    while pages < rounds * web.capacity:
        pages_before, moved_before, queues = pages, enforcer.moved, enforcer.queues
        for fetched in enforcer.stage():
            pages += fetched
            enforcer.file(web.links(fetched))
        if pages > pages_before:
            moved = (enforcer.moved - moved_before) / (pages - pages_before)
            stages.append(BeastStage(pages, queues, moved))
    return stages


class Comparison(Struct, frozen=True):
    """Both ways after the same number of pages, in URLs moved for each page."""

    pages: int
    alpha: float
    naive_paper: float
    naive: float
    beast_paper: float
    beast: float
    bound: float
    queues_paper: int
    queues: int


def compare(domains: int, links: float, stages: int, seed: int = 0) -> list[Comparison]:
    """Simulate both ways for so many stages of BEAST, each twice as long as the one before.

    >>> [row.queues for row in compare(domains=20, links=6.5, stages=2)]
    [2, 4]
    """
    rounds = 2 ** (stages + 1) - 2
    web = BeastWeb(domains, links, seed)
    model = Model(web.capacity / domains, domains, links, rate=1.0, url_bytes=1.0)
    naive = simulate(web, BeastTwoQueues(web.budgets), rounds)
    beast = simulate(web := BeastWeb(domains, links, seed), ManyQueues(web.budgets), rounds)
    return [_compare(model, _nearest(naive, stage.pages), stage) for stage in beast]


def _nearest(stages: list[BeastStage], pages: int) -> BeastStage:
    return min(stages, key=lambda stage: abs(stage.pages - pages))


def _compare(model: Model, naive: BeastStage, beast: BeastStage) -> Comparison:
    return Comparison(
        pages=beast.pages,
        alpha=model.alpha(beast.pages),
        naive_paper=model.naive(beast.pages),
        naive=naive.moved,
        beast_paper=model.beast(beast.pages),
        beast=beast.moved,
        bound=model.bound,
        queues_paper=model.queues(beast.pages),
        queues=beast.queues,
    )
