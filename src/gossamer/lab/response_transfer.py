"""Transfer of an answer: the bytes that are handed to the socket, step by step.

A step is bytes to send, a number of seconds to wait, or an end of the connection.
"""

from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

CHUNK = 4096


class TransferEnd(Enum):
    """Ways in which a connection ends too early."""

    CLOSE = "close"
    RESET = "reset"


Step = bytes | float | TransferEnd
Steps = list[Step]


class VirtualTransfer(NamedTuple):
    """A way to send a body. `head` is given without the empty line that ends it."""

    name: str
    is_complete: bool
    """Does all that HTTP promised arrive, so that the page can be used?"""
    steps: Callable[[bytes, bytes], Steps]


def _length(head: bytes, size: int) -> bytes:
    return b"%bContent-Length: %d\r\n\r\n" % (head, size)


def _whole(head: bytes, body: bytes) -> Steps:
    return [b"%bContent-Length: %d\r\n\r\n%b" % (head, len(body), body)]


def _chunks(body: bytes) -> list[bytes]:
    pieces = [body[start : start + CHUNK] for start in range(0, len(body), CHUNK)]
    return [b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces]


def _chunked(head: bytes, body: bytes) -> Steps:
    start = b"%bTransfer-Encoding: chunked\r\n\r\n" % head
    return [b"".join([start, *_chunks(body), b"0\r\n\r\n"])]


def _bad_chunk_size(head: bytes, body: bytes) -> Steps:
    """The second chunk's size is no number."""
    start = b"%bTransfer-Encoding: chunked\r\n\r\n" % head
    return [
        start + _chunks(body)[0] + b"not-a-size\r\n" + body[CHUNK : 2 * CHUNK],
        TransferEnd.CLOSE,
    ]


def _unfinished_chunks(head: bytes, body: bytes) -> Steps:
    """The last chunk never comes."""
    start = b"%bTransfer-Encoding: chunked\r\n\r\n" % head
    return [b"".join([start, *_chunks(body)]), TransferEnd.CLOSE]


def _cut_short(head: bytes, body: bytes) -> Steps:
    return [_length(head, len(body)) + body[: len(body) // 2], TransferEnd.CLOSE]


def _length_too_long(head: bytes, body: bytes) -> Steps:
    return [_length(head, len(body) + 700) + body, TransferEnd.CLOSE]


def _length_too_short(head: bytes, body: bytes) -> Steps:
    return [_length(head, len(body) - 100) + body, TransferEnd.CLOSE]


def _reset_at_once(head: bytes, body: bytes) -> Steps:
    return [TransferEnd.RESET]


def _until_close(head: bytes, body: bytes) -> Steps:
    return [b"%bConnection: close\r\n\r\n%b" % (head, body), TransferEnd.CLOSE]


WHOLE = VirtualTransfer("whole", True, _whole)
CHUNKED = VirtualTransfer("chunked", True, _chunked)
UNTIL_CLOSE = VirtualTransfer("until close", True, _until_close)
BAD_CHUNK_SIZE = VirtualTransfer("bad chunk size", False, _bad_chunk_size)
UNFINISHED_CHUNKS = VirtualTransfer("unfinished chunks", False, _unfinished_chunks)
CUT_SHORT = VirtualTransfer("cut short", False, _cut_short)
LENGTH_TOO_LONG = VirtualTransfer("Content-Length too long", False, _length_too_long)
LENGTH_TOO_SHORT = VirtualTransfer("Content-Length too short", True, _length_too_short)
RESET = VirtualTransfer("reset", False, _reset_at_once)


def silence(seconds: float) -> VirtualTransfer:
    """Say nothing for a while, then close."""
    return VirtualTransfer("silence", False, lambda head, body: [seconds, TransferEnd.CLOSE])
