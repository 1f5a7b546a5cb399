"""The router: a slow backend with little room holds up nobody but its own visits."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from gossamer.core.outcomes import Outcome
from gossamer.core.records import Headers, Page, Visit
from gossamer.core.settings import FetchSettings
from gossamer.pipeline.fetch import Router
from gossamer.pipeline.fetch.backend import BACKENDS
from tests.engine.scripted import Bench, ScriptedWorld, html

_BODY = b"<title>slow</title>"


class SlowBackend:
    """A backend that makes one visit at a time, each for ten seconds; it asks a server, as a browser does."""

    is_local = False

    def __init__(self, hosts: Any, settings: Any, poller: Any, clock: Any) -> None:
        self._hosts = hosts
        self._clock = clock
        self._visit: tuple[Visit, float] | None = None
        self.started: list[tuple[float, str]] = []

    def wants(self, visit: Visit) -> bool:
        return visit.url.host in self._hosts and not visit.url.text.endswith("/robots.txt")

    @property
    def in_flight(self) -> int:
        return int(self._visit is not None)

    def free_slots(self) -> int:
        return 1 - self.in_flight

    def start(
        self, visit: Visit, address: str, fields: tuple[str, ...] = (), most: int | None = None
    ) -> None:
        assert self.free_slots(), "the engine asks for room first"
        assert address, "it is told where the server is"
        self._visit = visit, self._clock.now()
        self.started.append((self._clock.now(), visit.url.text))

    def finished(self) -> list[Page]:
        if self._visit is None or self._clock.now() < self._visit[1] + 10.0:
            return []
        (visit, began), self._visit = self._visit, None
        headers = Headers([("Content-Type", "text/html")])
        head = b"HTTP/1.1 200 \r\n\r\n"
        page = Page(
            *(visit, Outcome.FETCHED, began, 10.0, 200, headers),
            head=head,
            payload=_BODY,
            body=_BODY,
        )
        return [page]

    def hosts_in_flight(self) -> dict[str, float]:
        return {} if self._visit is None else {self._visit[0].url.host: self._visit[1]}

    def next_timeout(self) -> float | None:
        return None

    def tick(self) -> None:
        """Nothing is due."""

    def close(self) -> None:
        self._visit = None


class RoutedWorld(ScriptedWorld):
    """The scripted servers, and the slow backend for some hosts."""

    def fetcher(self, settings: FetchSettings, agent: str, poller: Any) -> Any:
        hosts = dict.fromkeys(settings.routes, "")
        self.slow = SlowBackend(hosts, settings, poller, self.clock)
        return Router(self.server, [self.slow])


@pytest.fixture(autouse=True)
def known() -> Iterator[None]:
    with patch.dict(BACKENDS, {"slow": SlowBackend}):
        yield


def test_plain_visits_go_on_while_a_slow_backend_is_full(tmp_path: Path) -> None:
    slow = [f"http://s{number}.test/" for number in range(5)]
    fast = [f"http://f{number}.test/" for number in range(20)]
    world = RoutedWorld({url: html() for url in fast})
    routes = {f"s{number}.test": "slow:" for number in range(5)}
    bench = Bench(tmp_path / "out", world, *slow, *fast, delay=0, routes=routes)
    bench.begin()
    wanted = len(slow) + len(fast)
    pages: list[Page] = []
    while len(pages) < wanted:
        assert world.clock.now() < 1_000_200.0, "it never came to an end"
        pages += [one.document.page for one in bench.turn()]
    bench.job.close()
    assert {page.url for page in pages} == {*slow, *fast}
    begun = [time for time, _ in world.slow.started]
    assert sorted(url for _, url in world.slow.started) == slow
    assert all(later - earlier >= 10.0 for earlier, later in pairwise(begun))
    last_fast = max(time for time, url in world.server.asked if url in fast)
    assert last_fast < begun[1] + 1.0, "nobody waited for the slow ones"
