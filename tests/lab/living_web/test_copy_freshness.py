"""The truth about copies, against a crawl that is stepped through."""

from itertools import pairwise
from math import inf, isnan, nan

import numpy as np
import pytest

from gossamer.lab.living_web import (
    ChangeTable,
    Visits,
    WebEvolution,
    age,
    averages,
    captured,
    delays,
    discoveries,
    freshness,
    visits_of,
)

DAYS = 40.0


@pytest.fixture(scope="module")
def changes() -> ChangeTable:
    """Small enough to step through; with births and ends, whose shares do not matter."""
    whole = WebEvolution(11, [60, 20, 20]).changes(0, DAYS)
    chance = np.random.default_rng(5)
    born = np.where(chance.random(100) < 0.3, chance.random(100) * DAYS, 0.0)
    gone = np.where(chance.random(100) < 0.4, born + chance.random(100) * DAYS, inf)
    rows = [
        row[(row > b) & (row < g)]
        for row, b, g in zip(map(whole.of, range(100)), born, gone, strict=True)
    ]
    return ChangeTable(0.0, DAYS, np.cumsum([0, *map(len, rows)]), np.concatenate(rows), born, gone)


@pytest.fixture(scope="module")
def visits() -> Visits:
    chance = np.random.default_rng(6)
    return visits_of(100, chance.integers(0, 90, 900), chance.random(900) * DAYS)


def copy_at(changes: ChangeTable, visits: Visits, page: int, time: float) -> float:
    """When the copy that is held was fetched; NaN when none is."""
    last = max((v for v in visits.of(page) if v <= time), default=-inf)
    return last if changes.born[page] <= last < changes.gone[page] else nan


def late_at(changes: ChangeTable, visits: Visits, page: int, time: float) -> float:
    copy = copy_at(changes, visits, page, time)
    if isnan(copy):
        return nan
    events = [c for c in (*changes.of(page), changes.gone[page]) if copy < c <= time]
    return time - min(events) if events else 0.0


@pytest.mark.parametrize("time", [0.5, 13.37, 39.99])
def test_freshness_and_age_at_a_moment(changes: ChangeTable, visits: Visits, time: float) -> None:
    wanted = np.array([late_at(changes, visits, page, time) for page in range(100)])
    copies = visits.copies(time)
    assert np.allclose(age(changes, copies, time), wanted, equal_nan=True)
    fresh = freshness(changes, copies, time)
    assert np.array_equal(fresh, np.where(np.isnan(wanted), nan, wanted == 0), equal_nan=True)
    assert 0 < np.nanmean(fresh) < 1


def test_averages_are_those_of_moments_between_all_that_happens(
    changes: ChangeTable, visits: Visits
) -> None:
    """Between two events nothing but age moves, and evenly: so the middle stands for all of it."""
    begin, end = 7.0, 38.0
    found = averages(changes, visits, begin, end)
    for page in range(100):
        ends_of_life = (changes.born[page], changes.gone[page])
        events = (begin, end, *changes.of(page), *visits.of(page), *ends_of_life)
        moments = sorted({event for event in events if begin <= event <= end})
        lived = held = fresh = aged = 0.0
        for since, until in pairwise(moments):
            middle, days = (since + until) / 2, until - since
            late = late_at(changes, visits, page, middle)
            lived += days * changes.is_alive(middle)[page]
            if not isnan(late):
                held, fresh, aged = held + days, fresh + days * (late == 0), aged + days * late
        assert found.lived[page] == pytest.approx(lived)
        assert found.held[page] == pytest.approx(held)
        assert found.fresh[page] == pytest.approx(fresh)
        assert found.aged[page] == pytest.approx(aged)
    assert found.freshness() == pytest.approx(found.fresh.sum() / found.held.sum())
    assert found.age() == pytest.approx(found.aged.sum() / found.held.sum())
    assert found.coverage() == pytest.approx(found.fresh.sum() / found.lived.sum())
    assert 0.2 < found.coverage() < found.freshness() < 0.95


