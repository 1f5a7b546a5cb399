"""What kind of thing a body is: its Content-Type, and a look at its first bytes.

Both follow the WHATWG MIME Sniffing standard, as far as a crawler needs it: a declared type is
believed, unless it is missing or one of those that servers send when they do not know.
`sniffing` has the standard's tables.
"""

import re
from functools import lru_cache

from msgspec import Struct

from gossamer.base.records import Page
from gossamer.cycle.parse import feed, sitemap
from gossamer.cycle.parse.sniffing import HTML, is_text, sniff, sniff_media
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


_LONGEST = 1024
"""Characters of a Content-Type that are looked at: it is remembered."""


def read_media_type(text: str) -> MediaType:
    """Read a Content-Type; the first charset in it counts.

    >>> read_media_type('Text/HTML; x="a;b"; charset="utf-8"')
    MediaType(essence='text/html', charset='utf-8')
    >>> read_media_type("html")
    MediaType(essence='', charset='')
    """
    return _read_media_type(text[:_LONGEST])


@lru_cache(maxsize=4096)
def _read_media_type(text: str) -> MediaType:
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
"""What servers say when they do not know. The standard believes the last one; Apache's users do not."""
_PLAIN = "text/plain"
_XML_TYPES = ("text/xml", "application/xml")
_MEDIA = ("image/", "audio/", "video/")
_LIST = re.compile(
    rb"(?:\xef\xbb\xbf)?[\t\n\f\r ]*<(?:\?xml|rss|feed|rdf|urlset|sitemapindex)[\t\n\f\r :>]",
    re.IGNORECASE,
)
LISTS = sitemap.ROOTS | feed.ROOTS
_MARKDOWN = (".md", ".markdown", ".mkd")


def media_type_of(page: Page, said: MediaType) -> str:
    """The type of a page's body: what the server said, or what it must be.

    A server that says `text/plain` may be wrong about HTML or a binary file (it did not know the
    file), but never about what is plainly text. A feed or sitemap that is called HTML is none. XML
    whose root is `html` is XHTML. With `X-Content-Type-Options: nosniff` a declared type stands.
    """
    essence = said.essence
    if essence == "text/html":
        is_list = _LIST.match(page.body) and root_of(page.body) in LISTS
        return "text/xml" if is_list else essence
    if essence in _UNKNOWN:
        return _plain_or_markdown(page, sniff(page.body))
    if essence == _PLAIN:
        return _plain_or_markdown(page, essence if _is_sure(page) else _unplain(page.body))
    if essence in _XML_TYPES:
        return "application/xhtml+xml" if root_of(page.body) == "html" else essence
    if essence.startswith(_MEDIA) and not _is_sure(page):
        return sniff_media(page.body) or essence
    return essence


def _is_sure(page: Page) -> bool:
    return page.headers.get("x-content-type-options").strip().lower() == "nosniff"


def _unplain(body: bytes) -> str:
    if HTML.match(body):
        return "text/html"
    return _PLAIN if is_text(body) and not body.startswith(b"%PDF-") else sniff(body)


def _plain_or_markdown(page: Page, media_type: str) -> str:
    """Few servers know Markdown; its name is all that tells it from plain text."""
    if media_type != _PLAIN:
        return media_type
    is_named = page.url.partition("?")[0].lower().endswith(_MARKDOWN)
    return "text/markdown" if is_named else media_type
