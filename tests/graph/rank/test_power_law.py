"""Fits of power laws to numbers that were drawn from one, and beside SciPy."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import zeta

from gossamer.graph.rank.arcs import Offsets
from gossamer.graph.rank.power_law import _zeta, fit_power_law


def drawn(seed: int, count: int, exponent: float, begin: int) -> Offsets:
    """Numbers from a power law, by the inverse of its distribution, which a table holds."""
    table = np.arange(begin, begin + 100_000)
    shares = np.cumsum(table**-exponent)
    chance = np.random.default_rng(seed).random(count) * shares[-1]
    found: Offsets = table[np.searchsorted(shares, chance)]
    return found


def test_zeta_is_that_of_scipy() -> None:
    begins = np.array([1.0, 2.0, 7.0, 1000.0])
    for exponent in (1.01, 1.5, 2.2, 4.0, 11.0):
        assert _zeta(exponent, begins) == pytest.approx(zeta(exponent, begins), rel=1e-10)


def test_the_exponent_is_the_likeliest() -> None:
    numbers = drawn(1, 5000, 2.4, 1)
    found = fit_power_law(numbers)
    assert found is not None
    tail = numbers[numbers >= found.begin]
    assert found.tail == len(tail)
    best = minimize_scalar(
        lambda a: np.log(zeta(a, found.begin)) + a * np.log(tail).mean(), bounds=(1.1, 6)
    )
    assert found.exponent == pytest.approx(best.x, abs=1e-4)
    assert found.exponent == pytest.approx(2.4, abs=5 * found.error)
    assert found.above(np.array([float(found.begin)]))[0] == 1.0


def test_a_tail_is_found_behind_other_numbers() -> None:
    head = np.random.default_rng(2).integers(1, 20, 6000)
    found = fit_power_law(np.concatenate((head, drawn(2, 6000, 2.8, 20), np.zeros(100, np.int64))))
    assert found is not None
    assert 15 <= found.begin <= 40
    assert found.exponent == pytest.approx(2.8, abs=5 * found.error)


def test_many_values_are_tried_in_part() -> None:
    numbers = drawn(3, 3000, 1.4, 3)
    assert len(np.unique(numbers)) > 400
    found = fit_power_law(numbers)
    assert found is not None
    assert found.begin < 100


@pytest.mark.parametrize("numbers", [[], [0, 0], [5] * 1000, [1, 2, 3], [*[1] * 5000, 2, 3]])
def test_too_little_has_no_law(numbers: list[int]) -> None:
    assert fit_power_law(np.array(numbers, np.int64)) is None
