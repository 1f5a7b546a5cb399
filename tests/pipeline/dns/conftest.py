"""A resolver with a turn of the ring around it."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from gossamer.core.clock import Clock, SystemClock
from gossamer.core.poller import Poller
from gossamer.core.settings import DnsSettings
from gossamer.pipeline.dns import NameAnswer, Resolver
from tests.patience import PATIENCE


class Ring:
    """Turns a resolver as a crawl does, until what was asked for is there."""

    def __init__(self, settings: DnsSettings, clock: Clock) -> None:
        self.poller = Poller()
        self.clock = clock
        self.resolver = Resolver(settings, self.poller, clock)
        self.settled: list[str] = []

    def turn(self) -> None:
        timeout = self.resolver.next_timeout()
        self.poller.wait(0.05 if timeout is None else min(timeout, 0.05))
        self.resolver.tick()
        self.settled += self.resolver.finished()

    def turn_until(self, is_done: Callable[[], bool]) -> None:
        """Turn until it is done; minutes are far more than any test needs."""
        deadline = time.monotonic() + PATIENCE
        while not is_done():
            assert time.monotonic() < deadline, f"stuck: {self.resolver.statistics()}"
            self.turn()

    def resolve(self, *hosts: str) -> list[NameAnswer]:
        """Start all hosts and turn until all have settled."""
        for host in hosts:
            self.resolver.start(host)
        wanted, begin = set(hosts), len(self.settled)
        self.turn_until(lambda: wanted <= set(self.settled[begin:]))
        return [self.known(host) for host in hosts]

    def known(self, host: str) -> NameAnswer:
        answer = self.resolver.lookup(host)
        assert answer is not None, f"nothing is known about {host}"
        return answer

    def close(self) -> None:
        self.resolver.close()
        self.poller.close()


MakeRing = Callable[..., Ring]

PATIENT = 30.0
"""Seconds of an attempt, in tests that do not wait for its end, or have a clock of their own."""
QUICK = {"first_wait": 0.05, "last_wait": 0.2}
"""For tests in which attempts fail."""


@pytest.fixture
def make_ring() -> Iterator[MakeRing]:
    """Builds rings whose retries are too late to disturb; `clock` and any setting can be given."""
    rings: list[Ring] = []

    def make(*servers: str, clock: Clock | None = None, **settings: Any) -> Ring:
        patient = {"first_wait": PATIENT, "last_wait": PATIENT, **settings}
        rings.append(Ring(DnsSettings(servers=servers, **patient), clock or SystemClock()))
        return rings[-1]

    yield make
    for ring in rings:
        ring.close()
