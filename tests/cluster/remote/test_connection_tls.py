"""With TLS nobody reads a connection, or says anything on it, who has no certificate of the cluster."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import create_connection, create_server, socket
from threading import Thread

import pytest

from gossamer.cluster.carrier import End
from gossamer.cluster.frames import Frame, FrameKind
from gossamer.cluster.remote.connection_listener import ConnectionListener
from gossamer.cluster.remote.connection_tls import ConnectionTls
from gossamer.cluster.remote.handshake import RemoteConnectionError
from gossamer.cluster.remote.launcher import IncarnationEnded, Ticket
from gossamer.cluster.remote.remote_worker import FAILED, attend
from gossamer.cluster.wire import Wire
from gossamer.core.clock import SystemClock
from gossamer.core.poller import Poller
from tests.cluster.remote.listener import Listener
from tests.cluster.remote.tls_files import make_files, switch_on
from tests.misbehaving.certificates import Authority
from tests.processes import wait_until

WORD = b"http://secret.test/"


@contextmanager
def board(tls: ConnectionTls | None) -> Iterator[ConnectionListener]:
    made = ConnectionListener("127.0.0.1", 20.0, SystemClock(), tls)
    try:
        yield made
    finally:
        made.close()


def call(
    made: ConnectionListener, *, has_tls: bool, address: tuple[str, int] | None = None
) -> IncarnationEnded:
    """An incarnation that says one thing."""

    def live(end: End) -> Iterator[None]:
        end.say(Frame(FrameKind.SAID, body=WORD * 20))
        yield

    made.expect("an incarnation")
    return attend(
        Ticket("n", *(address or made.address), made.secret, "an incarnation", has_tls), live
    )


@pytest.mark.parametrize("has_tls", [True, False])
def test_who_listens_learns_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_tls: bool
) -> None:
    files = make_files(Authority(), tmp_path)
    switch_on(files, monkeypatch)
    with board(files if has_tls else None) as made:
        listener = Listener(made.address)
        assert call(made, has_tls=has_tls, address=listener.address) == IncarnationEnded(0)
        listener.hear_out()
    assert (WORD in listener.heard) is not has_tls
    assert (b"gossamer line" in listener.heard) is not has_tls


@pytest.mark.parametrize("who", ["plain", "stranger", "impostor"])
def test_strangers_have_no_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, who: str, caplog: pytest.LogCaptureFixture
) -> None:
    """One without TLS, one with a certificate of another authority, and one who trusts only another."""
    ours, theirs = Authority(), Authority("Another one")
    (tmp_path / "their").mkdir()
    files = make_files(ours, tmp_path)
    if who == "stranger":
        switch_on(make_files(theirs, tmp_path / "their", trusted=ours), monkeypatch)
    else:
        switch_on(make_files(ours, tmp_path / "their", trusted=theirs), monkeypatch)
    with board(files) as made:
        ended = call(made, has_tls=who != "plain")
        assert ended.status == FAILED
        wait_until(lambda: "TLS handshake failed" in caplog.text)
    if who == "impostor":  # others may hear no more than that the connection was cut
        assert "certificate verify failed" in ended.said
        assert not ended.may_pass


def test_a_node_without_certificates_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RAY_USE_TLS", raising=False)
    with board(None) as made:
        ended = call(made, has_tls=True)
    assert "start Ray with RAY_USE_TLS=1 on all" in ended.said


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(
        RemoteConnectionError, match="RAY_USE_TLS is on, but RAY_TLS_SERVER_CERT is not set"
    ):
        ConnectionTls.from_environment({"RAY_USE_TLS": "1"})
    assert ConnectionTls.from_environment({"RAY_USE_TLS": "0"}) is None
    with pytest.raises(RemoteConnectionError, match="cannot be used"):
        ConnectionTls(*[str(tmp_path / "nothing")] * 3).check()


def test_much_goes_both_ways_at_once(tmp_path: Path) -> None:
    """More than a connection has room for: nobody waits, and nothing is lost or out of order."""
    files = make_files(Authority(), tmp_path)
    with create_server(("127.0.0.1", 0)) as server:
        ends: list[socket] = []

        def answer() -> None:
            ends.append(files.answer(server.accept()[0], 10.0))

        thread = Thread(target=answer)
        thread.start()
        near = files.call(create_connection(server.getsockname()), 10.0)
        thread.join()
    poller = Poller()
    wires = [Wire(near, poller), Wire(ends[0], poller)]
    frames = [
        Frame(FrameKind.BATCH, 1, 2, number, bytes([number]) * 300_000) for number in range(40)
    ]
    arrived: list[list[Frame]] = [[], []]
    for wire in wires:
        for frame in frames:
            wire.send(frame)
    assert all(wire.waiting_bytes for wire in wires)
    _until(lambda: all(len(some) == len(frames) for some in arrived), poller, wires, arrived)
    assert arrived == [frames, frames]
    for wire in wires:
        wire.close()
    poller.close()


def _until(
    is_so: Callable[[], bool], poller: Poller, wires: list[Wire], arrived: list[list[Frame]]
) -> None:
    while not is_so():
        poller.wait(1.0)
        for wire, some in zip(wires, arrived, strict=True):
            some += wire.frames()
