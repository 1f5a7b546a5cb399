"""Crawls that visit pages again: a ring, a clock that is turned by hand, servers that are a dictionary."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gossamer.core.errors import SettingsError
from gossamer.core.outcomes import Outcome
from gossamer.lab.simulator.virtual_poller import VirtualPoller
from tests.engine.engine_crawling import query
from tests.engine.scripted import Bench, Said, ScriptedWorld, html
from tests.present import parse

A, B = "http://a.test", "http://b.test"
DAY, HOUR = 86_400.0, 3600.0


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
    clock, ring, poller = bench.world.clock, bench.job.ring, bench.job.ring.components.poller
    assert isinstance(poller, VirtualPoller)
    end = clock.now() + seconds
    for turns in range(most):
        if clock.now() >= end:
            return turns
        ring.turn(8, 1.0 if ring.components.fetcher.in_flight else calm)
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
    assert len(bench.job.ring.components.frontier) > 20, "there was always something to do"
    assert turns < 200
    bench.turn(5)
    said = bench.job.sum_up()
    assert said.is_over_budget, "status says so, and not that hosts must rest"
    assert 0 < said.wait_seconds <= 100
    bench.die()


def test_it_waits_for_its_only_server_however_long_that_is_down(tmp_path: Path) -> None:
    """All pages wait for permission, so none of them is in the schedule."""
    script: dict[str, Said | Outcome] = {f"{A}/": html()}
    bench, world = make(tmp_path / "out", script, f"{A}/", failure_wait=2 * DAY, max_age=3600.0)
    live(bench, 0.9 * DAY)
    script[f"{A}/robots.txt"] = Outcome.CONNECT_FAILED
    live(bench, 0.2 * DAY)
    idle_time = bench.job.ring.idle_time
    assert bench.job.ring.components.frontier.statistics().scheduled == 0
    assert not idle_time.is_idle
    assert idle_time.seconds() > 3600.0
    assert not idle_time.is_on_hold(3600.0)
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
    statistics = again.job.ring.components.frontier.statistics()
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
    assert again.job.ring.components.frontier.statistics().scheduled == 1
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


def test_what_pages_had_before_does_not_count(tmp_path: Path) -> None:
    """Neither their texts, for new pages that have them now, nor their links."""
    rivers, lakes = (
        " ".join(f"{word}{number}" for number in range(60)) for word in ("river", "lake")
    )
    script: dict[str, Said | Outcome] = {
        f"{A}/": html("/old", "/gone"),
        f"{A}/old": html("/linked", text=rivers),
        f"{A}/gone": html("/linked", text=lakes),
        f"{A}/linked": html(text="linked"),
    }
    bench, _ = make(tmp_path / "out", script, f"{A}/", name="backlinks", gone_after=2)
    live(bench, 0.5 * DAY, calm=HOUR)
    linked = np.array([parse(f"{A}/linked").key], np.uint64)
    assert bench.job.ring.components.ordering.worth(linked).tolist() == [2.0]
    script[f"{A}/old"] = html(text="something else")
    script[f"{A}/gone"] = (404, {}, "gone")
    live(bench, 2 * DAY, calm=HOUR)
    assert bench.job.ring.components.ordering.worth(linked).tolist() == [0.0]
    script[f"{A}/"] = html("/old", "/gone", "/new", "/newer", "/newest")
    script |= {f"{A}/new": html("/linked", text=rivers), f"{A}/newer": html("/linked", text=lakes)}
    script[f"{A}/newest"] = html("/linked", text=lakes)
    live(bench, 2 * DAY, calm=HOUR)
    bench.job.finish()
    bench.die()
    sql = "select distinct url, duplicate_of from pages where url like '%/new%' order by url"
    assert query(tmp_path / "out", sql) == [
        (f"{A}/new", None),
        (f"{A}/newer", None),
        (f"{A}/newest", f"{A}/newer"),
    ]


def test_a_page_whose_first_visit_fails_is_tried_again(tmp_path: Path) -> None:
    script: dict[str, Said | Outcome] = {
        f"{A}/": html("/late", "/never"),
        f"{A}/late": (500, {}, ""),
    }
    bench, world = make(tmp_path / "out", script, f"{A}/", longest=4.0, gone_after=2)
    live(bench, 3.5 * DAY, calm=HOUR)
    late, never = asked(world, f"{A}/late"), asked(world, f"{A}/never")
    assert late[-1] - late[0] > DAY
    assert len(never) == 2
    script[f"{A}/late"] = html("/found")
    script[f"{A}/found"] = html(text="found")
    live(bench, 4 * DAY, calm=HOUR)
    assert asked(world, f"{A}/found")
    assert len(asked(world, f"{A}/never")) == 2
    bench.die()


def test_a_page_that_was_given_up_comes_back_when_it_is_linked_to_again(tmp_path: Path) -> None:
    """Also if the crawl was killed meanwhile; the link that stayed on its page brings it back at no visit."""
    script: dict[str, Said | Outcome] = {f"{A}/": html("/page", "/other"), f"{A}/other": html()}
    script[f"{A}/page"] = html(text="here")
    bench, world = make(tmp_path / "out", script, f"{A}/", gone_after=2)
    live(bench, 1.5 * DAY, calm=HOUR)
    script[f"{A}/page"] = (404, {}, "gone")
    live(bench, 8 * DAY, calm=HOUR)
    visits = len(asked(world, f"{A}/page"))
    live(bench, 8 * DAY, calm=HOUR)
    assert len(asked(world, f"{A}/page")) == visits, "its link did not change"
    bench.die()
    again = Bench(tmp_path / "out", world, is_new=False)
    again.begin()
    script[f"{A}/page"] = html(text="back")
    script[f"{A}/"] = html("/page", "/third")
    live(again, 6 * DAY, calm=HOUR)
    assert len(asked(world, f"{A}/page")) >= visits + 3, "it is due again like all others"
    again.die()


def test_a_dead_link_on_a_page_whose_links_change_costs_ever_less(tmp_path: Path) -> None:
    script: dict[str, Said | Outcome] = {f"{A}/": html("/dead", "/0"), f"{A}/dead": (404, {}, "")}
    bench, world = make(tmp_path / "out", script, f"{A}/", gone_after=2)
    for day in range(32):
        script[f"{A}/"] = html("/dead", f"/{day}")
        live(bench, DAY, calm=HOUR)
    assert 4 <= len(asked(world, f"{A}/dead")) <= 8
    bench.die()


def test_the_whole_budget_is_spent_while_pages_come(tmp_path: Path) -> None:
    """Pages are due by plans for fewer pages; the visits that nobody is due for go to those next in line."""
    pages = [f"/{number}" for number in range(40)]
    script: dict[str, Said | Outcome] = {f"{A}{page}": html(text=page) for page in pages}
    script[f"{A}/"] = html(*pages[:10])
    limits = {"shortest": 0.01, "longest": 90.0, "visits_per_day": 24.0}
    bench, world = make(tmp_path / "out", script, f"{A}/", **limits)
    live(bench, 5 * DAY, calm=HOUR)
    script[f"{A}/"] = html(*pages)
    begun = len(world.server.asked)
    live(bench, 6 * DAY, calm=HOUR)
    assert len(world.server.asked) - begun >= 0.995 * 6 * 24 - 1
    bench.die()
