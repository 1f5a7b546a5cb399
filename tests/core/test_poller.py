"""One place that waits: who is called, and who no more."""

import os
import socket
from collections.abc import Iterator

import pytest

from gossamer.core.poller import READ, Poller


class Calls:
    """Notes who was called, and reads what came."""

    def __init__(self) -> None:
        self.fds: list[int] = []

    def take(self, fd: int, events: int) -> None:
        self.fds.append(fd)
        os.read(fd, 100)


@pytest.fixture
def poller() -> Iterator[Poller]:
    poller = Poller()
    yield poller
    poller.close()


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    here, there = socket.socketpair()
    with here, there:
        yield here, there


Ends = tuple[socket.socket, socket.socket]


def test_who_rests_is_called_again_when_it_is_watched(poller: Poller, ends: Ends) -> None:
    (here, there), calls = ends, Calls()
    poller.watch(here.fileno(), READ, calls.take)
    poller.rest(here.fileno())
    poller.watch(here.fileno(), READ, calls.take)
    there.send(b"x")
    assert (poller.wait(1.0), calls.fds) == (1, [here.fileno()])


def test_who_rests_is_not_called_and_falls_silent(poller: Poller, ends: Ends) -> None:
    (here, there), calls = ends, Calls()
    poller.watch(here.fileno(), READ, calls.take)
    poller.rest(here.fileno())
    there.send(b"x")
    assert poller.wait(1.0) == 1
    assert poller.wait(0.0) == 0
    assert calls.fds == []
    poller.watch(here.fileno(), READ, calls.take)
    assert (poller.wait(1.0), calls.fds) == (1, [here.fileno()])


def test_a_number_that_is_used_again_is_watched_anew(poller: Poller, ends: Ends) -> None:
    (here, there), calls = ends, Calls()
    first, other = socket.socketpair()
    with first, other:
        poller.watch(first.fileno(), READ, calls.take)
        poller.rest(first.fileno())
        number = first.fileno()
        poller.wake()
        os.dup2(here.fileno(), number)  # closes the first one, and is there in its place
        poller.watch(number, READ, calls.take)
        there.send(b"x")
        assert (poller.wait(1.0), calls.fds) == (1, [number])


def test_another_owner_of_a_number_is_called(poller: Poller, ends: Ends) -> None:
    (here, there), calls, others = ends, Calls(), Calls()
    poller.watch(here.fileno(), READ, calls.take)
    poller.rest(here.fileno())
    poller.watch(here.fileno(), READ, others.take)
    there.send(b"x")
    assert (poller.wait(1.0), calls.fds, others.fds) == (1, [], [here.fileno()])


def test_a_descriptor_that_lives_on_elsewhere_is_heard_no_more(poller: Poller, ends: Ends) -> None:
    (here, there), calls = ends, Calls()
    first, other = socket.socketpair()
    copy = os.dup(first.fileno())  # as a copy of this process would have it
    poller.watch(here.fileno(), READ, calls.take)
    poller.watch(first.fileno(), READ, calls.take)
    poller.rest(first.fileno())
    first.close()
    other.send(b"x")
    assert poller.wait(1.0) == 1
    assert poller.wait(0.0) == 0
    there.send(b"x")
    assert (poller.wait(1.0), calls.fds) == (1, [here.fileno()])
    other.close()
    os.close(copy)


def test_forgetting_ends_rest_too(poller: Poller, ends: Ends) -> None:
    (here, there), calls = ends, Calls()
    poller.watch(here.fileno(), READ, calls.take)
    poller.rest(here.fileno())
    poller.forget(here.fileno())
    there.send(b"x")
    assert poller.wait(0.0) == 0
