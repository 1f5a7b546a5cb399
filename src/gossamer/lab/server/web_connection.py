"""One client connection: reads requests, runs the steps of each answer, writes the log."""

import socket
import struct
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from gossamer.core.poller import READ, WRITE, Poller
from gossamer.lab.response_transfer import Step, TransferEnd
from gossamer.lab.server.request_log import Request, RequestLog
from gossamer.lab.server.server_timers import Timers
from gossamer.lab.server.web_http import AskedPage, ServerResponse, read_request

_READ_SIZE = 1 << 12  # a request is small, and a large buffer costs time to make
_LONGEST_HEAD = 1 << 16
_RESET_ON_CLOSE = struct.pack("ii", 1, 0)


class Shared(NamedTuple):
    """State that all connections of a server share."""

    poller: Poller
    timers: Timers
    log: RequestLog
    now: Callable[[], float]
    respond: Callable[[AskedPage], ServerResponse]
    forget: Callable[["Connection"], None]


class Connection:
    """Serves one request after the other; what is sent ahead (pipelining) waits in the buffer."""

    __slots__ = (
        "_address",
        "_asked",
        "_buffer",
        "_is_busy",
        "_is_closed",
        "_last_send",
        "_peer",
        "_shared",
        "_socket",
        "_start",
        "_status",
        "_steps",
        "_unsent",
        "fd",
    )

    def __init__(self, sock: socket.socket, peer: str, address: str, shared: Shared) -> None:
        self._socket = sock
        self.fd = sock.fileno()
        self._peer = peer
        self._address = address
        self._shared = shared
        self._buffer = b""
        self._steps: deque[Step] = deque()
        self._unsent: memoryview | None = None
        self._is_busy = False
        self._is_closed = False
        self._start = self._last_send = 0.0
        self._status = 0
        self._asked = AskedPage("", "", "")
        shared.poller.watch(self.fd, READ, self.ready)

    def ready(self, fd: int, events: int) -> None:
        if events & WRITE and self._unsent is not None:
            self._send_rest()
        elif events:
            self._receive()

    def _receive(self) -> None:
        try:
            data = self._socket.recv(_READ_SIZE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.close()
            return
        self._buffer = self._buffer + data if self._buffer else data
        if not self._is_busy:
            self._serve_buffered()
        elif len(self._buffer) > _LONGEST_HEAD:
            self.close()

    def _serve_buffered(self) -> None:
        """Serve the requests that have been read, as long as each is answered at once."""
        while not (self._is_busy or self._is_closed):
            end = self._buffer.find(b"\r\n\r\n")
            if end < 0:
                if len(self._buffer) > _LONGEST_HEAD:
                    self.close()
                return
            head, self._buffer = self._buffer[:end], self._buffer[end + 4 :]
            self._serve(head)

    def _serve(self, head: bytes) -> None:
        self._start = self._last_send = self._shared.now()
        asked = read_request(head)
        if asked is None:
            self.close()
            return
        self._asked = asked
        self._status, steps = self._shared.respond(asked)
        self._is_busy = True
        step = steps[0]
        if len(steps) == 1 and isinstance(step, bytes):  # nearly always
            if self._send(step):
                self._finish()
            return
        self._steps.extend(steps)
        self._run_steps()

    def _run_steps(self) -> None:
        """Go on until a step has to wait, or all are done."""
        steps = self._steps
        while steps:
            step = steps.popleft()
            if isinstance(step, bytes):
                if not self._send(step):
                    return
            elif isinstance(step, TransferEnd):
                self.close(is_reset=step is TransferEnd.RESET)
                return
            else:
                self._shared.timers.call_later(step, self._wake)
                return
        self._finish()

    def _wake(self) -> None:
        if not self._is_closed:
            self._run_steps()
            self._serve_buffered()

    def _send(self, data: bytes | memoryview) -> bool:
        """Send; False when the rest must wait or the client is gone."""
        # Noted before, not after: the client may have the answer before we are scheduled again.
        self._last_send = self._shared.now()
        try:
            sent = self._socket.send(data)
        except BlockingIOError:
            sent = 0
        except OSError:
            self.close()
            return False
        if sent == len(data):
            return True
        if self._unsent is None:
            self._shared.poller.watch(self.fd, WRITE, self.ready)
        self._unsent = memoryview(data)[sent:]
        return False

    def _send_rest(self) -> None:
        assert self._unsent is not None
        if self._send(self._unsent):
            self._unsent = None
            self._shared.poller.watch(self.fd, READ, self.ready)
            self._run_steps()
            self._serve_buffered()

    def _finish(self) -> None:
        """The answer is out."""
        self._record()
        self._is_busy = False
        if not self._asked.keeps_alive:
            self.close()

    def _record(self) -> None:
        asked, shared = self._asked, self._shared
        if not shared.log.is_on:
            return
        shared.log.add(
            Request(
                self._start,
                self._last_send,
                asked.host,
                asked.target,
                asked.method,
                self._status,
                self._peer,
                self._address,
            )
        )

    def close(self, is_reset: bool = False) -> None:
        """End the connection; a request that was still being answered is logged as it stands."""
        if self._is_closed:
            return
        self._is_closed = True
        if self._is_busy:
            self._record()
        self._shared.poller.forget(self.fd)
        if is_reset:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
        self._socket.close()
        self._shared.forget(self)
