"""A machine that is out of reach gets no more lives as long as there are others."""

import os
import signal
from collections.abc import Iterator

import pytest

from gossamer.cluster.carrier import UNHEARD, End, Live
from gossamer.cluster.remote.launcher import IncarnationEnded, Ticket
from gossamer.cluster.remote.relaunch import SecondTry
from gossamer.cluster.remote.remote_carrier import RemoteCarrier
from gossamer.core.clock import SystemClock, VirtualClock
from gossamer.core.poller import Poller
from tests.cluster.remote.remote_forks import ForkedIncarnation, Forks
from tests.processes import wait_until


class Watched(ForkedIncarnation):
    is_given_up = False

    def give_up(self) -> None:
        self.is_given_up = True


class WatchedForks(Forks):
    def launch(self, ticket: Ticket, live: Live) -> Watched:
        incarnation = Watched(ticket, live, None)
        self.incarnations.append(incarnation)
        return incarnation


def stand_still(end: End) -> Iterator[None]:
    os.kill(os.getpid(), signal.SIGSTOP)
    yield


def leave(end: End) -> Iterator[None]:
    yield


@pytest.mark.parametrize(
    ("live", "lease", "is_silent"), [(stand_still, 0.5, True), (leave, 600.0, False)]
)
def test_a_silent_life_is_given_up(live: Live, lease: float, is_silent: bool) -> None:
    """And not one that says that it goes."""
    forks, poller = WatchedForks(), Poller()
    carrier = RemoteCarrier(poller, forks, SystemClock(), crawl="test", lease=lease)
    incarnation = carrier.start(0, live)
    try:
        wait_until(lambda: not poller.wait(0.01) and incarnation.line.is_closed)
        assert (incarnation.bury() == UNHEARD) == is_silent
        (launched,) = forks.incarnations
        assert isinstance(launched, Watched)
        assert launched.is_given_up == is_silent
    finally:
        carrier.close()


class Waiting:
    """Fulfils `Launched`: nothing is heard from it."""

    place = "far away"
    is_killed = False

    def __init__(self, *, is_astray: bool) -> None:
        self.is_astray = is_astray

    def ended(self) -> IncarnationEnded | None:
        return None

    def kill(self) -> None:
        self.is_killed = True

    def give_up(self) -> None:
        pass


@pytest.mark.parametrize("has_called", [False, True])
def test_what_was_sent_out_of_reach_is_sent_elsewhere(has_called: bool) -> None:
    """Unless it has called: then it can be reached."""
    astray, other = Waiting(is_astray=True), Waiting(is_astray=False)
    coming, clock = [astray, other], VirtualClock()
    incarnation = SecondTry(lambda: coming.pop(0), lambda: has_called, clock.now)
    for _ in range(3):
        assert incarnation.ended() is None
        clock.advance(10.0)
    assert (astray.is_killed, len(coming)) == ((False, 1) if has_called else (True, 0))
    assert not other.is_killed


def test_what_was_only_late_has_no_second() -> None:
    """It was given up, and calls before another one was launched: it is the one that lives."""
    late, calls = Waiting(is_astray=True), list[str]()
    coming, clock = [late, Waiting(is_astray=False)], VirtualClock()
    incarnation = SecondTry(lambda: coming.pop(0), lambda: bool(calls), clock.now)
    assert incarnation.ended() is None
    assert late.is_killed
    calls.append("here I am")
    for _ in range(3):
        clock.advance(10.0)
        assert incarnation.ended() is None
    assert len(coming) == 1, "nothing else was launched"
