"""Share a budget of visits: the price of a visit is found once, and answers for every page.

    pages ─▶ gather: buckets ─▶ solve: the price ─▶ RevisitPlan ─▶ interval(rate, weight) of one page

The price is found between bounds, by false position and halving, over buckets: ten million pages take less
than a second. Some goals have steps (a complete page is visited at all changes or at none): at such a step,
the plan holds both sides and how much of each, so that the budget is kept in any case.
"""

import math

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from gossamer.policy.revisit.policies import Allocation
from gossamer.policy.revisit.population import Floats, Given, Population, describe, gather
from gossamer.policy.revisit.revisit_registry import make_allocation

_BEGIN, _STRIDE, _FARTHEST = 1.0, 256.0, 1e60
_CLOSE = 1e-13
_STEPS = 200
_MANY = 50_000
"""More pages than these are put into buckets."""


class RevisitPlan(Struct, frozen=True):
    """The answer for every page, until the next solution. Plain numbers: it can be kept with msgspec.

    >>> plan = solve("freshness", describe([1.0, 2.0, 3.0, 4.0, 5.0]), budget=5.0)
    >>> [round(plan.interval(rate), 2) for rate in (1.0, 4.0, 5.0)]
    [0.87, 0.88, inf]
    """

    policy: str
    budget: float
    """Visits per day for all pages together."""
    spent: float
    """Visits per day that are planned: less than the budget where more would be in vain."""
    price: float
    """What one more visit has to bring (the Lagrange multiplier)."""
    other_price: float
    """The price on the other side of a step; mostly the same."""
    part: float
    """How much of the visits follow the first price."""
    fewest: float
    """Visits per day of a page that is given up …"""
    most: float
    """… and the most that any page gets."""

    def visits(
        self, rates: Given, weights: Given = 1.0, complete: Given = False, lasting: Given = 0.0
    ) -> Floats:
        """Visits per day of pages."""
        return self.share(describe(rates, weights, 1.0, complete, lasting))

    def interval(
        self, rate: float, weight: float = 1.0, complete: bool = False, lasting: float = 0.0
    ) -> float:
        """Days between two visits of a page; without end where it is given up."""
        one = np.array(((rate,), (weight,), (1.0,), (lasting,)))
        heard = np.array((complete,), np.bool_)
        [visits] = self.share(Population(one[0], one[1], one[2], heard, one[3]))
        return 1 / float(visits) if visits > 0 else math.inf

    def share(self, pages: Population) -> Floats:
        """Visits per day for each row of a population."""
        allocation = make_allocation(self.policy)
        visits = self._at(allocation, self.price, pages)
        if self.part < 1:
            other = self._at(allocation, self.other_price, pages)
            visits = self.part * visits + (1 - self.part) * other
        return visits

    def at(self, price: float) -> "RevisitPlan":
        """The same for another price, whatever comes of the budget."""
        return replace(self, price=price, other_price=price, part=1.0)

    def _at(self, allocation: Allocation, price: float, pages: Population) -> Floats:
        return np.minimum(np.maximum(allocation.visits(price, pages), self.fewest), self.most)


def allocate(
    policy: str,
    rates: Given,
    weights: Given,
    counts: Given,
    budget: float,
    *,
    complete: Given = False,
    lasting: Given = 0.0,
    longest: float = math.inf,
    shortest: float = 0.0,
) -> Floats:
    """Visits per day of one page of each row; rows are taken as they are, however many.

    >>> allocate("freshness", [1.0, 2.0, 3.0, 4.0, 5.0], 1.0, 1.0, 5.0).round(2).tolist()
    [1.15, 1.36, 1.35, 1.14, 0.0]
    """
    pages = describe(rates, weights, counts, complete, lasting)
    return _solve(policy, pages, budget, longest, shortest).share(pages)


def solve(
    policy: str,
    pages: Population,
    budget: float,
    *,
    longest: float = math.inf,
    shortest: float = 0.0,
) -> RevisitPlan:
    """The plan for a budget of visits per day; many pages are put into buckets first.

    No page waits longer than `longest` days, as far as the budget allows, nor less than `shortest`.
    """
    if len(pages.rates) > _MANY:
        pages = gather(pages)
    return _solve(policy, pages, budget, longest, shortest)


