"""A waiting URL as bytes, the way it stands in a queue on disk."""

from msgspec import Struct
from msgspec.msgpack import Decoder, Encoder

from gossamer.base.records import Candidate, Via, Visit
from gossamer.base.url import Url


class Waiting(Struct, frozen=True, array_like=True, gc=False):
    """A visit, with what tells where it belongs in front."""

    host: str
    level: int
    key: int
    origin: str
    path: str
    """What follows the origin; of a URL that does not begin with it, the whole text."""
    depth: int
    via: Via
    source: str
    hops: int
    attempt: int

    def to_visit(self) -> Visit:
        path, origin = self.path, self.origin
        text = origin + path if path[:1] == "/" else path
        url = Url(text, self.host, origin, self.key)
        return Visit(
            url, self.depth, self.via, self.source, self.hops, self.attempt, self.level
        )  # fmt: skip


def to_visit(candidate: Candidate, level: int) -> Visit:
    """The first visit of a candidate.

    >>> from gossamer.base.url import parse
    >>> to_visit(Candidate(parse("http://a.test/b"), depth=2), level=1).level
    1
    """
    return Visit(
        candidate.url, candidate.depth, candidate.via, candidate.source, candidate.hops, 0, level
    )


_encode = Encoder().encode
decode = Decoder(Waiting).decode


def encode(visit: Candidate | Visit, attempt: int, level: int) -> bytes:
    """
    >>> from gossamer.base.url import parse
    >>> record = encode(Candidate(parse("http://a.test/b"), depth=2), attempt=0, level=1)
    >>> decode(record).to_visit() == Visit(parse("http://a.test/b"), depth=2, level=1)
    True
    """
    url = visit.url
    origin, text = url.origin, url.text
    path = text.removeprefix(origin)
    if path[:1] != "/":
        path = text
    return _encode(
        (url.host, level, url.key, origin, path, visit.depth, visit.via, visit.source, visit.hops,
         attempt)
    )  # fmt: skip
