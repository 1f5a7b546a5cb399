"""Documents that come under another type than their own: what lists URLs is read all the same."""

import gzip

import pytest

from gossamer.core.records import LinkKind, Via
from gossamer.core.settings import ParseSettings
from gossamer.pipeline.parse import Parsers
from gossamer.pipeline.parse.list_detection import list_type
from tests.pipeline.parse.parse_pages import SPELLING, page_of, read, targets

HEAD = "<?xml version='1.0' encoding='UTF-8'?>"
SET = HEAD + "<urlset><url><loc>http://www.example.org/1</loc></url></urlset>"
INDEX = "<sm:sitemapindex><sm:sitemap><sm:loc>http://www.example.org/1</sm:loc></sm:sitemap>"
RSS = "<rss><channel><item><link>http://www.example.org/1</link></item></channel></rss>"
LIST = "http://www.example.org/1\n"
COMMENTED = "<!-- made by hand -->" + SET.removeprefix(HEAD)
TYPES = (
    "application/xml text/xml application/rss+xml application/gzip application/x-gzip text/plain text/html "
    "application/octet-stream binary/octet-stream application/json application/x-tar text/css image/png"
)
NOSNIFF = ("X-Content-Type-Options", "nosniff")
SITEMAP = "http://www.example.org/sitemap?id=1"


@pytest.mark.parametrize("fields", [(), (NOSNIFF,)], ids=["", "nosniff"])
@pytest.mark.parametrize("is_compressed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize("content_type", [*TYPES.split(), "", None])
@pytest.mark.parametrize(
    "body", [SET, INDEX, RSS, LIST, COMMENTED], ids=["set", "index", "rss", "list", "commented"]
)
def test_what_is_asked_for_as_a_sitemap_is_one(
    body: str, content_type: str | None, is_compressed: bool, fields: tuple[tuple[str, str], ...]
) -> None:
    sent = gzip.compress(body.encode()) if is_compressed else body
    document = read(sent, content_type, *fields, url=SITEMAP, via=Via.SITEMAP)
    assert targets(document) == ["http://www.example.org/1"]
    assert len(document.entries) == 1


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16le"])
@pytest.mark.parametrize("is_compressed", [False, True], ids=["plain", "gzip"])
def test_sitemaps_in_other_encodings(encoding: str, is_compressed: bool) -> None:
    body = SET.encode(encoding)
    sent = gzip.compress(body) if is_compressed else body
    document = read(sent, "application/octet-stream", url=SITEMAP, via=Via.SITEMAP)
    assert targets(document) == ["http://www.example.org/1"]


@pytest.mark.parametrize("content_type", TYPES.split())
def test_pages_that_a_sitemap_names_are_what_they_were(content_type: str) -> None:
    bodies = [
        b"<!DOCTYPE html><a href=/2>x</a>",
        b"some text",
        gzip.compress(b"<html>some text"),
        gzip.compress(b"\0\1\2" * 99),
        b"http://www.example.org/1 is\na page",
        b"\x89PNG\r\n\x1a\n\0\0",
        b"",
    ]
    for body in bodies:
        listed, linked = read(body, content_type, via=Via.SITEMAP), read(body, content_type)
        assert listed.media_type == linked.media_type
        assert listed.entries == ()
        assert targets(listed) == targets(linked)


@pytest.mark.parametrize("body", [SET, RSS, HEAD + "\n" + RSS], ids=["set", "rss", "declared"])
@pytest.mark.parametrize("via", [Via.LINK, Via.REDIRECT])
@pytest.mark.parametrize(
    "content_type",
    ["text/plain", "text/html", "application/octet-stream", "application/rss", "text/rss", None],
)
def test_a_list_is_known_by_its_root(content_type: str | None, via: Via, body: str) -> None:
    document = read(body, content_type, url="http://www.example.org/new", via=via)
    assert [link.target.text for link in document.links] == ["http://www.example.org/1"]
    assert document.media_type == "text/xml"


@pytest.mark.parametrize("content_type", ["text/plain", "text/rss", "application/gzip"])
def test_nosniff_lets_the_type_of_a_link_stand(content_type: str) -> None:
    document = read(SET, content_type, NOSNIFF)
    assert (document.media_type, document.links) == (content_type, ())


@pytest.mark.parametrize("content_type", ["application/gzip", "application/x-gzip"])
def test_what_is_called_gzip_and_was_unpacked(content_type: str) -> None:
    assert targets(read(SET, content_type)) == ["http://www.example.org/1"]
    page = read("<!DOCTYPE html><a href=/2>x</a>", content_type)
    assert (page.media_type, targets(page)) == ("text/html", ["http://www.example.org/2"])


@pytest.mark.parametrize("content_type", ["application/xml", "text/xml", "application/rss+xml"])
def test_gzip_that_is_called_xml(content_type: str) -> None:
    document = read(gzip.compress(SET.encode()), content_type)
    assert targets(document) == ["http://www.example.org/1"]
    other = read(gzip.compress(b"<svg></svg>"), "image/svg+xml")
    assert (other.media_type, other.links) == ("image/svg+xml", ())


@pytest.mark.parametrize("content_type", ["text/plain", "application/octet-stream", None])
def test_xhtml_is_known_by_its_root(content_type: str | None) -> None:
    body = HEAD + "<html xmlns='http://www.w3.org/1999/xhtml'><a href='/2'/></html>"
    document = read(body, content_type)
    assert document.media_type == "application/xhtml+xml"
    assert targets(document) == ["http://www.example.org/2"]
    assert read(HEAD + "<note/>", "text/plain").media_type == "text/plain"


def test_bombs_stay_bounded() -> None:
    """To tell what a gzip file holds, only its beginning is unpacked."""
    settings = ParseSettings(max_sitemap=1 << 20)
    bomb = gzip.compress(b"http://a.example/\n" * (1 << 20), 1)
    page = page_of(bomb, "text/plain", url=SITEMAP, via=Via.SITEMAP)
    (document,) = Parsers(SPELLING, "Gossamer", settings=settings).parse([page])
    assert 0 < len(document.entries) <= (1 << 20) // len(b"http://a.example/\n") + 1
    nested = gzip.compress(gzip.compress(SET.encode()))
    assert list_type(nested) == ""
    assert read(nested, "application/xml", url=SITEMAP, via=Via.SITEMAP).entries == ()


@pytest.mark.parametrize(
    "content_type", ["text/css", "text/plain", "application/octet-stream", None]
)
def test_a_style_sheet_that_a_page_needs_is_known_by_its_name(content_type: str | None) -> None:
    parsers = Parsers(SPELLING, "Gossamer", settings=ParseSettings(page_requisites=True))
    url = "http://www.example.org/a.css?v=1"
    sheet = page_of("p { background: url(b.png) }", content_type, url=url, via=Via.REQUISITE)
    (document,) = parsers.parse([sheet])
    assert document.media_type == "text/css"
    assert [link.kind for link in document.links] == [LinkKind.IMAGE]
    if content_type == "text/plain":
        linked = page_of("p { background: url(b.png) }", content_type, url=url)
        assert parsers.parse([linked])[0].media_type == "text/plain"
