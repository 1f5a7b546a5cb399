"""Nothing is left but servers that do not answer: the crawl says so, tries a few times, and ends."""

import logging
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

import gossamer
from gossamer.core.url.owner import owner_of
from gossamer.verify import inspect
from tests.engine.engine_crawling import query
from tests.engine.scripted import Bench, ScriptedWorld, html, text
from tests.engine.test_engine_discovery import Server, server

__all__ = ["server"]

A, B = "http://a.test", "http://a.test:81"


@pytest.fixture
def silent() -> Iterator[str]:
    """An origin where nobody answers: the port is taken, and nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"


def test_a_dead_origin_does_not_hold_a_finished_crawl(
    server: Server, silent: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    server.page("/", f'<a href="/1">1</a><a href="{silent}/x">x</a><a href="{silent}/y">y</a>')
    server.page("/1", "one")
    out = tmp_path / "out"
    with caplog.at_level(logging.WARNING):
        summary = server.crawl(out, scope="host", unanswered_wait=1.0)
    assert (summary.stopped_by, summary.waiting, summary.pages) == ("finished", 0, 2)
    rows = query(out, "select url, outcome from pages where status is null order by url")
    assert rows == [(f"{silent}/x", "robots_unreachable"), (f"{silent}/y", "robots_unreachable")]
    said = {one.getMessage() for one in caplog.records if "all URLs left wait" in one.getMessage()}
    assert len(said) == 1
    assert f"{silent}: robots.txt: connect_failed" in said.pop()
    assert summary.troubles["robots_connect_failed"] <= 6, (
        "the first one, four more, and one by chance"
    )


def test_what_was_given_up_is_asked_for_again_by_a_resumed_crawl(
    server: Server, silent: str, tmp_path: Path
) -> None:
    server.page("/", f'<a href="{silent}/x">x</a>')
    server.crawl(tmp_path / "out", scope="host", unanswered_wait=0.5)
    again = gossamer.Crawl.resume(tmp_path / "out").run()
    assert (again.stopped_by, again.waiting) == ("finished", 0)
    rows = query(tmp_path / "out", f"select outcome from pages where url = '{silent}/x'")
    assert rows == [("robots_unreachable",)] * 2
    assert [one.said for one in inspect(tmp_path / "out") if one.is_problem] == []


@pytest.mark.parametrize("path", ["/robots.txt", "/x"])
def test_who_asks_us_to_come_later_is_not_given_up(
    server: Server, tmp_path: Path, path: str
) -> None:
    """Neither by robots.txt nor by a page: the crawl ends on hold, and what is left waits."""
    elsewhere = Server()
    try:
        elsewhere.answers = {path: (503, {"Retry-After": "1000"}, "")}
        server.page("/", f'<a href="{elsewhere.url}/x">x</a>')
        summary = server.crawl(tmp_path / "out", scope="host", unanswered_wait=0.5, patience=30)
        assert (summary.stopped_by, summary.waiting) == ("on_hold", 1)
        assert [asked for asked, _ in elsewhere.requests].count(path) == 1
    finally:
        elsewhere.server.end()


@pytest.mark.parametrize("partitions", [2, 3])
def test_several_partitions_end_as_one_does(
    server: Server, silent: str, tmp_path: Path, caplog: pytest.LogCaptureFixture, partitions: int
) -> None:
    """Each partition is a process: the one that owns the silent origin names it, tries, and ends."""
    server.page("/", f'<a href="/1">1</a><a href="{silent}/x">x</a><a href="{silent}/y">y</a>')
    server.page("/1", "one")
    out = tmp_path / "out"
    with caplog.at_level(logging.WARNING):
        summary = server.crawl(out, scope="host", unanswered_wait=1.0, partitions=partitions)
    assert (summary.stopped_by, summary.waiting, summary.pages) == ("finished", 0, 2)
    rows = query(out, "select url, outcome from pages where status is null order by url")
    assert rows == [(f"{silent}/x", "robots_unreachable"), (f"{silent}/y", "robots_unreachable")]
    said = {one.getMessage() for one in caplog.records if "all URLs left wait" in one.getMessage()}
    assert len(said) == 1
    assert f"{silent}: robots.txt: connect_failed" in said.pop()
    assert summary.troubles["robots_connect_failed"] <= 6
    again = gossamer.Crawl.resume(out).run()
    assert (again.stopped_by, again.waiting) == ("finished", 0)


def test_partitions_wait_together_for_who_asks_them_to_come_later(
    server: Server, silent: str, tmp_path: Path
) -> None:
    """What one partition could give up stays while a server of any partition is waited for."""
    elsewhere = Server()
    try:
        elsewhere.answers = {"/robots.txt": (503, {"Retry-After": "1000"}, "")}
        later = elsewhere.url.replace("127.0.0.1", "localhost")
        assert owner_of("127.0.0.1", 2) != owner_of("localhost", 2)
        server.page("/", f'<a href="{silent}/x">x</a><a href="{later}/y">y</a>')
        limits = {"partitions": 2, "unanswered_wait": 0.5, "patience": 30, "scope": "all"}
        summary = server.crawl(tmp_path / "out", **limits)
        assert (summary.stopped_by, summary.waiting) == ("on_hold", 2)
    finally:
        elsewhere.server.end()


def test_people_are_told_of_what_waits_for_a_robots_txt(tmp_path: Path) -> None:
    """It waits for its time, not for its host; status counts it, and so do `hosts` and `next`."""
    script = {f"{A}/": html(f"{B}/x", f"{B}/y"), f"{B}/robots.txt": text("")}
    world = ScriptedWorld({**script, f"{B}/robots.txt": (503, {}, "")})
    bench = Bench(tmp_path / "out", world, f"{A}/", delay=0)
    ring = bench.begin()
    frontier = ring.components.frontier
    bench.turn_until(lambda: ring.counters.pages == 1 and not ring.components.fetcher.in_flight)
    bench.turn(5)
    assert len(frontier) == 2
    hosts, is_complete = frontier.view_hosts(10)
    assert [(one.name, one.waiting) for one in hosts] == [("a.test", 2)]
    assert is_complete
    assert hosts[0].ready > world.clock.now()
    assert frontier.view_host("a.test").waiting == 2
    waiting = frontier.view_next(10, "", world.clock.now())
    assert [one.visit.url.text for one in waiting] == [f"{B}/x", f"{B}/y"]
    assert all(one.ready > world.clock.now() for one in waiting)
    assert B in frontier.view_origins("a.test")
    bench.die()
