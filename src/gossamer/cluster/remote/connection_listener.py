"""Listen for the connections of remote workers.

It has threads: one that waits for calls, and one for each call. They outwait slow callers, and answer
questions about leases even while the supervisor is busy. Lines that are ready go to the supervisor's thread.
"""

import logging
import os
from collections.abc import Callable
from contextlib import suppress
from secrets import token_bytes
from socket import create_server, socket
from threading import Lock, Thread

from gossamer.cluster.remote.connection_tls import ConnectionTls
from gossamer.cluster.remote.handshake import (
    SECONDS,
    RemoteConnectionError,
    Welcome,
    receive,
    send_at_once,
    welcome,
)
from gossamer.cluster.remote.lease import GrantedLease
from gossamer.cluster.remote.renewal import MAY_I, YES
from gossamer.core.clock import Clock

_log = logging.getLogger("gossamer")


class Seat:
    """The place of one incarnation at the connection listener."""

    def __init__(self, seconds: float, on_call: Callable[[], None]) -> None:
        self._lock = Lock()
        self._lease = GrantedLease(seconds)
        self._on_call = on_call
        self._is_taken = self._is_closed = False
        self._line: socket | None = None
        self.machine = ""
        """Where the incarnation is, as it says itself."""

    def take(self, line: socket) -> bool:
        """An incarnation calls; only the first call counts."""
        with self._lock:
            if self._is_taken or self._is_closed:
                return False
            self._is_taken, self._line = True, line
        self._on_call()
        return True

    def line(self) -> socket | None:
        """The line of an incarnation that has just called."""
        with self._lock:
            line, self._line = self._line, None
        return line

    def begin(self) -> bool:
        """An incarnation calls for its lease; only the first call counts. A cluster that took a machine
        for dead may have started what was launched before, after all, beside what was launched then in its
        place.
        """
        with self._lock:
            return not self._is_closed and not self._lease.has_begun and self._lease.grant()

    def grant(self) -> bool:
        with self._lock:
            return not self._is_closed and self._lease.grant()

    @property
    def is_free(self) -> bool:
        """Does nobody hold the lease?"""
        with self._lock:
            return self._lease.is_over

    @property
    def has_called(self) -> bool:
        """Has an incarnation asked for its lease?"""
        with self._lock:
            return self._lease.has_begun

    @property
    def has_run_out(self) -> bool:
        """Was there a lease, and does nobody hold it any more?"""
        with self._lock:
            return self._lease.has_begun and self._lease.is_over

    def withdraw(self) -> None:
        """Grant nothing from now on."""
        with self._lock:
            self._lease.withdraw()

    def close(self) -> None:
        """Refuse all workers that call from now on."""
        with self._lock:
            self._is_closed = True
            if self._line is not None:
                self._line.close()


class ConnectionListener:
    """Listens; knows which lives are expected."""

    def __init__(
        self, host: str, lease: float, clock: Clock, tls: ConnectionTls | None = None
    ) -> None:
        """`host` is the address at which nodes can reach this machine."""
        self._tls = tls
        self.secret = token_bytes(32)
        self._seconds = lease
        self._clock = clock
        self._seats: dict[str, Seat] = {}
        self._server = create_server((host, 0))
        self.address: tuple[str, int] = self._server.getsockname()[:2]
        self._bell, self._rope = os.pipe()
        self._is_open = True
        Thread(target=self._listen, name="gossamer-listener", daemon=True).start()

    @property
    def has_tls(self) -> bool:
        return self._tls is not None

    @property
    def bell(self) -> int:
        """Readable when a worker has called."""
        return self._bell

    def hush(self) -> None:
        os.read(self._bell, 1 << 12)

    def expect(self, incarnation: str) -> Seat:
        seat = self._seats[incarnation] = Seat(self._seconds, self._ring)
        return seat

    def forget(self, incarnation: str) -> None:
        if (seat := self._seats.pop(incarnation, None)) is not None:
            seat.close()

    def close(self) -> None:
        if self._is_open:
            self._is_open = False
            with suppress(OSError):  # wakes up the thread that listens
                self._server.shutdown(2)
            self._server.close()
            for incarnation in list(self._seats):
                self.forget(incarnation)
            for end in (self._bell, self._rope):
                os.close(end)

    def _ring(self) -> None:
        with suppress(OSError):
            os.write(self._rope, b".")

    def _listen(self) -> None:
        while self._is_open:
            try:
                line, _ = self._server.accept()
            except OSError:
                return
            Thread(target=self._answer, args=(line,), name="gossamer-call", daemon=True).start()

    def _answer(self, line: socket) -> None:
        try:
            send_at_once(line)
            if self._tls is not None:
                line = self._tls.answer(line, SECONDS)
            hello = receive(line, self.secret)
            seat = self._seats.get(hello.incarnation)
            if hello.role == "search":
                welcome(line, Welcome("no shards of an index are served here"))
                line.close()
                return
            if seat is None or (hello.role == "lease" and not seat.begin()):
                welcome(
                    line,
                    Welcome(
                        "this incarnation of the partition was replaced: it connected too late"
                    ),
                )
                line.close()
                return
            seat.machine = hello.machine
            welcome(line, Welcome("", self._clock.now(), self._seconds))
            line.settimeout(None)
            if hello.role == "line":
                if not seat.take(line):
                    line.close()
            else:
                _answer_beats(line, seat)
        except RemoteConnectionError as error:
            _log.warning("%s", error)
            line.close()


def _answer_beats(line: socket, seat: Seat) -> None:
    """Say yes as long as the lease may go on."""
    with line, suppress(OSError):
        while line.recv(1) == MAY_I and seat.grant():
            line.sendall(YES)
