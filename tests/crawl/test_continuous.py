"""Crawls that visit pages again: a ring, a clock that is turned by hand, servers that are a dictionary."""

from pathlib import Path
from typing import Any

import pytest

from gossamer.base.errors import SettingsError
from gossamer.base.outcomes import Outcome
from gossamer.lab.simulator.virtual import VirtualPoller
from tests.crawl.scripted import Bench, Said, ScriptedWorld, html

A, B = "http://a.test", "http://b.test"
DAY = 86_400.0


def make(
    out: Path, script: dict[str, Said | Outcome], *seeds: str, **knobs: Any
) -> tuple[Bench, ScriptedWorld]:
    """A continuous crawl that has begun: each page is due once a day, unless something else is said."""
    world = ScriptedWorld(script)
    limits = {"continuous": True, "delay": 0, "shortest": 1.0, "longest": 1.0}
    bench = Bench(out, world, *seeds, **{**limits, **knobs})
    bench.begin()
    return bench, world


def live(bench: Bench, seconds: float, calm: float = 60.0, most: int = 10_000) -> int:
    """Turn by turn, until so many seconds have passed; returns how many turns it took.

    A turn waits for something to do, but not longer than `calm` seconds.
    """
    clock, ring, poller = bench.world.clock, bench.job.ring, bench.job.ring.rooms.poller
    assert isinstance(poller, VirtualPoller)
    end = clock.now() + seconds
    for turns in range(most):
        if clock.now() >= end:
            return turns
        ring.turn(8, 1.0 if ring.rooms.fetcher.in_flight else calm)
        clock.advance(max(0.0, poller.next_wake - clock.now()))
        ring.recorder.commit(1.0)
    raise AssertionError(f"{most} turns, and {end - clock.now():.0f} seconds are left")


def asked(world: ScriptedWorld, url: str) -> list[float]:
    """When a page was asked for."""
    return [time for time, one in world.server.asked if one == url]


def test_a_ring_sleeps_while_no_visit_may_begin(tmp_path: Path) -> None:
    """Hosts could be asked, but the visits of this hour are all made."""
    pages = [f"/{number}" for number in range(50)]
    script: dict[str, Said | Outcome] = {f"{A}{page}": html(text=page) for page in pages}
    script[f"{A}/"] = html(*pages)
    bench, world = make(tmp_path / "out", script, f"{A}/", visits_per_day=DAY / 100)
    turns = live(bench, 2000.0)
    assert 18 <= len(world.server.asked) <= 22
    assert len(bench.job.ring.rooms.frontier) > 20, "there was always something to do"
    assert turns < 200
    bench.die()


def test_it_waits_for_its_only_server_however_long_that_is_down(tmp_path: Path) -> None:
    """All pages wait for permission, so none of them is in the schedule."""
    script: dict[str, Said | Outcome] = {f"{A}/": html()}
    bench, world = make(tmp_path / "out", script, f"{A}/", failure_wait=2 * DAY, max_age=3600.0)
    live(bench, 0.9 * DAY)
    script[f"{A}/robots.txt"] = Outcome.CONNECT_FAILED
    live(bench, 0.2 * DAY)
    lull = bench.job.ring.lull
    assert bench.job.ring.rooms.frontier.statistics().scheduled == 0
    assert not lull.is_idle
    assert lull.seconds() > 3600.0
    assert not lull.is_on_hold(3600.0)
    del script[f"{A}/robots.txt"]
    live(bench, 3 * DAY)
    assert len(asked(world, f"{A}/")) >= 2
    bench.die()


def test_a_seed_that_fails_when_it_is_due_is_due_once_after_all(tmp_path: Path) -> None:
    """Seeds that brought no page are asked again under other settings: not those that are due anyway."""
    script: dict[str, Said | Outcome] = {f"{A}/": html()}
    bench, world = make(tmp_path / "out", script, f"{A}/", retries=0)
    live(bench, 0.5 * DAY)
    script[f"{A}/"] = Outcome.RESET
    live(bench, DAY)
    script[f"{A}/"] = html()
    bench.job.finish()
    bench.die()
    again = Bench(tmp_path / "out", world, is_new=False, timeout=7.0)
    again.begin()
    live(again, 100.0)
    statistics = again.job.ring.rooms.frontier.statistics()
    assert statistics.waiting + statistics.scheduled == 1
    assert len(asked(world, f"{A}/")) == 2
    again.die()


def test_a_page_that_is_out_of_scope_by_now_is_not_due_any_more(tmp_path: Path) -> None:
    script: dict[str, Said | Outcome] = {f"{A}/": html("/old"), f"{A}/old": html(text="old")}
    bench, world = make(tmp_path / "out", script, f"{A}/")
    live(bench, 0.5 * DAY)
    bench.job.finish()
    bench.die()
    again = Bench(tmp_path / "out", world, is_new=False, exclude=["/old"])
    again.begin()
    live(again, 3 * DAY)
    assert len(asked(world, f"{A}/old")) == 1
    assert len(asked(world, f"{A}/")) == 4
    assert again.job.ring.rooms.frontier.statistics().scheduled == 1
    again.die()


@pytest.mark.parametrize("is_continuous", [True, False])
def test_whether_pages_are_visited_again_is_decided_at_the_start(
    tmp_path: Path, is_continuous: bool
) -> None:
    bench, world = make(tmp_path / "out", {}, f"{A}/", continuous=is_continuous)
    bench.job.finish()
    bench.die()
    with pytest.raises(SettingsError, match=r"revisit\.continuous: .* --known"):
        Bench(tmp_path / "out", world, is_new=False, continuous=not is_continuous)
    Bench(tmp_path / "out", world, is_new=False, continuous=is_continuous)


def test_an_earlier_crawl_can_be_kept_up_to_date(tmp_path: Path) -> None:
    """Another crawl that knows it visits its pages, and then visits them again."""
    script: dict[str, Said | Outcome] = {f"{A}/": html("/1"), f"{A}/1": html(text="one")}
    bench, _ = make(tmp_path / "one", script, f"{A}/", continuous=False)
    live(bench, 100.0)
    bench.job.finish()
    bench.die()
    known = {"known": str(tmp_path / "one")}
    bench, world = make(tmp_path / "two", script, f"{A}/", **known)
    live(bench, 1.5 * DAY)
    assert [len(asked(world, f"{A}{path}")) for path in ("/", "/1")] == [2, 2]
    bench.die()


def test_what_became_due_while_it_was_stopped_comes_first(tmp_path: Path) -> None:
    """Its host has pages that are new, too, and may be asked for one at a time only."""
    pages = [f"/{number}" for number in range(60)]
    script: dict[str, Said | Outcome] = {f"{A}{page}": html(text=page) for page in pages}
    script[f"{A}/"] = html(*pages)
    bench, world = make(tmp_path / "out", script, f"{A}/", delay=10.0, factor=0.0)
    while len(world.server.asked) < 32:
        live(bench, 10.0)
    bench.job.finish()
    bench.die()
    world.clock.advance(5 * DAY)
    before = {url for _, url in world.server.asked}
    again = Bench(tmp_path / "out", world, is_new=False)
    again.begin()
    live(again, 0.1 * DAY)
    after = [url for _, url in world.server.asked[len(before) :]]
    assert len({*after} - before) > 20, "there are new pages"
    assert {*after[: len(before)]} == before, "robots.txt and all that is due come before"
    again.die()
