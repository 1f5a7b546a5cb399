"""Calls to shards on another machine, and their encoding."""

from socket import socket
from struct import Struct as Layout

import msgspec
from msgspec import Struct

from gossamer.core.settings import SearchSettings
from gossamer.search.index_part import Ask
from gossamer.search.scoring import PartCounts

_SIZE = Layout("<I")
_LONGEST = 1 << 28


class AboutCall(Struct, frozen=True, tag=True):
    """Ask for a description of the shards."""


class CountsCall(Struct, frozen=True, tag=True):
    terms: list[tuple[str, str]]


class BestCall(Struct, frozen=True, tag=True):
    whole: PartCounts
    terms: list[tuple[str, str]]
    ask: Ask
    limit: int


class CountCall(Struct, frozen=True, tag=True):
    ask: Ask


class FindCall(Struct, frozen=True, tag=True):
    key: int


class ShowCall(Struct, frozen=True, tag=True):
    segment: int
    number: int


class FrequencyCall(Struct, frozen=True, tag=True):
    field: str
    term: str


class WordsCall(Struct, frozen=True, tag=True):
    beginning: str
    most: int


ShardCall = (
    AboutCall | CountsCall | BestCall | CountCall | FindCall | ShowCall | FrequencyCall | WordsCall
)


class ShardReply(Struct, frozen=True):
    body: msgspec.Raw = msgspec.Raw(b"\xc0")
    refused: str = ""


class AboutShards(Struct, frozen=True):
    pages: int
    groups: tuple[str, ...]
    settings: SearchSettings


def write_message(line: socket, message: object) -> None:
    data = msgspec.msgpack.encode(message)
    line.sendall(_SIZE.pack(len(data)) + data)


def read_message(line: socket) -> bytes:
    """The next message; nothing when the peer closed the connection."""
    head = _read(line, _SIZE.size)
    if not head:
        return b""
    (size,) = _SIZE.unpack(head)
    if size > _LONGEST:
        raise OSError("a message is too long")
    return _read(line, size)


def _read(line: socket, size: int) -> bytes:
    pieces, left = [], size
    while left:
        piece = line.recv(min(left, 1 << 20))
        if not piece:
            if left == size:
                return b""
            raise OSError("the peer closed the connection")
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)
