"""Pages for the detectors, as the ring would bring them."""

from hashlib import sha1

from gossamer.core.outcomes import Outcome
from gossamer.core.records import Compared, Document, Headers, Page, Via, Visit
from gossamer.core.text_words import WordReader
from gossamer.core.url import parse

_READER = WordReader()

WORDS = (
    *("harbour", "lantern", "meadow", "copper", "violet", "thunder", "marble", "canyon", "ribbon"),
    *("saddle", "orchard", "pepper", "glacier", "tunnel", "feather", "anchor", "basket", "velvet"),
    *("compass", "garden", "timber", "saffron", "quarry", "beacon", "willow"),
)


def prose(number: int) -> str:
    """Text that is different for each number, in words and not in digits only."""
    text = []
    for place in range(12):
        text.append(WORDS[(number // (place + 1) + place * 7) % len(WORDS)])
        number = number * 31 + 7
    return " ".join(text)


def kept(
    url: str,
    text: str,
    *,
    status: int = 200,
    location: str = "",
    via: Via = Via.LINK,
    source: str = "",
) -> Compared:
    """A page as it comes from the content test."""
    parsed = parse(url)
    assert parsed is not None
    fields = [("Content-Type", "text/html")] + ([("Location", location)] if location else [])
    body = f"<p>{text}</p>".encode()
    page = Page(
        Visit(parsed, 1, via, source),
        Outcome.FETCHED,
        0.0,
        status=status,
        headers=Headers(fields),
        payload=body,
        body=body,
    )
    document = Document(page, media_type="text/html", text_utf8=text.encode())
    words = _READER.read(document.text_utf8, url)
    digest = sha1(body).digest()
    return Compared(document, digest, text_print=words.exact, masked_print=words.masked)
