"""STAR: Spam Tracking and Avoidance through Reputation (Lee et al., 2008, section 5).

A domain costs its owner money, a page does not. So what a domain may have is decided by the number
of *other* pay-level domains that link to it, and not by what it says about itself in its pages.
"""

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct

from gossamer.policy.budget.budget_functions import UNRANKED, BudgetFunction
from gossamer.policy.budget.domain_degrees import Edge, InDegrees, domain_id
from gossamer.policy.budget.ranking import Grown, Ranked, Ranking

_BATCH = 4096
"""Edges that are collected before they are counted."""
_RECENT = 1 << 16
"""Edges that are remembered as just met: the pages of a site repeat each other's links."""
_STALE = 10_000
"""Growths after which budgets are worked out again, even within a round."""

THE_USER = 0
"""A seed is a link from the crawl's user: it counts like one from a domain."""


class TopDomain(Struct, frozen=True):
    """A line of `gossamer status`."""

    name: str
    in_degree: int
    budget: int


class StarManifest(Struct, frozen=True):
    in_degrees: bytes
    top: list[Grown]


class Star:
    """From links between domains to budgets.

    Filled by `observe` with the links of every page read, new or not; asked by `budgets`. Budgets
    change when `refresh` is called, at the start of a round, and after every 10,000 growths.

    >>> from gossamer.core.settings import BudgetSettings
    >>> from gossamer.policy.budget import MemoryInDegrees, domain_id, find_function
    >>> star = Star(MemoryInDegrees(), find_function(BudgetSettings(top=2)), top=2)
    >>> star.observe("a.test", ["b.test", "c.test", "a.test"])
    >>> star.observe("b.test", ["c.test"])
    >>> star.refresh()
    True
    >>> star.budgets([domain_id("c.test"), domain_id("b.test")])
    [10000, 10]
    """

    def __init__(
        self, in_degrees: InDegrees, function: BudgetFunction, top: int, manifest: bytes = b""
    ) -> None:
        self._in_degrees = in_degrees
        self._function = function
        self._ranking = Ranking(top)
        self._edges: list[Edge] = []
        self._recent: set[tuple[str, str]] = set()
        self._growths = 0
        self._default = function(UNRANKED)
        self._budgets: dict[int, int] = {}
        self._ranked: list[Ranked] = []
        if manifest:
            self._ranking.note(msgspec.msgpack.decode(manifest, type=StarManifest).top)
            self._work_out()

    def observe(self, source: str, targets: Iterable[str]) -> None:
        """A page of the domain `source` links to pages of these domains."""
        recent = self._recent
        for target in targets:
            edge = (source, target)
            if source != target and edge not in recent:
                recent.add(edge)
                self._edges.append(Edge(domain_id(source), domain_id(target), target))
        self._count_when_many()

    def observe_seeds(self, domains: Iterable[str]) -> None:
        """The user named pages of these domains."""
        self._edges += [Edge(THE_USER, domain_id(name), name) for name in domains]
        self._count_when_many()

    def budgets(self, domains: Sequence[int]) -> list[int]:
        """The budget of each domain, as worked out last."""
        known, default = self._budgets, self._default
        return [known.get(domain, default) for domain in domains]

    def refresh(self, is_urgent: bool = False) -> bool:
        """Work out every budget again if enough has changed, or, urgently, if anything has.

        Returns whether they were. Enough is one growth for a hundred domains that rank: then it
        costs little more than counting did, however short the rounds are.
        """
        self._count()
        if is_urgent:
            self._note(self._in_degrees.settle())
        is_due = self._growths > (0 if is_urgent else len(self._ranking) // 100)
        if is_due:
            self._work_out()
        return is_due

    def top(self, count: int) -> tuple[TopDomain, ...]:
        """The domains that rank highest, the best first."""
        return tuple(
            TopDomain(ranked.name, ranked.standing.in_degree, self._budgets[ranked.domain])
            for ranked in self._ranked[:count]
        )

    @property
    def edges(self) -> int:
        """Unique links between domains counted."""
        return len(self._in_degrees)

    def checkpoint(self) -> bytes:
        """Make the counts durable, and say how to find them again."""
        self._count()
        in_degrees = self._in_degrees.checkpoint()
        return msgspec.msgpack.encode(StarManifest(in_degrees, self._ranking.export()))

    def checkpoint_published(self) -> None:
        self._in_degrees.checkpoint_published()

    @property
    def disk_bytes(self) -> int:
        return self._in_degrees.disk_bytes

    def verify(self) -> None:
        self._in_degrees.verify()

    def close(self) -> None:
        self._in_degrees.close()

    def _count_when_many(self) -> None:
        if len(self._edges) >= _BATCH:
            self._count()
            if self._growths >= _STALE:
                self._work_out()

    def _count(self) -> None:
        edges, self._edges = self._edges, []
        if edges:
            self._note(self._in_degrees.add(edges))
        if len(self._recent) > _RECENT:
            self._recent.clear()

    def _note(self, grown: list[Grown]) -> None:
        self._ranking.note(grown)
        self._growths += len(grown)

    def _work_out(self) -> None:
        self._ranked = list(self._ranking)
        self._budgets = {ranked.domain: self._function(ranked.standing) for ranked in self._ranked}
        self._growths = 0


def in_degrees_of(manifest: bytes) -> bytes:
    """The part of a checkpoint that belongs to the in-degrees."""
    return msgspec.msgpack.decode(manifest, type=StarManifest).in_degrees if manifest else b""
