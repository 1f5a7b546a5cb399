"""Pages for tests: a body and its header fields, as if they had been fetched."""

from gossamer.core.outcomes import Outcome
from gossamer.core.records import Document, Headers, Page, Via, Visit
from gossamer.core.url import Spelling
from gossamer.pipeline.parse import Parsers

SPELLING = Spelling()
URL = "http://www.example.org/dir/page.html"


def page_of(
    body: bytes | str,
    content_type: str | None = "text/html; charset=utf-8",
    *fields: tuple[str, str],
    url: str = URL,
    via: Via = Via.LINK,
) -> Page:
    target = SPELLING.parse(url)
    assert target is not None
    headers = [("Content-Type", content_type)] if content_type is not None else []
    return Page(
        visit=Visit(target, via=via),
        outcome=Outcome.FETCHED,
        started=0.0,
        status=200,
        headers=Headers([*headers, *fields]),
        body=body.encode() if isinstance(body, str) else body,
    )


def read(
    body: bytes | str,
    content_type: str | None = "text/html; charset=utf-8",
    *fields: tuple[str, str],
    url: str = URL,
    via: Via = Via.LINK,
) -> Document:
    page = page_of(body, content_type, *fields, url=url, via=via)
    (document,) = Parsers(SPELLING, "Gossamer").parse([page])
    return document


def targets(document: Document) -> list[str]:
    return [link.target.text for link in document.links]
