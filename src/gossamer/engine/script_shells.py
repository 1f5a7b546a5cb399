"""Pages that are empty until a browser has run their scripts."""

from gossamer.core.page_links import as_links
from gossamer.core.records import Document, LinkKind

LITTLE_TEXT = 300
"""Bytes of text that a page has when its content is missing: "Loading …", "Please enable JavaScript"."""
_LEADING = frozenset({LinkKind.ANCHOR, LinkKind.AREA, LinkKind.FRAME, LinkKind.REFRESH})
_HTML = ("text/html", "application/xhtml+xml")
_LOOKED_AT = 1 << 20


def is_shell(document: Document) -> bool:
    """Has a page hardly any text, no links to other pages, and a script that would make both?

    >>> from gossamer.core.outcomes import Outcome
    >>> from gossamer.core.records import Page, Visit
    >>> from gossamer.core.url import parse
    >>> visit, body = Visit(parse("http://a.test/")), b"<p>Loading ...<script src=a.js></script>"
    >>> page = Page(visit, Outcome.FETCHED, 0.0, status=200, body=body)
    >>> is_shell(Document(page, media_type="text/html", text_utf8=b"Loading ..."))
    True
    """
    page = document.page
    if page.status != 200 or document.media_type not in _HTML:
        return False
    if len(document.text_utf8) >= LITTLE_TEXT or not _LEADING.isdisjoint(
        as_links(document.links).kinds
    ):
        return False
    return b"<script" in page.body[:_LOOKED_AT].lower()
