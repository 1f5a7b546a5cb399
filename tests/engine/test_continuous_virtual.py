"""Crawls that visit pages again, in virtual time: when, how often, and what they say of it."""

from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from gossamer.core.clock import VirtualClock
from gossamer.engine.summary import Summary
from gossamer.lab import LoggedRequest, Web
from gossamer.lab.living_web import LivingWeb, WebClock, averages, visits_in
from tests.engine.engine_crawling import query
from tests.engine.virtual import START, crawl_virtually

DAY = 250.0
"""Seconds: nothing here is about the length of a day."""
PAGES, HOSTS = 60, 5
DAILY: dict[str, Any] = {"policy": "uniform", "shortest": 1.0, "longest": 1.0}


def crawl(
    out: Path, days: float, web: Web | None = None, **knobs: Any
) -> tuple[Summary, list[LoggedRequest]]:
    basics = {"continuous": True, "day": DAY, "max_seconds": days * DAY}
    knobs = {**basics, "delay": 0.2, "address_delay": 0, "soft_errors": False, **knobs}
    return crawl_virtually(web or Web(3, PAGES, HOSTS), out, **knobs)


def visits(out: Path) -> dict[str, list[float]]:
    """When each page was visited, in days."""
    found: dict[str, list[float]] = defaultdict(list)
    sql = "select url, epoch(fetched_at) from pages where status is not null order by fetched_at"
    for url, time in query(out, sql):
        found[url].append(time / DAY)
    return found


def gaps(out: Path) -> list[float]:
    return [later - before for times in visits(out).values() for before, later in pairwise(times)]


@pytest.mark.parametrize("partitions", [1, 2])
def test_every_page_is_visited_again_and_again(tmp_path: Path, partitions: int) -> None:
    summary, _ = crawl(tmp_path / "out", 6, **DAILY, partitions=partitions)
    assert summary.stopped_by == "max_time"
    found = visits(tmp_path / "out")
    assert len(found) == PAGES
    assert summary.pages == sum(map(len, found.values()))
    assert all(len(times) in (6, 7) for times in found.values())
    assert gaps(tmp_path / "out") == pytest.approx([1.0] * (summary.pages - PAGES), abs=0.03)
    assert summary.scheduled + summary.waiting == PAGES


def test_what_is_unchanged_is_stored_once(tmp_path: Path) -> None:
    summary, _ = crawl(tmp_path / "out", 5, **DAILY)
    assert summary.unchanged == summary.pages - PAGES > PAGES
    told = query(
        tmp_path / "out",
        "select distinct change, is_unchanged, refers_to = url from pages where change is not null",
    )
    assert told == [("nothing", True, True)]
    first = "select count(*) from pages where refers_to is null"
    assert query(tmp_path / "out", first) == [(PAGES,)]


def test_no_more_visits_are_made_than_there_may_be(tmp_path: Path) -> None:
    summary, requests = crawl(tmp_path / "out", 24, visits_per_day=20.0, policy="uniform")
    assert summary.pages <= 24 * 20 + 1
    assert len(visits(tmp_path / "out")) == PAGES, "new pages have their share"
    days = [int((request.start - START) / DAY) for request in requests]
    assert max(map(days.count, set(days))) < 2 * 20 + HOSTS
    late = sum(day >= 14 for day in days)
    assert 0.7 < late / (10 * 20) < 1.1, "most of what may be made is made"


def test_no_page_is_visited_before_it_may_be(tmp_path: Path) -> None:
    summary, _ = crawl(tmp_path / "out", 8, visits_per_day=1000.0, shortest=2.0)
    assert summary.pages > 3 * PAGES
    assert min(gaps(tmp_path / "out")) >= 2.0


def test_it_goes_on_where_it_stopped(tmp_path: Path) -> None:
    out = tmp_path / "out"
    summary, _ = crawl(out, 6, stops=(30, 100, 150), **DAILY)
    found = visits(out)
    assert summary.pages == sum(map(len, found.values())) > 300
    assert len(found) == PAGES
    assert gaps(out) == pytest.approx([1.0] * (summary.pages - PAGES), abs=0.05)


def test_a_living_web_is_kept_fresh(tmp_path: Path) -> None:
    """Pages that change are visited more often, and most copies are up to date."""
    clock = VirtualClock(START)
    evolution = WebClock(clock, day=DAY)
    web = LivingWeb(7, 80, 6, clock=evolution)
    summary, requests = crawl(tmp_path / "out", 25, web, visits_per_day=24.0, clock=clock)
    made = visits_in(requests, web, evolution)
    changes = web.evolution.changes(0, 25)
    assert averages(changes, made, 8, 25).freshness() > 0.6
    kinds = dict(query(tmp_path / "out", "select change, count(*) from pages group by all"))
    assert kinds["text"] > 30
    assert kinds["nothing"] > 30
    assert summary.statuses.get("304", 0) > 30


def test_known_pages_have_their_share_of_a_host_with_more_new_ones_than_it_can_be_asked_for(
    tmp_path: Path,
) -> None:
    """A hundred pages a day may be asked for. More are due than that, and there are always new ones."""
    knobs = {**DAILY, "delay": DAY / 100, "new_share": 0.3}
    crawl(tmp_path / "out", 4, Web(3, 400, 1), **knobs)
    found = visits(tmp_path / "out")
    begin = START / DAY
    new = sum(begin + 1 < times[0] for times in found.values())
    again = sum(begin + 1 < time for times in found.values() for time in times[1:])
    assert 0.2 < new / (new + again) < 0.4
    early = [times for times in found.values() if times[0] < begin + 0.5]
    assert len(early) > 40
    assert all(len(times) > 1 for times in early), "nobody waits for ever"
