"""Ways to a server: TLS, HTTP/2, IPv6, proxies, logins, cookies, files."""

import socket
import ssl
import threading
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import h2.config
import h2.connection
import h2.events
import pytest

from gossamer.core.outcomes import Outcome
from gossamer.core.settings import FetchSettings
from gossamer.pipeline.fetch.libcurl_request import write_conditions
from tests.misbehaving.certificates import Authority, Wish
from tests.needs import needs
from tests.pipeline.fetch.test_fetcher import OK, fetch, serving

Serve = Callable[[socket.socket], None]


@contextmanager
def listening(serve: Serve, family: int = socket.AF_INET) -> Iterator[int]:
    """A server that gives each connection to `serve`, in a thread of its own; yields its port."""
    address = "127.0.0.1" if family == socket.AF_INET else "::1"
    with socket.create_server((address, 0), family=family) as server:

        def accept() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    threading.Thread(target=run, args=(connection,), daemon=True).start()

        def run(connection: socket.socket) -> None:
            with connection, suppress(OSError):
                serve(connection)

        threading.Thread(target=accept, daemon=True).start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)


def _speak_h2(context: ssl.SSLContext) -> Serve:
    def serve(raw: socket.socket) -> None:
        with context.wrap_socket(raw, server_side=True) as stream:
            config = h2.config.H2Configuration(client_side=False)
            connection = h2.connection.H2Connection(config)
            connection.initiate_connection()
            stream.sendall(connection.data_to_send())
            while data := stream.recv(65536):
                for event in connection.receive_data(data):
                    if isinstance(event, h2.events.RequestReceived):
                        fields = [
                            (":status", "200"),
                            ("content-type", "text/html"),
                            ("x-h2", "yes"),
                        ]
                        connection.send_headers(event.stream_id, fields)
                        connection.send_data(event.stream_id, b"two", end_stream=True)
                stream.sendall(connection.data_to_send())

    return serve


def test_http_2_is_spoken_where_the_server_does(tmp_path: Path) -> None:
    authority = Authority()
    context = authority.context(Wish("two.test"))
    context.set_alpn_protocols(["h2", "http/1.1"])
    pem = tmp_path / "ca.pem"
    pem.write_bytes(authority.pem)
    settings = FetchSettings(allow_private=True, ca_file=str(pem), timeout=60)
    with listening(_speak_h2(context)) as port:
        first, second = fetch(*[f"https://two.test:{port}/{n}" for n in (1, 2)], settings=settings)
    for page in (first, second):
        assert (page.outcome, page.status, page.body) == (Outcome.FETCHED, 200, b"two")
        assert page.protocol == "h2"
        assert page.head.startswith(b"HTTP/1.1 200 \r\n"), "archives are read by HTTP/1 tools"
        assert page.headers.get("x-h2") == "yes"


def test_tls_is_verified_unless_switched_off() -> None:
    context = Authority().context(Wish("self.test", is_self_signed=True))

    def serve(raw: socket.socket) -> None:
        with context.wrap_socket(raw, server_side=True) as stream:
            stream.recv(65536)
            stream.sendall(OK)

    with listening(serve) as port:
        [refused] = fetch(f"https://self.test:{port}/")
        [taken] = fetch(
            f"https://self.test:{port}/",
            settings=FetchSettings(allow_private=True, verify_tls=False, timeout=60),
        )
    assert refused.outcome is Outcome.TLS_FAILED
    assert taken.outcome is Outcome.FETCHED
    assert taken.detail == "certificate not verified (OpenSSL: 18)"


def _has_ipv6() -> bool:
    with suppress(OSError), socket.create_server(("::1", 0), family=socket.AF_INET6):
        return True
    return False


@pytest.mark.skipif(not _has_ipv6(), reason=needs("ipv6", "this machine has no IPv6 loopback"))
def test_ipv6() -> None:
    def serve(connection: socket.socket) -> None:
        connection.recv(65536)
        connection.sendall(OK)

    with listening(serve, socket.AF_INET6) as port:
        [literal] = fetch(f"http://[::1]:{port}/", address="::1")
        [named] = fetch(f"http://six.test:{port}/", address="::1")
        [private] = fetch(f"http://six.test:{port}/", address="::1", settings=FetchSettings())
    assert literal.outcome is named.outcome is Outcome.FETCHED
    assert named.address == "::1"
    assert private.outcome is Outcome.PRIVATE_ADDRESS


def test_an_http_proxy_is_asked_instead() -> None:
    with serving(OK) as proxy:
        settings = FetchSettings(proxy=f"http://127.0.0.1:{proxy.port}", timeout=60)
        [page] = fetch("http://far.test/page", settings=settings, address="far.test")
        [inside] = fetch("http://10.0.0.1/", settings=settings, address="10.0.0.1")
    assert page.outcome is Outcome.FETCHED
    assert proxy.requests[0].startswith(b"GET http://far.test/page HTTP/1.1\r\n")
    assert inside.outcome is Outcome.PRIVATE_ADDRESS
    assert len(proxy.requests) == 1


