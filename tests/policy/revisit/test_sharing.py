"""How visits are shared: the optima of the papers, the budget, the limits, the buckets."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from msgspec import msgpack

from gossamer.policy.revisit import (
    ALLOCATIONS,
    PageBuckets,
    Population,
    RevisitPlan,
    allocate,
    describe,
    gather,
    solve,
)
from gossamer.policy.revisit.goals import age, captured, freshness, missed
from gossamer.policy.revisit.revisit_registry import KnownAllocation
from tests.examples import examples

FIVE = np.array((1.0, 2.0, 3.0, 4.0, 5.0))
RATES = arrays(np.float64, st.integers(1, 30), elements=st.floats(1e-4, 1e4))
ALL = sorted(ALLOCATIONS)


def mixed(pages: int, seed: int = 1) -> dict[str, Any]:
    chance = np.random.default_rng(seed)
    return {
        "rates": chance.gamma(0.4, 1.0, pages),
        "weights": chance.pareto(1.5, pages) + 0.1,
        "complete": chance.random(pages) < 0.2,
        "lasting": chance.random(pages) * (chance.random(pages) < 0.5),
    }


def test_the_five_pages_of_cho_and_garcia_molina() -> None:
    """The example of their paper: the page that changes most is not visited."""
    visits = allocate("freshness", FIVE, 1.0, 1.0, 5.0)
    assert visits.round(2).tolist() == [1.15, 1.36, 1.35, 1.14, 0.0]


@given(RATES, st.floats(0.01, 100.0))
def test_uniform_is_fresher_than_proportional_for_any_rates(
    rates: npt.NDArray[np.float64], each: float
) -> None:
    budget = each * len(rates)
    uniform, proportional, best = (
        freshness(rates, allocate(policy, rates, 1.0, 1.0, budget)).mean()
        for policy in ("uniform", "proportional", "freshness")
    )
    assert proportional <= uniform * (1 + 1e-9)
    assert uniform <= best * (1 + 1e-9)


@given(RATES, st.floats(0.01, 100.0))
def test_for_age_more_changes_are_more_visits(rates: npt.NDArray[np.float64], each: float) -> None:
    rates.sort()
    visits = allocate("age", rates, 1.0, 1.0, each * len(rates))
    assert (np.diff(visits) >= -1e-9 * visits[1:]).all()
    assert (visits > 0).all()


@given(
    st.sampled_from(sorted(set(ALL) - {"capture"})),
    RATES,
    st.floats(0.01, 100.0),
    st.integers(0, 100),
)
@settings(max_examples=examples(300))
def test_the_budget_is_kept(
    policy: str, rates: npt.NDArray[np.float64], each: float, seed: int
) -> None:
    chance = np.random.default_rng(seed)
    weights, counts = chance.pareto(1.0, len(rates)) + 0.01, chance.integers(1, 1000, len(rates))
    budget = each * float(counts.sum())
    visits = allocate(policy, rates, weights, counts, budget)
    assert visits @ counts == pytest.approx(budget, rel=1e-11)


@pytest.mark.parametrize("policy", ALL)
@pytest.mark.parametrize("budget", [0.0, 1.0, 30.0, 100.0])
def test_the_budget_is_kept_with_pages_that_tell(policy: str, budget: float) -> None:
    """Complete pages make steps in what is asked for: the plan mixes both sides."""
    pages = mixed(200)
    wanted = "capture:sure=0" if policy == "capture" else policy
    visits = allocate(wanted, counts=1.0, budget=budget, **pages)
    assert visits.sum() == pytest.approx(budget, rel=1e-11)


def test_a_tie_at_a_step_is_shared() -> None:
    visits = allocate("freshness", [2.0, 2.0], 1.0, 1.0, 3.0, complete=True)
    assert visits.tolist() == pytest.approx([1.5, 1.5])


@pytest.mark.parametrize("policy", ALL)
def test_no_page_waits_longer_than_the_longest(policy: str) -> None:
    plan = solve(policy, describe(**mixed(300)), 30.0, longest=50.0, shortest=0.25)
    visits = plan.share(describe(**mixed(300)))
    assert visits.min() >= 1 / 50
    assert visits.max() <= 4
    assert visits.sum() == pytest.approx(30.0, rel=1e-11)


def test_a_page_that_is_given_up_is_looked_at_rarely() -> None:
    plan = solve("freshness", describe(FIVE), 5.0, longest=30.0)
    assert plan.interval(5.0) == pytest.approx(30.0)
    assert plan.interval(0.0) == pytest.approx(30.0)


def test_when_rare_looks_alone_are_too_many_they_are_fewer() -> None:
    visits = allocate("age", FIVE, 1.0, 1.0, 0.1, longest=30.0)
    assert visits.tolist() == pytest.approx([0.02] * 5)


@pytest.mark.parametrize("policy", ALL)
def test_no_pages_and_no_budget(policy: str) -> None:
    assert len(allocate(policy, [], 1.0, 1.0, 5.0)) == 0
    assert allocate(policy, FIVE, 1.0, 1.0, 0.0).tolist() == [0.0] * 5


@pytest.mark.parametrize("policy", sorted({*ALL} - {"uniform"}))
def test_pages_that_never_change_are_not_visited(policy: str) -> None:
    visits = allocate(policy, [0.0, 1.0], 1.0, 1.0, 0.5)
    assert visits.tolist() == pytest.approx([0.0, 0.5])


def test_updates_are_captured_where_they_are() -> None:
    """Of equal pages, visits follow changes; and what is not likely to be there is not fetched."""
    visits = allocate("capture", FIVE, 1.0, 1.0, 5.0)
    assert visits.tolist() == pytest.approx((FIVE / 3).tolist())
    plan = solve("capture:sure=0.8", describe(FIVE), 1000.0)
    chances = 1 - np.exp(-FIVE / plan.visits(FIVE))
    assert chances.tolist() == pytest.approx([0.8] * 5)
    assert plan.spent == pytest.approx(plan.visits(FIVE).sum())
    told = allocate("capture", [3.0, 3.0], 1.0, 1.0, 2.0, complete=[True, False])
    assert told[0] > 1.9  # each of its visits finds something


class Stubborn:
    """Asks for the same at any price."""

    def visits(self, price: float, pages: Population) -> npt.NDArray[np.float64]:
        return np.full(len(pages.rates), 9.0)


def test_a_policy_that_does_not_look_at_the_price_ends_the_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(ALLOCATIONS, "stubborn", KnownAllocation(Stubborn, "a mistake"))
    plan = solve("stubborn", describe(FIVE), 5.0, shortest=0.5)
    assert plan.visits(FIVE).tolist() == [2.0] * 5  # limits hold in any case
    assert plan.spent == pytest.approx(10.0)


def test_lasting_content_brings_a_page_back() -> None:
    """A page that changes 5 times a day is given up, unless what is new there stays."""
    visits = allocate("content", FIVE, 1.0, 1.0, 5.0, lasting=[0, 0, 0, 0, 0.9])
    assert visits[4] > 0.8
    same = allocate("content", FIVE, 1.0, 1.0, 5.0)
    assert same.tolist() == allocate("freshness", FIVE, 1.0, 1.0, 5.0).tolist()


def test_the_formulas_of_lambda_crawl() -> None:
    """f = (−λ + √(λ² + 4λw/price))/2 for sampled pages, p = w/(price·λ) for complete ones."""
    weights, complete = np.array((1.0, 2.0, 3.0, 4.0, 0.1)), FIVE > 3
    plan = solve("harmonic", describe(FIVE, weights, 1.0, complete), 4.0)
    sampled = (-FIVE + np.sqrt(FIVE**2 + 4 * FIVE * weights / plan.price)) / 2
    told = FIVE * np.minimum(1.0, weights / (plan.price * FIVE))
    visits = plan.visits(FIVE, weights, complete)
    assert visits.tolist() == pytest.approx(np.where(complete, told, sampled).tolist())


@pytest.mark.parametrize(
    ("policy", "goal"),
    [("freshness", freshness), ("age", age), ("capture:sure=0", captured), ("harmonic", missed)],
)
@given(seed=st.integers(0, 1000))
@settings(max_examples=20, deadline=None)
def test_nobody_does_better_at_the_own_goal(policy: str, goal: object, seed: int) -> None:
    assert callable(goal)
    pages = mixed(40, seed)
    del pages["lasting"]
    sign = -1 if goal in (age, missed) else 1
    best, *others = (
        sign * float(pages["weights"] @ goal(pages["rates"], visits, pages["complete"]))
        for visits in (
            np.minimum(
                allocate(name, counts=1.0, budget=9.0, **pages),
                np.where(pages["complete"], pages["rates"], np.inf),
            )
            for name in (policy, "uniform", "proportional", "freshness", "age", "harmonic")
        )
    )
    assert best >= max(others) - 1e-9 * abs(best)


@pytest.mark.parametrize("policy", ALL)
def test_buckets_share_as_single_pages_do(policy: str) -> None:
    pages = describe(**mixed(20_000))
    plan = solve(policy, pages, 2000.0, longest=365.0)
    exact = allocate(policy, *pages[:3], 2000.0, complete=pages[3], lasting=pages[4], longest=365.0)
    visits = plan.share(pages)
    assert visits.sum() == pytest.approx(2000.0, rel=0.02)
    assert np.median(np.abs(visits / exact - 1)) < 0.02


def test_buckets_are_few_and_lose_no_page() -> None:
    many = mixed(200_000)
    del many["lasting"]
    pages = describe(**many)
    buckets = gather(pages)
    assert len(buckets.rates) < 20_000
    assert buckets.counts.sum() == 200_000
    assert buckets.counts @ buckets.rates == pytest.approx(pages.rates.sum())
    assert buckets.counts @ buckets.weights == pytest.approx(pages.weights.sum())
    assert buckets.counts[buckets.complete].sum() == pages.complete.sum()


def test_odd_numbers_have_buckets_too() -> None:
    buckets = PageBuckets()
    buckets.add(describe([0.0, 1e-30, 1e30], [1e-30, 0.0, 1e30], lasting=[0.0, 1.0, 0.5]))
    assert buckets.population().counts.sum() == 3


def test_a_plan_can_be_kept() -> None:
    plan = solve("freshness", describe(FIVE, complete=FIVE > 3), 5.0, longest=90.0)
    again = msgpack.decode(msgpack.encode(plan), type=RevisitPlan)
    assert again == plan
    assert again.interval(2.0) == plan.interval(2.0)


def test_one_page_has_the_interval_of_its_row() -> None:
    pages = mixed(50)
    plan = solve("content", describe(**pages), 10.0)
    for row, visits in enumerate(plan.share(describe(**pages))):
        one = {name: column[row].item() for name, column in pages.items()}
        assert plan.interval(
            one["rates"], one["weights"], one["complete"], one["lasting"]
        ) == pytest.approx(1 / visits if visits else math.inf)
