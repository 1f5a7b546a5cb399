"""The server: listens at its doors and hands each request to the behaviour it names."""

import contextlib
import errno
import socket
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tests.misbehaving.behaviour import BEHAVIOURS, Behaviour
from tests.misbehaving.certificates import Authority
from tests.misbehaving.connection import Connection, OverError, Request
from tests.misbehaving.doors import (
    CLOSED,
    CROWDED,
    PLAIN,
    BusySocket,
    ClosedSocket,
    ControlSocket,
    request_gate,
)

ADDRESSES = ("127.0.77.1", "127.0.77.2")


@dataclass(frozen=True)
class Served:
    """A request and when it was dealt with, by the monotonic clock."""

    host: str
    path: str
    started: float
    ended: float


class MisbehavingServer:
    """All behaviours, each on a host name of its own, on loopback.

    Each connection has a thread, so that a behaviour is a plain function that may wait; hundreds
    at a time are fine. `raw` are responses to be sent as they are, found at `/raw/<name>`.
    """

    def __init__(self, raw: Mapping[str, bytes] | None = None) -> None:
        self.log: list[Served] = []
        self.authority = Authority()
        self._raw = dict(raw or {})
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._connections: set[Connection] = set()
        self._threads: list[threading.Thread] = []
        self._listeners: list[socket.socket] = []
        self._ports: dict[str, int] = {}
        self._shut: list[ClosedSocket | BusySocket] = []

    @property
    def address(self) -> str:
        """Where every host name of this server is to be found."""
        return ADDRESSES[0]

    @property
    def neighbour(self) -> str:
        """The address of a neighbouring host, which behaves well."""
        return ADDRESSES[1]

    @property
    def port(self) -> int:
        """The port of plain HTTP."""
        return self._ports[PLAIN]

    def url(self, name: str) -> str:
        """Where a behaviour is to be met."""
        known = BEHAVIOURS[name]
        scheme = "https" if known.door.startswith("tls") else "http"
        return f"{scheme}://{known.label}.test:{self._ports[known.door]}{known.path}"

    def raw_url(self, name: str) -> str:
        return f"http://raw.test:{self.port}/raw/{name}"

    def ok_url(self, number: int) -> str:
        """A page of the neighbour."""
        return f"http://neighbour.test:{self.port}/ok/{number}"

    def times_served(self, path: str) -> int:
        """How many requests for a path are wholly dealt with."""
        return sum(served.path == path for served in list(self.log))

    # Opening and closing.

    def __enter__(self) -> "MisbehavingServer":
        for name, door in request_gate(self.authority).items():
            self._open(name, door)
        closed, crowded = ClosedSocket(self.address), BusySocket(self.address)
        self._ports |= {CLOSED: closed.port, CROWDED: crowded.port}
        self._shut = [closed, crowded]
        return self

    def _open(self, name: str, door: ControlSocket) -> None:
        listeners = _listen_everywhere()
        self._ports[name] = listeners[0].getsockname()[1]
        for listener in listeners:
            self._listeners.append(listener)
            self._run(self._accept, listener, door)

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        for listener in self._listeners:
            _end(listener)
        with self._lock:
            connections, threads = list(self._connections), list(self._threads)
        for connection in connections:
            _end(connection.sock)
        for shut in self._shut:
            shut.close()
        for thread in threads:
            thread.join(timeout=60)

    def _run(self, work: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        with self._lock:
            self._threads.append(thread)
        thread.start()

    # One connection.

    def _accept(self, listener: socket.socket, door: ControlSocket) -> None:
        while True:
            try:
                sock, _ = listener.accept()
            except OSError:
                return  # the listener was closed: the server ends
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._run(self._converse, Connection(sock, self._stopping), door)

    def _converse(self, connection: Connection, door: ControlSocket) -> None:
        with self._lock:
            self._connections.add(connection)
        try:
            if not self._stopping.is_set() and door(connection):
                self._answer_all(connection)
        except OverError:
            pass
        finally:
            connection.close()
            with self._lock:
                self._connections.discard(connection)
                self._threads.remove(threading.current_thread())

    def _answer_all(self, connection: Connection) -> None:
        turn = 0
        connection.keep()
        while connection.is_kept:
            turn += 1
            request = connection.read_request(turn)
            if request is None:
                return
            connection.is_kept = False
            self._answer(connection, request)

    def _answer(self, connection: Connection, request: Request) -> None:
        started = time.monotonic()
        try:
            self._dispatch(connection, request)
        finally:
            self.log.append(Served(request.host, request.target, started, time.monotonic()))

    def _dispatch(self, connection: Connection, request: Request) -> None:
        known = self._behaviour_of(request)
        if known is not None:
            known.misbehave(connection, request)
        elif request.steps[0] == "raw" and request.steps[-1] in self._raw:
            connection.send(self._raw[request.steps[-1]])
        else:
            behave(connection, request)

    def _behaviour_of(self, request: Request) -> Behaviour | None:
        """By path; what all hosts have at the same path (robots.txt, a root) by host name."""
        by_host = BEHAVIOURS.get(request.host.partition(".")[0].replace("-", "_"))
        if by_host is not None and by_host.path == request.target:
            return by_host
        return BEHAVIOURS.get(request.steps[0])


def behave(connection: Connection, request: Request) -> None:
    """Answer as one should: a page for `/` and `/ok/<n>`, an honest 404 for the rest."""
    if request.target == "/" or request.steps[0] == "ok":
        page = f"<title>{request.target}</title><a href=/ok/1>a page</a>".encode()
        connection.answer(page, "Content-Type: text/html; charset=utf-8")
    else:
        connection.answer(b"not here", "Content-Type: text/plain", status="404 Not Found")
    connection.keep()


def _listen_everywhere() -> list[socket.socket]:
    """Listen on all addresses, at one port that is free on each."""
    while True:
        listeners = [_listen(ADDRESSES[0], 0)]
        port = listeners[0].getsockname()[1]
        try:
            listeners += [_listen(address, port) for address in ADDRESSES[1:]]
        except OSError as error:
            listeners[0].close()
            if error.errno != errno.EADDRINUSE:
                raise
        else:
            return listeners


def _listen(address: str, port: int) -> socket.socket:
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((address, port))
    listener.listen(1024)
    return listener


def _end(sock: socket.socket) -> None:
    """End a socket in a way that wakes up whoever waits on it."""
    with contextlib.suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)
    with contextlib.suppress(OSError):
        sock.close()