def test_https_goes_through_a_tunnel_of_the_proxy(tmp_path: Path) -> None:
    authority = Authority()
    context = authority.context(Wish("far.test"))
    pem = tmp_path / "ca.pem"
    pem.write_bytes(authority.pem)

    def serve(raw: socket.socket) -> None:
        assert raw.recv(65536).startswith(b"CONNECT far.test:443 HTTP/1.1\r\n")
        raw.sendall(b"HTTP/1.1 200 Connection established\r\nX-Proxy: yes\r\n\r\n")
        with context.wrap_socket(raw, server_side=True) as stream:
            stream.recv(65536)
            stream.sendall(OK)

    with listening(serve) as port:
        settings = FetchSettings(proxy=f"http://127.0.0.1:{port}", ca_file=str(pem), timeout=60)
        [page] = fetch("https://far.test/", settings=settings, address="far.test")
    assert (page.outcome, page.body) == (Outcome.FETCHED, b"ok")
    assert b"X-Proxy" not in page.head


def test_a_socks_proxy_is_given_the_name() -> None:
    names = []

    def serve(connection: socket.socket) -> None:
        connection.recv(262)
        connection.sendall(b"\x05\x00")  # no authentication
        request = connection.recv(262)
        names.append(request[5 : 5 + request[4]])
        connection.sendall(b"\x05\x00\x00\x01\x7f\x00\x00\x01\x00\x50")
        connection.recv(65536)
        connection.sendall(OK)

    with listening(serve) as port:
        settings = FetchSettings(proxy=f"socks5h://127.0.0.1:{port}", timeout=60)
        [page] = fetch("http://far.test/page", settings=settings, address="far.test")
    assert page.outcome is Outcome.FETCHED
    assert names == [b"far.test"]


def test_a_proxy_that_is_not_there() -> None:
    settings = FetchSettings(proxy="socks5h://127.0.0.1:1", timeout=60)
    [page] = fetch("http://far.test/", settings=settings, address="far.test")
    assert page.outcome in (Outcome.PROXY_FAILED, Outcome.CONNECT_FAILED)


def test_logins_and_cookies_go_to_their_host_only() -> None:
    settings = FetchSettings(
        allow_private=True,
        logins={"mine.test": "me:secret"},
        cookies={"mine.test": "a=1; b=2"},
        timeout=60,
    )
    with serving(OK) as server:
        urls = [f"http://{host}.test:{server.port}/" for host in ("mine", "other")]
        mine, other = sorted(fetch(*urls, settings=settings), key=lambda page: page.url)
    token = b64encode(b"me:secret")
    assert b"Authorization: Basic " + token in mine.request
    assert b"Cookie: a=1; b=2" in mine.request
    assert b"Authorization" not in other.request
    assert b"Cookie" not in other.request
    assert sorted(server.requests) == sorted([mine.request, other.request])


def test_cookies_that_a_server_sets_are_not_kept() -> None:
    answer = b"HTTP/1.1 200 OK\r\nSet-Cookie: x=1\r\nContent-Length: 2\r\n\r\nok"
    with serving(answer) as server:
        fetch(*[f"http://some.test:{server.port}/"] * 3)
    assert all(b"ookie" not in request for request in server.requests)


def test_conditions() -> None:
    lines = write_conditions('"abc"', "Sun, 15 Nov 2026 07:00:00 GMT")
    assert lines == (
        'If-None-Match: "abc"',
        "If-Modified-Since: Sun, 15 Nov 2026 07:00:00 GMT",
    )
    assert write_conditions("", "") == ()
    assert write_conditions("a\r\nX-Injected: 1", "b\nc") == ()


def test_files_when_switched_on(tmp_path: Path) -> None:
    folder = tmp_path / "some docs"
    folder.mkdir()
    (folder / "a&b.html").write_text("<title>A</title>")
    settings = FetchSettings(schemes=("http", "https", "file"), max_body=10)
    base = f"file://{tmp_path}/some%20docs"
    listing, page, gone = fetch(f"{base}/", f"{base}/a&b.html", f"{base}/x.html", settings=settings)
    assert b'<a href="./a%26b.html">a&amp;b.html</a>' in listing.body
    assert (page.status, page.media_type, page.body) == (200, "text/html", b"<title>A</")
    assert page.truncated == "length"
    assert gone.status == 404


def test_files_are_off_by_default() -> None:
    [page] = fetch("file:///etc/hostname", settings=FetchSettings())
    assert page.outcome in (Outcome.BAD_RESPONSE, Outcome.BAD_URL)
    assert page.body == b""


def test_an_unknown_scheme_is_one_clear_line() -> None:
    with pytest.raises(Exception, match="there is no fetcher for 'gopher'"):
        fetch("gopher://a.test/", settings=FetchSettings(schemes=("gopher",)))
