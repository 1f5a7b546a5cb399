"""A crawl of several partitions comes to its end, whatever one of them waits for, and whoever dies then."""

import threading
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

import gossamer
from gossamer.core.url import owner_of
from gossamer.lab import Web
from gossamer.lab.simulator.simulated_disk import SimulatedDisk
from gossamer.lab.simulator.simulated_world import SimulatedCrawl
from tests.engine.engine_crawling import query
from tests.engine.listening import Answering, Listening
from tests.engine.virtual import Look, crawl_virtually
from tests.patience import PATIENCE

RESTING, MOVED = "127.0.0.1", "localhost"
PARTITIONS = next(n for n in range(2, 9) if owner_of(RESTING, n) != owner_of(MOVED, n))


class Handler(Answering):
    """One host has to be left alone for an hour; the other's robots.txt was moved to it.

    The answer about the move waits until the crawler has seen that the host has to be left alone.
    """

    is_resting: threading.Event

    def answer(self) -> None:
        host, _, port = self.headers["Host"].partition(":")
        if (host, self.path) == (RESTING, "/"):
            self._say(503, "Retry-After", "3600")
        elif (host, self.path) == (MOVED, "/robots.txt"):
            self.is_resting.wait(PATIENCE)
            self._say(302, "Location", f"http://{RESTING}:{port}/policy.txt")
        else:
            self._say(404, "X-Nothing", "here")

    def _say(self, status: int, name: str, value: str) -> None:
        self.send_response(status)
        self.send_header(name, value)
        self.send_header("Content-Length", "0")
        self.end_headers()


@pytest.fixture
def site() -> Iterator[tuple[int, threading.Event]]:
    """A port, and what tells its server that the crawler knows whom to leave alone."""
    is_resting = threading.Event()
    handler = type("Fresh", (Handler,), {"is_resting": is_resting})
    server = Listening(handler, RESTING)
    yield server.server_port, is_resting
    server.end()


@pytest.mark.parametrize("partitions", [1, PARTITIONS])
def test_a_robots_txt_that_was_moved_to_a_host_on_hold(
    site: tuple[int, threading.Event], tmp_path: Path, partitions: int
) -> None:
    """Its owner asks a neighbour, who will answer in an hour: longer than anybody waits."""
    port, is_resting = site
    crawl = gossamer.Crawl(
        *(f"http://{host}:{port}/" for host in (RESTING, MOVED)),
        out=tmp_path / "out",
        partitions=partitions,
        scope="all",
        delay=0,
        allow_private=True,
        patience=60.0,
        max_seconds=PATIENCE,
    )
    for _ in crawl.turns():
        if crawl.summary().troubles:
            is_resting.set()
    summary = crawl.summary()
    assert summary.stopped_by == "on_hold"
    assert summary.waiting == 3, "two pages and a robots.txt"
    resumed = gossamer.Crawl.resume(tmp_path / "out").run()
    assert resumed.stopped_by == "on_hold"
    assert resumed.troubles == summary.troubles == {"503": 1}, "they are counted over all runs"


def kill_at_the_end(operations: int) -> Look:
    """Kill the partition that asks the disk for something this many times after the crawl is over."""
    is_armed = False

    def look(crawl: SimulatedCrawl, disk: SimulatedDisk) -> None:
        nonlocal is_armed
        if not is_armed and crawl.summary().stopped_by:
            is_armed, disk.kill_after = True, operations

    return look


def test_a_partition_that_dies_while_it_ends_loses_nothing(tmp_path: Path) -> None:
    """It has forgotten what came after its last commit. Seeds that failed are not asked for again."""
    web = Web(seed=4, pages=12, hosts=4)
    nowhere = [f"{web.origin(site)}/nowhere" for site in range(4)]
    expected = sorted([*web.reachable().asked, *nowhere])
    for operations in count(1, 13):
        out = tmp_path / str(operations)
        summary, _ = crawl_virtually(
            *(web, out), seeds=nowhere, look=kill_at_the_end(operations), partitions=2, delay=1.0
        )
        rows = query(out, "select url from pages where status > 0")
        assert sorted(url for (url,) in rows) == expected, f"{operations}: each is recorded once"
        assert (summary.stopped_by, summary.pages, summary.waiting) == ("finished", len(rows), 0)
        assert summary.exchange["waiting_bytes"] == 0
        if not summary.exchange["restarts"]:
            break
    assert operations > 50, "partitions died at many moments"
