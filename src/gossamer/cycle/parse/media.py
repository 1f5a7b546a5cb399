"""What kind of thing a body is: its Content-Type, and a look at its first bytes.

Both follow the WHATWG MIME Sniffing standard, as far as a crawler needs it: a declared type is
believed, unless it is missing or one of those that servers send when they do not know.
"""

import re
from functools import lru_cache

from msgspec import Struct

from gossamer.base.records import Page
from gossamer.cycle.parse import feed, sitemap
from gossamer.cycle.parse.xml import root_of

_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~A-Za-z0-9]+")
_WS = "\t\n\r "
_QUOTED_CHARACTERS = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
_PARAMETER = re.compile(
    r"[\t\n\r ]*([^;=]*)"  # name
    r"(?:=(?:\"((?:[^\"\\]|\\.|\\\Z)*)(?:\"[^;]*|\Z)|([^;]*)))?",  # value, quoted or bare
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


class MediaType(Struct, frozen=True, gc=False):
    """What a Content-Type says."""

    essence: str = ""
    """Type and subtype in lower case; empty when the header makes no sense."""
    charset: str = ""


@lru_cache(maxsize=4096)
def read_media_type(text: str) -> MediaType:
    """Read a Content-Type; the first charset in it counts.

    >>> read_media_type('Text/HTML; x="a;b"; charset="utf-8"')
    MediaType(essence='text/html', charset='utf-8')
    >>> read_media_type("html")
    MediaType(essence='', charset='')
    """
    essence, _, parameters = text.partition(";")
    kind, _, subtype = essence.strip(_WS).partition("/")
    if not (_TOKEN.fullmatch(kind) and _TOKEN.fullmatch(subtype)):
        return MediaType()
    return MediaType(f"{kind}/{subtype}".lower(), _charset(parameters))


def _charset(parameters: str) -> str:
    position = 0
    while position < len(parameters):
        match = _PARAMETER.match(parameters, position)
        assert match is not None, "every part of the pattern may be empty"
        position = match.end() + 1  # past the semicolon
        if match[1].lower() == "charset" and (value := _value(match)) is not None:
            return value
    return ""


def _value(match: re.Match[str]) -> str | None:
    """The parameter's value; None when it has none, which does not count."""
    if match[2] is not None:
        value = _ESCAPE.sub(r"\1", match[2])
        return value if _QUOTED_CHARACTERS.fullmatch(value) else None
    value = (match[3] or "").rstrip(_WS)
    return value if value and _QUOTED_CHARACTERS.fullmatch(value) else None


_UNKNOWN = frozenset(
    {"", "unknown/unknown", "application/unknown", "*/*", "application/octet-stream"}
)
_LYING = frozenset({"text/plain"})
"""Apache's old default for files it did not know."""

_HTML = re.compile(
    rb"[\t\n\f\r ]*<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|"
    rb"body|br|p|meta|link)[ >]|[\t\n\f\r ]*<!--",
    re.IGNORECASE,
)
_XML = re.compile(rb"(?:\xef\xbb\xbf)?[\t\n\f\r ]*<\?xml")
_LIST = re.compile(
    rb"(?:\xef\xbb\xbf)?[\t\n\f\r ]*<(?:\?xml|rss|feed|rdf|urlset|sitemapindex)[\t\n\f\r :>]",
    re.IGNORECASE,
)
LISTS = sitemap.ROOTS | feed.ROOTS

_MAGIC = (
    (b"%PDF-", "application/pdf"),
    (b"\x1f\x8b\x08", "application/gzip"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
)
_BINARY = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_MARKS = (b"\xfe\xff", b"\xff\xfe", b"\xef\xbb\xbf")
_HEADER = 1445
"""Bytes that the standard looks at."""


def media_type_of(page: Page, said: MediaType) -> str:
    """The type of a page's body: what the server said, or what it must be.

    A server that says `text/plain` may be wrong about HTML (it did not know the file), but
    never about what is plainly text. A feed or sitemap that is called HTML is none.
    """
    if said.essence in _UNKNOWN:
        return sniff(page.body)
    if said.essence in _LYING and _HTML.match(page.body):
        return "text/html"
    if said.essence == "text/html" and _LIST.match(page.body) and root_of(page.body) in LISTS:
        return "text/xml"
    return said.essence


def sniff(body: bytes) -> str:
    """Tell HTML, XML, text, PDF and binary apart by the first bytes.

    >>> sniff(b"  <!DOCTYPE html><title>x"), sniff(b"%PDF-1.7"), sniff(b"plain words")
    ('text/html', 'application/pdf', 'text/plain')
    """
    if _HTML.match(body):
        return "text/html"
    if _XML.match(body):
        return "text/xml"
    for magic, media_type in _MAGIC:
        if body.startswith(magic):
            return media_type
    head = body[:_HEADER]
    if head.startswith(_MARKS) or not _BINARY.search(head):
        return "text/plain"
    return "application/octet-stream"
