"""A fetcher without sockets: what libcurl would say of an answer of the simulated web."""

from typing import Any

import pycurl

from gossamer.core.clock import Clock
from gossamer.core.records import Page, Visit
from gossamer.core.settings import FetchSettings
from gossamer.lab.simulator.simulated_network import Break, Delivery, Network
from gossamer.lab.simulator.virtual_poller import VirtualPoller
from gossamer.pipeline.fetch.address_guard import Guard
from gossamer.pipeline.fetch.transfer import Transfer

_TIMED_OUT = (pycurl.E_OPERATION_TIMEDOUT, "Operation timed out")
_BROKEN = {
    Break.REFUSED: (pycurl.E_COULDNT_CONNECT, "Connection refused"),
    Break.RESET: (pycurl.E_RECV_ERROR, "Connection reset by peer"),
}


class _NoHandle:
    """The parts of libcurl's handle that a transfer uses, answered from the simulation."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def setopt(self, option: int, value: Any) -> None:
        """Nobody is there to be told."""

    def getinfo(self, what: int) -> float:
        return self.seconds if what == pycurl.TOTAL_TIME else 1


class SimulatedTransfer(Transfer):
    """One exchange of the simulation: the real code judges what arrived, nobody sends anything."""

    def __init__(self, settings: FetchSettings, user_agent: str) -> None:
        super().__init__(settings, user_agent, Guard(True, ()), lambda: None)

    def _prepare(self, curl: Any) -> None:
        curl.close()
        self.curl = _NoHandle()
        self._fields: tuple[str, ...] = ()

    def receive(self, delivery: Delivery, deadline: float) -> tuple[float, int, str]:
        """Take in what arrives in time; returns when it was over, and libcurl's word for how."""
        data = b"".join(piece for moment, piece in delivery.pieces if moment <= deadline)
        is_late = delivery.end > deadline
        code, message = _BROKEN.get(delivery.broken, (0, ""))
        head, gap, rest = data.partition(b"\r\n\r\n")
        if gap:
            for line in (head + gap).splitlines(keepends=True):
                self._take_header(line)
            code, message = self._take(rest, code, message, delivery.broken)
        elif not code:
            code, message = pycurl.E_GOT_NOTHING, "Empty reply from server"
        if is_late:
            code, message = _TIMED_OUT
        return min(delivery.end, deadline), code, message

    def _take(self, rest: bytes, code: int, message: str, broken: Break) -> tuple[int, str]:
        """Hand on the body as libcurl would, which knows where it ends."""
        fields = b"".join(self._lines).lower()
        if b"\r\ntransfer-encoding: chunked" in fields:
            return self._take_chunks(rest)
        place = fields.find(b"\r\ncontent-length:")
        if place < 0:
            self._take_body(rest)
            return code, message
        length = int(fields[place + 17 :].split(b"\r\n", 1)[0])
        if self._take_body(rest[:length]) is not None:
            return pycurl.E_WRITE_ERROR, "too long"
        if len(rest) >= length:
            return 0, ""
        if broken is Break.RESET:
            return code, message
        return pycurl.E_PARTIAL_FILE, "end of response with bytes missing"

    def _take_chunks(self, rest: bytes) -> tuple[int, str]:
        position = 0
        while True:
            line, newline, _ = rest[position:].partition(b"\r\n")
            try:
                size = int(line, 16)
            except ValueError:
                self._take_body(rest[:position])
                if newline:
                    return pycurl.E_RECV_ERROR, "Malformed encoding found in chunked-encoding"
                return pycurl.E_PARTIAL_FILE, "transfer closed with outstanding read data remaining"
            position += len(line) + 2 + size + 2
            if not size:
                self._take_body(rest[:position])
                return 0, ""


class SimulatedFetcher:
    """Fulfils `Fetching` against a `Network`."""

    routing = None

    def __init__(
        self,
        settings: FetchSettings,
        user_agent: str,
        poller: VirtualPoller,
        clock: Clock,
        network: Network,
    ) -> None:
        """`clock` is what the crawl takes for the time; the poller has the true one."""
        self._settings = settings
        self._user_agent = user_agent
        self._poller = poller
        self._clock = clock
        self._network = network
        self._under_way: dict[int, SimulatedTransfer] = {}
        self._idle: list[SimulatedTransfer] = []
        self._number = 0
        self._pages: list[Page] = []

    @property
    def in_flight(self) -> int:
        return len(self._under_way) + len(self._pages)

    def free_slots(self) -> int:
        return self._settings.transfers - len(self._under_way)

    def refuses(self, host: str, address: str) -> str:
        return ""

    def start(
        self, visit: Visit, address: str, fields: tuple[str, ...] = (), most: int | None = None
    ) -> None:
        now = self._poller.clock.now()
        transfer = self._idle.pop() if self._idle else self._new()
        transfer.begin(visit, address, fields, self._clock.now(), most)
        number = self._number = self._number + 1
        self._under_way[number] = transfer
        target = "/" + visit.url.text.partition("://")[2].partition("/")[2]
        delivery = self._network.ask(visit.url.host, target, address, fields)
        end, code, message = transfer.receive(delivery, now + self._settings.timeout)
        self._poller.call_at(end, lambda: self._end(number, code, message))

    def _new(self) -> SimulatedTransfer:
        return SimulatedTransfer(self._settings, self._user_agent)

    def _end(self, number: int, code: int, message: str) -> None:
        transfer = self._under_way.pop(number, None)
        if transfer is not None:
            transfer.curl.seconds = self._clock.now() - transfer.started
            self._pages.append(transfer.end(code, message))
            self._idle.append(transfer)

    def finished(self) -> list[Page]:
        pages, self._pages = self._pages, []
        return pages

    def hosts_in_flight(self) -> dict[str, float]:
        return {transfer.visit.url.host: transfer.started for transfer in self._under_way.values()}

    def next_timeout(self) -> float | None:
        return 0.0 if self._pages else None

    def tick(self) -> None:
        """The poller does what is due."""

    def close(self) -> None:
        self._under_way.clear()
