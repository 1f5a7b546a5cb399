"""The simulated web without sockets: how long an answer takes, and what may happen to it."""

from collections.abc import Callable, Sequence
from enum import IntEnum
from math import inf
from random import Random
from typing import NamedTuple

from msgspec import Struct

from gossamer.core.clock import Clock
from gossamer.lab.response_transfer import TransferEnd
from gossamer.lab.server.conditional import read_conditions
from gossamer.lab.server.request_log import LoggedRequest
from gossamer.lab.server.web_http import AskedPage, respond
from gossamer.lab.simulated_web import Web
from gossamer.lab.simulator.lying_web import LyingWeb

_FAR = 0.15
"""Seconds to the farthest host and back."""
_HALF_A_HEAD = b"HTTP/1.1 200 OK\r\nContent-"
_BANDWIDTH = 2e6
"""Bytes a second."""


class Trouble(Struct, frozen=True):
    """A host behaves badly for a while."""

    host: str
    begin: float
    end: float
    kind: str
    """One of `KINDS`."""


KINDS = {
    "refused": "nobody listens",
    "silent": "nothing comes",
    "reset": "the connection breaks",
    "hang": "half a header comes, and then nothing",
    "dns": "no name server answers",
    "moved": "name servers name another address",
    "changed": "pages are not what they were, but for their links",
    "garbled": "pages are no pages, and say that they are",
    "astray": "all is said to have moved to the next host",
}
_LIES = ("garbled", "astray")


class Break(IntEnum):
    """Ways in which a connection ends too early."""

    NONE = 0
    CLOSED = 1
    RESET = 2
    REFUSED = 3


class Delivery(NamedTuple):
    """The bytes that a server sends, and their time."""

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
        watch: Callable[[LoggedRequest], None] = lambda request: None,
    ) -> None:
        self.web = web
        self.log: list[LoggedRequest] = []
        self._clock = clock
        self._addresses = addresses
        self._watch = watch
        self._distances: dict[str, float] = {}
        self._troubles: dict[str, list[Trouble]] = {}
        for trouble in troubles:
            self._troubles.setdefault(trouble.host, []).append(trouble)

    def address_of(self, name: str) -> str | None:
        """The address of a host; None when there is no such host."""
        site = self.web.site_named(name)
        if site < 0:
            return None
        place = site % self._addresses
        if self.trouble_with(name) == "moved":
            place = self._addresses + site % 2
        return f"198.51.{place // 250}.{place % 250 + 1}"

    def trouble_with(self, host: str) -> str:
        """The present fault of a host; empty when there is none."""
        now = self._clock.now()
        for trouble in self._troubles.get(host, ()):
            if trouble.begin <= now < trouble.end:
                return trouble.kind
        return ""

    def distance(self, address: str) -> float:
        """Seconds to a server and back: always the same for the same server."""
        if address not in self._distances:
            self._distances[address] = _FAR * Random(f"{self.web.seed} {address}").random()
        return self._distances[address]

    def ask(self, host: str, target: str, address: str, fields: Sequence[str] = ()) -> Delivery:
        """Send a request now; `fields` are header lines that it has beside the usual ones."""
        now, half = self._clock.now(), self.distance(address) / 2
        trouble = self.trouble_with(host)
        if trouble == "refused":
            return Delivery([], now + 2 * half, Break.REFUSED)
        heard = now + half
        if trouble in ("silent", "reset", "hang"):
            self._note(heard, heard, host, target, 0, address)
            if trouble == "reset":
                return Delivery([], heard + half, Break.RESET)
            pieces = [(heard + half, _HALF_A_HEAD)] if trouble == "hang" else []
            return Delivery(pieces, inf, Break.NONE)
        is_page = target != "/robots.txt"
        if isinstance(self.web, LyingWeb):
            self.web.say(trouble if is_page and trouble in _LIES else "", host, target)
            self.web.stamp = b"<!-- %.3f -->" % now if trouble == "changed" else b""
        conditions = read_conditions(fields)
        asked = AskedPage("GET", host, target, accepts_gzip=True, conditions=conditions)
        status, steps = respond(self.web, asked)
        moment, broken = heard, Break.NONE
        pieces = list[tuple[float, bytes]]()
        for step in steps:
            if isinstance(step, bytes):
                moment += len(step) / _BANDWIDTH
                pieces.append((moment + half, step))
            elif isinstance(step, TransferEnd):
                broken = Break.RESET if step is TransferEnd.RESET else Break.CLOSED
                break
            else:
                moment += step
        self._note(heard, moment, host, target, status, address)
        return Delivery(pieces, moment + half, broken)

    def _note(
        self, start: float, end: float, host: str, target: str, status: int, address: str
    ) -> None:
        request = LoggedRequest(start, end, host, target, "GET", status, "", address)
        self.log.append(request)
        self._watch(request)
