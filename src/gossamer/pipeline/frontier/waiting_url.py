"""A waiting URL as bytes, the way it stands in a queue on disk.

    key 8 │ level 2 │ length of host 2 │ host │ the rest, in MessagePack

What tells a URL and where it belongs stands in front, at fixed places: to find the host, to compare
keys or to change the level, nothing has to be decoded.
"""

from collections.abc import Sequence
from struct import Struct as Layout

import numpy as np
from msgspec import Struct
from msgspec.msgpack import Decoder, Encoder
from numpy.typing import NDArray

from gossamer.core.records import Candidate, Via, Visit
from gossamer.core.request import RequestUrl, SentPart
from gossamer.core.url import Url

_FRONT = Layout("<QhH")
_LEVEL = Layout("<h")
_KEY_SIZE = 8
_HOST_AT = _FRONT.size


class _Rest(Struct, array_like=True, gc=False):
    """The fields without a fixed place."""

    origin: str
    path: str
    depth: int
    via: Via
    source: str
    hops: int
    attempt: int
    context: int = 0
    wish: int = -1
    memory: bytes = b""
    sent: SentPart | None = None
    """What a request has beside its URL."""


_FIXED = 9
"""Columns of the rest that every URL has."""
_encode = Encoder().encode
_decode = Decoder(_Rest).decode
_read_front = _FRONT.unpack_from
_read_level = _LEVEL.unpack_from


def to_visit(candidate: Candidate, level: int) -> Visit:
    """The first visit of a candidate.

    >>> from gossamer.core.url import parse
    >>> to_visit(Candidate(parse("http://a.test/b"), depth=2), level=1).level
    1
    """
    return Visit(
        *(candidate.url, candidate.depth, candidate.via, candidate.source, candidate.hops),
        level=level,
        context=candidate.context,
        wish=candidate.wish,
        memory=candidate.memory,
    )


def encode(visit: Candidate | Visit, attempt: int, level: int) -> bytes:
    """
    >>> from gossamer.core.url import parse
    >>> record = encode(Candidate(parse("http://a.test/b"), depth=2), attempt=0, level=1)
    >>> decode(record) == Visit(parse("http://a.test/b"), depth=2, level=1)
    True
    >>> read_host(record), read_level(record)
    ('a.test', 1)
    """
    url = visit.url
    origin, text, host = url.origin, url.text, url.host.encode()
    path = text.removeprefix(origin)
    if path[:1] != "/":  # of a URL that does not begin with its origin, the whole text
        path = text
    rest = (
        *(origin, path, visit.depth, visit.via, visit.source, visit.hops, attempt),
        *(visit.context, visit.wish),
        *((visit.memory,) if visit.memory else ()),
    )
    if isinstance(url, RequestUrl):
        rest = (*rest[:_FIXED], visit.memory, url.sent)
    return _FRONT.pack(url.key, level, len(host)) + host + _encode(rest)


def decode(record: bytes) -> Visit:
    """The visit that a record stands for."""
    key, level, length = _read_front(record)
    end = _HOST_AT + length
    rest = _decode(record[end:])
    text = rest.origin + rest.path if rest.path[:1] == "/" else rest.path
    url = Url(text, record[_HOST_AT:end].decode(), rest.origin, key)
    if rest.sent is not None:
        url = RequestUrl(text, url.host, url.origin, key, rest.sent)
    return Visit(
        *(url, rest.depth, rest.via, rest.source, rest.hops, rest.attempt, level),
        *(rest.context, rest.wish, rest.memory),
    )


def read_host(record: bytes) -> str:
    return record[_HOST_AT : _HOST_AT + _read_front(record)[2]].decode()


def read_level(record: bytes) -> int:
    level: int = _read_level(record, _KEY_SIZE)[0]
    return level


def read_keys(records: Sequence[bytes]) -> NDArray[np.uint64]:
    """The keys of many URLs at once.

    >>> from gossamer.core.url import parse
    >>> url = parse("http://a.test/b")
    >>> read_keys([encode(Candidate(url), 0, 1)]).tolist() == [url.key]
    True
    """
    return np.frombuffer(b"".join([record[:_KEY_SIZE] for record in records]), "<u8")


def with_level(record: bytes, level: int) -> bytes:
    """The same URL in another level.

    >>> from gossamer.core.url import parse
    >>> record = encode(Candidate(parse("http://a.test/b"), depth=2), attempt=0, level=1)
    >>> decode(with_level(record, 3)).level
    3
    """
    return record[:_KEY_SIZE] + _LEVEL.pack(level) + record[_KEY_SIZE + _LEVEL.size :]
