"""Virtual years: budgets are kept, measures are what they say, and learning comes near to knowing."""

import numpy as np
import pytest
from typer.testing import CliRunner

from gossamer.cli.lab_command import app
from gossamer.core.settings import RevisitSettings
from gossamer.lab.freshness.freshness_measures import judge
from gossamer.lab.freshness.freshness_webs import KnownWeb, living, recorded
from gossamer.lab.freshness.year import KnownRates, VirtualYear, crawl_virtually
from gossamer.lab.living_web import ChangeTable, Histories, visits_of
from gossamer.policy.revisit import ChangeModel
from gossamer.policy.revisit.page_groups import LEVELS

PAGES, DAYS, SHARE = 300, 80.0, 0.4


@pytest.fixture(scope="module")
def web() -> KnownWeb:
    return living(7, PAGES, 6, DAYS)


def year(web: KnownWeb, policy: str, *, knows: bool = False) -> VirtualYear:
    settings = RevisitSettings(policy=policy, visits_per_day=SHARE * PAGES)
    if knows:
        return crawl_virtually(web, settings, KnownRates(web.rates), np.arange(PAGES)[:, None])
    return crawl_virtually(web, settings, ChangeModel(LEVELS), moments=(40.0,))


def test_visits_are_as_many_as_the_budget_allows(web: KnownWeb) -> None:
    times = np.sort(year(web, "freshness").visits.times)
    assert 0.995 < len(times) / (SHARE * PAGES * DAYS) <= 1.0
    a_day = np.searchsorted(times, times + 1.0) - np.arange(len(times))
    assert a_day.max() <= SHARE * PAGES + 2


def test_nothing_is_visited_in_a_pause_and_nothing_is_made_up_for(web: KnownWeb) -> None:
    pauses, settings = [(10.0, 12.0), (20.0, 20.5)], RevisitSettings(visits_per_day=SHARE * PAGES)
    visits = crawl_virtually(web, settings, ChangeModel(LEVELS), pauses=pauses).visits
    times = np.sort(visits.times)
    assert not any(((times > begin) & (times < end)).any() for begin, end in pauses)
    a_day = np.searchsorted(times, times + 1.0) - np.arange(len(times))
    assert a_day.max() <= SHARE * PAGES + 2
    assert 0.9 < len(times) / (SHARE * PAGES * (DAYS - 2.5)) <= 1.0


def test_the_same_web_gives_the_same_year(web: KnownWeb) -> None:
    first, second = year(web, "age"), year(web, "age")
    assert np.array_equal(first.visits.times, second.visits.times)
    assert np.array_equal(first.snapshots[0].rates, second.snapshots[0].rates, equal_nan=True)


def test_who_learns_is_nearly_as_fresh_as_who_knows(web: KnownWeb) -> None:
    learned, told = (
        judge(web, year(web, "freshness", knows=one), 30, DAYS) for one in (False, True)
    )
    assert learned.freshness > 0.97 * told.freshness


def test_pages_that_are_gone_are_given_up(web: KnownWeb) -> None:
    visits = year(web, "uniform").visits
    for page in np.flatnonzero(web.changes.gone < DAYS - 30).tolist():
        assert (visits.of(int(page)) >= web.changes.gone[page]).sum() in (0, 1, 3)


def test_measures_of_one_page_by_hand() -> None:
    """Visited at day 0 and 8; it changes at days 2 and 6, half of what it had stays."""
    there = np.zeros(1)
    table = ChangeTable(0.0, 10.0, np.array([0, 2]), np.array([2.0, 6.0]), there, there + np.inf)
    web = KnownWeb("one", table, np.array([0.2]), np.zeros((1, 3), np.int64), np.array([0.5]))
    found = judge(web, VirtualYear(visits_of(1, [0, 0], [0.0, 8.0]), [], 0.0), 0.0, 10.0)
    assert found.freshness == pytest.approx(0.4)
    assert found.age == pytest.approx(6 * 6 / 2 / 10)
    assert (found.captured, found.per_visit) == (0.5, 1.0)
    assert found.penalty == pytest.approx((6 + 2 / 2) / 10)
    assert found.content == pytest.approx((2 + 4 / 2 + 2 / 4 + 2) / 10)


def test_real_pages_are_crawled_from_the_day_on_which_some_are_there() -> None:
    """One page is there for years before the others come."""
    lines = [(0.0, [10.0, 1003.0]), *((1000.0 + day, [1090.0]) for day in range(10))]
    web = recorded(Histories(lines))
    assert web.days == 90.0
    assert web.changes.born.tolist() == [0.0, *range(10)]
    assert web.changes.of(0).tolist() == [3.0]
    assert web.rates[0] == pytest.approx(1 / 90)


def test_the_command_tells_what_it_found() -> None:
    options = ["--pages", "60", "--hosts", "2", "--days", "100", "--policy", "uniform"]
    done = CliRunner().invoke(app, ["fresh", *options])
    assert done.exit_code == 0, done.output
    assert "| `uniform` | learned |" in done.output
    assert "real pages are left out" in done.output
