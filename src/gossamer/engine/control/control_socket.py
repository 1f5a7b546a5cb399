"""The door of a running crawl: a socket in its directory, served between two turns.

Only the owner of the socket, and root, may use it. Nothing here waits: a client that sends no whole line,
too long a line, or does not read its answers costs some memory, which is bounded, and in the end its place.
"""

import os
import struct
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from socket import (
    AF_UNIX,
    SO_PEERCRED,
    SOCK_CLOEXEC,
    SOCK_NONBLOCK,
    SOCK_STREAM,
    SOL_SOCKET,
    socket,
)

from gossamer.core.poller import READ, WRITE, Poller

NAME = "control.sock"
LONGEST = 2 << 20
"""Bytes of a line."""
_MOST_CLIENTS = 64
_MOST_UNREAD = 16 << 20
"""Bytes of answers that a client may leave unread."""
_MOST_OWED = 100
"""Requests of a client that may wait for their answers."""
_PIECE = 1 << 16
_PEER = struct.Struct("3i")


@contextmanager
def short_path(state: Path) -> Iterator[str]:
    """The socket in a folder, by a name that is short enough: the kernel takes 107 bytes, no more."""
    folder = os.open(state, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{folder}/{NAME}"
    finally:
        os.close(folder)


class ControlSocket:
    """Lets requests in and answers out. The owner of the directory's lock opens it."""

    def __init__(self, state: Path, poller: Poller) -> None:
        """`OSError` where the file system has no sockets."""
        self._poller = poller
        self._path = state / NAME
        self._clients: dict[int, _Client] = {}
        self._numbers = 0
        self._received: deque[tuple[int, bytes]] = deque()
        self._path.unlink(missing_ok=True)  # of a killed process
        self._socket = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC)
        try:
            os.fchmod(self._socket.fileno(), 0o600)  # before anybody can see it
            with short_path(state) as path:
                self._socket.bind(path)
            os.chmod(self._path, 0o600)
            self._socket.listen(_MOST_CLIENTS)
            poller.watch(self._socket.fileno(), READ, self._let_in)
        except OSError:
            self._socket.close()
            raise

    def received(self) -> list[tuple[int, bytes]]:
        """Whole lines that came since the last call, each with the number of its client."""
        found = [*self._received]
        self._received.clear()
        return found

    def say(self, number: int, line: bytes) -> None:
        """Reply a client; one that has gone hears nothing."""
        if (client := self._clients.get(number)) is not None:
            client.unsaid += line + b"\n"
            client.owed -= 1
            self._send(client)

    def close(self) -> None:
        """Take the socket away. What was answered is sent as far as there is room."""
        if self._socket.fileno() >= 0:
            self._path.unlink(missing_ok=True)
        for client in [*self._clients.values()]:
            self._drop(client)
        self._shut()

    def leave(self) -> None:
        """Close what a copy of the process inherited (fork), and leave the door to its owner."""
        for client in self._clients.values():
            client.line.close()
        self._clients.clear()
        self._socket.close()

    def _shut(self) -> None:
        if self._socket.fileno() >= 0:
            self._poller.forget(self._socket.fileno())
            self._socket.close()

    def _let_in(self, fd: int, events: int) -> None:
        while True:
            try:
                line, _ = self._socket.accept()
            except OSError:  # there is nobody, or there are too many open files
                return
            line.setblocking(False)
            if not _is_owner(line):
                line.close()
                continue
            if len(self._clients) >= _MOST_CLIENTS:  # who has been here longest makes room
                self._drop(next(iter(self._clients.values())))
            self._numbers += 1
            client = self._clients[self._numbers] = _Client(self._numbers, line)
            self._watch(client, READ)

    def _see(self, client: "_Client", events: int) -> None:
        if events & WRITE:
            self._send(client)
        if events & ~WRITE and not client.is_gone:
            self._read(client)

    def _read(self, client: "_Client") -> None:
        try:
            piece = client.line.recv(_PIECE)
        except BlockingIOError:
            return
        except OSError:
            piece = b""
        client.half += piece
        *lines, rest = client.half.split(b"\n")
        client.half = bytearray(rest)
        whole = [(client.number, bytes(line)) for line in lines if line.strip()]
        self._received.extend(whole)
        client.owed += len(whole)
        if len(client.half) > LONGEST or client.owed > _MOST_OWED:
            self._drop(client)
        elif not piece:
            client.has_ended = True
            self._poller.forget(client.line.fileno())
            self._drop_if_served(client)

    def _send(self, client: "_Client") -> None:
        try:
            sent = client.line.send(client.unsaid)
        except BlockingIOError:
            sent = 0
        except OSError:
            self._drop(client)
            return
        del client.unsaid[:sent]
        if len(client.unsaid) > _MOST_UNREAD:
            self._drop(client)
            return
        wish = (0 if client.has_ended else READ) | (WRITE if client.unsaid else 0)
        if wish and wish != client.wish:
            self._watch(client, wish)
        self._drop_if_served(client)

    def _watch(self, client: "_Client", wish: int) -> None:
        client.wish = wish
        self._poller.watch(client.line.fileno(), wish, lambda fd, events: self._see(client, events))

    def _drop_if_served(self, client: "_Client") -> None:
        """One that will send nothing more, and has all its answers."""
        if client.has_ended and not client.owed and not client.unsaid:
            self._drop(client)

    def _drop(self, client: "_Client") -> None:
        if self._clients.pop(client.number, None) is not None:
            client.is_gone = True
            self._poller.forget(client.line.fileno())
            with suppress(OSError):
                client.line.close()


class _Client:
    def __init__(self, number: int, line: socket) -> None:
        self.number = number
        self.line = line
        self.half = bytearray()
        """What came of a line that is not whole."""
        self.unsaid = bytearray()
        """What it has no room for yet."""
        self.owed = 0
        """Its requests that were not answered yet."""
        self.wish = 0
        self.has_ended = self.is_gone = False


def _is_owner(line: socket) -> bool:
    """Is at the other end who has started the crawl, or root?"""
    _, user, _ = _PEER.unpack(line.getsockopt(SOL_SOCKET, SO_PEERCRED, _PEER.size))
    return user in (0, os.getuid())
