"""Any bytes under any header fields: no exception escapes, and what comes out is bounded."""

import gzip

from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.core.http import read_media_type
from gossamer.core.records import Document, Via
from gossamer.pipeline.parse.html_kernel import Reader
from gossamer.pipeline.parse.refresh import refresh_target
from gossamer.pipeline.parse.robots_directives import read_directives
from tests.examples import examples
from tests.pipeline.parse.parse_pages import read

HTML_PIECES = (
    "<a href= <base href= <link rel=next href= <meta content= name=robots http-equiv=refresh charset= "
    "</a> <title> </title> <script> </script> <!-- --> <template> </template> <svg> <table> <b id=1> "
    "<p> <frameset> <frame src= <iframe src= > ' \" = / & &amp; &#0; &#xD800; \0 http://[ // javascript: "
    "../x ?q #f utf-16 utf-7 é"
)
HTML = st.sampled_from(HTML_PIECES.split(" "))
XML_PIECES = (
    "<?xml version='1.0'?> encoding='utf-16' <urlset> <url> <loc> </loc> </url> <sitemapindex> <sitemap> "
    "<rss> <channel> <item> <link> </link> <link href='x'/> <guid> <entry> <feed xml:base='//['> "
    "<pubDate> </pubDate> <lastmod> </lastmod> 2024-13-45 <priority> nan inf <![CDATA[ ]]> <!DOCTYPE [ "
    "]> <!ENTITY &x; & http://a.example/ http://[ \0 é <image:loc>"
)
XML = st.sampled_from(XML_PIECES.split(" "))
TYPES = st.sampled_from(
    [
        None,
        "",
        "text/html",
        "text/html; charset=shift_jis",
        "text/html; charset=utf-16",
        "text/html; charset=iso-2022-jp",
        "application/xhtml+xml",
        "application/xml",
        "application/rss+xml",
        "text/plain",
        "application/gzip",
        "application/octet-stream",
    ]
)


def mixtures(pieces: st.SearchStrategy[str]) -> st.SearchStrategy[bytes]:
    part = st.one_of(pieces.map(str.encode), st.sampled_from([b" ", b"\n"]), st.binary(max_size=8))
    return st.lists(part, max_size=60).map(b"".join)


def is_bounded(document: Document, body: bytes) -> bool:
    return (
        len(document.links) <= 4 * len(body) + 1
        and len(document.title) <= 1024
        and all(len(link.anchor) <= 256 for link in document.links)
        and all(
            link.target.text.startswith(("http:", "https:", "ftp:", "file:"))
            for link in document.links
        )
    )


@given(mixtures(HTML), TYPES)
@settings(max_examples=examples(400), deadline=None)
def test_html(body: bytes, content_type: str | None) -> None:
    assert is_bounded(read(body, content_type), body)


@given(mixtures(HTML))
@settings(max_examples=examples(300), deadline=None)
def test_reading_stays_within_its_page(body: bytes) -> None:
    reading = Reader(max_links=100, wants_requisites=True).read(body)
    assert reading.steps <= len(body)
    assert len(reading.text) <= 1.25 * len(body)
    for _, *spans, _, before in reading.others:
        assert before <= len(reading.hrefs)
        assert all(0 <= first <= last for first, last in zip(spans[::2], spans[1::2], strict=True))
        assert max(spans) <= 1.25 * len(body)
    plain = len(reading.hrefs)
    columns = (reading.places, reading.hrefs, reading.rels, reading.texts, reading.offsets)
    assert [len(column) for column in columns] == [plain] * 5
    assert all(href in body for href in reading.hrefs)
    for offset, text in zip(reading.offsets, reading.texts, strict=True):
        assert reading.text[offset:].decode("utf-8", "replace").startswith(text.rstrip("\ufffd"))


@given(mixtures(XML), TYPES, st.sampled_from(Via), st.booleans())
@settings(max_examples=examples(400), deadline=None)
def test_lists(body: bytes, content_type: str | None, via: Via, is_compressed: bool) -> None:
    sent = gzip.compress(body) if is_compressed else body
    document = read(sent, content_type, url="http://www.example.org/s.xml.gz", via=via)
    assert is_bounded(document, body)
    assert all(entry.priority is None or 0 <= entry.priority <= 1 for entry in document.entries)


@given(st.text(), st.text(max_size=80), st.text(max_size=80))
@settings(max_examples=examples(300), deadline=None)
def test_headers(content_type: str, robots: str, charset: str) -> None:
    essence = read_media_type(content_type).essence
    assert essence == essence.lower()
    read_directives("Gossamer", [robots], [robots])
    refresh_target(robots)
    label = f"text/html; charset={charset}"
    assert read(b"x", label, ("X-Robots-Tag", robots)).page.body == b"x"