def _solve(
    policy: str,
    pages: Population,
    budget: float,
    longest: float,
    shortest: float,
    ceilings: Floats | None = None,
) -> RevisitPlan:
    """`ceilings`: the most visits per day of a page of each row, for other reasons than `shortest`."""
    known = float(pages.counts.sum())
    budget = max(budget, 0.0)
    most = 1 / shortest if shortest > 0 else math.inf
    fewest = min(1 / longest if longest > 0 else math.inf, most, budget / known if known else 0.0)
    plan = RevisitPlan(policy, budget, fewest * known, math.inf, math.inf, 1.0, fewest, most)
    if fewest * known >= budget * (1 - _CLOSE):
        return plan
    return _Search(plan, pages, ceilings).find()


class _Search:
    """Looks for the price: what is dear has fewer visits."""

    def __init__(self, plan: RevisitPlan, pages: Population, ceilings: Floats | None) -> None:
        self._plan, self._pages, self._ceilings = plan, pages, ceilings
        self._allocation = make_allocation(plan.policy)

    def find(self) -> RevisitPlan:
        low, high = self._bracket()
        if low[1] <= 0:  # however cheap, the budget is not used up
            return self._result(low, low)
        if high[1] > 0:  # however dear, it is not kept: a policy of others that does not look at it
            return self._result(high, high)
        return self._result(*self._narrow(low, high))

    def _excess(self, log_price: float) -> tuple[float, float]:
        """A price, as a logarithm, and by how much its visits are above the budget, as a part of it."""
        visits = self._plan._at(self._allocation, math.exp(log_price), self._pages)
        if self._ceilings is not None:
            visits = np.minimum(visits, self._ceilings)
        return log_price, float(self._pages.counts @ visits) / self._plan.budget - 1

    def _bracket(self) -> tuple[tuple[float, float], tuple[float, float]]:
        stride, end = math.log(_STRIDE), math.log(_FARTHEST)
        low = high = self._excess(math.log(_BEGIN))
        while low[1] <= 0 and low[0] > -end:
            low, high = self._excess(low[0] - stride), low
        while high[1] > 0 and high[0] < end:
            low, high = high, self._excess(high[0] + stride)
        return low, high

    def _narrow(
        self, low: tuple[float, float], high: tuple[float, float]
    ) -> tuple[tuple[float, float], tuple[float, float]]:
        """Illinois' method (false position that halves what stays), and every third step a halving."""
        left, right, side = _scale(low[1]), _scale(high[1]), 0
        for step in range(_STEPS):
            if high[0] - low[0] <= _CLOSE * 10 or min(abs(low[1]), abs(high[1])) <= _CLOSE:
                break
            middle = (low[0] + high[0]) / 2
            if step % 3 < 2 and left > right:
                middle = (left * high[0] - right * low[0]) / (left - right)
            found = self._excess(middle)
            if found[1] > 0:
                low, left, right = found, _scale(found[1]), right / 2 if side == 1 else right
                side = 1
            else:
                high, right, left = found, _scale(found[1]), left / 2 if side == -1 else left
                side = -1
        return low, high

    def _result(self, low: tuple[float, float], high: tuple[float, float]) -> RevisitPlan:
        plan, (above, below) = self._plan, (low[1], high[1])
        part = min(1.0, -below / (above - below)) if above > below else 1.0
        if part <= 0.5 and below > -_CLOSE:  # exact enough alone
            low, part = high, 1.0
        elif part >= 0.5 and above < _CLOSE:
            part = 1.0
        spent = plan.budget * (1 + part * low[1] + (1 - part) * high[1])
        return RevisitPlan(
            *(plan.policy, plan.budget, spent, math.exp(low[0]), math.exp(high[0]), part),
            *(plan.fewest, plan.most),
        )


def _scale(excess: float) -> float:
    """Visits are nearly a power of the price, so logarithms make the line straight."""
    return math.log1p(max(excess, -0.999999))
