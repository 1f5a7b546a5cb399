"""Feeds: RSS 2.0, RSS 1.0 and Atom."""

import pytest

from gossamer.core.records import LinkKind
from gossamer.pipeline.parse.feed_dates import read_date
from tests.pipeline.parse.parse_pages import read, targets

RSS = """<?xml version="1.0"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
<title>The &nbsp; Feed</title><link>http://www.example.org/</link>
<atom:link href="http://www.example.org/feed?p=2" rel="next"/>
<item><title><![CDATA[One & only]]></title><link>http://www.example.org/1?a&amp;b</link>
<pubDate>Thu, 01 Jan 1970 01:00:00 +0100</pubDate><enclosure url="/x.mp3"/></item>
<item><guid isPermaLink="true">http://www.example.org/2</guid><dc:date>1970-01-02</dc:date></item>
<item><guid isPermaLink="false">tag:nothing</guid><title>No link</title></item>
<item><link>http://[bad</link></item>
</channel></rss>"""

RDF = """<rdf:RDF xmlns:rdf="r"><channel rdf:about="/c"><title>T</title></channel>
<item rdf:about="http://www.example.org/1"><title>One</title><link>http://www.example.org/1l</link></item>
<item rdf:about="http://www.example.org/2"></item></rdf:RDF>"""

ATOM = """<feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://www.example.org/blog/">
<title>A</title><link rel="self" href="self"/><link rel=next href="older"/>
<entry><title>One</title><link rel="edit" href="edit"/><link href="1"/>
<published>1970-01-01</published><updated>1970-01-02T00:00:00Z</updated>
<content type="xhtml"><div><a href="no">no</a><link>no</link></div></content></entry>
<entry xml:base="/two/"><link rel="alternate" href="2"/></entry></feed>"""


def test_rss() -> None:
    document = read(RSS, "application/rss+xml")
    assert document.title == "The Feed"
    assert targets(document) == [
        "http://www.example.org/feed?p=2",
        "http://www.example.org/1?a&b",
        "http://www.example.org/2",
    ]
    assert [link.kind for link in document.links] == [LinkKind.NEXT, LinkKind.FEED, LinkKind.FEED]
    assert [(entry.title, entry.lastmod) for entry in document.entries] == [
        ("One & only", 0.0),
        ("", 86400.0),
    ]
    assert document.links[1].anchor == "One & only"
    assert document.bad_links == 1


def test_rdf() -> None:
    document = read(RDF, "application/rdf+xml")
    assert targets(document) == ["http://www.example.org/1l", "http://www.example.org/2"]


def test_atom() -> None:
    document = read(ATOM, "application/atom+xml")
    assert targets(document) == [
        "http://www.example.org/blog/older",
        "http://www.example.org/blog/1",
        "http://www.example.org/two/2",
    ]
    assert document.entries[0].lastmod == 86400.0


def test_a_cut_feed_gives_what_can_be_read() -> None:
    assert len(read(RSS[: RSS.index("<item><guid")], "text/xml").entries) == 1


def test_charset_of_the_declaration() -> None:
    body = (
        "<?xml version='1.0' encoding='iso-8859-1'?><rss><channel><title>é</title></channel></rss>"
    )
    document = read(body.encode("latin-1"), "application/rss+xml")
    assert (document.title, document.charset) == ("é", "windows-1252")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1970", 0.0),
        ("1970-02", 2678400.0),
        ("1970-01-01T00:00Z", 0.0),
        ("1970-01-01T00:00:00.5+00:00", 0.5),
        ("1970-01-01T01:00:00+01:00", 0.0),
        ("01 Jan 70 00:00 GMT", 0.0),
        ("Thu, 01 Jan 1970 00:00:00 EST", 18000.0),
        ("", None),
        ("9999-99-99", None),
        ("0000", None),
        ("yesterday", None),
        ("1 2 3 4 5 6 7 8", None),
    ],
)
def test_dates(text: str, wanted: float | None) -> None:
    assert read_date(text) == wanted
