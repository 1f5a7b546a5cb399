"""A partition's end of a connection over the network."""

from contextlib import suppress
from logging import WARNING
from socket import SHUT_WR, socket

import msgspec
import zstandard

from gossamer.cluster.frames import PASSED_ON, Frame, FrameKind, encode
from gossamer.cluster.remote.lease import Lease
from gossamer.cluster.wire import Wire
from gossamer.core.clock import Clock
from gossamer.core.log_events import ToldLine
from gossamer.core.poller import Poller

_LEVEL = 1
_WORTHWHILE = 128
"""Bytes from which a body is compressed."""
_PLAIN, _PACKED = b"\0", b"\1"
_LONGEST = 1 << 30
_LAST_WORDS = 10.0
_PIECE = 1 << 16

_pack = zstandard.ZstdCompressor(level=_LEVEL, write_content_size=True).compress
_unpack = zstandard.ZstdDecompressor().decompress


def pack(frame: Frame) -> Frame:
    """A frame for another partition, as it travels. The supervisor passes it on as it is.

    >>> frame = Frame(FrameKind.BATCH, 1, 2, 3, b"ab" * 1000)
    >>> len(pack(frame).body) < 100, unpack(pack(frame)) == frame
    (True, True)
    """
    if frame.kind not in PASSED_ON or not frame.body:
        return frame
    is_long = len(frame.body) >= _WORTHWHILE
    return frame._replace(body=_PACKED + _pack(frame.body) if is_long else _PLAIN + frame.body)


def unpack(frame: Frame) -> Frame:
    if frame.kind not in PASSED_ON or not frame.body:
        return frame
    body = frame.body[1:]
    return frame._replace(
        body=_unpack(body, max_output_size=_LONGEST) if frame.body[:1] == _PACKED else body
    )


class PartitionConnection:
    """A wire that counts as closed when the lease runs out: for all we know, nobody is at its other end."""

    def __init__(self, wire: Wire, lease: Lease) -> None:
        self._wire = wire
        self._lease = lease
        self.close = wire.close

    @property
    def is_closed(self) -> bool:
        return self._wire.is_closed or self._lease.is_running_out

    @property
    def waiting_bytes(self) -> int:
        return self._wire.waiting_bytes

    @property
    def has_frames(self) -> bool:
        return self._wire.has_frames

    def send(self, frame: Frame) -> None:
        self._wire.send(pack(frame))

    def send_last(self, frame: Frame, seconds: float) -> None:
        self._wire.send_last(pack(frame), seconds)

    def frames(self) -> list[Frame]:
        return [unpack(frame) for frame in self._wire.frames()]

    def drain(self) -> list[Frame]:
        return [unpack(frame) for frame in self._wire.drain()]


class NearEnd:
    """A partition's end, with all that it has from its supervisor: a lease, and the time."""

    def __init__(self, line: socket, lease: Lease, clock: Clock) -> None:
        self._socket = line
        self.lease = lease
        self.clock = clock
        """The crawl's, which is the supervisor's."""
        self._line: PartitionConnection | None = None

    def connect(self, poller: Poller) -> PartitionConnection:
        self._line = PartitionConnection(Wire(self._socket, poller), self.lease)
        return self._line

    def say(self, frame: Frame) -> None:
        self._socket.settimeout(_LAST_WORDS)
        self._socket.sendall(encode(frame))

    def complain(self, what: str) -> None:
        """Have the supervisor print a warning."""
        said = ToldLine("", what.encode(errors="replace").decode(), is_aloud=True)
        frame = Frame(FrameKind.SAID, number=WARNING, body=msgspec.msgpack.encode(said))
        if self._line is not None:
            self._line.send(frame)
        else:
            self.say(frame)

    def leave(self) -> None:
        """Say that this incarnation asks no host any more, and sends nothing home: the next may begin at
        once."""
        gone = Frame(FrameKind.GONE)
        if self._line is not None:
            self._line.send_last(gone, _LAST_WORDS)
        else:
            self.say(gone)
        self._hear_out()
        self._socket.close()

    def _hear_out(self) -> None:
        """Wait until the supervisor hangs up. Neighbours may still talk to this incarnation: a socket that
        is closed before all was read breaks the connection, and the last words could be lost.
        """
        with suppress(OSError):
            self._socket.settimeout(_LAST_WORDS)
            self._socket.shutdown(SHUT_WR)
            while self._socket.recv(_PIECE):
                pass
