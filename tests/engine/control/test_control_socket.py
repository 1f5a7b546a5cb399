"""The door: who may come in, and what clients cannot do."""

import os
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gossamer.core.poller import Poller
from gossamer.engine.control import control_socket as request_gate
from gossamer.engine.control.control_socket import NAME, ControlSocket, short_path


@contextmanager
def opened(state: Path) -> Iterator[tuple[ControlSocket, Poller]]:
    poller = Poller()
    door = ControlSocket(state, poller)
    try:
        yield door, poller
    finally:
        door.close()
        poller.close()


def call(state: Path) -> socket.socket:
    line = socket.socket(socket.AF_UNIX)
    line.settimeout(30)
    with short_path(state) as path:
        line.connect(path)
    return line


def received(door: ControlSocket, poller: Poller) -> list[tuple[int, bytes]]:
    """All that has been sent by now."""
    while poller.wait(0.0):
        pass
    return door.received()


def test_lines_go_in_and_answers_come_out(tmp_path: Path) -> None:
    with opened(tmp_path) as (door, poller), call(tmp_path) as one, call(tmp_path) as other:
        one.sendall(b"first\nsecond\nhal")
        other.sendall(b"third\n")
        found = received(door, poller)
        assert sorted(line for _, line in found) == [b"first", b"second", b"third"]
        one.sendall(b"f\n")
        assert [line for _, line in received(door, poller)] == [b"half"]
        for number, line in found:
            door.say(number, line.upper())
        assert one.makefile("rb").readline() + other.recv(100) == b"FIRST\nTHIRD\n"


def test_only_the_owner_may_use_it_and_it_goes_with_the_crawl(tmp_path: Path) -> None:
    with opened(tmp_path):
        mode = (tmp_path / NAME).stat().st_mode
        assert stat.S_ISSOCK(mode)
        assert stat.S_IMODE(mode) == 0o600
    assert not (tmp_path / NAME).exists()


def test_a_stale_socket_is_replaced_and_nobody_answers_there(tmp_path: Path) -> None:
    poller = Poller()
    ControlSocket(tmp_path, poller).leave()  # as if killed
    assert (tmp_path / NAME).exists()
    with pytest.raises(ConnectionRefusedError):
        call(tmp_path)
    with opened(tmp_path) as (door, other), call(tmp_path) as line:
        line.sendall(b"hello\n")
        assert received(door, other)
    poller.close()


def test_a_path_may_be_long(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*["a" * 60] * 4)
    deep.mkdir(parents=True)
    with opened(deep) as (door, poller), call(deep) as line:
        line.sendall(b"hello\n")
        assert received(door, poller)


def test_a_client_that_has_sent_all_still_gets_its_answer(tmp_path: Path) -> None:
    with opened(tmp_path) as (door, poller), call(tmp_path) as line:
        line.sendall(b"hello\n")
        line.shutdown(socket.SHUT_WR)
        [(number, _)] = received(door, poller)
        door.say(number, b"good bye")
        assert line.makefile("rb").read() == b"good bye\n", "and is hung up on"


def test_clients_that_ask_too_much_are_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_gate, "LONGEST", 1000)
    monkeypatch.setattr(request_gate, "_MOST_UNREAD", 1 << 20)
    with opened(tmp_path) as (door, poller):
        with call(tmp_path) as line:
            line.sendall(b"x" * 5000)
            assert received(door, poller) == []
            assert _is_dropped(line)
        with call(tmp_path) as line:
            line.sendall(b"x\n" * 500)
            received(door, poller)
            assert _is_dropped(line)
        with call(tmp_path) as line:
            line.sendall(b"x\n" * 50)
            for number, _ in received(door, poller):
                door.say(number, b"y" * 100_000)  # which it does not read
            assert not door._clients
        with call(tmp_path) as line:
            line.sendall(b"well behaved\n")
            assert len(received(door, poller)) == 1


def _is_dropped(line: socket.socket) -> bool:
    try:
        return line.recv(1) == b""
    except ConnectionResetError:
        return True


def test_who_has_been_there_longest_makes_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_gate, "_MOST_CLIENTS", 3)
    with opened(tmp_path) as (door, poller):
        lines = []
        for _ in range(6):
            lines.append(call(tmp_path))
            received(door, poller)
        lines[-1].sendall(b"I am here\n")
        assert len(received(door, poller)) == 1
        assert len(door._clients) == 3
        for line in lines:
            line.close()


def test_other_users_are_not_let_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root is let in everywhere; so here nobody is taken for root."""
    monkeypatch.setattr(request_gate, "_PEER", _Peer(os.getuid() + 1))
    with opened(tmp_path) as (door, poller), call(tmp_path) as line:
        line.sendall(b"hello\n")
        assert received(door, poller) == []
        assert _is_dropped(line)


class _Peer:
    """In the place of what the kernel says of who calls."""

    size = 12

    def __init__(self, user: int) -> None:
        self._user = user

    def unpack(self, data: bytes) -> tuple[int, int, int]:
        return 1, self._user, 1