def test_weights_count(changes: ChangeTable, visits: Visits) -> None:
    found = averages(changes, visits, 0, DAYS)
    page = int(np.argmax(found.held))
    one = np.zeros(100)
    one[page] = 5.0
    assert found.freshness(one) == pytest.approx(found.fresh[page] / found.held[page])
    assert found.freshness(one) != found.freshness()
    assert isnan(found.freshness(np.zeros(100)))


def test_spans_add_up(changes: ChangeTable, visits: Visits) -> None:
    parts = [averages(changes, visits, a, b) for a, b in ((5, 9.5), (9.5, 30), (30, 31))]
    whole = averages(changes, visits, 5, 31)
    for name in ("lived", "held", "fresh", "aged"):
        assert np.allclose(sum(getattr(part, name) for part in parts), getattr(whole, name))


def test_one_page_by_hand() -> None:
    changes = ChangeTable(
        0.0, 10.0, np.array([0, 3]), np.array([2.0, 3.0, 7.0]), np.zeros(1), np.array([9.0])
    )
    visits = visits_of(1, [0, 0, 0], [1.0, 4.0, 9.5])
    found = averages(changes, visits, 0, 10)
    # Held from 1 to 9.5: fresh from 1 to 2 and 4 to 7; ages grow from 2 to 4 and from 7 to 9.5.
    assert (found.lived[0], found.held[0], found.fresh[0]) == (9.0, 8.5, 4.0)
    assert found.aged[0] == pytest.approx(2**2 / 2 + 2.5**2 / 2)
    assert captured(changes, visits).tolist() == [False, True, False]
    assert np.array_equal(delays(changes, visits), [nan, 1.0, nan], equal_nan=True)
    assert age(changes, np.array([1.0]), 2.0) > 0
    assert freshness(changes, np.array([2.0]), 2.5) == 1.0


def test_captured_changes_are_those_on_top_at_a_visit(changes: ChangeTable, visits: Visits) -> None:
    wanted = []
    for page in range(100):
        row = changes.of(page)
        seen: dict[float, float] = {}
        for visit in visits.of(page):
            before = row[row <= visit]
            if visit < changes.gone[page] and len(before):
                seen.setdefault(before[-1], visit - before[-1])
        wanted += [seen.get(change, nan) for change in row]
    assert np.allclose(delays(changes, visits), wanted, equal_nan=True)
    assert captured(changes, visits).tolist() == [not isnan(one) for one in wanted]
    assert 0.01 < captured(changes, visits).mean() < 0.9


def test_pages_are_discovered_while_they_are_there(changes: ChangeTable, visits: Visits) -> None:
    def first(page: int) -> float:
        there = [v for v in visits.of(page) if changes.born[page] <= v < changes.gone[page]]
        return min(there, default=nan)

    wanted = [first(page) for page in range(100)]
    assert np.array_equal(discoveries(changes, visits), wanted, equal_nan=True)
    assert any(map(isnan, wanted))


def test_no_visits_no_copies(changes: ChangeTable) -> None:
    nothing = visits_of(100, [], [])
    assert np.isnan(freshness(changes, nothing.copies(9.0), 9.0)).all()
    assert averages(changes, nothing, 0, 9).coverage() == 0
    assert not captured(changes, nothing).any()


def test_what_the_table_does_not_know_is_refused(changes: ChangeTable, visits: Visits) -> None:
    with pytest.raises(ValueError, match="make the table larger"):
        averages(changes, visits, 0, DAYS + 1)
    with pytest.raises(ValueError, match="make the table larger"):
        averages(changes.between(5, 20), visits, 5, 20)
    with pytest.raises(ValueError, match="a visit has one of each"):
        visits_of(3, [1, 2], [0.5])
    with pytest.raises(ValueError, match="from 0 to 2"):
        visits_of(3, [3], [0.5])
