"""Frames: what goes over a wire between a partition and the supervisor."""

from collections.abc import Iterator
from enum import IntEnum
from struct import Struct as Layout
from typing import NamedTuple

_HEADER = Layout("<IBHQB")
_LONGEST = 1 << 30
"""Bytes of a frame; a longer one can only be noise."""


class FrameKind(IntEnum):
    # Between partitions; the supervisor passes them on.
    BATCH = 1
    ACK = 2
    QUESTION = 3
    ANSWER = 4
    HUNGRY = 5
    GREETING = 6
    # To the supervisor.
    REPORT = 10
    KEPT = 11
    RETURNED = 12
    FAILED = 13
    SAID = 14
    TURNS_WANTED = 15
    GONE = 16
    FOUND = 17
    # From the supervisor.
    UP = 20
    GRANT = 21
    RECALL = 22
    PROBE = 23
    STOP = 24
    PAUSE = 25
    GO_ON = 26
    TURNS_GIVEN = 27
    MOVE = 28
    ORDERS = 29
    ASK = 30
    GIVE_UP = 31


PASSED_ON = frozenset(
    {
        FrameKind.BATCH,
        FrameKind.ACK,
        FrameKind.QUESTION,
        FrameKind.ANSWER,
        FrameKind.HUNGRY,
        FrameKind.GREETING,
    }
)


class Frame(NamedTuple):
    """One thing said.

    >>> frames = FrameReader()
    >>> frames.feed(encode(Frame(FrameKind.ACK, 3, 17))[:-1]), list(frames)
    (None, [])
    >>> frames.feed(encode(Frame(FrameKind.ACK, 3, 17))[-1:]), list(frames)
    (None, [Frame(kind=2, partition=3, number=17, topic=0, body=b'')])
    """

    kind: int
    partition: int = 0
    """On the way to the supervisor, the receiver; on the way from it, the sender or the subject."""
    number: int = 0
    topic: int = 0
    body: bytes = b""


def encode(frame: Frame) -> bytes:
    kind, partition, number, topic, body = frame
    return _HEADER.pack(len(body), kind, partition, number, topic) + body


class FrameReader:
    """Puts frames together from pieces of a stream."""

    def __init__(self) -> None:
        self._data = bytearray()

    def feed(self, piece: bytes) -> None:
        self._data += piece

    def __iter__(self) -> Iterator[Frame]:
        """The frames that are complete by now."""
        data, start = self._data, 0
        try:
            while len(data) - start >= _HEADER.size:
                length, kind, partition, number, topic = _HEADER.unpack_from(data, start)
                if length > _LONGEST:
                    raise ValueError(f"a frame cannot have {length} bytes")
                end = start + _HEADER.size + length
                if end > len(data):
                    break
                body = bytes(data[start + _HEADER.size : end])
                start = end
                yield Frame(kind, partition, number, topic, body)
        finally:
            del data[:start]
