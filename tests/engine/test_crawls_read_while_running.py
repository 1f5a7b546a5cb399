"""Crawls that are looked at while they run, and after they were broken off."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pyarrow.parquet as parquet
import pytest

import gossamer
from gossamer.cluster.supervisor import Supervisor
from gossamer.core.records import Judged
from gossamer.engine import commits
from gossamer.engine.commits import Commits
from gossamer.lab import ServedWeb, Web, serve
from tests.engine.engine_checking import assert_valid
from tests.engine.engine_crawling import DNS, asked, query
from tests.engine.engine_forks import command
from tests.engine.moments import commit_each_turn, in_flight, marking, waiting_for_a_pause
from tests.patience import PATIENCE

EXTERNAL = {"delay": 0, "allow_private": True, "retries": 0, "factor": 0}


pytestmark = pytest.mark.usefixtures("interruptible")


@pytest.fixture
def served() -> Iterator[ServedWeb]:
    with serve(Web(seed=4, pages=300, hosts=20)) as served:
        yield served


def job(served: ServedWeb, out: Path, **knobs: Any) -> gossamer.Crawl:
    settings = gossamer.Settings(dns=DNS(servers=(served.dns_address,)))
    return gossamer.Crawl(
        served.seed_url, out=out, settings=settings, **({"scope": "all"} | EXTERNAL | knobs)
    )


def pages_seen(out: Path) -> list[str]:
    return sorted(url for (url,) in query(out, "select url from pages where status > 0"))


def wait_until(turns: Iterator[object], is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline, "it does not come to that"
        next(turns)


@pytest.mark.parametrize("partitions", [1, 2])
def test_a_running_crawl_shows_its_pages_and_links(
    served: ServedWeb, tmp_path: Path, partitions: int
) -> None:
    out, quiet = tmp_path / "out", tmp_path / "quiet"
    with (
        waiting_for_a_pause(pages=40),
        marking(lambda one: one._switch.is_paused and not in_flight(one), quiet),
    ):
        crawl = job(served, out, partitions=partitions, tables_every=0.1)
        turns = crawl.turns()
        wait_until(turns, lambda: crawl.ring is not None or bool(crawl.pids()))
    wait_until(turns, lambda: crawl.summary().pages > 20)
    crawl.pause()  # so that it cannot end, and what is under way comes in
    wait_until(turns, lambda: partitions == 1 or len(list(quiet.iterdir())) == partitions)
    wait_until(turns, lambda: _is_all_there(crawl, out))
    shown = pages_seen(out)
    assert len(shown) == len(set(shown)) == crawl.summary().pages < len(served.web.expected())
    crawl.go_on()
    for _ in turns:
        pass
    assert pages_seen(out) == sorted(served.web.expected())
    assert_valid(out)


def _is_all_there(crawl: gossamer.Crawl, out: Path) -> bool:
    summary = crawl.summary()
    if summary.in_flight or len(list(out.glob("links/*.parquet"))) < crawl.partitions:
        return False
    [(pages,)] = query(out, "select count(*) from pages where status > 0")
    [(links,)] = query(out, "select count(*) from links")
    return (pages, links) == (summary.pages, summary.links)


def test_a_killed_crawl_shows_what_it_had_and_ends_with_each_row_once(
    served: ServedWeb, tmp_path: Path
) -> None:
    out, is_shown, publish = tmp_path / "out", False, Commits.publish

    def publish_once(self: Commits) -> None:
        """At the next time, with more recorded, it is killed instead."""
        nonlocal is_shown
        if is_shown:
            os.killpg(0, signal.SIGKILL)
        publish(self)
        is_shown = any(parquet.read_metadata(path).num_rows for path in out.glob("pages/*.parquet"))

    with (
        commit_each_turn(),
        patch.object(commits, "_PUBLISHING_SHARE", inf),
        patch.object(Commits, "publish", publish_once),
    ):
        ended = command(
            *("crawl", served.seed_url, "-o", str(out), "-q", "--partitions", "1"),
            *("--scope", "all", "--dns", served.dns_address, "--allow-private", "--delay", "0.1"),
            *("--set", "store.tables_every=1e-9"),
        )
    assert ended.status == -signal.SIGKILL, ended.err
    shown = pages_seen(out)
    assert len(set(shown)) == len(shown) > 0
    gossamer.Crawl.resume(out, delay=0).run()
    assert pages_seen(out) == sorted(served.web.expected())
    assert_valid(out)  # the index as well


def test_an_interrupted_program_leaves_everything_complete(
    served: ServedWeb, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    calls = 0

    def interrupt(link: gossamer.Link) -> bool:
        nonlocal calls
        calls += 1
        if calls == 100:  # in the midst of a turn
            signal.raise_signal(signal.SIGINT)
        return True

    crawl = job(served, out, scope=interrupt)
    with pytest.raises(KeyboardInterrupt):
        for _ in crawl:
            pass
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert crawl.summary().stopped_by == "interrupted"
    shown = pages_seen(out)
    assert len(set(shown)) == len(shown) == crawl.summary().pages > 0
    assert_valid(out)
    gossamer.Crawl.resume(out, scope=lambda link: True).run()
    assert pages_seen(out) == sorted(served.web.expected())
    assert set(shown) <= {url for url, times in asked(served).items() if times == 1}
    assert_valid(out)


def test_who_interrupts_twice_does_not_wait(served: ServedWeb, tmp_path: Path) -> None:
    out = tmp_path / "out"
    calls = 0

    def interrupt(link: gossamer.Link) -> bool:
        nonlocal calls
        calls += 1
        if calls == 300:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)
            raise AssertionError("it goes on")
        return True

    with pytest.raises(KeyboardInterrupt):
        job(served, out, scope=interrupt).run()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    gossamer.Crawl.resume(out, scope=lambda link: True).run()
    assert pages_seen(out) == sorted(served.web.expected())
    assert_valid(out)


def test_a_program_that_is_interrupted_itself_leaves_everything_complete(
    served: ServedWeb, tmp_path: Path
) -> None:
    out, delivered = tmp_path / "out", 0

    def read() -> None:
        nonlocal delivered
        for _ in job(served, out):
            delivered += 1
            if delivered == 30:
                signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        read()
    assert delivered == 30, "at once"
    assert len(pages_seen(out)) >= 30
    assert_valid(out)


def test_interrupted_partitions_leave_everything_complete(
    served: ServedWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, turn = tmp_path / "out", Supervisor.turn

    def interrupted(self: Supervisor, patience: float) -> list[Judged]:
        if sum(report.pages for report in self.reports) > 30:
            monkeypatch.undo()
            signal.raise_signal(signal.SIGINT)
        return turn(self, patience)

    monkeypatch.setattr(Supervisor, "turn", interrupted)
    crawl = job(served, out, partitions=2)
    with pytest.raises(KeyboardInterrupt):
        crawl.run()
    shown = pages_seen(out)
    assert len(set(shown)) == len(shown) == crawl.summary().pages > 30
    assert_valid(out)
    gossamer.Crawl.resume(out).run()
    assert pages_seen(out) == sorted(served.web.expected())
    assert set(shown) <= {url for url, times in asked(served).items() if times == 1}


def test_who_handles_interrupts_is_left_alone(served: ServedWeb, tmp_path: Path) -> None:
    heard = []
    before = signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    try:

        def interrupt(link: gossamer.Link) -> bool:
            if not heard:
                signal.raise_signal(signal.SIGINT)
            return True

        assert job(served, tmp_path / "out", scope=interrupt).run().stopped_by == "finished"
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard == [signal.SIGINT]
