"""The domains with the highest in-degrees, kept up to date at little cost."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from msgspec import Struct

from gossamer.policy.budget.budget_functions import DomainStanding


class Grown(NamedTuple):
    """A domain whose in-degree has just grown."""

    domain: int
    """The 64-bit XXH3 hash of its name."""
    in_degree: int
    name: str


class Ranked(Struct, frozen=True, gc=False):
    """A domain that ranks."""

    domain: int
    name: str
    standing: DomainStanding


class Ranking:
    """The top domains among all that ever grew.

    In-degrees only grow, so a domain that was dropped can come back only by growing, and then it
    is named again: twice the top is all that has to be kept. Sorting happens after every `top`
    newcomers, hence at a constant cost for each.

    >>> ranking = Ranking(top=2)
    >>> ranking.note([Grown(1, 7, "a.test"), Grown(2, 9, "b.test"), Grown(3, 1, "c.test")])
    >>> [(one.name, one.standing.rank) for one in ranking]
    [('b.test', 1), ('a.test', 2)]
    """

    def __init__(self, top: int) -> None:
        self._top = top
        self._known: dict[int, Grown] = {}
        self._floor = 0
        """No domain that is unknown and has this in-degree or less can rank."""

    def note(self, grown: Iterable[Grown]) -> None:
        """Take in domains with their new in-degrees."""
        known = self._known
        for one in grown:
            if one.in_degree > self._floor or one.domain in known:
                known[one.domain] = one
        if len(known) > 2 * self._top:
            self._forget_the_rest()

    def __iter__(self) -> Iterator[Ranked]:
        """The top domains, the best first."""
        ordered = self._ordered()[: self._top]
        rank, degree = len(ordered), 0
        standings = []
        for place in range(len(ordered), 0, -1):
            one = ordered[place - 1]
            if one.in_degree != degree:
                rank, degree = place, one.in_degree
            standings.append(
                Ranked(one.domain, one.name, DomainStanding(degree, rank, len(ordered)))
            )
        return reversed(standings)

    def __len__(self) -> int:
        return min(self._top, len(self._known))

    def export(self) -> list[Grown]:
        """All that must be noted again to have the same ranking."""
        return self._ordered()[: self._top]

    def _forget_the_rest(self) -> None:
        best = self._ordered()[: self._top]
        self._known = {one.domain: one for one in best}
        self._floor = best[-1].in_degree

    def _ordered(self) -> list[Grown]:
        return sorted(self._known.values(), key=lambda one: (-one.in_degree, one.name))
