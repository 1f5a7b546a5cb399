"""The server: keep-alive, pipelining, the log, its addresses, its end."""

import os
import select
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from gossamer.core.errors import SettingsError
from gossamer.lab import Server, Web, read_log, serve
from gossamer.lab.behaviours import Slow
from tests.lab.wire import send_raw, split_reply


def ask(host: str, target: str = "/", method: str = "GET", *fields: str) -> bytes:
    return "\r\n".join([f"{method} {target} HTTP/1.1", f"Host: {host}", *fields, "", ""]).encode()


CLOSE = "Connection: close"


def test_one_connection_serves_many_requests_even_when_sent_ahead() -> None:
    with Server(Web(7, 200, 5), keep_log=True) as server:
        host = server.web.names[0]
        targets = [server.web.url(0, i).removeprefix(server.web.origin(0)) for i in range(20)]
        requests = [ask(host, target) for target in targets]
        requests[-1] = ask(host, targets[-1], "GET", CLOSE)
        data = send_raw("127.10.0.1", server.http_port, b"".join(requests))
        for index in range(20):
            reply = split_reply(data)
            length = int(reply.fields["content-length"])
            answer = server.web.answer_at(0, targets[index])
            assert reply.raw[:length] == server.web.body_of(answer)
            data = reply.raw[length:]
        assert data == b""
        assert [request.path for request in server.log] == targets
        assert len({request.peer for request in server.log}) == 1


def test_head_has_no_body() -> None:
    with Server(Web(7, 50, 5)) as server:
        host = server.web.names[0]
        head = split_reply(send_raw("127.10.0.1", server.http_port, ask(host, "/", "HEAD", CLOSE)))
        whole = split_reply(send_raw("127.10.0.1", server.http_port, ask(host, "/", "GET", CLOSE)))
        assert head.raw == b""
        assert head.fields == whole.fields


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (ask("nobody.test"), 421),
        (b"GET / HTTP/1.1\r\n\r\n", 421),
        (ask("HOST", "/", "POST"), 405),
        (ask("HOST", "/nothing", "GET", CLOSE), 404),
    ],
)
def test_refusals(request_: bytes, status: int) -> None:
    with Server(Web(7, 50, 5)) as server:
        request_ = request_.replace(b"HOST", server.web.names[0].encode())
        assert split_reply(send_raw("127.10.0.1", server.http_port, request_)).status == status


@pytest.mark.parametrize("nonsense", [b"hello\r\n\r\n", b"\r\n\r\n", b"x" * 70_000])
def test_nonsense_is_hung_up_on(nonsense: bytes) -> None:
    with Server(Web(7, 50, 5)) as server:
        with suppress(ConnectionResetError):  # closed before all of it was read
            assert send_raw("127.10.0.1", server.http_port, nonsense) == b""
        good = ask(server.web.names[0], "/", "GET", CLOSE)
        assert split_reply(send_raw("127.10.0.1", server.http_port, good)).status == 200


def test_waiting_for_one_client_does_not_hold_up_another() -> None:
    """A machine may be too busy for the other to ask within a second."""
    assert any(_is_overtaken(seconds) for seconds in (1.0, 10.0, 60.0))


def _is_overtaken(seconds: float) -> bool:
    """Does who asks later have its answer before one that takes so many seconds?"""
    web = Web(7, 50, 2, behaviours=(Slow(every=1, shortest=seconds, longest=seconds),))
    with Server(web, keep_log=True) as server:
        host = server.web.names[0]
        with socket.create_connection(("127.10.0.1", server.http_port)) as slow:
            slow.sendall(ask(host))
            fast = ask(host, "/robots.txt", "GET", CLOSE)
            assert split_reply(send_raw("127.10.0.1", server.http_port, fast)).status == 200
            answered = [request.path for request in server.log]
            slow.settimeout(60 + seconds)
            assert slow.recv(100).startswith(b"HTTP/1.1 200")
    return answered == ["/robots.txt"]


def test_times_in_the_log() -> None:
    with serve(Web(7, 100, 5)) as served:
        before = time.time()
        for index in range(10):
            target = served.web.url(0, index).removeprefix(served.web.origin(0))
            send_raw("127.10.0.1", served.http_port, ask(served.web.names[0], target, "GET", CLOSE))
        after = time.time()
        log = served.requests()
        times = [time_ for request in log for time_ in (request.start, request.end)]
        assert len(log) == 10
        assert times == sorted(times)
        assert before - 0.1 < times[0] < times[-1] < after + 0.1
        assert {(request.method, request.status) for request in log} == {("GET", 200)}
        assert {request.address for request in log} == {"127.10.0.1"}


def test_log_in_a_file(tmp_path: Path) -> None:
    place = tmp_path / "requests.tsv"
    with Server(Web(7, 50, 5), log=place, keep_log=True) as server:
        for target in ("/", "/nothing", "/a\tb"):
            request = ask(server.web.names[0], target, "GET", CLOSE)
            send_raw("127.10.0.1", server.http_port, request)
    written = read_log(place)
    assert [(r.path, r.status) for r in written] == [("/", 200), ("/nothing", 404), ("/a%09b", 404)]
    assert abs(written[0].start - next(iter(server.log)).start) < 1e-5


def test_only_loopback_addresses_on_one_port() -> None:
    with Server(Web(7, 100, 40), addresses=40) as server:
        for number in (0, 39):
            request = ask(server.web.names[number], "/", "GET", CLOSE)
            reply = send_raw(f"127.10.0.{number + 1}", server.http_port, request)
            assert split_reply(reply).status == 200
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", server.http_port), timeout=60)
        with pytest.raises(SettingsError, match="cannot listen on port"):
            Server(Web(7, 100, 40), http_port=server.http_port)
        with pytest.raises(SettingsError, match=f"port {server.http_port}"):
            serve(Web(7, 100, 40), http_port=server.http_port)
    with pytest.raises(SettingsError, match="addresses"):
        Server(Web(7, 100, 5), addresses=1_000_000)


def test_the_child_ends_with_its_parent() -> None:
    program = (
        "import sys\nfrom gossamer.lab import Web, serve\n"
        "served = serve(Web(7, 50, 5))\nprint(served.pid, flush=True)\nsys.stdin.read()\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    handle = os.pidfd_open(child)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    assert parent.stdin is not None
    parent.stdin.close()
    try:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        assert poll.poll(120_000), "the child outlived its parent"
    finally:
        os.close(handle)
