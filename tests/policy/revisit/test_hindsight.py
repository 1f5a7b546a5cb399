"""How fresh copies were: what is estimated from visits is near what was true."""

import numpy as np
import pytest

from gossamer.policy.revisit.hindsight import Floats, PastVisits, VisitFound, look_back

_DAYS = 60.0


def simulate(pages: int, gap: float, seed: int) -> tuple[PastVisits, list[tuple[Floats, Floats]]]:
    """Pages that change at chance times, visited at even distance; and all times of changes and visits."""
    random = np.random.default_rng(seed)
    rows: list[tuple[int, int, float, int]] = []
    truth = []
    for page in range(pages):
        rate = (0.05, 0.5)[page % 2] * random.gamma(4.0, 0.25)
        changes = np.sort(random.uniform(0, _DAYS, random.poisson(rate * _DAYS)))
        visits = np.arange(random.uniform(0, gap), _DAYS, gap)
        truth.append((changes, visits))
        before = None
        for day in visits.tolist():
            number = int(np.searchsorted(changes, day))
            found = (
                VisitFound.SEEN
                if before is None
                else VisitFound.SAME
                if number == before
                else VisitFound.CHANGED
            )
            rows.append((page, page % 2, day, int(found)))
            before = number
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    return PastVisits(columns[0], columns[1], columns[2], columns[3].astype(np.int8)), truth


def is_fresh(changes: Floats, visits: Floats, day: float) -> bool | None:
    before = visits[visits <= day]
    return None if not len(before) else not np.any((changes > before[-1]) & (changes <= day))


@pytest.mark.parametrize("gap", [1.0, 4.0])
def test_it_is_near_the_truth(gap: float) -> None:
    visits, truth = simulate(600, gap, seed=7)
    seen = look_back(visits, _DAYS, 31)
    for day, fresh, pages in zip(
        seen.days.tolist(), seen.fresh.tolist(), seen.pages.tolist(), strict=True
    ):
        known = [one for one in (is_fresh(*page, day) for page in truth) if one is not None]
        assert pages == len(known)
        if len(known) == 600:
            assert fresh == pytest.approx(np.mean(known), abs=0.06)
    assert seen.host_rates[1] == pytest.approx(0.5, rel=0.35)
    assert seen.host_rates[0] == pytest.approx(0.05, rel=0.25)
    assert seen.host_pages.tolist() == [300, 300]
    assert seen.host_fresh[0] > seen.host_fresh[1]


def test_visits_that_fail_say_nothing_and_pages_that_are_gone_do_not_count() -> None:
    visits = PastVisits(
        np.array([0, 0, 0, 1, 1, 2]),
        np.array([0, 0, 0, 0, 0, 1]),
        np.array([0.0, 1.0, 2.0, 0.0, 1.0, 0.5]),
        np.array(
            [
                VisitFound.SEEN,
                VisitFound.FAILED,
                VisitFound.SAME,
                VisitFound.SEEN,
                VisitFound.GONE,
                VisitFound.FAILED,
            ],
            np.int8,
        ),
    )
    seen = look_back(visits, 2.0, 5)
    assert seen.pages.tolist() == [2, 2, 1, 1, 1]
    assert seen.fresh[1] < 1  # page 1 went between two visits
    assert seen.fresh[3:].tolist() == [1.0, 1.0]
    assert seen.host_changes.tolist() == [1, 0]
    assert seen.host_intervals.tolist() == [2, 0]


@pytest.mark.parametrize("rows", [0, 1])
def test_nothing_to_look_back_at(rows: int) -> None:
    some = np.zeros(rows, np.int64)
    seen = look_back(
        PastVisits(some, some, np.zeros(rows), np.full(rows, VisitFound.SEEN, np.int8)), 1.0, 3
    )
    assert seen.pages.tolist() == [rows] * 3
    assert not np.nan_to_num(seen.age).any()
