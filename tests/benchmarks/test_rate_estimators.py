"""Rates from whole histories: against closed forms, and against pages whose rates are known."""

import math

import numpy as np
import pytest
from benchmarks.rate_estimators import bayesian, counted, dated, likelihood, naive, unbiased

from gossamer.policy.revisit import Sight, sight
from tests.policy.revisit.simulated import error_of, visits_of

PAGES = 20_000


def test_of_four_visits_one_saw_a_change() -> None:
    seen = sight([[2.0] * 4], [[0, 0, 1, 0]])
    assert naive(seen).tolist() == [1 / 8]
    assert unbiased(seen).tolist() == pytest.approx([-math.log(3.5 / 4.5) / 2])
    assert likelihood(seen).tolist() == pytest.approx([-math.log(3 / 4) / 2])


def test_nothing_seen_and_always_seen() -> None:
    seen = sight([[1.0] * 3] * 2, [[0] * 3, [1] * 3])
    assert naive(seen).tolist() == [0.0, 1.0]
    assert unbiased(seen).tolist() == pytest.approx([0.0, math.log(7)])
    assert likelihood(seen).tolist() == [0.0, math.inf]
    assert likelihood(seen, most=9.0).tolist() == [0.0, 9.0]


def test_likelihood_at_intervals_of_any_length() -> None:
    """The score is 0 there: t₂/(e^λt₂ − 1) = t₁."""
    [rate] = likelihood(sight([[1.0, 2.5]], [[0, 1]]))
    assert 2.5 / math.expm1(rate * 2.5) == pytest.approx(1.0)


def test_dates_of_last_changes() -> None:
    seen = sight([[1.0] * 4], [[0, Sight.DATED, Sight.DATED, 0]], [[0, 0.25, 0.75, 0]])
    fewer = 2 - 1 - 2 / (4 * math.log(1 - 2 / 4))
    assert dated(seen).tolist() == pytest.approx([fewer / 3.0])
    assert likelihood(seen).tolist() == pytest.approx([2 / 3.0])
    always = sight([[1.0] * 4], [[Sight.DATED] * 4], [[0.5] * 4])
    assert dated(always).tolist() == pytest.approx([(4 - 1) / 2.0])
    assert dated(sight([[1.0]], [[0]])).tolist() == [0.0]


def test_where_all_changes_are_known() -> None:
    seen = sight([[1.0, 3.0]], [[Sight.COUNTED] * 2], [[2, 4]])
    assert counted(seen).tolist() == [1.5]
    assert likelihood(seen).tolist() == pytest.approx([1.5])
    assert bayesian(seen, 2.0, 4.0).tolist() == pytest.approx([8.0 / 8.0])


def test_what_is_known_after_a_change_is_the_difference_of_two_gammas() -> None:
    a, b, t = 0.7, 1.3, 2.0
    none = (b / (b + t)) ** a
    mean = (a / b - none * a / (b + t)) / (1 - none)
    assert bayesian(sight([[t]], [[1]]), a, b).tolist() == pytest.approx([mean], rel=1e-6)


@pytest.mark.parametrize("even", [True, False])
def test_bias(even: bool) -> None:
    """Visits as often as changes: X/T misses a third of them, the others hardly any."""
    chance = np.random.default_rng(1)
    rates = np.ones(PAGES)
    seen = visits_of(chance, rates, 50, even=even)
    assert naive(seen).mean() < 0.7
    assert likelihood(seen, most=5.0).mean() == pytest.approx(1.0, abs=0.05)
    known = visits_of(chance, rates, 50, even=even, dates=True)
    assert dated(known).mean() == pytest.approx(1.0, abs=0.03 if even else 0.06)
    if even:
        assert unbiased(seen).mean() == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize("even", [True, False])
@pytest.mark.parametrize("visits", [1, 2, 5])
def test_after_few_visits_bayes_has_the_least_error(visits: int, even: bool) -> None:
    chance = np.random.default_rng(visits)
    rates = chance.gamma(0.5, 0.6, 4000) + 1e-9
    seen = visits_of(chance, rates, visits, even=even)
    others = (naive(seen), unbiased(seen), likelihood(seen, most=2 * visits))
    least = min(error_of(found, rates) for found in others)
    assert error_of(bayesian(seen, 0.5, 1 / 0.6), rates) < 0.97 * least


def test_dates_say_more_than_changes_alone() -> None:
    chance = np.random.default_rng(4)
    rates = chance.gamma(0.5, 4.0, 4000) + 1e-9
    plain, known = visits_of(chance, rates, 10), visits_of(chance, rates, 10, dates=True)
    alone = bayesian(plain, 0.5, 0.25)
    assert error_of(bayesian(known, 0.5, 0.25), rates) < 0.8 * error_of(alone, rates)
