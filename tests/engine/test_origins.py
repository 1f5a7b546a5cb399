"""A host with several origins: what one of them lacks does not stop the others."""

import socket
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import gossamer
from gossamer.core.settings import FetchSettings
from tests.engine.engine_crawling import query
from tests.engine.listening import Answering, Listening
from tests.misbehaving.certificates import Authority, Wish

PAGES = 30


class Site:
    """An https site, and a port of the same host at which nobody listens until `open_door`.

    Its first page links to all others, and to pages behind that door.
    """

    def __init__(self, behind: int = 1) -> None:
        self.asked: Counter[str] = Counter()
        self._door = _door()
        self.closed = f"http://127.0.0.1:{self._door.getsockname()[1]}"
        self.behind = [f"{self.closed}/behind/{number}" for number in range(behind)]
        self._paths = [f"/{number}" for number in range(PAGES)]
        self._links = "".join(f"<a href={link}>x</a>" for link in self.behind + self._paths)
        context = Authority().context(Wish("localhost", is_self_signed=True))
        secure = Listening(self._handler(), door=context.wrap_socket(_door(), server_side=True))
        self.url = f"https://127.0.0.1:{secure.server_port}/0"
        self._servers = [secure]

    def open_door(self) -> None:
        """From now on the other origin answers."""
        self._servers.append(Listening(self._handler(), door=self._door))

    def _handler(self) -> type[Answering]:
        site = self

        class Handler(Answering):
            def answer(self) -> None:
                site.asked[self.path] += 1
                is_there = self.path in site._paths or site.closed + self.path in site.behind
                body = site.body(self.path) if is_there else b""
                self.send_response(200 if is_there else 404)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        return Handler

    def body(self, path: str) -> bytes:
        """No two pages have a text in common."""
        words = " ".join(f"{number:x}{path[1:]}" for number in range(40))
        return f"<p>{words}</p>{self._links if path == '/0' else ''}".encode()

    def crawl(self, out: Path, **knobs: object) -> gossamer.Summary:
        settings: dict[str, Any] = {"delay": 0, "scope": "all", "allow_private": True, **knobs}
        fetch = FetchSettings(verify_tls=False)
        return gossamer.Crawl(
            self.url, out=out, settings=gossamer.Settings(fetch=fetch), **settings
        ).run()

    def close(self) -> None:
        for server in self._servers:
            server.end()
        self._door.close()


def _door() -> socket.socket:
    """A port of its own, at which nobody listens yet."""
    door = socket.socket()
    door.bind(("127.0.0.1", 0))
    return door


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.close()


@pytest.fixture
def large_site() -> Iterator[Site]:
    """More URLs of the failing origin than one turn of the ring looks at."""
    site = Site(behind=1100)
    yield site
    site.close()


def outcomes(out: Path) -> Counter[str]:
    """Of pages that are linked to."""
    rows = query(
        out, "select outcome, count(*) from pages where via in ('seed', 'link') group by 1"
    )
    return Counter(dict(rows))


def test_an_origin_whose_robots_txt_fails_leaves_the_others_alone(
    site: Site, tmp_path: Path
) -> None:
    summary = site.crawl(tmp_path / "out", failure_wait=7200.0, unanswered_wait=0)
    assert outcomes(tmp_path / "out") == {"fetched": PAGES}
    assert summary.stopped_by == "on_hold", "what is left waits for its origin, not for its host"
    assert summary.waiting == 1
    assert summary.troubles == {"robots_connect_failed": 1}


def test_what_is_given_up_has_an_outcome_of_its_own(site: Site, tmp_path: Path) -> None:
    summary = site.crawl(tmp_path / "out", give_up=1)
    assert summary.stopped_by == "finished"
    assert outcomes(tmp_path / "out") == {"fetched": PAGES, "robots_unreachable": 1}
    sql = "select url, detail from pages where outcome = 'robots_unreachable'"
    [(url, detail)] = query(tmp_path / "out", sql)
    assert url == site.behind[0]
    assert "connect_failed" in detail


def test_what_waits_for_its_origin_is_kept_and_fetched_when_it_answers(
    large_site: Site, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    summary = large_site.crawl(out, failure_wait=1.5, patience=0.0, unanswered_wait=0)
    assert outcomes(out) == {"fetched": PAGES}
    assert (summary.stopped_by, summary.waiting) == ("on_hold", 1100)
    large_site.open_door()
    summary = gossamer.Crawl.resume(out, patience=600.0).run()
    assert (summary.stopped_by, summary.waiting) == ("finished", 0)
    assert outcomes(out) == {"fetched": PAGES + 1100}
    times = {large_site.asked[path.removeprefix(large_site.closed)] for path in large_site.behind}
    assert times == {1}, "each once"
