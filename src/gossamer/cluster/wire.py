"""One end of the line between a partition and the supervisor."""

from collections import deque
from socket import SO_RCVBUF, SO_SNDBUF, SOL_SOCKET, socket

from gossamer.cluster.frames import Frame, FrameReader, encode
from gossamer.core.poller import READ, WRITE, Poller

_PIECE = 1 << 18
_BUFFER = 1 << 20
_READS = 8
"""Pieces read in one go, so that one wire does not keep its owner from everything else."""


class Wire:
    """Sends and receives frames without ever waiting; its poller does that.

    Filled by `send`, emptied by the poller; what arrives is filled by the poller and emptied by
    `frames`.
    """

    def __init__(self, end: socket, poller: Poller) -> None:
        end.setblocking(False)
        for option in (SO_SNDBUF, SO_RCVBUF):
            end.setsockopt(SOL_SOCKET, option, _BUFFER)
        self._socket = end
        self._poller = poller
        self._reader = FrameReader()
        self._arrived: deque[Frame] = deque()
        self._waiting: deque[bytes] = deque()
        self.waiting_bytes = 0
        """Bytes that the other end has no room for yet."""
        self.is_closed = False
        """Has the other end gone?"""
        poller.watch(end.fileno(), READ, self._act)

    def send(self, frame: Frame) -> None:
        """Send a frame, now or when there is room. What is sent on a closed wire is lost."""
        if self.is_closed:
            return
        data = encode(frame)
        if not self._waiting:
            data = self._write(data)
        if data:
            self._waiting.append(data)
            self.waiting_bytes += len(data)
            self._watch()

    def frames(self) -> list[Frame]:
        """Return the frames that arrived since the last call."""
        found = list(self._arrived)
        self._arrived.clear()
        return found

    @property
    def has_frames(self) -> bool:
        return bool(self._arrived)

    def drain(self) -> list[Frame]:
        """Read what is left of a wire whose other end has gone."""
        while not self.is_closed and self._read():
            pass
        return self.frames()

    def send_last(self, frame: Frame, seconds: float) -> None:
        """Send a frame and wait: until it is sent, connection lost, or the time is over."""
        self._waiting.append(encode(frame))
        if not self.is_closed:
            self._poller.forget(self._socket.fileno())
            self._socket.settimeout(seconds)
            try:
                self._socket.sendall(b"".join(self._waiting))
            except OSError:
                self.is_closed = True
            self._waiting.clear()
            self.waiting_bytes = 0

    def leave(self) -> None:
        """Close a wire that was inherited from another process, whose poller watches it."""
        self._socket.close()

    def close(self) -> None:
        if self._socket.fileno() >= 0:
            self._poller.forget(self._socket.fileno())
            self._socket.close()
        self.is_closed = True

    def _act(self, fd: int, events: int) -> None:
        if events & ~WRITE:
            for _ in range(_READS):
                if not self._read():
                    break
        if events & WRITE and not self.is_closed:
            self._write_waiting()

    def _read(self) -> bool:
        """Was there something to read?"""
        try:
            piece = self._socket.recv(_PIECE)
        except BlockingIOError:
            return False
        except OSError:
            piece = b""
        if not piece:
            self._hang_up()
            return False
        self._reader.feed(piece)
        self._arrived.extend(self._reader)
        return True

    def _write_waiting(self) -> None:
        while self._waiting:
            piece = self._waiting.popleft()
            rest = self._write(piece)
            self.waiting_bytes -= len(piece) - len(rest)
            if rest:
                self._waiting.appendleft(rest)
                return
        self._watch()

    def _write(self, data: bytes) -> bytes:
        """Write what there is room for; returns the rest."""
        try:
            return data[self._socket.send(data) :]
        except BlockingIOError:
            return data
        except OSError:  # what it said before it went may still be there to be read
            self._waiting.clear()
            self.waiting_bytes = 0
            return b""

    def _watch(self) -> None:
        events = READ | WRITE if self._waiting else READ
        self._poller.watch(self._socket.fileno(), events, self._act)

    def _hang_up(self) -> None:
        self.is_closed = True
        self._poller.forget(self._socket.fileno())
