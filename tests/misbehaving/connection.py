"""One connection as a behaviour sees it: send, wait, break off."""

import contextlib
import socket
import ssl
import struct
import threading
from dataclasses import dataclass, field


class OverError(Exception):
    """The client went away, or the server is closing: the behaviour ends here."""


@dataclass(frozen=True)
class Request:
    """What a client asked for."""

    method: str
    target: str
    headers: dict[str, str] = field(default_factory=dict)
    turn: int = 1
    """Its place among the requests of its connection."""

    @property
    def host(self) -> str:
        return self.headers.get("host", "").rpartition(":")[0] or self.headers.get("host", "")

    @property
    def steps(self) -> list[str]:
        """The path's segments."""
        return self.target.partition("?")[0].strip("/").split("/")


class Connection:
    """A socket with the gestures that misbehaviour needs.

    Every gesture raises `OverError` once there is nobody left to misbehave to.
    """

    def __init__(self, sock: socket.socket, stopping: threading.Event) -> None:
        self.sock = sock
        self.is_kept = False
        self._stopping = stopping
        self._unread = b""

    def send(self, *parts: bytes) -> None:
        try:
            for part in parts:
                self.sock.sendall(part)
        except (OSError, ValueError) as error:
            raise OverError from error

    def pause(self, seconds: float) -> None:
        if self._stopping.wait(seconds):
            raise OverError

    def stay(self) -> None:
        """Say nothing more until the client goes away."""
        while self._receive():
            pass
        raise OverError

    def keep(self) -> None:
        """Leave the connection open for another request, once the behaviour has ended."""
        self.is_kept = True

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self.sock.close()

    def reset(self) -> None:
        """Break off with a TCP reset instead of an orderly end."""
        linger_for_no_time = struct.pack("ii", 1, 0)
        with contextlib.suppress(OSError):
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger_for_no_time)
        self.close()
        raise OverError

    def answer(
        self, body: bytes = b"", *fields: str, status: str = "200 OK", length: bool = True
    ) -> None:
        """Send a response that is correct but for what the caller put into it."""
        lines = [f"HTTP/1.1 {status}", *fields]
        if length:
            lines.append(f"Content-Length: {len(body)}")
        self.send("\r\n".join([*lines, "", ""]).encode("latin-1") + body)

    def read_request(self, turn: int) -> Request | None:
        """The next request, or None when the client has none."""
        while b"\r\n\r\n" not in self._unread:
            more = self._receive()
            if not more or len(self._unread) > 1 << 20:
                return None
            self._unread += more
        head, _, self._unread = self._unread.partition(b"\r\n\r\n")
        return _parse(head.decode("latin-1"), turn)

    def _receive(self) -> bytes:
        try:
            return self.sock.recv(1 << 16)
        except (OSError, ValueError, ssl.SSLError):
            return b""


def _parse(head: str, turn: int) -> Request | None:
    first, *lines = head.split("\r\n")
    words = first.split(" ")
    if len(words) != 3:
        return None
    pairs = (line.partition(":") for line in lines)
    headers = {name.lower(): value.strip() for name, _, value in pairs}
    return Request(words[0], words[1], headers, turn)
