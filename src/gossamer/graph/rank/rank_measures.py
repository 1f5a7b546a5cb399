"""Rankings by name: each gives columns with a number for each page."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from gossamer.core.errors import SettingsError
from gossamer.graph.rank.arcs import Arcs, Nodes, Values
from gossamer.graph.rank.bow_tie import Place, bow_tie
from gossamer.graph.rank.distances import Distances, exact_distances
from gossamer.graph.rank.folding import Folded
from gossamer.graph.rank.graph_pagerank import pagerank, total_weights, trust
from gossamer.graph.rank.hits import base_set, hits
from gossamer.graph.rank.hyperball import hyperball
from gossamer.graph.rank.ranked_web import LinkedWeb

Columns = dict[str, NDArray[Any]]

SUPPORTERS = {1: "supporters_1", 2: "supporters_2", 3: "supporters_3"}
"""The distances within which supporters are counted, and the names of their columns."""
_EXACT = 2_000_000_000
"""Steps that exact distances may take: some seconds."""


class Wishes(Struct, frozen=True):
    """Options of rankings."""

    damping: float = 0.85
    tolerance: float = 1e-9
    """The largest sum of all errors of ranks, which have a sum of 1."""
    trusted: Sequence[str] = ()
    """URLs, hosts and pay-level domains that trust comes from."""
    precision: int = 8
    """HyperBall's counters have 2^precision bytes."""
    root: Nodes | None = None
    """The pages that match a query, for hubs and authorities."""


class Measures:
    """Computes what is asked for, and what several need only once."""

    def __init__(self, web: LinkedWeb, wishes: Wishes) -> None:
        self._web = web
        self._wishes = wishes

    def columns(self, names: Iterable[str]) -> Columns:
        """The columns of some measures; a name that is none is told, with those there are."""
        found: Columns = {}
        for name in check_names(names):
            found |= MEASURES[name](self)
        return found

    def pagerank(self) -> Columns:
        return {"pagerank": self._rank(None)}

    def trust(self) -> Columns:
        if not self._wishes.trusted:
            raise SettingsError("the ranking trust needs pages to trust; name some with --trusted")
        good = self._web.find(self._wishes.trusted)
        return {"trust": self._rank(trust(len(self._web), good))}

    def degrees(self) -> Columns:
        pairs = (("indegree", self._web.back), ("outdegree", self._web.arcs))
        return {name: arcs.degrees() for name, arcs in pairs}

    def harmonic(self) -> Columns:
        return {"harmonic": self._distances.harmonic}

    def supporters(self) -> Columns:
        return {SUPPORTERS[far]: ball for far, ball in self._distances.supporters.items()}

    def host_rank(self) -> Columns:
        return {"host_rank": self._group_rank(self._web.hosts)}

    def domain_rank(self) -> Columns:
        return {"domain_rank": self._group_rank(self._web.domains)}

    def bow_tie(self) -> Columns:
        tie = bow_tie(self._web.arcs, self._web.back)
        names = np.array([place.name.lower() for place in Place])
        return {"place": names[tie.places], "component": tie.strong}

    def hits(self) -> Columns:
        """Pages outside of the base set have none."""
        root = self._wishes.root
        if root is None or not len(root):
            raise SettingsError("the ranking hits needs a query that pages match; change --query")
        nodes = base_set(self._web.arcs, self._web.back, root)
        found = hits(self._web.arcs, nodes, self._web.hosts.groups)
        columns = {name: np.full(len(self._web), np.nan) for name in ("hub", "authority")}
        columns["hub"][nodes], columns["authority"][nodes] = found.hubs, found.authorities
        return dict(columns)

    def _rank(self, jump: Values | None) -> Values:
        return _rank(self._web.arcs, self._web.back, jump, self._wishes)

    def _group_rank(self, folded: Folded) -> Values:
        return rank_groups(folded, self._wishes)[folded.groups]

    @cached_property
    def _distances(self) -> Distances:
        return find_distances(self._web.back, tuple(SUPPORTERS), self._wishes.precision)


def find_distances(back: Arcs, far: Sequence[int] = (), precision: int = 8) -> Distances:
    """Distances of other pages to each page: exact if that takes some seconds, else estimates."""
    if len(back) * (len(back) + back.links) <= _EXACT:
        return exact_distances(back, far)
    return hyperball(back, precision=precision, supporters=far)


def rank_groups(folded: Folded, wishes: Wishes) -> Values:
    """PageRank of hosts or domains; a link between them counts as often as it is there."""
    return _rank(folded.arcs, folded.arcs.transposed(), None, wishes)


def _rank(arcs: Arcs, back: Arcs, jump: Values | None, wishes: Wishes) -> Values:
    found = pagerank(
        back, total_weights(arcs), damping=wishes.damping, jump=jump, tolerance=wishes.tolerance
    )
    return found.ranks


def check_names(names: Iterable[str]) -> list[str]:
    """Names of measures, each once."""
    wanted = list(dict.fromkeys(names))
    for name in wanted:
        if name not in MEASURES:
            raise SettingsError(f"there is no ranking {name!r}; known: {', '.join(MEASURES)}")
    return wanted


MEASURES: dict[str, Callable[[Measures], Columns]] = {
    "pagerank": Measures.pagerank,
    "trust": Measures.trust,
    "degrees": Measures.degrees,
    "harmonic": Measures.harmonic,
    "supporters": Measures.supporters,
    "host-rank": Measures.host_rank,
    "domain-rank": Measures.domain_rank,
    "bow-tie": Measures.bow_tie,
    "hits": Measures.hits,
}
