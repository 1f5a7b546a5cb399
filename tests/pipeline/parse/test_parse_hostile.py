"""Input made to hurt: it is read in bounded time and memory, and nothing escapes.

Each case would take minutes or gigabytes if it were read the straightforward way; the timeout of
the test run is the judge.
"""

import gzip
import resource
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.pipeline.parse.feed import read_feed
from gossamer.pipeline.parse.gunzip import gunzip
from gossamer.pipeline.parse.html_kernel import Reader
from gossamer.pipeline.parse.sitemap import read_sitemap
from gossamer.pipeline.parse.url_listing import Listing
from gossamer.pipeline.parse.xml import Start, read_xml
from tests.examples import examples
from tests.pipeline.parse.parse_pages import SPELLING, read, targets

MILLION = 1_000_000
LINK = b"<a href=/last>last</a>"
LAST = "http://www.example.org/last"


def bolds(count: int) -> bytes:
    return b"".join(b"<b id=%d>" % number for number in range(count))


WILD: dict[str, Callable[[], bytes]] = {
    "nested div": lambda: b"<div>" * MILLION,
    "nested lists": lambda: b"<ul><li>" * MILLION,
    "nested anchors": lambda: b"<object><a href=#>" * 200_000,
    "formatting left open": lambda: b"<p>" + bolds(4000) + b"</p>" + b"<p>x" * 4000,
    "formatting with attributes": lambda: (
        b"<p><b " + b"a='b' " * 9 + b"></p>" * 9 + b"<p>x" * 15_000
    ),
    "one long link reopened": lambda: (
        b"<p><a title='" + b"x" * MILLION + b"'></p>" + b"<p>x" * 1000
    ),
    "many attributes": lambda: b"<p " + b" ".join(b"a%d" % n for n in range(200_000)) + b">",
    "end tags that match nothing": lambda: b"<div>" * 20_000 + b"</span>" * MILLION,
    "comments never closed": lambda: b"<!--" * MILLION + b"-->",
    "less-than signs": lambda: b"<" * MILLION,
    "end tags": lambda: b"</p>" * MILLION,
}
LARGE: dict[str, Callable[[], bytes]] = {
    "one long line": lambda: b"x " * (5 * MILLION),
    "an attribute of 10 MB": lambda: b"<p title='" + b"x" * (10 * MILLION) + b"'>",
    "NULs": lambda: b"\0" * MILLION,
    "invalid UTF-8": lambda: b"\xc0\x80\xff\xfe" * 500_000,
    "references": lambda: b"&amp;" * MILLION + b"&" * MILLION,
}


@pytest.mark.parametrize("name", WILD)
def test_what_is_too_wild_for_a_tree_is_read_to_its_end(name: str) -> None:
    body = WILD[name]() + LINK
    assert LAST in targets(read(body))


@pytest.mark.parametrize("name", LARGE)
def test_large_but_harmless(name: str) -> None:
    body = LARGE[name]() + LINK
    assert targets(read(body)) == [LAST]


def test_an_href_of_ten_megabytes() -> None:
    document = read(b"<a href='/" + b"x" * (10 * MILLION) + b"'>long</a>" + LINK)
    assert targets(document)[-1] == LAST


def test_a_million_links_are_cut_at_the_limit() -> None:
    document = read(b"<a href=x>y</a>" * MILLION)
    assert len(document.links) == 20_000


UNENDED = {
    "tag": b"<a href=x ",
    "attribute name": b"<a hr",
    "attribute": b"<a href='x",
    "bare attribute": b"<a href=x",
    "end tag": b"</a",
    "comment": b"<!-- x",
    "doctype": b"<!doctype x",
    "CDATA": b"<svg><![CDATA[x",
    "nonsense": b"<?x",
    "script": b"<script>x<!--<script>",
    "style": b"<style>x",
    "title": b"<title>x",
    "text area": b"<textarea>x",
    "plain text": b"<plaintext>x",
    "template": b"<template>x",
    "frameset": b"<frameset><frame ",
    "reference": b"&am",
    "number": b"&#x",
}


@pytest.mark.parametrize("name", UNENDED)
def test_what_never_ends(name: str) -> None:
    """Once, and a hundred thousand times: the work grows no faster than the page."""
    once, often = (Reader(100).read(UNENDED[name] * times) for times in (1, 100_000))
    assert once.steps <= 3
    assert often.steps <= 3 * 100_000
    assert len(often.text) <= len(often.html)
    read(UNENDED[name])


