"""The loop that serves a web: HTTP on many addresses and DNS, in one thread."""

import socket
import threading
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from types import TracebackType

from gossamer.core.clock import SystemClock
from gossamer.core.errors import SettingsError
from gossamer.core.poller import READ, Poller, Ready
from gossamer.lab.server.loopback_addresses import (
    MOST_ADDRESSES,
    address_number,
    bind_dns,
    listen_everywhere,
)
from gossamer.lab.server.request_log import RequestLog
from gossamer.lab.server.server_timers import Timers
from gossamer.lab.server.web_connection import Connection, Shared
from gossamer.lab.server.web_dns import answer_query
from gossamer.lab.server.web_http import AskedPage, ServerResponse, respond
from gossamer.lab.simulated_web import Web

DEFAULT_ADDRESSES = 250
_LONGEST_SLEEP = 1.0
_ACCEPTED_AT_ONCE = 64


class Server:
    """Serves a web on loopback. `run` in this thread, or `start` in one of its own.

    The port is known once the server is made: `server.web` is the given web at that port.
    """

    def __init__(
        self,
        web: Web,
        *,
        http_port: int = 0,
        dns_port: int = 0,
        addresses: int = 0,
        ttl: int = 300,
        log: Path | None = None,
        keep_log: bool = False,
    ) -> None:
        count = addresses or min(web.hosts, DEFAULT_ADDRESSES)
        if not 1 <= count <= MOST_ADDRESSES:
            raise SettingsError(f"a web has 1 to {MOST_ADDRESSES} addresses, not {count}")
        self.addresses = count
        self.ttl = ttl
        self.log = RequestLog(log, keep_log)
        with ExitStack() as if_it_fails:
            if_it_fails.callback(self.log.close)
            self._dns = bind_dns(dns_port)
            if_it_fails.callback(self._dns.close)
            self._listeners = listen_everywhere(count, http_port)
            if_it_fails.pop_all()
        self.http_port: int = self._listeners[0].getsockname()[1]
        self.dns_port: int = self._dns.getsockname()[1]
        self.web = web.at(self.http_port)
        self._connections: set[Connection] = set()
        self._is_running = False
        self._thread: threading.Thread | None = None
        self._prepare()

    def _prepare(self) -> None:
        """Make the loop and put everything under its watch."""
        clock = SystemClock()
        self._poller = Poller()
        self._timers = Timers(clock.now)
        self._shared = Shared(
            self._poller,
            self._timers,
            self.log,
            clock.now,
            self._respond,
            self._connections.discard,
        )
        for number, listener in enumerate(self._listeners):
            accept = partial(self._accept, listener, address_number(number))
            self._poller.watch(listener.fileno(), READ, accept)
        self._poller.watch(self._dns.fileno(), READ, self._answer_queries)
        self._alarm, self._bell = socket.socketpair()
        self._alarm.setblocking(False)
        self._poller.watch(self._alarm.fileno(), READ, self._read_alarm)

    @property
    def seed_url(self) -> str:
        return self.web.seed_url

    @property
    def dns_address(self) -> str:
        return f"127.0.0.1:{self.dns_port}"

    def address_of(self, name: str) -> str | None:
        """The address of a host; None when there is no such host."""
        site = self.web.site_named(name)
        return None if site < 0 else address_number(site % self.addresses)

    def watch(self, fd: int, ready: Ready) -> None:
        """Let the loop watch one more descriptor for input."""
        self._poller.watch(fd, READ, ready)

    # -- The loop -----------------------------------------------------------------------------

    def run(self) -> None:
        """Serve until `stop` is called, from a signal handler or another thread."""
        self._is_running = True
        try:
            while self._is_running:
                self._poller.wait(self._timers.until_next(_LONGEST_SLEEP))
                self._timers.run_due()
        finally:
            self._close()

    def stop(self) -> None:
        """End the loop."""
        with suppress(OSError):  # it has ended already
            self._bell.send(b"!")

    def _read_alarm(self, fd: int, events: int) -> None:
        self._is_running = False

    def start(self) -> "Server":
        """Serve in a thread, for tests; `serve` in a process of its own is faster."""
        self._thread = threading.Thread(target=self.run, name="simulated web", daemon=True)
        self._thread.start()
        return self

    def __enter__(self) -> "Server":
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
        assert self._thread is not None
        self._thread.join()

    def _close(self) -> None:
        for connection in list(self._connections):
            connection.close()
        for sock in (*self._listeners, self._dns, self._alarm, self._bell):
            sock.close()
        self._poller.close()
        self.log.close()

    # -- What happens in it -------------------------------------------------------------------

    def _respond(self, asked: AskedPage) -> ServerResponse:
        return respond(self.web, asked)

    def _accept(self, listener: socket.socket, address: str, fd: int, events: int) -> None:
        for _ in range(_ACCEPTED_AT_ONCE):
            try:
                sock, (host, port) = listener.accept()
            except OSError:  # none waiting any more, or gone again, or too many open files
                return
            sock.setblocking(False)
            self._connections.add(Connection(sock, f"{host}:{port}", address, self._shared))

    def _answer_queries(self, fd: int, events: int) -> None:
        while True:
            try:
                packet, peer = self._dns.recvfrom(4096)
            except OSError:
                return
            response = answer_query(packet, self.address_of, self.ttl)
            if response is not None:
                self._dns.sendto(response, peer)
