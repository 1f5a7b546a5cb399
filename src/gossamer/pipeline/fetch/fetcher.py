"""Many exchanges at once, in one thread, on libcurl's multi interface."""

import resource
import time
from collections import deque
from typing import Any

import pycurl
from msgspec import Struct

from gossamer.core.clock import Clock
from gossamer.core.outcomes import Outcome
from gossamer.core.poller import READ, WRITE, Poller
from gossamer.core.protocols import Routing
from gossamer.core.records import Page, Visit
from gossamer.core.request import RequestUrl
from gossamer.core.settings import FetchSettings
from gossamer.core.url import is_address
from gossamer.pipeline.fetch.address_guard import Guard
from gossamer.pipeline.fetch.libcurl_request import write_personal_fields
from gossamer.pipeline.fetch.transfer import Transfer

_NEVER = float("inf")

_PORTION = 128
"""Pages that come out together. With hundreds at a time, each has left the processor's caches when its
next step comes."""


class FetcherStatistics(Struct, frozen=True):
    in_flight: int
    long: int
    """Of these, transfers that take long."""
    started: int
    ended: int


class Fetcher:
    """Runs transfers; filled by `start`, emptied by `finished`.

    libcurl says which sockets to watch and when it wants to be called again; the poller and
    `tick` do as it says. Nothing here waits.
    """

    routing: Routing | None = None
    """There is no other backend here."""

    def __init__(
        self, settings: FetchSettings, user_agent: str, poller: Poller, clock: Clock
    ) -> None:
        self._settings = settings
        self._user_agent = user_agent
        self._poller = poller
        self._clock = clock
        self._guard = Guard(settings.allow_private, settings.allow_addresses)
        self._personal = write_personal_fields(settings)
        self._ended_at_once: list[Page] = []
        self._idle: list[Transfer] = []
        self._under_way: set[Transfer] = set()
        self._young: deque[tuple[float, Transfer]] = deque()
        """Transfers in the order they began, until they have ended or taken long."""
        self._long = 0
        self._running = 0
        """Exchanges that have not ended, as libcurl counts them; the others' pages wait for `finished`."""
        self._started = self._ended = 0
        self._deadline = _NEVER
        # The next request of a connection is likely to come at once. Behind a proxy, libcurl has other
        # descriptors too, which it opens without a word.
        self._forget = poller.forget if settings.proxy else poller.rest
        self._multi = pycurl.CurlMulti()
        self._multi.setopt(pycurl.M_SOCKETFUNCTION, self._watch)
        self._multi.setopt(pycurl.M_TIMERFUNCTION, self._set_timer)
        self._multi.setopt(pycurl.M_MAXCONNECTS, _connections(settings))

    @property
    def in_flight(self) -> int:
        return len(self._under_way) + len(self._ended_at_once)

    def free_slots(self) -> int:
        """The number of exchanges that may be started now.

        Those that take long do not count, or else a few thousand hosts that answer a byte a second
        would take the places of all others.
        """
        self._age()
        return min(
            self._settings.transfers - (len(self._under_way) - self._long),
            self._settings.max_transfers - len(self._under_way),
        )

    def _age(self) -> None:
        grown_up = self._clock.now() - self._settings.long_seconds
        while self._young and self._young[0][0] <= grown_up:
            started, transfer = self._young.popleft()
            if transfer in self._under_way and transfer.started == started:
                transfer.is_long = True
                self._long += 1

    def refuses(self, host: str, address: str) -> str:
        """The reason why a host at this address is not to be asked; empty when it may be.

        The guard looks again when a socket is opened. Behind a proxy there is no socket to look at, so
        this is all there is: hosts that are addresses themselves, or are known to mean this machine.
        """
        if self._settings.proxy:
            if host == "localhost" or host.endswith(".localhost"):
                address = "127.0.0.1"
            elif is_address(host):
                address = host.strip("[]")
            else:
                return ""
        return "" if self._guard.is_allowed(address) else f"{address} is not a public address"

    def start(
        self, visit: Visit, address: str, fields: tuple[str, ...] = (), most: int | None = None
    ) -> None:
        """Begin an exchange with the server at an address, with more header lines if need be.

        After `most` bytes of the payload it is ended: nobody wants more of it.
        """
        if self._settings.proxy and (refusal := self.refuses(visit.url.host, address)):
            now = self._clock.now()
            self._ended_at_once.append(
                Page(visit, Outcome.PRIVATE_ADDRESS, now, address=address, detail=refusal)
            )
            return
        transfer = self._idle.pop() if self._idle else self._new_transfer()
        personal = self._personal.get(visit.url.host, ())
        if isinstance(visit.url, RequestUrl) and visit.url.sent.session:
            personal = self._personal.get(f"{visit.url.sent.session}@{visit.url.host}", ())
        transfer.begin(visit, address, personal + fields, self._clock.now(), most)
        self._under_way.add(transfer)
        self._young.append((transfer.started, transfer))
        self._started += 1
        self._running += 1
        self._multi.add_handle(transfer.curl)

    def finished(self) -> list[Page]:
        """The pages of exchanges that ended since the last call, if there are not too many of them."""
        pages, self._ended_at_once = self._ended_at_once, []
        _, good, bad = self._multi.info_read(_PORTION)
        pages += [self._end(curl, 0, "") for curl in good]
        pages += [self._end(curl, code, message) for curl, code, message in bad]
        return pages

    def _end(self, curl: Any, code: int, message: str) -> Page:
        transfer: Transfer = curl.transfer
        page = transfer.end(code, message)
        self._multi.remove_handle(curl)
        self._under_way.discard(transfer)
        self._long -= transfer.is_long
        self._ended += 1
        self._idle.append(transfer)
        return page

    def hosts_in_flight(self) -> dict[str, float]:
        """The hosts that are being asked, and since when."""
        return {transfer.visit.url.host: transfer.started for transfer in self._under_way}

    def next_timeout(self) -> float | None:
        """Seconds until `tick` wants to be called; None when it need not be."""
        if self._ended_at_once or self._running < len(self._under_way):
            return 0.0
        if self._deadline == _NEVER:
            return None
        return max(0.0, self._deadline - time.monotonic())

    def tick(self) -> None:
        if time.monotonic() >= self._deadline:
            self._deadline = _NEVER
            _, self._running = self._multi.socket_action(pycurl.SOCKET_TIMEOUT, 0)

    def close(self) -> None:
        """Drop what is under way and close every connection."""
        for transfer in self._under_way:
            self._multi.remove_handle(transfer.curl)
        for transfer in [*self._under_way, *self._idle]:
            transfer.curl.close()
        self._under_way.clear()
        self._idle.clear()
        self._multi.close()

    def statistics(self) -> FetcherStatistics:
        return FetcherStatistics(self.in_flight, self._long, self._started, self._ended)

    def _new_transfer(self) -> Transfer:
        return Transfer(self._settings, self._user_agent, self._guard, self._poller.wake)

    # libcurl's wishes.

    def _watch(self, wish: int, fd: int, multi: Any, data: Any) -> None:
        if wish == pycurl.POLL_REMOVE:
            self._forget(fd)
            return
        events = READ if wish & pycurl.POLL_IN else 0
        events |= WRITE if wish & pycurl.POLL_OUT else 0
        self._poller.watch(fd, events, self._act)

    def _act(self, fd: int, events: int) -> None:
        action = pycurl.CSELECT_OUT if events & WRITE else 0
        if events & ~WRITE:  # readable, hung up or broken: libcurl finds out by reading
            action |= pycurl.CSELECT_IN
        _, self._running = self._multi.socket_action(fd, action)

    def _set_timer(self, milliseconds: int) -> None:
        self._deadline = _NEVER if milliseconds < 0 else time.monotonic() + milliseconds / 1000


def _connections(settings: FetchSettings) -> int:
    """The number of connections to keep open; raises the limit of open files as far as it goes."""
    wanted = settings.max_transfers + 3 * settings.transfers + 256
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < wanted:
        ceiling = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        soft = max(soft, ceiling)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return max(16, min(3 * settings.transfers, soft - 200))