def test_a_line_of_a_hundred_megabytes_is_read_up_to_the_limit() -> None:
    document = read(b"x" * (100 * MILLION) + LINK)
    assert len(document.text_utf8) == 16 << 20
    assert document.links == ()


def test_numbers_without_an_end() -> None:
    """Python itself refuses to read them."""
    digits = b"9" * 100_000
    document = read(b"<title>&#%b;</title><a href='/&#%b;' rel='&#x%b'>&#%b;" % ((digits,) * 4))
    assert document.title == "\ufffd"
    assert document.text == "\ufffd"
    assert [link.target.path for link in document.links] == ["/%EF%BF%BD"]
    assert read(b"<urlset><url><loc>/&#%b;</loc></url></urlset>" % digits[:9000], "text/xml").links


def test_unclosed_raw_text_hides_the_rest() -> None:
    assert read(b"<div>" * 20_000 + b"<script>" + LINK * 1000).links == ()


def test_nested_anchors_with_much_text() -> None:
    """Each link holds the whole text: copied for each, that would be gigabytes."""
    document = read(b"<object><a href=x>" * 4000 + b"word " * 200_000)
    assert len(document.links) == 4000
    assert all(len(link.anchor) <= 256 for link in document.links)


BILLION_LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY l0 "http://www.example.org/lol">'
    + "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    + "]><urlset><url><loc>&l11;</loc></url><url><loc>/last</loc></url></urlset>"
)
QUADRATIC = (
    f'<!DOCTYPE urlset [<!ENTITY a "{"x" * 50_000}">]><urlset><url><loc>{"&a;" * 50_000}</loc></url>'
    "<url><loc>/last</loc></url></urlset>"
)


@pytest.mark.parametrize("body", [BILLION_LAUGHS, QUADRATIC], ids=["laughs", "quadratic"])
def test_entity_bombs(body: str) -> None:
    tracemalloc.start()
    document = read(body, "application/xml")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert targets(document)[-1] == LAST
    assert peak < 20 * len(body) + MILLION


