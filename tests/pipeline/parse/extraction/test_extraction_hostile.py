"""Metadata made to hurt: bounded, and nothing escapes."""

import json
import re
import resource
import tracemalloc
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.core.extracted_page import Reading
from gossamer.core.records import Document
from gossamer.pipeline.parse.extraction import read_page
from gossamer.pipeline.parse.extraction.bounds import MAX_NODES
from gossamer.pipeline.parse.extraction.outline import build_outline
from tests.examples import examples
from tests.pipeline.parse.parse_pages import page_of

THOUSAND = 1000


def read(body: str | bytes) -> Reading:
    return read_page(Document(page_of(body)))


def script(text: str) -> str:
    return f'<script type="application/ld+json">{text}</script>'


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "null",
        "7",
        '"a"',
        "[[[]]]",
        "{'single': 'quotes'}",
        '{"a": 1,}',
        "[" * 500_000,
        '{"a":' * 100_000,
        "9" * 100_000,
        '{"a": 1e999999}',
        '{"a": NaN, "b": Infinity}',
        '{"a": "\\ud800"}',
        '{"@graph": {"@graph": "x"}}',
        '{"@graph": [' * 1000,
        '{"author": {"name": 7}, "datePublished": 7, "headline": ["x"]}',
        '{"author": [[["x"]]], "description": {"a": "b"}}',
    ],
    ids=range(18),
)
def test_bad_json_ld(text: str) -> None:
    reading = read(f"<title>still here</title>{script(text)}")
    assert reading.title == "still here"
    json.loads(json.dumps(reading.json_ld, allow_nan=False).encode("utf-8"))


def test_common_mistakes_are_forgiven() -> None:
    for text in (
        '<!-- {"name": "x"} -->',
        '//<![CDATA[\n{"name": "x"}\n//]]>',
        '{"name": "x"};',
        '\n {"name": "x",\n"text": "two\nlines"}',
    ):
        [one] = read(script(text)).json_ld
        assert one["name"] == "x"


def test_json_ld_is_bounded() -> None:
    wide = json.dumps([{"a": list(range(50))}] * 10_000)
    assert count(read(script(wide)).json_ld) <= MAX_NODES
    huge = script('{"name": "' + "x" * 3_000_000 + '"}')
    assert read(huge).json_ld == ()
    assert len(read(script('{"name": "x"}') * 1000).json_ld) <= 64


def test_deep_json_ld_is_cut() -> None:
    reading = read(script('{"a":' * 100 + "1" + "}" * 100))
    assert depth(reading.json_ld) <= 34


def test_microdata() -> None:
    body = """<div itemscope itemtype="https://schema.org/Movie" itemid=urn:x itemref="more">
      <h1 itemprop="name alternateName">Avatar</h1><img itemprop=image src=a.png>
      <div itemprop=director itemscope><span itemprop=name> J.
        Cameron</span></div></div>
      <p id=more><meta itemprop=genre content=fiction></p><div itemscope></div>"""
    movie, empty = read(body).microdata
    assert movie == {
        "type": ["https://schema.org/Movie"],
        "id": "urn:x",
        "properties": {
            "name": ["Avatar"],
            "alternateName": ["Avatar"],
            "image": ["a.png"],
            "director": [{"properties": {"name": ["J. Cameron"]}}],
            "genre": ["fiction"],
        },
    }
    assert empty == {"properties": {}}


def test_items_that_contain_themselves() -> None:
    body = """<div itemscope itemref=b><p itemprop=x>1</p></div>
      <div id=b itemprop=self itemscope itemref=c><p itemprop=y>2</p></div>
      <div id=c itemprop=other itemscope itemref=b></div>"""
    [item] = read(body).microdata
    assert item["properties"]["x"] == ["1"]
    assert "ERROR" in json.dumps(item)


def test_items_that_refer_to_each_other_many_times() -> None:
    """Each refers to all: written out, that would be more than there are atoms."""
    names = " ".join(f"i{n}" for n in range(40))
    body = "".join(f"<div id=i{n} itemscope itemprop=p itemref='{names}'></div>" for n in range(40))
    reading = read(f"<div itemscope itemref='{names}'></div>{body}")
    assert count(reading.microdata) <= 4 * MAX_NODES


def test_many_items_that_refer_to_many_properties() -> None:
    """Each of the items has each of the properties, through each of the places."""
    items = "<i itemscope itemref=a></i>" * 2400
    reading = read(items + "<div id=a>" * 150 + "<i itemprop=x>y</i>" * 2400)
    assert count(reading.microdata) <= 4 * MAX_NODES


def test_a_name_that_two_places_have_means_the_first() -> None:
    [item] = read(
        "<p itemscope itemref=a></p><p id=a><i itemprop=x>1</i></p><p id=a><i itemprop=x>2</i></p>"
    ).microdata
    assert item == {"properties": {"x": ["1"]}}


def test_items_with_many_names_within_each_other() -> None:
    """Each level is written as often as it has names: 16 to the power of 30, if nobody counts."""
    names = " ".join(f"n{number}" for number in range(16))
    body = f"<div itemprop='{names}' itemscope>" * 30
    reading = read(f"<div itemscope>{body}<i itemprop=x>y")
    assert count(reading.microdata) <= 4 * MAX_NODES


@pytest.mark.parametrize("kind", ["itemtype", "itemid", "content", "itemprop"])
def test_long_words_that_many_items_have(kind: str) -> None:
    long = "word" * 50_000
    named = "" if kind == "itemprop" else "itemprop=x"
    scope = "itemscope" if kind in ("itemtype", "itemid") else ""
    referring = "<i itemscope itemref=a></i>" * 4000
    reading = read(f"{referring}<div id=a {named} {scope} {kind}='{long} {long}'></div>")
    assert len(reading.microdata) == 4000
    assert len(json.dumps(reading.microdata)) < 10_000_000


