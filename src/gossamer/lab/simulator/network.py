"""The simulated web without sockets: how long an answer takes, and what may happen to it."""

from collections.abc import Callable, Sequence
from enum import IntEnum
from math import inf
from random import Random
from typing import NamedTuple

from msgspec import Struct

from gossamer.base.clock import Clock
from gossamer.lab.server.http import Asked, respond
from gossamer.lab.server.log import Request
from gossamer.lab.transfer import End
from gossamer.lab.web import Web

_FAR = 0.15
"""Seconds to the farthest host and back."""
_BANDWIDTH = 2e6
"""Bytes a second."""


class Trouble(Struct, frozen=True):
    """A host behaves badly for a while."""

    host: str
    begin: float
    end: float
    kind: str
    """refused: nobody listens. silent: nothing comes. reset: the connection breaks. dns: no address."""


class Break(IntEnum):
    """How a connection ended before its time."""

    NONE = 0
    CLOSED = 1
    RESET = 2
    REFUSED = 3


class Delivery(NamedTuple):
    """What comes back from a server, and when."""

    pieces: list[tuple[float, bytes]]
    """Bytes, each with the moment at which they arrive."""
    end: float
    """When it is known to be over; never, for a server that says nothing."""
    broken: Break


class Network:
    """Answers for all hosts of a web, and keeps the log that a server would."""

    def __init__(
        self,
        web: Web,
        clock: Clock,
        addresses: int,
        troubles: Sequence[Trouble] = (),
        watch: Callable[[Request], None] = lambda request: None,
    ) -> None:
        self.web = web
        self.log: list[Request] = []
        self._clock = clock
        self._addresses = addresses
        self._watch = watch
        self._troubles: dict[str, list[Trouble]] = {}
        for one in troubles:
            self._troubles.setdefault(one.host, []).append(one)

    def address_of(self, name: str) -> str | None:
        """The address of a host; None when there is no such host."""
        site = self.web.site_named(name)
        if site < 0:
            return None
        place = site % self._addresses
        return f"198.51.{place // 250}.{place % 250 + 1}"

    def trouble_with(self, host: str) -> str:
        """What is wrong with a host now; empty when nothing is."""
        now = self._clock.now()
        for one in self._troubles.get(host, ()):
            if one.begin <= now < one.end:
                return one.kind
        return ""

    def distance(self, host: str) -> float:
        """Seconds to a host and back: always the same for the same host."""
        return _FAR * Random(f"{self.web.seed} {host}").random()

    def ask(self, host: str, target: str, address: str) -> Delivery:
        """Send a request now."""
        now, half = self._clock.now(), self.distance(host) / 2
        trouble = self.trouble_with(host)
        if trouble == "refused":
            return Delivery([], now + 2 * half, Break.REFUSED)
        heard = now + half
        if trouble in ("silent", "reset"):
            end = heard if trouble == "reset" else inf
            self._note(heard, heard, host, target, 0, address)
            return Delivery([], end + half, Break.RESET if trouble == "reset" else Break.NONE)
        status, steps = respond(self.web, Asked("GET", host, target, accepts_gzip=True))
        pieces, moment, broken = [], heard, Break.NONE
        for step in steps:
            if isinstance(step, bytes):
                moment += len(step) / _BANDWIDTH
                pieces.append((moment + half, step))
            elif isinstance(step, End):
                broken = Break.RESET if step is End.RESET else Break.CLOSED
                break
            else:
                moment += step
        self._note(heard, moment, host, target, status, address)
        return Delivery(pieces, moment + half, broken)

    def _note(
        self, start: float, end: float, host: str, target: str, status: int, address: str
    ) -> None:
        request = Request(start, end, host, target, "GET", status, "", address)
        self.log.append(request)
        self._watch(request)
