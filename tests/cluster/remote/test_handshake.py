"""Only those who know the secret, and are the same Gossamer, have a connection."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from socket import create_server, socket, socketpair
from typing import Any
from unittest.mock import patch

import msgspec
import pytest

import gossamer
from gossamer.cluster.remote import handshake
from gossamer.cluster.remote.handshake import (
    Hello,
    HelloBack,
    RemoteConnectionError,
    Welcome,
    present_oneself,
    receive,
    welcome,
)
from gossamer.cluster.remote.launcher import Ticket
from gossamer.cluster.remote.remote_worker import FAILED, attend

SECRET = b"s" * 32


def meet(
    caller: Callable[[socket], Any], called: Callable[[socket], Any]
) -> tuple[Future[Any], Future[Any]]:
    """What both ends came to; an end that fails hangs up."""

    def act(role: Callable[[socket], Any], end: socket) -> Any:
        with end:
            return role(end)

    ours, theirs = socketpair()
    with ThreadPoolExecutor(2) as pool:
        return pool.submit(act, caller, ours), pool.submit(act, called, theirs)


def call(line: socket, secret: bytes = SECRET) -> Welcome:
    return present_oneself(line, secret, "line", "an incarnation")


def answer(line: socket, secret: bytes = SECRET) -> Hello:
    hello = receive(line, secret)
    welcome(line, Welcome("", 17.0, 20.0))
    return hello


def test_both_know_the_secret() -> None:
    caller, called = meet(call, answer)
    assert caller.result() == Welcome("", 17.0, 20.0)
    hello = called.result()
    assert isinstance(hello, Hello)
    assert (hello.role, hello.incarnation) == ("line", "an incarnation")


def test_neither_talks_to_a_stranger() -> None:
    caller, called = meet(lambda line: call(line, b"guess"), answer)
    with pytest.raises(RemoteConnectionError, match="the supervisor has another secret"):
        caller.result()
    with pytest.raises(RemoteConnectionError, match="closed the connection"):
        called.result()

    def insist(line: socket) -> None:
        """Goes on although the supervisor's proof is not what it should be."""
        with patch("hmac.compare_digest", lambda one, other: True):
            call(line, b"guess")

    def answer_strictly(line: socket) -> None:
        data = handshake._hear_bytes(line)
        back = HelloBack(handshake._MAGIC, handshake.PROTOCOL, gossamer.__version__, b"n" * 32, b"")
        handshake._say(line, msgspec.msgpack.encode(back))
        assert handshake._hear_bytes(line) != handshake._prove(
            SECRET, b"partition", data, b"n" * 32
        )

    meet(insist, answer_strictly)[1].result()


def test_what_was_recorded_is_of_no_use() -> None:
    """The supervisor has another number each time, so an old proof proves nothing."""
    said: list[bytes] = []
    say = handshake._say

    def record(line: socket, data: bytes) -> None:
        said.append(data)
        say(line, data)

    with patch.object(handshake, "_say", record):
        meet(call, answer)[0].result()
    hello, _, proof, _ = said

    def replay(line: socket) -> None:
        say(line, hello)
        handshake._hear_bytes(line)
        say(line, proof)

    with pytest.raises(RemoteConnectionError, match="the peer has another secret"):
        meet(replay, answer)[1].result()


def test_another_version_is_refused_by_both_in_one_line() -> None:
    def call_as_before(line: socket) -> None:
        hello = Hello(handshake._MAGIC, handshake.PROTOCOL, "0.0.1", "line", "an incarnation", b"n")
        handshake._say(line, msgspec.msgpack.encode(hello))
        handshake._hear_bytes(line)

    with pytest.raises(
        RemoteConnectionError, match=r"a node has Gossamer 0\.0\.1 \(protocol 3\), the supervisor"
    ):
        meet(call_as_before, answer)[1].result()

    def answer_as_before(line: socket) -> None:
        handshake._hear_bytes(line)
        back = HelloBack(handshake._MAGIC, 7, "0.0.1", b"n", b"")
        handshake._say(line, msgspec.msgpack.encode(back))

    with pytest.raises(
        RemoteConnectionError, match=r"protocol 7.*install the same version on all machines"
    ):
        meet(call, answer_as_before)[0].result()


def test_who_cannot_get_through_may_try_again() -> None:
    """A connection that is cut says nothing about the partition; a wrong secret stays wrong."""
    with silent_server() as port:
        ticket = Ticket("an incarnation", "127.0.0.1", port, SECRET, "an incarnation")
        with patch.object(handshake, "SECONDS", 0.05):
            ended = attend(ticket, lambda end: iter(()))
    assert (ended.status, ended.may_pass) == (FAILED, True)
    assert "the peer does not answer" in ended.said
    ended = attend(ticket, lambda end: iter(()))
    assert (ended.may_pass, "cannot be reached" in ended.said) == (True, True)


@contextmanager
def silent_server() -> Iterator[int]:
    """Takes calls, and never answers."""
    with create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


_NOT_UTF8 = b"\x81\xa5magic\xa1\xff"
"""A record of which a field should be text."""


@pytest.mark.parametrize(
    "noise",
    [
        *(b"", b"GET / HTTP/1.1\r\n\r\n", b"\xff" * 99, b"\2\0\0\0xx"),
        len(_NOT_UTF8).to_bytes(4, "little") + _NOT_UTF8,
    ],
)
def test_noise_is_no_gossamer(noise: bytes) -> None:
    with pytest.raises(RemoteConnectionError):
        meet(lambda line: line.sendall(noise), answer)[1].result()