def test_authors_that_hold_the_whole_page() -> None:
    outline = build_outline(b"<div rel=author>" * 60 + b"x" * 100_000)
    assert outline is not None
    assert [len(author) for author in outline.authors()] == [1024] * 60


def test_headings_that_hold_the_whole_page() -> None:
    """Each holds all the text: copied for each before it is cut, that would be gigabytes."""
    words = "word " * 100_000
    outline = build_outline(f"{'<h2><div>' * 80}{words}".encode())
    assert outline is not None
    assert outline.elements.is_spelled
    tracemalloc.start()
    try:
        found = [*outline.headings()]
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found == [words[:300]] * 80
    assert peak < 1 << 20


@pytest.mark.parametrize(
    ("begins", "ends"),
    [
        (f"<!-- > <b> {'x' * 30_000}-->", ""),
        ("<i title='a<b>'></i>" * 300, ""),
        ("", "<script>x</script>"),
        ("é&nbsp;" * 100 + "<b>&amp;lt;</b>", "<!-- <script> -->&lt;"),
    ],
)
def test_headings_are_what_the_tree_says_whatever_is_in_them(begins: str, ends: str) -> None:
    outline = build_outline(f"<h2>{begins}A <b>long</b> story{ends}</h2><h3>other".encode())
    assert outline is not None
    assert outline.elements.is_spelled
    texts = [node.text for node in outline.root.query_selector_all("h2,h3")]
    assert [*outline.headings()] == [" ".join(text[:1200].split())[:300] for text in texts]


def test_of_a_heading_whose_text_comes_late_what_comes_early_is_read() -> None:
    outline = build_outline(f"<h2>early{'<i title=x></i>' * 6000}late</h2>".encode())
    assert outline is not None
    assert [*outline.headings()] == ["early"]


def test_many_items_that_hold_all_text() -> None:
    body = "<div itemprop=x itemscope><i itemprop=y>" * 90 + "word " * 400_000
    reading = read(f"<div itemscope>{body}")
    assert len(json.dumps(reading.microdata)) < 20_000_000


def test_many_metas_and_times() -> None:
    body = "<meta property=og:image content=x>" * 5000 + "<article>" + "<time datetime=x>" * 5000
    assert len(read(body).open_graph["og:image"]) <= 2000


WILD: dict[str, Callable[[], bytes]] = {
    "nested div": lambda: b"<div>" * 16_000,
    "nested lists": lambda: b"<ul><li>x" * 8000,
    "nested quotes": lambda: b"<blockquote>x" * 8000,
    "nested tables": lambda: b"<table><tr><td>x" * 5000,
    "formatting left open": lambda: (
        b"<p>" + b"".join(b"<b id=%d>" % n for n in range(700)) + b"<p>x" * 700
    ),
    "closed out of reach": lambda: b"<div><object></div></object>x" * 3000,
    "definition lists": lambda: b"<dl><dt>x<dd>y" * 5000,
    "a million tags": lambda: b"<div>" * 1_000_000,
    "less-than signs": lambda: b"<" * 1_000_000,
    "scripts never closed": lambda: b"<script>" * 100_000,
    "meta never closed": lambda: b"<meta " * 100_000,
    "one long line": lambda: b"x " * 5_000_000,
    "an attribute of 10 MB": lambda: b"<p title='" + b"x" * 10_000_000 + b"'>y",
    "NULs": lambda: b"\0" * 1_000_000,
    "invalid UTF-8": lambda: b"\xc0\x80\xff\xfe" * 500_000,
    "many paragraphs": lambda: b"<p>x" * 16_000,
    "many main parts": lambda: b"<main>x</main>" * 8000,
    "deep main": lambda: b"<main>" + b"<div>" * 190 + b"<ul><li>x" * 2 + b"<p>words " * 15_000,
}


@pytest.mark.parametrize("name", WILD)
def test_what_a_tree_would_choke_on(name: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    body = WILD[name]()
    reading = read(body)
    assert len(reading.text) <= 4 * len(body) + 10_000_000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1 << 20


PIECES = re.split(
    r"\|",
    "<div itemscope>|<div itemscope itemprop=a itemref=b>|<p id=b itemprop=c>|</div>|<main>|</main>|"
    '<script type="application/ld+json">|</script>|{"a": [|]}|"author": |<meta name=date content=|'
    "2020-01-01|>|<time datetime=x>|<title>|<ul><li>|<html lang=en>|<link rel=canonical href=//[|"
    "\0|\ud800|é|<svg>|<template>|<table>|<frameset>",
)


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=50))
@settings(max_examples=examples(300), deadline=None)
def test_anything(pieces: list[str]) -> None:
    reading = read("".join(pieces).encode("utf-8", "replace"))
    found = json.dumps([reading.json_ld, reading.microdata], allow_nan=False)
    assert json.loads(found) is not None
    texts = [reading.title, reading.text, reading.main_text, *reading.authors]
    assert all(text.encode().decode() == text for text in texts)  # no half of a letter
    assert "\0" not in reading.main_text


def count(value: object) -> int:
    if isinstance(value, dict):
        return 1 + sum(map(count, value.values()))
    return 1 + sum(map(count, value)) if isinstance(value, list | tuple) else 1


def depth(value: object) -> int:
    if not isinstance(value, dict | list | tuple):
        return 0
    inner = value.values() if isinstance(value, dict) else value
    return 1 + max(map(depth, inner), default=0)
