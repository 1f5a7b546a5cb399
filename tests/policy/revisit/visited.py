"""Pages that were visited, made up for tests."""

from hashlib import sha1

from gossamer.core.outcomes import Outcome
from gossamer.core.page_links import Links
from gossamer.core.records import Document, Headers, Judged, LinkKind, Page, Via, Visit
from gossamer.core.text_words import WordReader
from tests.present import parse

_READER = WordReader()


def visited(
    visit: Visit | str,
    time: float,
    text: str = "one two three four five six",
    *,
    status: int = 200,
    outcome: Outcome = Outcome.FETCHED,
    links: tuple[str, ...] = (),
    body: str = "",
    **fields: str,
) -> Judged:
    """A page as the content test hands it on; `fields` are header fields, with _ for -."""
    if isinstance(visit, str):
        visit = Visit(parse(visit), via=Via.LINK)
    named = [(name.replace("_", "-"), value) for name, value in fields.items()]
    payload = (body or text).encode() if status not in (0, 304) else b""
    page = Page(
        *(visit, outcome, time),
        status=status,
        headers=Headers(named),
        payload=payload,
        body=payload,
    )
    targets = [parse(link) for link in links]
    kinds = [LinkKind.ANCHOR] * len(targets)
    blank = [""] * len(targets)
    found = Links(visit.url.text, targets, kinds, blank, blank, blank)
    document = Document(page, links=found, text_utf8=text.encode() if payload else b"")
    _READER.begin()
    words = _READER.read(document.text_utf8, visit.url.text)
    return Judged(document, sha1(payload).digest() if payload else b"", text_print=words.exact)
