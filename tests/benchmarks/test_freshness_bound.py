"""The bound of freshness on recorded pages, where it can be worked out by hand."""

import pytest
from benchmarks.freshness_bound import bound

from gossamer.lab.freshness.freshness_webs import KnownWeb, recorded
from gossamer.lab.living_web import Histories


def web(*changes: list[float]) -> KnownWeb:
    return recorded(Histories([(0.0, times) for times in changes]))


def test_without_visits_copies_are_fresh_until_the_first_change() -> None:
    assert bound(web([25.0, 100.0]), 0.0, 100.0) == pytest.approx(0.25)


def test_a_visit_goes_where_it_brings_most() -> None:
    """One visit: to the page that changed once, not to the one that changes each day."""
    calm, restless = [20.0, 100.0], [float(day) for day in range(1, 101)]
    both = web(calm, restless)
    found = bound(both, 1 / 200, 100.0)
    without = bound(both, 0.0, 100.0)
    visits = [100 * (place + 0.5) / 6 for place in range(6)]
    stale = [80.0 if day < 20.0 else day - 20.0 for day in visits]
    assert without == pytest.approx((20 + 1) / 200)
    assert found == pytest.approx(without + (80 - sum(stale) / 6) / 200)


def test_spans_that_choose_by_themselves_are_not_worse() -> None:
    burst = web([50.0, 51.0, 52.0, 53.0, 100.0], [10.0, 90.0, 100.0])
    assert bound(burst, 0.02, 25.0) >= bound(burst, 0.02, 100.0)
