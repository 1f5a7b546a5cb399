"""A candidate as bytes, while it waits on disk to be compared.

Most of a candidate's strings are parts of its URL, and only their lengths are kept.
"""

import msgspec
import xxhash
from msgspec.structs import asdict

from gossamer.core.records import Candidate, Via
from gossamer.core.request import RequestUrl, SentPart, at_url
from gossamer.core.url import Url

_VIAS = tuple(Via)
_NUMBERS = {via: number for number, via in enumerate(_VIAS)}


class Row(msgspec.Struct, array_like=True, gc=False):
    text: str
    origin: int | str
    host: int | str
    depth: int
    via: int
    source: str
    hops: int
    anchor: str
    context: int = 0
    memory: bytes = b""


class _RequestRow(Row, array_like=True, gc=False):
    """A row of a request, which has one column more."""

    sent: SentPart | None = None


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_RequestRow).decode


def pack(candidate: Candidate) -> bytes:
    """A candidate in few bytes. Half characters in an anchor, which no encoding knows, become "?"."""
    try:
        return _encode(_row(candidate, candidate.anchor))
    except UnicodeEncodeError:
        return _encode(_row(candidate, candidate.anchor.encode(errors="replace").decode()))


def _row(candidate: Candidate, anchor: str) -> Row:
    url = candidate.url
    text, origin, host = url.text, url.origin, url.host
    row = Row(
        text,
        len(origin) if text.startswith(origin) else origin,
        len(host) if text.startswith(host, _host_start(text)) else host,
        candidate.depth,
        _NUMBERS[candidate.via],
        candidate.source,
        candidate.hops,
        anchor,
        candidate.context,
        candidate.memory,
    )
    return _RequestRow(**asdict(row), sent=url.sent) if isinstance(url, RequestUrl) else row


def unpack(data: bytes) -> Candidate:
    """The candidate that was packed.

    >>> from gossamer.core.url import parse
    >>> page = Candidate(parse("http://a.test:8080/b?c"), depth=3, source="http://b.test/")
    >>> unpack(pack(page)) == page, len(pack(page))
    (True, 48)
    """
    row = _decode(data)
    text, origin, host = row.text, row.origin, row.host
    if isinstance(origin, int):
        origin = text[:origin]
    if isinstance(host, int):
        start = _host_start(text)
        host = text[start : start + host]
    url = Url(text, host, origin, xxhash.xxh3_64_intdigest(text.encode()))
    if row.sent is not None:
        url = at_url(url, row.sent)
    return Candidate(
        *(url, row.depth, _VIAS[row.via], row.source, row.hops, row.anchor, row.context),
        memory=row.memory,
    )


def _host_start(text: str) -> int:
    return text.find("://") + 3
