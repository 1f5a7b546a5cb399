"""The shares are those that a general optimiser finds."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from scipy.optimize import minimize

from gossamer.policy.revisit import allocate
from gossamer.policy.revisit.goals import age, captured, freshness, missed

Floats = npt.NDArray[np.float64]


def _lasting(rates: Floats, visits: Floats) -> Floats:
    return freshness(rates, visits, lasting=0.5)


def optimise(goal: Callable[[Floats], float], rates: Floats, budget: float) -> Floats:
    """Visits of the least sum, from visits that are all alike on; with slopes by small steps."""

    def slopes(visits: Floats) -> Floats:
        steps = np.eye(len(visits)) * 1e-6
        return np.array([(goal(visits + step) - goal(visits - step)) / 2e-6 for step in steps])

    found = minimize(
        goal,
        np.full(len(rates), budget / len(rates)),
        jac=slopes,
        method="SLSQP",
        bounds=[(1e-5, None)] * len(rates),
        constraints={
            "type": "eq",
            "fun": lambda visits: visits.sum() - budget,
            "jac": np.ones_like,
        },
        options={"ftol": 1e-15, "maxiter": 2000},
    )
    visits: Floats = found.x
    return visits


@pytest.mark.parametrize(
    ("policy", "goal", "sign"),
    [
        ("freshness", freshness, -1),
        ("content", _lasting, -1),
        ("age", age, 1),
        ("capture:sure=0", captured, -1),
        ("harmonic", missed, 1),
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_shares_are_those_of_a_general_optimiser(
    policy: str, goal: Callable[[Floats, Floats], Floats], sign: int, seed: int
) -> None:
    chance = np.random.default_rng(seed)
    rates, weights = chance.gamma(1.0, 1.0, 8) + 0.05, chance.random(8) + 0.5
    budget = 6.0
    lasting = 0.5 if policy == "content" else 0.0

    def total(visits: Floats) -> float:
        return sign * float(weights @ goal(rates, visits))

    ours = allocate(policy, rates, weights, 1.0, budget, lasting=lasting, longest=1e5)
    theirs = optimise(total, rates, budget)
    assert total(ours) <= total(theirs) + 1e-9
    assert total(ours) == pytest.approx(total(theirs), rel=1e-6)
    assert np.abs(ours - theirs).max() < 1e-6
