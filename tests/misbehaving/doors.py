"""The ways into the server: each is a port of its own, and a first gesture.

A door takes a connection as it was accepted and says whether to speak HTTP on it, or to end the
conversation right there.
"""

import contextlib
import socket
import ssl
from collections.abc import Callable

from tests.misbehaving.certificates import STRANGER, WISHES, Authority
from tests.misbehaving.connection import Connection, OverError

ControlSocket = Callable[[Connection], bool]
"""True lets the connection in."""

PLAIN = "plain"
CLOSED = "closed"
CROWDED = "crowded"

ALERT = bytes.fromhex("15030300020228")
"""A TLS record: fatal alert, handshake failure (RFC 8446, section 6)."""
HELLO_BEGUN = bytes.fromhex("160303007a020000760303")
"""The first bytes of a ServerHello."""


def enter(connection: Connection) -> bool:
    return True


def hang_up(connection: Connection) -> bool:
    return False


def reset(connection: Connection) -> bool:
    connection.reset()
    return False


def hang(connection: Connection) -> bool:
    connection.stay()
    return False


def say(words: bytes) -> ControlSocket:
    """Read the client's greeting and answer it with something else."""

    def door(connection: Connection) -> bool:
        _read_greeting(connection)
        connection.send(words)
        return False

    return door


def reset_on_greeting(connection: Connection) -> bool:
    _read_greeting(connection)
    connection.reset()
    return False


def _read_greeting(connection: Connection) -> None:
    try:
        connection.sock.recv(1 << 16)
    except OSError as error:
        raise OverError from error


def encrypt(context: ssl.SSLContext) -> ControlSocket:
    """Shake hands with the context's certificate."""

    def door(connection: Connection) -> bool:
        try:
            connection.sock = context.wrap_socket(connection.sock, server_side=True)
        except (OSError, ValueError) as error:
            raise OverError from error
        return True

    return door


def request_gate(authority: Authority) -> dict[str, ControlSocket]:
    """Every door that can be knocked at, by name."""
    certified = {name: encrypt(authority.context(wish)) for name, wish in WISHES.items()}
    plain_page = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"
    return {
        PLAIN: enter,
        "hang up": hang_up,
        "reset": reset,
        **certified,
        "tls_unknown_authority": encrypt(Authority("A stranger").context(STRANGER)),
        "tls_plain": say(plain_page),
        "tls_garbage": say(bytes(range(256))),
        "tls_alert": say(ALERT),
        "tls_hang_up": say(b""),
        "tls_cut": say(HELLO_BEGUN),
        "tls_hangs": hang,
        "tls_reset": reset_on_greeting,
    }


class BusySocket:
    """A port whose queue is full: who knocks waits until it gives up."""

    def __init__(self, address: str) -> None:
        self._listener = socket.socket()
        self._listener.bind((address, 0))
        self._listener.listen(0)
        self.port: int = self._listener.getsockname()[1]
        self._crowd = [self._knock(address) for _ in range(4)]

    def _knock(self, address: str) -> socket.socket:
        one = socket.socket()
        one.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            one.connect((address, self.port))
        return one

    def close(self) -> None:
        for one in [*self._crowd, self._listener]:
            one.close()


class ClosedSocket:
    """A port that is taken, so that nobody else can open it, but not listened at."""

    def __init__(self, address: str) -> None:
        self._socket = socket.socket()
        self._socket.bind((address, 0))
        self.port: int = self._socket.getsockname()[1]

    def close(self) -> None:
        self._socket.close()
