"""When pages change, are born, move and vanish."""

import numpy as np
import pytest

from gossamer.lab.linking import MENU
from gossamer.lab.living_web import EvolutionSettings, Rhythm, WebEvolution
from gossamer.lab.simulated_sites import Sites

SIZES = Sites(7, 6_000, 60).sizes
YEAR = 365.0


@pytest.fixture(scope="module")
def evolution() -> WebEvolution:
    return WebEvolution(7, SIZES)


def of_kind(evolution: WebEvolution, kind: Rhythm) -> list[int]:
    """Pages of a kind that are there for all of the year, and that nothing else makes change."""
    announces = set(evolution.hub.tolist())
    whole = (
        (evolution.born == 0)
        & (evolution.gone > YEAR)
        & (evolution.moved > YEAR)
        & (evolution.fates.kind == kind)
    )
    return [page for page in np.flatnonzero(whole).tolist() if page not in announces]


def test_the_same_seed_is_the_same_life() -> None:
    one, two, other = (WebEvolution(seed, [300, 100]).changes(0, 90) for seed in (3, 3, 4))
    assert one.times.tobytes() == two.times.tobytes() != other.times.tobytes()


def test_a_part_of_the_time_is_a_part_of_the_table(evolution: WebEvolution) -> None:
    whole, part = evolution.changes(0, 60), evolution.changes(10.5, 40)
    cut = whole.between(10.5, 40)
    assert part.times.tolist() == cut.times.tolist()
    assert part.offsets.tolist() == cut.offsets.tolist()


def test_versions_count_the_changes_of_the_table(evolution: WebEvolution) -> None:
    table = evolution.changes(0, YEAR)
    pages = np.arange(len(evolution))
    for time in (0.0, 1.0, 77.123, YEAR):
        counted = [int((table.of(page) <= time).sum()) for page in pages.tolist()]
        assert evolution.versions(pages, time).tolist() == counted


def test_the_moment_of_a_change_is_the_first_that_sees_it(evolution: WebEvolution) -> None:
    table = evolution.changes(0, 40)
    for page, time in list(zip(table.pages().tolist(), table.times.tolist(), strict=True))[::997]:
        version, since = evolution.state(page, time)
        assert since == time
        assert evolution.version(page, np.nextafter(time, 0)) == version - 1


def test_changes_are_whole_seconds_in_order_and_in_the_page_s_life(evolution: WebEvolution) -> None:
    table = evolution.changes(0, YEAR)
    seconds = table.times * 86400
    assert np.abs(seconds - np.rint(seconds)).max() < 1e-6
    pages = table.pages()
    later = np.diff(table.times)[np.diff(pages) == 0]
    assert later.min() > 0.9 / 86400
    assert (table.times > evolution.born[pages]).all()
    assert (table.times < evolution.gone[pages]).all()


def test_rates_are_spread_over_four_orders_of_magnitude(evolution: WebEvolution) -> None:
    steady = evolution.fates.rate[np.isin(evolution.fates.kind, (Rhythm.STEADY, Rhythm.BURSTS))]
    shares = np.histogram(np.log10(steady / 0.002), bins=[0, 1, 2, 3, 4])[0] / len(steady)
    assert shares.min() > 0.1
    assert abs(shares.sum() - 1) < 1e-9


@pytest.mark.parametrize("kind", [Rhythm.STEADY, Rhythm.OFFICE, Rhythm.BURSTS, Rhythm.DAILY])
def test_pages_change_as_often_as_their_rate_says(evolution: WebEvolution, kind: Rhythm) -> None:
    pages = of_kind(evolution, kind)
    counts = evolution.changes(0, YEAR).counts()[pages]
    expected = evolution.fates.rate[pages] * YEAR
    assert abs(counts.sum() / expected.sum() - 1) < 0.03


def test_gaps_of_steady_pages_are_those_of_a_poisson_process(evolution: WebEvolution) -> None:
    table = evolution.changes(0, YEAR)
    fast = [p for p in of_kind(evolution, Rhythm.STEADY) if 0.5 < evolution.fates.rate[p] < 5]
    gaps = np.sort(np.concatenate([np.diff(table.of(p)) * evolution.fates.rate[p] for p in fast]))
    ideal = -np.log1p(-(np.arange(len(gaps)) + 0.5) / len(gaps))
    assert np.abs(np.exp(-gaps) - np.exp(-ideal)).max() < 0.02  # Kolmogorov's distance
    counts = np.array([np.bincount(table.of(p).astype(int), minlength=365).var() for p in fast])
    assert (
        abs((counts / evolution.fates.rate[fast]).mean() - 1) < 0.05
    )  # variance of counts is their mean


