"""Media type of a body: by its server's word, and a look at its first bytes.

This follows the WHATWG MIME Sniffing standard, as far as a crawler needs it: a declared type is
believed, unless it is missing or one of those that servers send when they do not know.
`sniffing` has the standard's tables.
"""

from gossamer.core.http import MediaType
from gossamer.core.records import Page, Via
from gossamer.pipeline.parse.gunzip import is_gzip
from gossamer.pipeline.parse.list_detection import (
    ANNOUNCED,
    GZIP,
    ROOTS,
    XML,
    leading_root,
    legible,
    list_type,
)
from gossamer.pipeline.parse.sniffing import HTML, is_text, sniff, sniff_media
from gossamer.pipeline.parse.xml import root_of

_UNKNOWN = frozenset(
    {"", "unknown/unknown", "application/unknown", "*/*", "application/octet-stream"}
)
"""What servers say when they do not know. The standard believes the last one; Apache's users do not."""
_PLAIN = "text/plain"
_XHTML = "application/xhtml+xml"
_XML_TYPES = ("text/xml", "application/xml")
_GZIP_TYPES = ("application/gzip", "application/x-gzip")
_MEDIA = ("image/", "audio/", "video/")
_MARKDOWN = (".md", ".markdown", ".mkd")


def media_type_of(page: Page, said: MediaType) -> str:
    """The type of a page's body: what the server said, or what it must be.

    A server that says `text/plain` may be wrong about HTML or a binary file (it did not know the
    file), but never about what is plainly text. A feed or sitemap that is called HTML or text is none;
    what was asked for as a sitemap is one if it looks like one. XML whose root is `html` is XHTML. With
    `X-Content-Type-Options: nosniff` a declared type stands.
    """
    essence = said.essence
    if page.visit.via in ANNOUNCED and (listed := list_type(page.body, said.charset)):
        return essence if listed == XML and _is_xml(essence) else listed
    if essence == "text/html":
        return XML if leading_root(legible(page.body, said.charset)) in ROOTS else essence
    if essence in _UNKNOWN:
        return _by_bytes(page, said)
    if essence == _PLAIN:
        return _plain_or_better(page, essence if _is_sure(page) else _unplain(page, said))
    if _is_xml(essence) and not essence.startswith(_MEDIA):
        return _xml_type(page, said)
    return essence if _is_sure(page) else _doubted(page, said)


def _is_sure(page: Page) -> bool:
    return page.headers.get("x-content-type-options").strip().lower() == "nosniff"


def _is_xml(essence: str) -> bool:
    return essence in _XML_TYPES or essence.endswith("+xml")


def _by_bytes(page: Page, said: MediaType) -> str:
    """The type of what a server does not know."""
    head = legible(page.body, said.charset)
    return _plain_or_better(page, _markup_type(head) or sniff(head))


def _unplain(page: Page, said: MediaType) -> str:
    """The type of a document declared as text, which may be markup, a list of URLs or a binary file."""
    body = page.body
    if found := _markup_type(legible(body, said.charset)):
        return found
    return _PLAIN if is_text(body) and not body.startswith(b"%PDF-") else sniff(body)


def _markup_type(head: bytes) -> str:
    """HTML, XHTML, or XML if it is a list of URLs."""
    if HTML.match(head):
        return "text/html"
    root = leading_root(head)
    if root == "html":
        return _XHTML
    return XML if root in ROOTS else ""


def _xml_type(page: Page, said: MediaType) -> str:
    if is_gzip(page.body) and list_type(page.body):
        return GZIP
    is_any = said.essence in _XML_TYPES
    is_xhtml = is_any and root_of(legible(page.body, said.charset)) == "html"
    return _XHTML if is_xhtml else said.essence


def _doubted(page: Page, said: MediaType) -> str:
    """A type that is neither text nor markup, of a server that may be wrong about it."""
    essence, body = said.essence, page.body
    if essence.startswith(_MEDIA):
        return sniff_media(body) or essence
    if essence in _GZIP_TYPES and not is_gzip(body):
        return _by_bytes(page, said)  # the server has unpacked it, or we have
    return XML if leading_root(body) in ROOTS else essence


def _plain_or_better(page: Page, media_type: str) -> str:
    """Few servers know Markdown, and some no style sheets; their names tell them from plain text."""
    if media_type != _PLAIN:
        return media_type
    name = page.url.partition("?")[0].lower()
    if page.visit.via is Via.REQUISITE and name.endswith(".css") and not _is_sure(page):
        return "text/css"
    return "text/markdown" if name.endswith(_MARKDOWN) else media_type
