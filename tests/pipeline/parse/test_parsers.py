"""The choice of a parser: by header, by content, by the user."""

import pytest

from gossamer.core.outcomes import Outcome
from gossamer.core.records import Document, Page, Via
from gossamer.pipeline.parse import Parsers
from gossamer.pipeline.parse.sniffing import sniff
from tests.pipeline.parse.parse_pages import SPELLING, page_of, read, targets

LINK = "<html><a href=x>y</a>"


@pytest.mark.parametrize(
    ("content_type", "media_type", "links"),
    [
        ("text/html", "text/html", 1),
        ("Text/HTML ; charset=x", "text/html", 1),
        (None, "text/html", 1),
        ("", "text/html", 1),
        ("nonsense", "text/html", 1),
        ("application/octet-stream", "text/html", 1),
        ("text/plain", "text/html", 1),
        ("application/json", "application/json", 0),
        ("image/png", "image/png", 0),
        ("text/css", "text/css", 0),
    ],
)
def test_html_is_recognised(content_type: str | None, media_type: str, links: int) -> None:
    document = read(LINK, content_type)
    assert (document.media_type, len(document.links)) == (media_type, links)


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (b"", "text/plain"),
        (b" \n<!DOCTYPE HTML>", "text/html"),
        (b"<!doctype htmlx>", "text/plain"),
        (b"<!-- x", "text/html"),
        (b"<p>", "text/html"),
        (b"<pre>", "text/plain"),
        (b"<?xml version='1.0'?>", "text/xml"),
        (b"%PDF-1.4", "application/pdf"),
        (b"\x1f\x8b\x08\0", "application/gzip"),
        (b"a\x00b", "application/octet-stream"),
        (b"\xff\xfea\x00", "text/plain"),
        (b"\x89PNG\r\n\x1a\n", "image/png"),
    ],
)
def test_sniffing(body: bytes, wanted: str) -> None:
    assert sniff(body) == wanted
    assert read(body, None).media_type == wanted


def test_text_that_begins_like_text_stays_text() -> None:
    document = read("see <a href=x>", "text/plain")
    assert (document.media_type, document.links) == ("text/plain", ())


def test_a_page_that_did_not_arrive_has_no_links() -> None:
    ok = page_of(LINK)
    failed = Page(visit=ok.visit, outcome=Outcome.TIMEOUT, started=0.0)
    documents = Parsers(SPELLING, "Gossamer").parse([failed, ok, failed])
    assert [document.page for document in documents] == [failed, ok, failed]
    assert [len(document.links) for document in documents] == [0, 1, 0]


def test_parsers_of_the_user() -> None:
    def read_any(page: Page) -> Document:
        return Document(page=page, title="mine", media_type=page.media_type)

    parsers = Parsers(SPELLING, "Gossamer", {"Text/HTML": read_any, "image/*": read_any})
    types = ["text/html", "image/webp", "text/css", "application/xhtml+xml"]
    documents = parsers.parse([page_of(LINK, media_type) for media_type in types])
    assert [document.title for document in documents] == ["mine", "mine", "", ""]
    everything = Parsers(SPELLING, "Gossamer", {"*/*": read_any})
    assert everything.parse([page_of("x", "font/woff")])[0].title == "mine"


def test_a_feed_that_is_called_html_is_a_feed() -> None:
    body = "<?xml version='1.0'?>\n<rss><channel><item><link>/i</link></item></channel></rss>"
    assert targets(read(body, "text/html")) == ["http://www.example.org/i"]
    xhtml = "<?xml version='1.0'?><html><a href=x>y</a></html>"
    assert read(xhtml, "text/html").media_type == "text/html"


@pytest.mark.parametrize(
    ("via", "calls", "items"), [(Via.LINK, 1, 1), (Via.ROBOTS, 0, 0), (Via.PROBE, 1, 0)]
)
def test_own_parsers_read_only_pages(via: Via, calls: int, items: int) -> None:
    """A host may answer with HTML when it is asked for its robots.txt, or for a page that cannot be there."""
    called: list[Page] = []

    def parse(page: Page) -> Document:
        called.append(page)
        return Document(page, items=({"price": 3},))

    page = page_of("<title>No</title>", via=via)
    (document,) = Parsers(SPELLING, "Gossamer", {"text/html": parse}).parse([page])
    assert (len(called), len(document.items)) == (calls, items)
