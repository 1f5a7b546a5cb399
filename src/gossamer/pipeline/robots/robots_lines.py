"""From the bytes of a robots.txt to its fields, forgiving what webmasters get wrong.

What RFC 9309 leaves open follows Google's parser, the one that webmasters test against: names
of fields are known by how they begin, some misspellings are understood, a missing colon too.
"""

import re
from collections.abc import Iterator
from enum import Enum, auto

LIMIT = 500 << 10
"""Bytes that are read: RFC 9309, 2.5 asks for at least 500 KiB."""

ENOUGH = 2 * LIMIT
"""Bytes of a transfer after which nothing more is wanted: chunks and the like take up some of them."""


class Field(Enum):
    """The field of a line."""

    USER_AGENT = auto()
    ALLOW = auto()
    DISALLOW = auto()
    CRAWL_DELAY = auto()
    SITEMAP = auto()


_BEGINNINGS: tuple[tuple[bytes, Field], ...] = (
    (b"user-agent", Field.USER_AGENT),
    (b"useragent", Field.USER_AGENT),
    (b"user agent", Field.USER_AGENT),
    (b"disallow", Field.DISALLOW),
    (b"dissallow", Field.DISALLOW),
    (b"dissalow", Field.DISALLOW),
    (b"disalow", Field.DISALLOW),
    (b"diasllow", Field.DISALLOW),
    (b"disallaw", Field.DISALLOW),
    (b"allow", Field.ALLOW),
    (b"crawl-delay", Field.CRAWL_DELAY),
    (b"crawldelay", Field.CRAWL_DELAY),
    (b"crawl delay", Field.CRAWL_DELAY),
    (b"sitemap", Field.SITEMAP),
    (b"site-map", Field.SITEMAP),
)
_NAMES = dict(_BEGINNINGS)
_ANY_BEGINNING = tuple(name for name, _ in _BEGINNINGS)

# A byte order mark may be cut short; the two of UTF-16 are known as well, because without its
# NULs an ASCII text in UTF-16 reads like any other.
_MARKS = (b"\xef\xbb\xbf", b"\xef\xbb", b"\xef", b"\xff\xfe", b"\xfe\xff")


def read_fields(body: bytes, is_cut: bool = False) -> Iterator[tuple[int, Field, bytes]]:
    """The known fields of a robots.txt, each with its line number and its value.

    `is_cut` says that the body ends somewhere in the middle of what the server has.

    >>> list(read_fields(b"User-agent: *\\nDisalow /x # why"))
    [(1, <Field.USER_AGENT: 1>, b'*'), (2, <Field.DISALLOW: 3>, b'/x')]
    """
    for number, line in enumerate(_clean(_cut(body, is_cut)).splitlines(), 1):
        if line:
            name, value = _split(line)
            field = _NAMES.get(name) or _field(name)
            if field is not None:
                yield number, field, value


def _cut(body: bytes, is_cut: bool) -> bytes:
    """The first `LIMIT` bytes, without the line that the cut went through."""
    if len(body) > LIMIT:
        is_cut = body[LIMIT] not in b"\r\n"
        body = body[:LIMIT]
    if is_cut:
        body = body[: max(body.rfind(b"\n"), body.rfind(b"\r")) + 1]
    return body


def _clean(body: bytes) -> bytes:
    for mark in _MARKS:
        if body.startswith(mark):
            body = body[len(mark) :]
            break
    return body.replace(b"\0", b"") if b"\0" in body else body


def _split(line: bytes) -> tuple[bytes, bytes]:
    """Name and value; no name when the line is nothing that was ever meant as a field."""
    line = line.partition(b"#")[0]
    name, colon, value = line.partition(b":")
    if colon:
        return name.strip().lower(), value.strip()
    words = line.split(None, 2)
    return (words[0].lower(), words[1]) if len(words) == 2 else (b"", b"")


def _field(name: bytes) -> Field | None:
    if not name.startswith(_ANY_BEGINNING):
        return None
    return next(field for beginning, field in _BEGINNINGS if name.startswith(beginning))


_HIGH = re.compile(rb"[\x80-\xff]")


def as_text(value: bytes) -> str:
    """A value as text; what is not UTF-8 is percent-encoded, which means the same in a path.

    >>> as_text("/ä".encode()), as_text("/ä".encode("latin-1"))
    ('/ä', '/%E4')
    """
    try:
        return value.decode()
    except UnicodeDecodeError:
        return _HIGH.sub(lambda octet: b"%%%02X" % octet[0][0], value).decode()
