"""A crawl that waits is quiet: nothing is recorded or reported again and again."""

from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from gossamer.cluster.partition import Partition
from gossamer.engine.recorder import Recorder
from gossamer.engine.ring import Ring
from gossamer.lab import Web
from gossamer.lab.simulator import simulated_dns
from gossamer.lab.simulator.simulated_disk import SimulatedDisk
from gossamer.lab.simulator.simulated_world import SimulatedCrawl
from tests.engine.engine_crawling import by_host, query
from tests.engine.virtual import crawl_virtually

DELAY, LONG = 100.0, 500.0
AT_ONCE = 0.1
"""Seconds in which a visit begins whose time has come."""


def count_calls(patch: pytest.MonkeyPatch, kind: type, name: str, calls: Counter[str]) -> None:
    function = getattr(kind, name)

    def counted(self: object, *arguments: Any) -> Any:
        calls[name] += 1
        return function(self, *arguments)

    patch.setattr(kind, name, counted)


@pytest.mark.parametrize("partitions", [1, 2])
def test_what_waits_is_quiet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, partitions: int
) -> None:
    calls = Counter[str]()
    count_calls(monkeypatch, Recorder, "commit", calls)
    count_calls(monkeypatch, Partition, "_report", calls)
    count_calls(monkeypatch, Ring, "turn", calls)
    web = Web(seed=4, pages=12, hosts=2)
    summary, log = crawl_virtually(
        web, tmp_path / "out", delay=LONG, factor=0.0, partitions=partitions
    )
    seconds = log[-1].start - log[0].start
    assert summary.stopped_by == "finished"
    assert seconds > 4 * LONG, "it waits most of the time"
    events = 10 * len(log)
    assert calls["commit"] < partitions * (seconds / 60 + events), "not every second"
    assert calls["_report"] < partitions * (seconds / 60 + events), "not five times a second"
    assert calls["turn"] < partitions * (seconds / 20 + 3 * events), "it sleeps meanwhile"


def test_visits_begin_as_soon_as_they_may(tmp_path: Path) -> None:
    """A commit that was put off comes before the next visit, and does not delay it."""
    _, log = crawl_virtually(
        Web(seed=4, pages=8, hosts=1), tmp_path / "out", delay=DELAY, factor=0.0
    )
    (visits,) = by_host(log).values()
    assert len(visits) > 4
    for earlier, later in pairwise(visits):
        assert DELAY <= later.start - earlier.end < DELAY + AT_ONCE


def test_a_visit_does_not_wait_for_a_commit_that_was_put_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One host rests, the name of the other is looked up: nobody knows when the answer comes."""
    lookup = 4.5
    monkeypatch.setattr(simulated_dns, "_DISTANCE", lookup)
    web = Web(seed=4, pages=12, hosts=2)
    _, log = crawl_virtually(web, tmp_path / "out", delay=DELAY, factor=0.0)
    other = next(number for number, one in enumerate(log) if one.host != log[0].host)
    waited = log[other].start - log[other - 1].end
    assert lookup <= waited < lookup + AT_ONCE, (log[other - 1], log[other])


def test_readers_see_what_was_fetched_before_the_calm(tmp_path: Path) -> None:
    """Tables are written now and then, so the last commit before it may have left them as they were."""
    out, rows = tmp_path / "out", dict[int, int]()

    def look(crawl: SimulatedCrawl, disk: SimulatedDisk) -> None:
        if (pages := crawl.summary().pages) and not crawl.stopped_by:
            [(rows[pages],)] = query(out, "select count(*) from pages")

    web = Web(seed=4, pages=8, hosts=1)
    knobs: Any = {"delay": DELAY, "factor": 0.0, "max_seconds": 4.5 * DELAY, "tables_every": 30.0}
    crawl_virtually(web, out, look=look, **knobs)
    assert len(rows) > 3
    assert all(seen == pages for pages, seen in rows.items()), "before the next page came"
