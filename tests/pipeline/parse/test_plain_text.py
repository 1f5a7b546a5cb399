"""Plain text, and text in XML."""

import pytest

from gossamer.core.records import Via
from gossamer.core.settings import ParseSettings
from gossamer.pipeline.parse import Parsers
from gossamer.pipeline.parse.extraction import read_page
from gossamer.pipeline.parse.plain_text import trim_url
from tests.pipeline.parse.parse_pages import SPELLING, page_of, read, targets

TEXT = "See http://a.example/x, (https://b.example/y_(z)) and ftp://c.example/.\n\n\tBye."


def test_text_is_kept_and_urls_in_it_are_no_links() -> None:
    document = read(TEXT, "text/plain")
    assert document.text == " ".join(TEXT.split())
    assert document.links == ()


def test_urls_in_text_are_links_if_a_setting_says_so() -> None:
    parsers = Parsers(SPELLING, "Gossamer", settings=ParseSettings(text_links=True))
    [document] = parsers.parse([page_of(TEXT, "text/plain")])
    assert targets(document) == ["http://a.example/x", "https://b.example/y_(z)"]


def test_a_robots_txt_has_no_text_for_readers() -> None:
    assert read(TEXT, "text/plain", via=Via.ROBOTS).text == ""


def test_long_texts_are_cut() -> None:
    assert len(read("word " * 2_000_000, "text/plain").text_utf8) <= 4 << 20


def test_charsets() -> None:
    assert read("naïve".encode("latin-1"), "text/plain; charset=latin1").text == "naïve"
    assert read("日本語".encode("utf-16"), "text/plain").text == "日本語"


def test_many_links_and_brackets() -> None:
    body = ("http://a.example/" + ")." * 1000 + " ") * 2000
    parsers = Parsers(SPELLING, "Gossamer", settings=ParseSettings(text_links=True, max_links=100))
    [document] = parsers.parse([page_of(body, "text/plain")])
    assert set(targets(document)) == {"http://a.example/"}
    assert len(document.links) == 100


@pytest.mark.parametrize(
    ("url", "wanted"),
    [("http://a/b)", "http://a/b"), ("http://a/(b)", "http://a/(b)"), ("...", "")],
)
def test_trimming(url: str, wanted: str) -> None:
    assert trim_url(url) == wanted


def test_text_of_feeds_and_other_xml() -> None:
    feed = (
        "<rss><channel><title>News</title><item><link>/1</link><description>&lt;p&gt;One "
        "&amp;amp; two&lt;/p&gt;</description></item></channel></rss>"
    )
    assert read(feed, "application/rss+xml").text == "News /1 One & two"
    other = "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY x 'y'>]><a b='c'>d<![CDATA[<i>e</i>]]></a>"
    assert read(other, "application/xml").text == "d e"
    assert read("<urlset><url><loc>/x</loc></url></urlset>", "text/xml").text == ""


def test_xhtml_is_read_as_a_page_whatever_xml_it_is_called() -> None:
    body = (
        "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><a href='x'>y</a></html>"
    )
    for content_type in ("application/xml", "text/xml", "application/xhtml+xml"):
        document = read(body, content_type)
        assert document.media_type == "application/xhtml+xml"
        assert targets(document) == ["http://www.example.org/dir/x"]


@pytest.mark.parametrize("content_type", ["application/xml", "text/markdown", "text/html"])
def test_references_of_thousands_of_digits(content_type: str) -> None:
    body = "<a>" + "&#" + "1" * 10_000 + "; &#x" + "0" * 10_000 + "41; &#99999999;</a>"
    if content_type != "text/html":
        assert "A" in read(body, content_type).text
    assert read_page(read(body + "<div>" * 20_000, content_type)).url