@pytest.mark.parametrize("kind", ["SYSTEM", "PUBLIC 'x'"])
def test_external_entities_are_not_looked_at(kind: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("the-secret")
    body = (
        f"<!DOCTYPE rss [<!ENTITY x {kind} '{secret.as_uri()}'> %x;]><rss><channel>"
        "<title>&x;</title><item><link>/&x;</link></item></channel></rss>"
    )
    document = read(body, "application/rss+xml")
    assert document.title == "&x;"
    assert targets(document) == ["http://www.example.org/&x;"]


ENTRY = b"<url><loc>/last</loc></url>"


@pytest.mark.parametrize(
    ("write", "before"),
    [
        (lambda: b"<urlset>" + b"<url>" * MILLION + ENTRY, 0),
        (lambda: b"<urlset>" + b"<url><loc>" * 100_000 + ENTRY, 0),
        (lambda: b"<urlset><url><loc>" + b"x" * (10 * MILLION) + b"</loc></url>" + ENTRY, 1),
        (lambda: b"<urlset><url><loc>" + b"<![CDATA[" * MILLION + b"]]></loc></url>" + ENTRY, 1),
        (lambda: b"<urlset>" + b"</url>" * MILLION + ENTRY, 0),
        (lambda: b"<urlset " + b"a='" * MILLION + b">" + ENTRY, 0),
        (
            lambda: (
                b"<rss><channel><item><link>"
                + b"&amp;" * MILLION
                + b"</link></item><item><link>/last</link></item>"
            ),
            1,
        ),
    ],
    ids=range(7),
)
def test_hostile_xml(write: Callable[[], bytes], before: int) -> None:
    """What comes before the last entry is one that is cut, or none."""
    found = targets(read(write(), "application/xml"))
    assert found[-1] == LAST
    assert len(found) == before + 1
    assert all(3_000 < len(target) < 21_000 for target in found[:-1])


def test_a_name_that_every_child_is_told() -> None:
    """Written out for each child, that would be a hundred gigabytes."""
    body = b"<urlset><" + b"n" * MILLION + b">" + b"<b/>" * 100_000 + ENTRY
    events = list(read_xml(body))
    assert sum(len(event.name) + len(event.parent) for event in events) < 300 * len(events)
    assert targets(read(body, "application/xml")) == [LAST]


def test_an_element_with_a_million_attributes() -> None:
    """Only those at its beginning are looked at; it is still known that it was closed at once."""
    attributes = b" ".join(b"a%d=b" % number for number in range(MILLION))
    body = b"<feed><link " + attributes + b" /><entry><link href=/last /></entry></feed>"
    assert max(len(event.tail) for event in read_xml(body) if type(event) is Start) <= 256 << 10
    assert targets(read(body, "application/xml")) == [LAST]


@pytest.mark.parametrize(
    ("begin", "name", "read_list"),
    [("<urlset><url>", "loc", read_sitemap), ("<rss><item>", "link", read_feed)],
    ids=["sitemap", "feed"],
)
def test_an_entry_with_many_fields(
    begin: str, name: str, read_list: Callable[..., Listing]
) -> None:
    """Only those that mean something are kept."""
    fields = "".join(f"<f{number}>x</f{number}>" for number in range(100_000))
    body = f"{begin}{fields}<{name}>/last</{name}>".encode()
    base = SPELLING.base(LAST)
    assert base is not None
    tracemalloc.start()
    listing = read_list(body, "", base, SPELLING, 10)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [link.target.text for link in listing.links] == [LAST]
    assert peak < len(body)


def test_a_file_of_empty_gzip_members() -> None:
    member, page = gzip.compress(b""), gzip.compress(b"page")
    assert gunzip(member * 9_000 + page, 1000) == b"page"
    assert gunzip(member * 20_000 + page, 1000) == b""


def test_a_doctype_never_ends() -> None:
    assert read(b"<!DOCTYPE x [" + b"<!ENTITY " * MILLION + ENTRY, "application/xml").links == ()


def test_compressed_bombs_are_cut(conformance_data: Path) -> None:
    bomb = (conformance_data / "bombs" / "bomb-gzip.bin").read_bytes()
    assert len(gunzip(bomb, 1000)) == 1000
    zeros = gzip.compress(gzip.compress(b"\0" * 100 * MILLION))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    document = read(zeros, "application/gzip", url="http://www.example.org/s.xml.gz")
    assert document.links == ()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300 << 10


@pytest.mark.parametrize("begin", [b"<xmp>", b"<textarea>", b"<svg><![CDATA[", b"<plaintext>"])
@pytest.mark.parametrize("is_xml", [False, True])
def test_characters_that_grow_leave_room_for_the_rest(begin: bytes, is_xml: bool) -> None:
    """A NUL becomes three bytes; where there is no room for that, it is left out."""
    ends = {b"<xmp>": b"</xmp>", b"<textarea>": b"</textarea>", b"<svg><![CDATA[": b"]]></svg>"}
    for count, rest in ((1000, 5000), (50_000, 200_000), (400_000, 1_600_000)):
        page = begin + b"\0" * count + ends.get(begin, b"") + b"x" * rest
        text = Reader(max_links=10).read(page, is_xml).text
        assert len(text) <= len(page) + len(page) // 4 + 64
        assert text.endswith(b"x" * rest)


class Guarded(Reader):
    """Has a wall behind the room for a page's text."""

    def _buffer_for(self, html: bytes) -> np.ndarray:
        room = super()._buffer_for(html)
        size = len(html) + len(html) // 4 + 64
        assert len(room) >= size
        self.walled = np.full(size + 4096, 0xA5, np.uint8)
        return self.walled[:size]

    @property
    def is_whole(self) -> bool:
        return bool((self.walled[-4096:] == 0xA5).all())


GROWING = st.sampled_from(
    b"\0 \0\0\0\0\0\0\0\0\0 <xmp> </xmp> <textarea> </textarea> <svg> </svg> <math> <![CDATA[ ]]> <title> "
    b"</title> <plaintext> <noscript> </noscript> <iframe> <desc> <p> <br> <td> &nGt; &nvlt; &#0; &#x10FFFF; "
    b"&fjlig; & < x xxxxxxxxx \xc2\xa0 \xc2".split(b" ")
)


@given(st.lists(st.tuples(GROWING, st.sampled_from([1, 1, 5, 100])), max_size=40), st.booleans())
@settings(deadline=None, max_examples=examples(500))
def test_nothing_is_written_behind_the_room_for_text(
    pieces: list[tuple[bytes, int]], is_xml: bool
) -> None:
    reader = Guarded(max_links=10)
    reader.read(b"".join(piece * count for piece, count in pieces), is_xml)
    assert reader.is_whole
