"""Is what a parser returned a document that can be stored?"""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from gossamer.core.outcomes import ParseFailure
from gossamer.core.page_items import plain_items
from gossamer.core.page_links import Links
from gossamer.core.records import Document, Entry, Link, LinkKind, Page
from gossamer.core.url import Url

_DOCUMENT = {
    "title": str,
    "charset": str,
    "media_type": str,
    "is_indexable": bool,
    "is_followable": bool,
    "bad_links": int,
    "text_utf8": bytes,
    "failure": ParseFailure,
}
_LINK = {
    "source": str,
    "target": Url,
    "kind": LinkKind,
    "anchor": str,
    "rel": str,
    "position": str,
    "offset": int,
}


def checked(document: Any, page: Page) -> Document:
    """The document, if it is one of this page; `TypeError` or `ValueError` says what is wrong with it.

    >>> from gossamer.core.outcomes import Outcome
    >>> from gossamer.core.records import Visit
    >>> from gossamer.core.url import parse
    >>> checked(None, Page(Visit(parse("http://a.test/")), Outcome.FETCHED, 0.0))
    Traceback (most recent call last):
    TypeError: it returned NoneType, not a gossamer.Document
    """
    if not isinstance(document, Document) or not isinstance(document.page, Page):
        raise TypeError(f"it returned {type(document).__name__}, not a gossamer.Document")
    _check_fields(document, _DOCUMENT)
    _check_links(document.links)
    if not all(isinstance(entry, Entry) for entry in document.entries):
        raise TypeError("entries must contain gossamer.Entry objects only")
    if document.items:
        document = replace(document, items=plain_items(document.items))
    return document if document.page is page else _restored(document, page)


def _restored(document: Document, page: Page) -> Document:
    """Restore the fetched fields; a parser may only add a note for people."""
    if document.page.url != page.url:
        raise ValueError("it returned the document of another page")
    return replace(document, page=replace(page, detail=document.page.detail))


def _check_links(links: Sequence[Link]) -> None:
    if isinstance(links, Links):  # made by a parser of ours
        return
    if not isinstance(links, (tuple, list)):
        raise TypeError(f"links is {type(links).__name__}, not a tuple")
    for link in links:
        if not isinstance(link, Link):
            raise TypeError(f"a link is {type(link).__name__}, not a gossamer.Link")
        _check_fields(link, _LINK)


def _check_fields(record: Any, kinds: dict[str, type]) -> None:
    for name, kind in kinds.items():
        value = getattr(record, name)
        if not isinstance(value, kind):
            raise TypeError(f"{name} is {type(value).__name__}, not {kind.__name__}")
