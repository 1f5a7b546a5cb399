"""The fetcher against a real server on a loopback address."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from gossamer.core.clock import SystemClock
from gossamer.core.outcomes import Outcome, Truncation
from gossamer.core.poller import Poller
from gossamer.core.records import Page, Via, Visit
from gossamer.core.request import Request
from gossamer.core.settings import FetchSettings
from gossamer.pipeline.fetch import Fetcher, open_fetcher
from tests.present import parse

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


class Server:
    """Answers every request on every connection with the same bytes, and remembers the requests."""

    def __init__(self, answer: bytes) -> None:
        self.requests: list[bytes] = []
        self.connections = 0
        self._answer = answer
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, suppress(ConnectionError):
            while request := connection.recv(65536):
                self.requests.append(request)
                connection.sendall(self._answer)

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


@contextmanager
def serving(answer: bytes) -> Iterator[Server]:
    server = Server(answer)
    try:
        yield server
    finally:
        server.close()


def fetch(
    *urls: str, settings: FetchSettings | None = None, address: str = "127.0.0.1"
) -> list[Page]:
    settings = settings or FetchSettings(allow_private=True, timeout=60)
    poller = Poller()
    fetcher = open_fetcher(settings, "Gossamer/test", poller, SystemClock())
    for url in urls:
        fetcher.start(Visit(parse(url)), address)
    pages: list[Page] = []
    while len(pages) < len(urls):
        timeout = fetcher.next_timeout()
        poller.wait(1.0 if timeout is None else min(1.0, timeout))
        fetcher.tick()
        pages += fetcher.finished()
    assert fetcher.in_flight == 0
    fetcher.close()
    poller.close()
    return pages


@pytest.mark.parametrize("target", ["/", "/a%20b?x=1&y=[2]|", "/%C3%BC/;p"])
def test_the_request_is_recorded_as_it_was_sent(target: str) -> None:
    with serving(OK) as server:
        [page] = fetch(f"http://some.test:{server.port}{target}")
    assert page.outcome is Outcome.FETCHED
    assert [page.request] == server.requests


def test_a_page_holds_the_exchange() -> None:
    answer = (
        b"HTTP/1.1 404 Nope\r\nContent-Type: Text/HTML; charset=x\r\nContent-Length: 4\r\n\r\ngone"
    )
    with serving(answer) as server:
        [page] = fetch(f"http://some.test:{server.port}/x")
    assert page.head + page.payload == answer
    assert (page.status, page.media_type, page.body) == (404, "text/html", b"gone")
    assert page.body is page.payload
    assert (page.address, page.protocol, page.detail) == ("127.0.0.1", "http/1.1", "")
    assert page.seconds > 0


def test_chunks_stay_in_the_payload() -> None:
    chunked = b"3\r\nabc\r\n0\r\nX-Trailer: t\r\n\r\n"
    answer = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked
    with serving(answer) as server:
        first, second = fetch(*[f"http://some.test:{server.port}/"] * 2)
    assert first.payload == second.payload == chunked
    assert first.body == b"abc"
    assert b"Trailer" not in first.head


def test_redirects_are_pages() -> None:
    with serving(b"HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n") as server:
        [page] = fetch(f"http://some.test:{server.port}/here")
    assert (page.status, page.location) == (302, "/there")
    assert len(server.requests) == 1


def test_connections_are_kept_alive() -> None:
    with serving(OK) as server:
        poller = Poller()
        fetcher = Fetcher(FetchSettings(allow_private=True), "Gossamer/test", poller, SystemClock())
        for _ in range(20):
            fetcher.start(Visit(parse(f"http://some.test:{server.port}/")), "127.0.0.1")
            while not fetcher.finished():
                poller.wait(0.01)
                fetcher.tick()
        fetcher.close()
    assert len(server.requests) == 20
    assert server.connections == 1


def test_five_hundred_at_once_in_one_thread() -> None:
    """No server answers before all 500 requests are there, so they must be in flight together."""
    barrier = threading.Barrier(500, timeout=60)

    class Gathering(Server):
        def _serve(self, connection: socket.socket) -> None:
            with connection:
                connection.recv(65536)
                barrier.wait()
                connection.sendall(OK)

    server = Gathering(OK)
    pages = fetch(
        *(f"http://h{number}.test:{server.port}/" for number in range(500)),
        settings=FetchSettings(allow_private=True, transfers=500, timeout=60),
    )
    server.close()
    assert [page.outcome for page in pages] == [Outcome.FETCHED] * 500


def test_a_body_over_the_limit_is_cut() -> None:
    answer = b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + b"x" * 100_000
    with serving(answer) as server:
        settings = FetchSettings(allow_private=True, max_body=1000)
        [page] = fetch(f"http://some.test:{server.port}/", settings=settings)
    assert (page.outcome, page.truncated) == (Outcome.FETCHED, Truncation.LENGTH)
    assert page.payload == b"x" * 1000


def test_private_addresses_are_refused_at_the_socket() -> None:
    with serving(OK) as server:
        [page] = fetch(f"http://public-name.test:{server.port}/", settings=FetchSettings())
    assert page.outcome is Outcome.PRIVATE_ADDRESS
    assert page.detail == "127.0.0.1 is not a public address"
    assert server.connections == 0


def test_nobody_listens() -> None:
    with socket.socket() as bound:  # so that nobody else listens there
        bound.bind(("127.0.0.1", 0))
        [page] = fetch(f"http://some.test:{bound.getsockname()[1]}/")
    assert page.outcome is Outcome.CONNECT_FAILED
    assert page.status == 0


def test_closing_with_transfers_under_way() -> None:
    with serving(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this") as server:
        poller = Poller()
        fetcher = Fetcher(FetchSettings(allow_private=True), "Gossamer/test", poller, SystemClock())
        fetcher.start(Visit(parse(f"http://some.test:{server.port}/")), "127.0.0.1")
        while not server.requests:
            poller.wait(0.01)
            fetcher.tick()
        fetcher.close()
    assert fetcher.statistics().in_flight == 0


@pytest.mark.parametrize(
    "request_",
    [
        Request("http://some.test/", body="q=a+cake"),
        Request("http://some.test/", body=bytes(range(256)), media_type="image/png"),
        Request("http://some.test/", body=""),
        Request("http://some.test/", method="GET", session="me"),
    ],
)
def test_a_request_is_recorded_as_it_was_sent(request_: Request) -> None:
    settings = FetchSettings(allow_private=True, timeout=60, cookies={"me@some.test": "a=1"})
    with serving(OK) as server:
        url = parse(f"http://some.test:{server.port}/s?x=1")
        assert url is not None
        poller = Poller()
        fetcher = Fetcher(settings, "Gossamer/test", poller, SystemClock())
        pages: list[Page] = []
        for one in (request_.at(url), url):  # a plain URL by the same handle afterwards
            via = Via.REQUEST if one is not url else Via.SEED
            fetcher.start(Visit(one, via=via), "127.0.0.1")
            before = len(pages)
            while len(pages) == before:
                poller.wait(1.0)
                fetcher.tick()
                pages += fetcher.finished()
        fetcher.close()
        poller.close()
    assert [page.request for page in pages] == server.requests
    assert (b"Cookie: a=1" in pages[0].request) == (request_.session == "me")
    assert pages[1].request.startswith(b"GET /s?x=1 HTTP/1.1\r\n")
    assert b"Content-" not in pages[1].request
