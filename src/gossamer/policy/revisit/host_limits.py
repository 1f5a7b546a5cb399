"""The optimum when hosts have limits: no more visits per day to a host than politeness allows.

After Kolobov, Peres, Lubetzky, Horvitz, *Optimal freshness crawl under politeness constraints* (SIGIR 2019).
A limit is one more condition, so it has one more price. A visit to a page costs the price that all pages
have, or the price of its host if that is higher: the one at which the host's pages together have as many
visits as its limit. What they do not get is for the others, whose price falls.

A page has fewer visits at a higher price. So at the higher of two prices it has the fewer of two shares, and
the price of a host does not depend on anybody else. Each host is solved by itself first; its shares are
ceilings when the price for all is looked for. There is no search within a search.
"""

import math
from collections.abc import Collection, Mapping

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from gossamer.policy.revisit.population import Floats, Population
from gossamer.policy.revisit.visit_plan import RevisitPlan, _solve

Hosts = npt.NDArray[np.int64]
"""The number of the host of each row."""


class LimitedPlan(Struct, frozen=True):
    """The price for all, and the plans of hosts that have limits, by their numbers."""

    everybody: RevisitPlan
    hosts: dict[int, RevisitPlan]

    def share(self, pages: Population, hosts: Hosts) -> Floats:
        """Visits per day for each row of a population."""
        return np.minimum(self.everybody.share(pages), _ceilings(self.hosts, pages, hosts))

    @property
    def saturated(self) -> list[int]:
        """Hosts whose own price is the higher one."""
        return [host for host, own in self.hosts.items() if own.price > self.everybody.price]


def solve_limited(
    policy: str,
    pages: Population,
    hosts: Hosts,
    limits: Mapping[int, float],
    budget: float,
    *,
    longest: float = math.inf,
    shortest: float = 0.0,
) -> LimitedPlan:
    """The plan for a budget, and for at most `limits` visits per day of hosts, by their numbers.

    Rows are pages, or pages of one host that are alike (`gather`): the cost goes by rows.

    >>> from gossamer.policy.revisit import describe
    >>> pages, hosts = describe([1.0, 1.0, 1.0, 1.0]), np.array([7, 7, 8, 9])
    >>> plan = solve_limited("freshness", pages, hosts, {7: 1.0, 8: 5.0}, budget=4.0)
    >>> plan.share(pages, hosts).round(3).tolist(), plan.saturated
    ([0.5, 0.5, 1.5, 1.5], [7])
    """
    rows = _rows_of(hosts, limits)
    plans = {
        host: _solve(policy, pages.only(rows[host]), limit, longest, shortest)
        for host, limit in limits.items()
    }
    ceilings = _ceilings(plans, pages, hosts)
    return LimitedPlan(_solve(policy, pages, budget, longest, shortest, ceilings), plans)


def _ceilings(plans: Mapping[int, RevisitPlan], pages: Population, hosts: Hosts) -> Floats:
    """The most visits that pages can get at the prices of their hosts."""
    found = np.full(len(hosts), math.inf)
    for host, rows in _rows_of(hosts, plans).items():
        found[rows] = plans[host].share(pages.only(rows))
    return found


def _rows_of(hosts: Hosts, wanted: Collection[int]) -> dict[int, Hosts]:
    """The rows of each host; all are sorted once, however many hosts there are."""
    order = np.argsort(hosts, kind="stable")
    names = np.array([*wanted], np.int64)
    begins, ends = (np.searchsorted(hosts[order], names, side) for side in ("left", "right"))
    spans = zip(names.tolist(), begins.tolist(), ends.tolist(), strict=True)
    return {name: order[begin:end] for name, begin, end in spans}
