"""A crawl of several partitions comes to its end, whatever one of them waits for."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import gossamer
from gossamer.base.url import owner_of
from tests.crawl.listening import Answering, Listening

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
            self.is_resting.wait(30)
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
        max_seconds=60.0,
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
