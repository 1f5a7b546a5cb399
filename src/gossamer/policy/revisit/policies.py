"""Visits of a page for a given price: one function for each goal.

All goals are sums over pages that grow with the visits of a page, ever more slowly. So at the optimum one
more visit brings the same everywhere: this gain is the price (the Lagrange multiplier). `visit_plan.py`
finds the price at which all visits together are what the budget allows; here is what a page gets at a
price.

Two kinds of pages share a budget. *Sampled* pages are visited at even distance, f times a day, and only a
visit shows whether they changed. Of *complete* pages each of the λ changes a day is heard of; a visit is
made at a part p of them, chosen by lot, so that f = pλ is at most λ. docs/freshness.md has all formulas.
"""

import math
from typing import Protocol

import numpy as np

from gossamer.core.kernel import kernel
from gossamer.policy.revisit.optimum_equations import invert_drag, invert_gain
from gossamer.policy.revisit.population import Flags, Floats, Population


class Allocation(Protocol):
    """A way to share visits."""

    def visits(self, price: float, pages: Population) -> Floats:
        """Visits per day for each row, when one more visit has to bring `price`; less for a higher price.

        No visit is for 0. Limits on distances are seen to by the caller.
        """
        ...


class Uniform:
    """All pages alike."""

    def visits(self, price: float, pages: Population) -> Floats:
        return np.full(len(pages.rates), 1 / price)


class Proportional:
    """As often as a page changes, times a number."""

    def visits(self, price: float, pages: Population) -> Floats:
        return pages.rates / price


class Freshness:
    """Most pages as they are now, by weight (Cho and Garcia-Molina, 2000): w·gain(r)/λ is the price."""

    def visits(self, price: float, pages: Population) -> Floats:
        return _content(
            price, pages.rates, pages.weights, pages.complete, np.zeros_like(pages.rates)
        )


class LastingContent:
    """Most content as it is now (after Olston and Pandey, WWW 2008).

    A change replaces a fragment of the page unless it is of the part that lasts, s. So a fragment is
    replaced λ(1 − s) times a day, and what is stale after t days is 1 − e^−λ(1 − s)t: freshness with
    another rate.
    """

    def visits(self, price: float, pages: Population) -> Floats:
        return _content(price, *pages[:2], pages.complete, pages.lasting)


class Age:
    """Copies that are out of date for the shortest time (Cho and Garcia-Molina, 2000): w·drag(r)/λ²."""

    def visits(self, price: float, pages: Population) -> Floats:
        return _age(price, *pages[:2], pages.complete)


class UpdateCapture:
    """Most updates seen, and no visit where there is likely none.

    A visit catches the last of the changes since the one before it: f(1 − e^−r) updates a day, so the price
    is w·gain(r). No visit is made before a change is as sure as `sure`.
    """

    def __init__(self, sure: float = 0.5) -> None:
        self._fewest = -math.log1p(-min(sure, 0.999999))

    def visits(self, price: float, pages: Population) -> Floats:
        return _capture(price, *pages[:2], pages.complete, self._fewest)


class Harmonic:
    """The n-th change that is missed costs 1/n (Kolobov and others, NeurIPS 2019: LambdaCrawl).

    Visits at chance times: w·ln(1 + λ/f) for sampled pages, −w·ln p for complete ones.
    """

    def visits(self, price: float, pages: Population) -> Floats:
        return _harmonic(price, *pages[:2], pages.complete)


class RateBuckets:
    """Freshness for pages in a few groups of about the same rate (after WebFountain, WWW 2001)."""

    def __init__(self, ratio: float = 4.0) -> None:
        self._step = math.log(max(ratio, 1.01))

    def visits(self, price: float, pages: Population) -> Floats:
        known = np.log(np.maximum(pages.rates, 1e-12))
        rounded = np.exp(np.round(known / self._step) * self._step) * (pages.rates > 0)
        return Freshness().visits(price, pages._replace(rates=rounded))


@kernel
def _content(
    price: float, rates: Floats, weights: Floats, complete: Flags, lasting: Floats
) -> Floats:
    visits = np.zeros(len(rates))
    for row in range(len(rates)):
        turnover = 1 - min(lasting[row], 0.999)
        rate = rates[row]
        if rate <= 0 or weights[row] <= 0:
            continue
        if not complete[row]:
            y = price * rate * turnover / weights[row]
            if y < 1:
                visits[row] = rate * turnover / invert_gain(max(y, 1e-200))
        elif turnover == 1:
            visits[row] = rate if weights[row] > price * rate else 0.0
        else:
            part = math.sqrt(weights[row] * turnover / max(price * rate, 1e-200)) - turnover
            visits[row] = rate * min(max(part / (1 - turnover), 0.0), 1.0)
    return visits


@kernel
def _age(price: float, rates: Floats, weights: Floats, complete: Flags) -> Floats:
    visits = np.zeros(len(rates))
    for row in range(len(rates)):
        rate = rates[row]
        if rate <= 0 or weights[row] <= 0 or price == np.inf:
            continue
        if complete[row]:
            visits[row] = min(rate, math.sqrt(weights[row] / max(price, 1e-200)))
        else:
            visits[row] = rate / invert_drag(max(price * rate * rate / weights[row], 1e-200))
    return visits


@kernel
def _capture(
    price: float, rates: Floats, weights: Floats, complete: Flags, fewest: float
) -> Floats:
    visits = np.zeros(len(rates))
    for row in range(len(rates)):
        if weights[row] > price:
            if complete[row]:
                visits[row] = rates[row]
            else:
                r = invert_gain(max(price / weights[row], 1e-200))
                visits[row] = rates[row] / max(r, fewest)
    return visits


@kernel
def _harmonic(price: float, rates: Floats, weights: Floats, complete: Flags) -> Floats:
    visits = np.zeros(len(rates))
    for row in range(len(rates)):
        rate, worth = rates[row], weights[row] / max(price, 1e-200)
        if complete[row]:
            visits[row] = min(rate, worth)
        elif rate > 0 and worth > 0:
            # The positive root of f² + λf = λw/price, in the form that loses no digits.
            visits[row] = 2 * worth / (1 + math.sqrt(1 + 4 * worth / rate))
    return visits
