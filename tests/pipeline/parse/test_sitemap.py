"""Sitemaps: sets, indexes, text, gzip, extensions, and what is left of broken ones."""

import gzip

import pytest

from gossamer.core.records import LinkKind, Via
from gossamer.core.settings import ParseSettings
from gossamer.pipeline.parse import Parsers
from tests.pipeline.parse.parse_pages import SPELLING, page_of, read, targets

URL = "http://www.example.org/sitemap.xml"
HEAD = '<?xml version="1.0" encoding="UTF-8"?>'
SET = (
    HEAD + '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    "<url><loc> http://www.example.org/?a=1&amp;b=2 </loc><lastmod>2024-02-29T12:00:00+02:00</lastmod>"
    "<changefreq>Daily</changefreq><priority>0.8</priority></url>"
    "<url><loc><![CDATA[http://www.example.org/2?a&b]]></loc><lastmod>2024-02</lastmod>"
    "<changefreq>often</changefreq><priority>7</priority></url>"
    "<url><loc>http://[bad</loc></url><url><lastmod>2024</lastmod></url>"
    "</urlset>"
)


def test_a_set() -> None:
    document = read(SET, "application/xml", url=URL)
    first, second = document.entries
    assert first.url.text == "http://www.example.org/?a=1&b=2"
    assert (first.lastmod, first.changefreq, first.priority) == (1709200800.0, "daily", 0.8)
    assert second.url.text == "http://www.example.org/2?a&b"
    assert (second.lastmod, second.changefreq, second.priority) == (1706745600.0, "", None)
    assert [link.kind for link in document.links] == [LinkKind.SITEMAP] * 2
    assert document.bad_links == 2


def test_an_index() -> None:
    body = (
        "<sm:sitemapindex xmlns:sm='x'><sm:sitemap><sm:loc>/s1.xml</sm:loc></sm:sitemap>"
        "<sm:sitemap><sm:loc>http://www.example.org/s2.xml.gz</sm:loc>"
        "<sm:lastmod>1970-01-02</sm:lastmod></sm:sitemap></sm:sitemapindex>"
    )
    document = read(body, "text/xml", url=URL)
    assert targets(document) == [
        "http://www.example.org/s1.xml",
        "http://www.example.org/s2.xml.gz",
    ]
    assert document.entries[1].lastmod == 86400.0


def test_extensions() -> None:
    body = (
        "<urlset><url><loc>/page</loc>"
        "<image:image><image:loc>/1.png</image:loc><image:title>no</image:title></image:image>"
        "<image:image><image:loc>/2.png</image:loc></image:image>"
        "<video:video><video:thumbnail_loc>/t.jpg</video:thumbnail_loc>"
        "<video:content_loc>/v.mp4</video:content_loc></video:video>"
        "<news:news><news:publication><news:name>P</news:name></news:publication>"
        "<news:publication_date>1970-01-03</news:publication_date>"
        "<news:title>Big  news</news:title></news:news>"
        "<xhtml:link rel='alternate' hreflang='de' href='/de'/>"
        "<xhtml:link rel='alternate' hreflang='fr' href='/fr'/></url></urlset>"
    )
    document = read(body, "application/xml", url=URL)
    (entry,) = document.entries
    assert (entry.url.path, entry.title, entry.lastmod) == ("/page", "Big news", 172800.0)
    assert [url.path for url in entry.media] == ["/1.png", "/2.png", "/t.jpg", "/v.mp4"]
    assert [(link.target.path, link.kind) for link in document.links] == [
        ("/page", LinkKind.SITEMAP),
        ("/de", LinkKind.TRANSLATION),
        ("/fr", LinkKind.TRANSLATION),
    ]


@pytest.mark.parametrize("via", [Via.SITEMAP, Via.ROBOTS])
def test_a_text_sitemap(via: Via) -> None:
    body = b"\xef\xbb\xbfhttp://www.example.org/1\r\n\r\nHTTPS://www.example.org/2\nhttp://[bad\n"
    document = read(body, "text/plain", url="http://www.example.org/sitemap.txt", via=via)
    assert targets(document) == ["http://www.example.org/1", "https://www.example.org/2"]
    assert document.bad_links == 1


def test_text_is_a_sitemap_only_when_announced_and_nothing_else() -> None:
    assert read(b"http://www.example.org/1", "text/plain").links == ()
    prose = b"http://www.example.org/1\nis a nice page"
    assert read(prose, "text/plain", via=Via.SITEMAP).links == ()


@pytest.mark.parametrize("content_type", ["application/gzip", "application/x-gzip", None])
def test_gzip(content_type: str | None) -> None:
    body = gzip.compress(SET.encode())
    assert len(read(body, content_type, url=URL + ".gz").links) == 2
    assert (
        len(read(body, content_type, url="http://www.example.org/s?id=1", via=Via.SITEMAP).links)
        == 2
    )
    assert read(body, content_type, url="http://www.example.org/a.tar.gz").links == ()


def test_gzip_in_several_members_cut_and_broken() -> None:
    halves = SET.encode()[:300], SET.encode()[300:]
    whole = gzip.compress(halves[0]) + gzip.compress(halves[1])
    assert len(read(whole, "application/gzip", url=URL + ".gz").entries) == 2
    cut = gzip.compress(SET.encode())[:-30]
    assert len(read(cut, "application/gzip", url=URL + ".gz").entries) >= 1
    assert read(b"\x1f\x8b\x08" + b"x" * 50, "application/gzip", url=URL + ".gz").entries == ()
    text = gzip.compress(b"http://www.example.org/1")
    assert len(read(text, None, url="http://www.example.org/s.txt.gz", via=Via.ROBOTS).entries) == 1


@pytest.mark.parametrize(
    "broken",
    [
        SET[:-9],
        SET.replace("</urlset>", "</wrong><<<>&&&"),
        SET.replace("</changefreq>", ""),
        SET.replace("<priority>", "\x00\x01<priority x=y z='>"),
        SET.replace("&amp;", "&"),
        "  \n" + SET,
        SET.replace(HEAD, ""),
    ],
)
def test_broken_xml_gives_what_can_be_read(broken: str) -> None:
    document = read(broken, "application/xml", url=URL)
    assert document.entries[0].url.text == "http://www.example.org/?a=1&b=2"


def test_a_cut_record_counts() -> None:
    document = read("<urlset><url><loc>/1</loc></url><url><loc>/2</loc><las", "text/xml", url=URL)
    assert [entry.url.path for entry in document.entries] == ["/1", "/2"]


def test_limits() -> None:
    settings = ParseSettings(max_entries=10, max_sitemap=2048)
    parsers = Parsers(SPELLING, "Gossamer", settings=settings)
    many = "<urlset>" + "".join(f"<url><loc>/{n}</loc></url>" for n in range(10_000))
    pages = [
        page_of(many, "text/xml"),
        page_of(gzip.compress(many.encode()), "application/gzip", url=URL + ".gz"),
        page_of("<urlset>" + " " * 2048 + "<url><loc>/x</loc></url>", "text/xml"),
        page_of("http://a.example/\n" * 50, "text/plain", via=Via.SITEMAP),
    ]
    assert [len(document.entries) for document in parsers.parse(pages)] == [10, 10, 0, 10]


def test_other_xml_has_no_links() -> None:
    document = read("<note><url><loc>/1</loc></url></note>", "application/xml")
    assert (document.links, document.media_type) == ((), "application/xml")