def test_bursts_come_in_bursts(evolution: WebEvolution) -> None:
    table = evolution.changes(0, YEAR)
    pages = [p for p in of_kind(evolution, Rhythm.BURSTS) if 0.5 < evolution.fates.rate[p] < 5]
    gaps = np.concatenate([np.diff(table.of(p)) * evolution.fates.rate[p] for p in pages])
    assert gaps.var() / gaps.mean() ** 2 > 4
    assert np.median(gaps) < 0.1


def test_offices_rest_at_night_and_at_the_weekend(evolution: WebEvolution) -> None:
    table = evolution.changes(0, 364)
    times = np.concatenate([table.of(page) for page in of_kind(evolution, Rhythm.OFFICE)])
    hour, weekday = times % 1 * 24, times % 7
    at_work = (hour >= 8) & (hour < 20)
    assert abs((~at_work).mean() - 0.1 / 1.1) < 0.01
    assert abs((weekday >= 5).mean() - 0.5 / 5.5) < 0.01


@pytest.mark.parametrize(("kind", "days", "hours"), [(Rhythm.DAILY, 1, 1), (Rhythm.WEEKLY, 7, 6)])
def test_editions_come_at_their_hour(
    evolution: WebEvolution, kind: Rhythm, days: int, hours: int
) -> None:
    table = evolution.changes(0, YEAR)
    for page in of_kind(evolution, kind)[:50]:
        phase = table.of(page) % days * 2 * np.pi / days
        spread = abs(np.exp(1j * phase).mean())  # 1 when all are at the same phase
        assert spread > np.cos(hours / 24 / days * np.pi)
        assert 0.75 < len(phase) / (YEAR / days) < 1


def test_still_pages_never_change(evolution: WebEvolution) -> None:
    assert not evolution.changes(0, YEAR).counts()[of_kind(evolution, Rhythm.STILL)].any()


def test_pages_of_a_host_are_alike_in_their_rates(evolution: WebEvolution) -> None:
    rates = np.log(evolution.fates.rate[evolution.fates.kind == Rhythm.STEADY])
    site = evolution.fates.site[evolution.fates.kind == Rhythm.STEADY]
    within = np.mean([rates[site == one].var() for one in range(10)])
    assert within < 0.97 * rates.var()


def test_shares_of_births_and_losses_are_as_wished() -> None:
    settings = EvolutionSettings(newborn=0.5, lost_a_year=0.8, moved_a_year=0.2, apart=0.1)
    evolution = WebEvolution(3, [20_000], settings)
    assert abs((evolution.born > 0).mean() - 0.5) < 0.02
    assert abs((evolution.gone - evolution.born < YEAR).mean() - 0.8) < 0.02
    early = np.histogram(evolution.born[evolution.born > 0], bins=10, range=(0, YEAR))[0]
    assert early.std() / early.mean() < 0.1
    hub = evolution.hub[evolution.born > 0]
    assert abs((hub >= MENU).mean() - 0.1) < 0.06
    assert (
        evolution.moved[np.isfinite(evolution.moved)] < evolution.gone[np.isfinite(evolution.moved)]
    ).all()


def test_pages_of_the_menu_stay(evolution: WebEvolution) -> None:
    menu = evolution.fates.index < MENU
    assert (evolution.born[menu] == 0).all()
    assert not np.isfinite(evolution.gone[menu]).any()
    assert not np.isfinite(evolution.moved[menu]).any()


def test_a_birth_is_a_change_of_the_page_that_announces_it(evolution: WebEvolution) -> None:
    table = evolution.changes(0, YEAR)
    newborn = evolution.births(0, YEAR)
    assert (np.diff(evolution.born[newborn]) >= 0).all()
    assert len(newborn) == (evolution.born > 0).sum()
    for page in newborn[::37].tolist():
        hub, moment = int(evolution.hub[page]), evolution.born[page]
        assert moment in table.of(hub)
        assert evolution.is_alive(moment)[hub]
        assert page in evolution.news(hub, moment)
        assert page not in evolution.news(hub, np.nextafter(moment, 0))


def test_a_move_is_a_change(evolution: WebEvolution) -> None:
    table = evolution.changes(0, YEAR)
    movers = np.flatnonzero(evolution.moved < YEAR)
    assert len(movers) > 50
    assert all(evolution.moved[page] in table.of(page) for page in movers.tolist())


def test_numbers_and_places(evolution: WebEvolution) -> None:
    assert [
        evolution.number(*evolution.place(page)) for page in range(0, len(evolution), 101)
    ] == list(range(0, len(evolution), 101))


def test_time_before_the_beginning_is_refused(evolution: WebEvolution) -> None:
    with pytest.raises(ValueError, match="from day 0 on"):
        evolution.changes(-1, 5)
    with pytest.raises(ValueError, match="not within"):
        evolution.changes(0, 5).between(2, 9)
