"""What visits bring: the formulas against pages that are played day by day."""

import numpy as np
import numpy.typing as npt
import pytest

from gossamer.policy.revisit.goals import age, captured, freshness, missed

Floats = npt.NDArray[np.float64]
DAYS = 20_000.0
MOMENTS = 400_000


def changes_of(chance: np.random.Generator, rate: float) -> Floats:
    return np.cumsum(chance.exponential(1 / rate, int(DAYS * rate * 1.2)))


def unseen(
    changes: Floats, visits: Floats, moments: Floats
) -> tuple[npt.NDArray[np.int64], Floats]:
    """At each moment: the changes since the last visit, and when the first of them was."""
    last = visits[np.searchsorted(visits, moments, "right") - 1]
    before = np.searchsorted(changes, last, "right")
    first = changes[np.minimum(before, len(changes) - 1)]
    return np.searchsorted(changes, moments, "right") - before, first


@pytest.mark.parametrize(("rate", "often"), [(1.0, 0.5), (0.3, 1.0), (4.0, 1.0)])
def test_visits_at_even_distance(rate: float, often: float) -> None:
    chance = np.random.default_rng(1)
    changes, visits = changes_of(chance, rate), np.arange(0.0, DAYS, 1 / often)
    moments = chance.random(MOMENTS) * DAYS
    count, first = unseen(changes, visits, moments)
    assert freshness(rate, often) == pytest.approx((count == 0).mean(), abs=0.01)
    old = np.where(count > 0, moments - first, 0.0)
    assert age(rate, often) == pytest.approx(old.mean(), rel=0.03)
    seen = np.diff(np.searchsorted(changes, visits)) > 0
    assert captured(rate, often) == pytest.approx(seen.sum() / DAYS, rel=0.03)
    kept = 0.6**count  # each change replaces four tenths
    assert freshness(rate, often, lasting=0.6) == pytest.approx(kept.mean(), abs=0.01)


@pytest.mark.parametrize(("rate", "often"), [(1.0, 0.5), (4.0, 1.0), (2.0, 2.0)])
def test_visits_at_a_part_of_the_changes(rate: float, often: float) -> None:
    """Pages that tell of each change."""
    chance = np.random.default_rng(2)
    changes = changes_of(chance, rate)
    visits = np.concatenate(((0.0,), changes[chance.random(len(changes)) < often / rate]))
    moments = chance.random(MOMENTS) * DAYS
    count, first = unseen(changes, visits, moments)
    assert freshness(rate, often, True) == pytest.approx((count == 0).mean(), abs=0.01)
    assert freshness(rate, often, True, 0.6) == pytest.approx((0.6**count).mean(), abs=0.01)
    old = np.where(count > 0, moments - first, 0.0)
    assert age(rate, often, True) == pytest.approx(old.mean(), rel=0.05, abs=1e-9)
    assert captured(rate, often, True) == often
    assert missed(rate, often, True) == pytest.approx(harmonic(count).mean(), rel=0.05, abs=1e-9)


def test_visits_at_chance_times_cost_as_lambda_crawl_says() -> None:
    chance = np.random.default_rng(3)
    changes, visits = changes_of(chance, 2.0), np.concatenate(((0.0,), changes_of(chance, 0.5)))
    count, _ = unseen(changes, visits, chance.random(MOMENTS) * DAYS)
    assert missed(2.0, 0.5) == pytest.approx(harmonic(count).mean(), rel=0.03)


def harmonic(count: npt.NDArray[np.int64]) -> Floats:
    """1 + 1/2 + … + 1/n."""
    sums: Floats = np.concatenate(((0.0,), np.cumsum(1 / np.arange(1, count.max() + 1))))
    return sums[count]


def test_pages_that_never_change_and_pages_that_are_never_visited() -> None:
    assert freshness([0.0, 1.0], [0.0, 0.0]).tolist() == [1.0, 0.0]
    assert age([0.0, 1.0], [0.0, 0.0]).tolist() == [0.0, np.inf]
    assert captured([0.0, 1.0], [0.0, 0.0]).tolist() == [0.0, 0.0]
    assert missed([0.0, 1.0], [0.0, 0.0]).tolist() == [0.0, np.inf]


def test_slow_pages_lose_no_digits() -> None:
    """For few changes between visits, age is λ/(6f²)."""
    assert age(1e-7, 1.0) == pytest.approx(1e-7 / 6)
    assert age(1.001e-3, 1.0) == pytest.approx(age(0.999e-3, 1.0), rel=0.003)
