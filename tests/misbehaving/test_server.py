"""The misbehaving server itself can be relied on."""

import socket
import threading
from collections.abc import Iterator

import pytest

from tests.misbehaving import BEHAVIOURS, MisbehavingServer


@pytest.fixture
def server() -> Iterator[MisbehavingServer]:
    with MisbehavingServer() as server:
        yield server


def ask(server: MisbehavingServer, path: str, host: str = "any.test") -> socket.socket:
    """Send a request and leave the connection open."""
    client = socket.create_connection((server.address, server.port), timeout=60)
    client.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}:{server.port}\r\n\r\n".encode())
    return client


def read_all(client: socket.socket) -> bytes:
    with client:
        return b"".join(iter(lambda: client.recv(65536), b""))


def test_path_chooses_the_behaviour(server: MisbehavingServer) -> None:
    assert read_all(ask(server, "/length_too_short")).endswith(b"\r\n\r\nhello")


def test_host_chooses_the_robots_file(server: MisbehavingServer) -> None:
    with ask(server, "/robots.txt", "robots-500.test") as client:
        assert client.recv(100).startswith(b"HTTP/1.1 500 ")
    with ask(server, "/robots.txt", "robots-403.test") as client:
        assert client.recv(100).startswith(b"HTTP/1.1 403 ")


def test_well_behaved_pages_and_honest_404(server: MisbehavingServer) -> None:
    for path, status in (("/", b"200"), ("/ok/7", b"200"), ("/nothing", b"404")):
        with ask(server, path) as client:
            assert client.recv(100).split()[1] == status


def test_requests_are_logged_with_start_and_end(server: MisbehavingServer) -> None:
    read_all(ask(server, "/empty_page", "empty-page.test"))
    (served,) = server.log
    assert (served.host, served.path) == ("empty-page.test", "/empty_page")
    assert served.started <= served.ended
    assert server.times_served("/empty_page") == 1


def test_every_behaviour_has_a_url_of_its_own(server: MisbehavingServer) -> None:
    assert len({server.url(name) for name in BEHAVIOURS}) == len(BEHAVIOURS)


def test_raw_answers_are_sent_as_they_are() -> None:
    with MisbehavingServer(raw={"a.asis": b"\0anything"}) as server:
        assert read_all(ask(server, "/raw/a.asis")) == b"\0anything"


@pytest.mark.parametrize("path", ["/silent", "/slow_body", "/endless_body", "/endless_header"])
def test_leaving_ends_hundreds_of_connections(path: str) -> None:
    before = set(threading.enumerate())
    with MisbehavingServer() as server:
        clients = [ask(server, path) for _ in range(200)]
    assert set(threading.enumerate()) <= before
    for client in clients:
        client.close()
