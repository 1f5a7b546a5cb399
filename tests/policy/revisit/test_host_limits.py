"""Limits of hosts in the optimum: it is the one of a general optimiser, and visits are not lost."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from scipy.optimize import minimize

from gossamer.policy.revisit import ALLOCATIONS, allocate, describe, gather
from gossamer.policy.revisit.goals import age, captured, freshness, missed
from gossamer.policy.revisit.host_limits import Hosts, solve_limited
from gossamer.policy.revisit.population import Population

Floats = npt.NDArray[np.float64]


def optimise(
    goal: Callable[[Floats], float], hosts: Hosts, limits: dict[int, float], budget: float
) -> Floats:
    """Visits of the least sum within the budget and the limits, by SciPy; slopes by small steps."""

    def slopes(visits: Floats) -> Floats:
        steps = np.eye(len(visits)) * 1e-6
        return np.array([(goal(visits + step) - goal(visits - step)) / 2e-6 for step in steps])

    rows = np.array([np.ones(len(hosts)), *(1.0 * (hosts == host) for host in limits)])
    most = np.array([budget, *limits.values()])
    found = minimize(
        goal,
        np.full(len(hosts), 0.9 * min(most) / len(hosts)),
        jac=slopes,
        method="SLSQP",
        bounds=[(1e-5, None)] * len(hosts),
        constraints={
            "type": "ineq",
            "fun": lambda visits: most - rows @ visits,
            "jac": lambda _: -rows,
        },
        options={"ftol": 1e-15, "maxiter": 2000},
    )
    visits: Floats = found.x
    return visits


@pytest.mark.parametrize(
    ("policy", "goal", "sign"),
    [
        ("freshness", freshness, -1),
        ("age", age, 1),
        ("capture:sure=0", captured, -1),
        ("harmonic", missed, 1),
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_shares_are_those_of_a_general_optimiser(
    policy: str, goal: Callable[[Floats, Floats], Floats], sign: int, seed: int
) -> None:
    """One host can take little, one about enough, one has no limit; the budget is short, too."""
    chance = np.random.default_rng(seed)
    rates, weights = chance.gamma(1.0, 1.0, 9) + 0.05, chance.random(9) + 0.5
    hosts, limits, budget = np.repeat((3, 5, 8), 3), {3: 0.8, 5: 2.5}, 6.0

    def total(visits: Floats) -> float:
        return sign * float(weights @ goal(rates, visits))

    pages = describe(rates, weights)
    plan = solve_limited(policy, pages, hosts, limits, budget, longest=1e5)
    ours, theirs = plan.share(pages, hosts), optimise(total, hosts, limits, budget)
    assert 3 in plan.saturated
    assert total(ours) <= total(theirs) + 1e-9
    assert total(ours) == pytest.approx(total(theirs), rel=1e-6)
    assert np.abs(ours - theirs).max() < 1e-6


@pytest.mark.parametrize("policy", ALLOCATIONS)
def test_what_a_host_cannot_take_is_for_others(policy: str) -> None:
    rates, hosts = np.geomspace(0.05, 3.0, 40), np.arange(40) % 2
    pages = describe(rates)
    plan = solve_limited(policy, pages, hosts, {1: 0.8}, budget=6.0, longest=1e4)
    visits = plan.share(pages, hosts)
    assert visits[hosts == 1].sum() == pytest.approx(0.8, rel=1e-6)
    alone = allocate(policy, rates[::2], 1.0, 1.0, 5.2, longest=1e4)
    assert visits[hosts == 0] == pytest.approx(alone, rel=1e-6)


def test_limits_that_nobody_reaches_change_nothing() -> None:
    rates = np.geomspace(0.05, 3.0, 40)
    pages, hosts = describe(rates), np.arange(40) % 4
    plan = solve_limited("freshness", pages, hosts, {0: 9.0, 1: 9.0, 77: 1.0}, budget=6.0)
    assert not plan.saturated
    expected = allocate("freshness", rates, 1.0, 1.0, 6.0)
    assert plan.share(pages, hosts) == pytest.approx(expected, rel=1e-9)


def test_pages_of_a_host_may_come_in_buckets() -> None:
    """200,000 pages of 50 hosts are some thousand rows, and keep each limit."""
    chance = np.random.default_rng(1)
    rates = chance.gamma(0.5, 0.6, 200_000)
    hosts = np.minimum(chance.zipf(1.3, 200_000), 50) - 1
    limits = dict.fromkeys(range(50), 1500.0)
    parts = [gather(describe(rates[hosts == host])) for host in limits]
    rows = Population(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
    owners = np.repeat([*limits], [len(part.rates) for part in parts])
    assert len(rows.rates) < 15_000
    plan = solve_limited("freshness", rows, owners, limits, budget=20_000.0, longest=90.0)
    visits = plan.share(describe(rates), hosts)
    taken = np.bincount(hosts, visits)
    assert plan.saturated
    assert taken[plan.saturated] == pytest.approx(1500.0, rel=0.01)
    assert taken.max() < 1.01 * 1500.0
    assert taken.sum() == pytest.approx(min(20_000.0, plan.everybody.spent), rel=0.01)
