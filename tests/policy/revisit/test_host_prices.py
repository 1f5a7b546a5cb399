"""Hosts that cannot be asked as often as their pages are due: the price of a visit there is learned."""

import numpy as np
import pytest

from gossamer.core.settings import RevisitSettings
from gossamer.lab.freshness.year import KnownRates
from gossamer.policy.revisit import Sight, Timetable, VisitedPages, allocate, describe
from gossamer.policy.revisit.goals import freshness
from gossamer.policy.revisit.host_limits import Hosts, solve_limited
from gossamer.policy.revisit.host_prices import HostPrices, Waits
from gossamer.policy.revisit.population import Floats
from gossamer.policy.revisit.timetable import COUNTED_COLUMNS, AskedHosts, TimetableState

_DAYS = 120.0


def crawl(
    table: Timetable, hosts: Hosts, gaps: Floats, is_said: bool = True
) -> tuple[Floats, Floats]:
    """Visits per day to pages and to hosts, in the second half of a crawl that keeps the gaps of hosts.

    The budget is never what a page waits for.
    """
    pages = len(hosts)
    counted = np.zeros((pages, COUNTED_COLUMNS), np.float32)
    due, before, free = np.linspace(0.0, 1.0, pages), np.full(pages, -1.0), np.zeros(len(gaps))
    made = np.zeros(pages)
    while True:
        page = int((np.maximum(due, free[hosts]) + 1e-9 * due).argmin())  # first come, first served
        host = int(hosts[page])
        now = max(float(due[page]), float(free[host]))
        if now >= _DAYS:
            return made / (_DAYS / 2), np.bincount(hosts, made) / (_DAYS / 2)
        free[host] = now + gaps[host]
        made[page] += now >= _DAYS / 2
        table.met((False,))
        one, waited = np.array([page]), np.array([now - before[page]])
        is_free = np.ones(1, np.bool_)
        visited = VisitedPages(
            *(np.zeros((1, 2), np.float32), one[:, None], np.array([Sight.UNCHANGED], np.int8)),
            *(waited, np.ones(1, np.float32), np.zeros(1, np.float32)),
            *(counted[one], np.zeros(1, np.bool_)),
            asked=AskedHosts(hosts[one], np.array([now]), waited, is_free) if is_said else None,
        )
        counted[one], wait = table.plan(visited)
        before[page], due[page] = now, now + wait[0]


def table_of(rates: Floats, policy: str = "freshness") -> Timetable:
    settings = RevisitSettings(policy=policy, visits_per_day=12.0, new_share=0.0)
    return Timetable(settings, KnownRates(rates))


def test_prices_of_hosts_lead_to_the_optimum() -> None:
    """Half of all pages are on a host that can take a fifth of what they would get."""
    rates, hosts = np.geomspace(0.05, 3.0, 32), np.arange(32) % 4 // 2
    limit = allocate("freshness", rates, 1.0, 1.0, 12.0, longest=90.0)[hosts == 1].sum() / 5
    gaps = np.array([0.0, 1 / limit])
    best = solve_limited("freshness", describe(rates), hosts, {1: limit}, 12.0, longest=90.0)
    expected = freshness(rates, best.share(describe(rates), hosts)).mean()
    without = freshness(rates, crawl(table_of(rates), hosts, gaps, is_said=False)[0]).mean()
    pages, by_host = crawl(table_of(rates), hosts, gaps)
    found = freshness(rates, pages).mean()
    assert without < 0.9 * expected
    assert found > 0.97 * expected
    assert by_host == pytest.approx([12.0 - limit, limit], rel=0.1)


@pytest.mark.parametrize("policy", ["uniform", "harmonic"])
def test_every_policy_hands_on_what_a_host_cannot_take(policy: str) -> None:
    rates, hosts = np.geomspace(0.05, 3.0, 32), np.arange(32) % 4 // 2
    _, by_host = crawl(table_of(rates, policy), hosts, np.array([0.0, 1 / 2.0]))
    assert by_host == pytest.approx([10.0, 2.0], rel=0.15)


def seen(host: int, day: float, late: float) -> Waits:
    """A page that was to wait for two days, and is to wait for two days again."""
    return Waits(*(np.array([one]) for one in (host, day, 2.0, 2.0 + late, 2.0)))


def taught(hosts: int = 3) -> HostPrices:
    prices = HostPrices()
    for day in range(10):
        for host in range(hosts):
            prices.learn(seen(host, float(day), 1.0), everybody=0.5)
    return prices


def test_a_host_that_has_time_again_pays_what_all_pay() -> None:
    prices = taught(1)
    assert prices.of(0) > 1.0
    for day in range(10, 500):
        prices.learn(seen(0, float(day), 0.0), everybody=0.5)
    assert (prices.of(0), len(prices)) == (0.0, 0)


def test_pages_that_are_not_much_late_cost_nothing() -> None:
    prices = HostPrices()
    for day in range(100):
        prices.learn(seen(0, float(day), 0.2), everybody=0.5)
    assert len(prices) == 0


def test_prices_are_on_record() -> None:
    prices = taught()
    before, noted = HostPrices(prices.dump()), prices.news()
    assert [before.of(host) for host in range(4)] == [prices.of(host) for host in range(4)]
    prices.noted()
    assert not prices.news()
    for day in range(10, 500):
        prices.learn(seen(1, float(day), 0.0), everybody=0.5)
    again = HostPrices()
    again.take(noted)
    again.take(prices.news())
    assert [again.of(host) for host in range(4)] == [prices.of(host) for host in range(4)]
    assert again.of(1) == 0.0 < again.of(0)


def test_a_timetable_goes_on_with_its_prices() -> None:
    rates, hosts = np.geomspace(0.05, 3.0, 32), np.arange(32) % 4 // 2
    table = table_of(rates)
    crawl(table, hosts, np.array([0.0, 1.0]))
    settings = RevisitSettings(visits_per_day=12.0, new_share=0.0)
    again = Timetable(settings, KnownRates(rates), state=table.state())
    assert again.prices.of(1) == table.prices.of(1) > 0
    older = TimetableState(table.state().pages)
    assert Timetable(settings, KnownRates(rates), state=older).prices.of(1) == 0
