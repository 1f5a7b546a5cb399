"""What kind of thing a body is: what its server said, and a look at its first bytes.

This follows the WHATWG MIME Sniffing standard, as far as a crawler needs it: a declared type is
believed, unless it is missing or one of those that servers send when they do not know.
`sniffing` has the standard's tables.
"""

import re

from gossamer.base.http import MediaType
from gossamer.base.records import Page
from gossamer.cycle.parse import feed, sitemap
from gossamer.cycle.parse.sniffing import HTML, is_text, sniff, sniff_media
from gossamer.cycle.parse.xml import root_of

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
