"""When the fetcher wants to be called: never later than there is something to take, never for nothing."""

import socket
from collections.abc import Iterator

import pytest

from gossamer.core.clock import SystemClock
from gossamer.core.poller import Poller
from gossamer.core.records import Visit
from gossamer.core.settings import FetchSettings
from gossamer.core.url import parse
from gossamer.pipeline.fetch import Fetcher
from tests.pipeline.fetch.test_fetcher import OK, serving


class Waiting:
    """A fetcher and its poller, gone on with step by step."""

    def __init__(self) -> None:
        self.poller = Poller()
        settings = FetchSettings(allow_private=True)
        self.fetcher = Fetcher(settings, "Gossamer", self.poller, SystemClock())

    def start(self, port: int, count: int = 1) -> None:
        for number in range(count):
            url = parse(f"http://127.0.0.1:{port}/{number}")
            assert url is not None
            self.fetcher.start(Visit(url), "127.0.0.1")

    def step(self) -> None:
        self.fetcher.tick()
        self.poller.wait(0.01)

    @property
    def is_due(self) -> bool:
        """Is the fetcher to be called at once, though libcurl's own time has not come?"""
        self.fetcher.tick()
        return self.fetcher.next_timeout() == 0.0


@pytest.fixture
def waiting() -> Iterator[Waiting]:
    waiting = Waiting()
    yield waiting
    waiting.fetcher.close()
    waiting.poller.close()


def test_an_exchange_that_has_ended_is_due_until_it_is_taken(waiting: Waiting) -> None:
    with serving(OK) as server:
        waiting.start(server.port)
        while not waiting.is_due:
            waiting.step()
        assert waiting.is_due, "however often it is asked"
        assert [page.status for page in waiting.fetcher.finished()] == [200]
        assert not waiting.is_due


def test_pages_beyond_a_portion_are_due(waiting: Waiting) -> None:
    with serving(OK) as server:
        waiting.start(server.port, count=200)
        taken = []
        for _ in range(10_000):
            waiting.step()
            if waiting.fetcher._running == 0:
                break
        while waiting.is_due:
            taken.append(len(waiting.fetcher.finished()))
    assert (sum(taken), max(taken)) == (200, 128)


def test_a_silent_server_is_not_due(waiting: Waiting) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        waiting.start(silent.getsockname()[1])
        for _ in range(5):
            waiting.step()
        assert not waiting.is_due
        assert waiting.fetcher.in_flight == 1
