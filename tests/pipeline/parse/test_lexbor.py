"""Our reading beside lexbor's tree: the same links in the same order, title, base and texts."""

import os
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gossamer.pipeline.parse.html_kernel import Reader
from tests.examples import examples
from tests.needs import needs
from tests.pipeline.parse.lexbor import (
    Sight,
    requisites_by_lexbor,
    requisites_by_us,
    seen_by_lexbor,
    seen_by_us,
)

DOCUMENTATION = Path("/usr/share/doc")
LARGEST = 600_000
"""Bytes of a page that a tree is built from in passable time, whatever it is."""
MOST = 1_000_000 if os.environ.get("GOSSAMER_DOCUMENTATION") == "all" else 300
"""Pages of all packages together, spread evenly: a machine may have a hundred thousand."""

READER = Reader(max_links=20_000)


def documentation() -> list[Path]:
    packages = [package for package in sorted(DOCUMENTATION.glob("*")) if not package.is_symlink()]
    found = [page for package in packages for page in sorted(package.rglob("*.html"))]
    pages = [page for page in found if page.is_file() and page.stat().st_size <= LARGEST]
    return pages[:: len(pages) // MOST + 1]


def cut(sight: Sight) -> Sight:
    """Only the beginning of a link's text is looked at."""
    return sight._replace(links=[(tag, href, text[:250]) for tag, href, text in sight.links])


def test_installed_documentation() -> None:
    pages = documentation()
    if not pages:
        pytest.skip(needs("manuals", "no documentation in HTML is installed"))
    links = 0
    for page in pages:
        html = page.read_bytes()
        wanted = cut(seen_by_lexbor(html))
        assert cut(seen_by_us(READER.read(html))) == wanted, page
        links += len(wanted.links)
    assert links > len(pages), "pages have links"


# Tag soup. Tables come with their rows and cells, since a tree moves what is not in one.
PIECES = (
    "<a href=%d>|<a href='%d'>|<a/href=%d/>|</a>|<a>|<b>|</b>|<p>|</p>|<div>|</div>|<span>|</span>|<i>|</i>|"
    "<title>|</title>|<script>|</script>|<!--|-->|<style>|</style>|<template>|</template>|<svg>|</svg>|"
    "<foreignObject>|</foreignObject>|<desc>|</desc>|<svg/>|<title/>|<font color=x>|<![CDATA[|]]>|"
    "<textarea>|</textarea>|<xmp>|</xmp>|<iframe src=%d>|</iframe>|<area href=%d>|<noscript>|</noscript>|"
    "<object>|</object>|<ul>|<li>|</ul>|<h1>|</h1>|<br>|</br>|<img alt=x>|<button>|</button>|<form>|</form>|"
    "<nav>|</nav>|<nobr>|<body>|</body>|<html>|<head>|</head>|<noframes>|</noframes>|<frame src=%d>|"
    "&amp;|&notit;|&eacute|&#x41;|&#128;|word| |<|<1|</|</>|<?|<!->|<!doctype>|=|\"|'|>|/|"
    "<table><tr><td>|</td><td>|</td></tr></table>"
)
PICTURES = (
    "<svg>|</svg>|<math>|</math>|</path>|</mrow>|<a xlink:href=%d>|<a xlink:href=%d/>|<a href=%d>|"
    "<area href=%d>|<label>|<time>|<div>|</div>|<b>|</b>|<form>|</form>|<font>|<font color=x>|"
    "</font>|<![CDATA[|]]>|word"
)
BASES = (
    "<base href=%d>|<base>|<a href=#%d>|<a href=%d>|<a href='&#35;%d'>|<area href=#%d>|<area href=%d>|</a>|"
    "<p>|<template>|</template>|<noscript>|</noscript>|<head>|</head>|<body>|<iframe src=#%d>|"
    "</iframe>|word"
)
FRAMES = (
    "<input type=hidden>|<input type=hidde>|<input>|<frameset>|</frameset>|<frame src=%d>|<noframes>|"
    "</noframes>|<p>|</p>|<a href=%d>|</a>|<base href=%d>|<form>|<svg>|</svg>|<title>|</title>|<img>| |word|"
    "</body>|<body>|<head>|</head>|<html>|<iframe src=%d>|<area href=%d>|<link href=%d>|<meta>|<table>"
)
STOPPED = frozenset(["</title>", "</desc>", "</foreignObject>", "</span>", "</noscript>"])
"""Ends that an element in between may stop: it takes a tree to know. See the known differences."""

CROSSED = frozenset(["<svg>", "<math>", "<table>"])
"""Starts in which a link may stand in another one, in a tree. See the known differences."""


def calm(pieces: list[str]) -> list[str]:
    """Without the ends that are known to be read differently in pictures and templates."""
    left_out = STOPPED if "<svg>" in pieces or "<math>" in pieces else frozenset()
    if "<object>" in pieces or any("<table>" in piece for piece in pieces):
        left_out = left_out | {"</template>"}
    return [piece for piece in pieces if piece not in left_out]


def soups(pieces: str, most: int) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(pieces.split("|")), max_size=most).map(calm)


SOUP = st.one_of(soups(PIECES, 40), soups(PICTURES, 16), soups(BASES, 16), soups(FRAMES, 12))


def cook(pieces: list[str]) -> bytes:
    """Every address is another one, so that clones of a link can be told from others."""
    return "".join(piece.replace("%d", str(number)) for number, piece in enumerate(pieces)).encode()


def merged(sight: Sight) -> dict[tuple[str, str], str]:
    """The text of each link in one: the end of a paragraph makes a tree's clones of it."""
    texts: dict[tuple[str, str], str] = {}
    for tag, href, text in sight.links:
        texts[tag, href] = texts.get((tag, href), "") + text
    return texts


@given(SOUP)
@example(["<noscript>", "<svg>", "</noscript>", "<![CDATA[", "<a href=%d>"])
@example(["<noscript>", "<svg>", "</noscript>", "<title>", "<a href=%d>"])
@example(["<noscript>", "</head>", "<noscript>", "<svg>", "</noscript>", "<title>", "<a href=%d>"])
@example(["<body>", "<noscript>", "<svg>", "</noscript>", "<title>", "<a href=%d>"])
@example(["<body>", "<svg>", "</body>", "<title>", "<a href=%d>"])
@example(["<label>", "<svg>", "</path>", "<a xlink:href=%d>"])
@example(["<b>", "<object>", "<svg>", "</b>", "<a xlink:href=%d>"])
@example(["<h1>", "<svg>", "</h2>", "<iframe src=%d>"])
@example(["<form>", "<svg>", "</form>", "<a xlink:href=%d>"])
@example(["<math>", "<svg>", "<title>", "<iframe src=%d>"])
@example(["<svg>", "<foreignObject>", "<a xlink:href=%d>"])
@example(["<a href=#%d>", "<area href=#%d>", "<base href=%d>"])
@example(["<input type=hidden>", "<frameset>", "<frame src=%d>"])
@example(["<p>", "<base href=%d>", "<area href=%d>", "<frameset>", "<frame src=%d>"])
@example(["<p>", "<a href=%d>", "<link href=%d>", "<frameset>", "<frame src=%d>"])
@example(["<a href=%d>", "<table>", "<a href=%d>", "word"])
@settings(max_examples=examples(1000), deadline=None)
def test_tag_soup(pieces: list[str]) -> None:
    html = cook(pieces)
    wanted, got = seen_by_lexbor(html), seen_by_us(READER.read(html))
    assert list(merged(got)) == list(merged(wanted))
    if not CROSSED.intersection(pieces):
        assert merged(got) == merged(wanted)
    assert (got.title, got.base, got.text) == (wanted.title, wanted.base, wanted.text)


# Pictures are whole here: what stray end tags do in them is another test's matter.
LOADING = (
    "<img src=%d>|<img srcset=%d>|<img data-src=%d>|<img data-srcset=%d>|<image src=%d>|<image href=%d>|"
    "<use href=%d>|<feImage href=%d />|<script src=%d></script>|<script href=%d></script>|"
    "<script data-src=%d></script>|<input type=image src=%d>|<input src=%d>|<embed src=%d>|<source src=%d>|"
    "<table background=%d><tr><td>|</td></tr></table>|<svg><image href=%d /></svg>|"
    "<svg><image xlink:href=%d></image></svg>|<svg><g><use href=%d><use href=#%d></use></use></g></svg>|"
    "<svg><use xlink:href=%d /><script href=%d></script></svg>|<svg><feImage href=%d /><rect src=%d /></svg>|"
    "<svg><foreignObject><img src=%d></foreignObject><image src=%d /></svg>|"
    "<math><image href=%d /><mi><img src=%d></mi><use href=%d></use></math>"
)
_FOREIGN = ("svg", "foreign", "desc", "title", "CDATA", "font")
_PIECES = [piece for piece in PIECES.split("|") if not any(name in piece for name in _FOREIGN)]
LOADING_SOUP = st.lists(st.sampled_from([*_PIECES, *2 * LOADING.split("|")]), max_size=40)
LOADING_READER = Reader(max_links=20_000, wants_requisites=True)


@given(LOADING_SOUP)
@example(["<svg>", "<image href=%d>", "<use href=%d />", "<foreignObject>", "<image src=%d>"])
@example(["<math>", "<mi>", "<svg>", "<use href=%d>"])
@settings(max_examples=examples(500), deadline=None)
def test_what_tag_soup_loads(pieces: list[str]) -> None:
    html = cook(pieces)
    assert requisites_by_us(LOADING_READER.read(html)) == requisites_by_lexbor(html)


@pytest.mark.parametrize(
    ("html", "theirs", "ours"),
    [
        # What stands in a table outside of its cells, a tree moves to before the table.
        ("<table><tr><td><a href=1></td></tr><a href=2></table>", "21", "12"),
        # The end of what a picture stands in, or of what is in it, may be stopped by an element in between.
        ("<span><p><svg></span><a xlink:href=1>", "1", ""),
        ("<svg><desc><p></desc><a xlink:href=1>", "", "1"),
        # What is left open at the end of a template with a cell in it goes on behind it, in a tree.
        ("<template><a href=1><table><tr><td></template><button>", "1", ""),
        # By the standard a template makes it too late for a frameset; lexbor forgets that of the head.
        ("<template></template><p><frameset><frame src=1>", "1", ""),
        # A link in a select does not end the one around it, in a tree.
        ("<a href=1><select><a href=2>x</select>", "12", "12"),
        # So does a link in what a picture holds of HTML.
        ("<a href=1><svg><desc><a href=2>x</svg>", "12", "12"),
        # So does a link that a tree moves out of a table.
        ("<a href=1><table><a href=2>x", "12", "12"),
        # The end of a paragraph cuts a link in two, in a tree.
        ("<p><a href=1>x</p><p>y</a>", "11", "1"),
    ],
)
def test_known_differences(html: str, theirs: str, ours: str) -> None:
    wanted, got = seen_by_lexbor(html.encode()), seen_by_us(READER.read(html.encode()))
    assert "".join(href for _, href, _ in wanted.links) == theirs
    assert "".join(href for _, href, _ in got.links) == ours
    assert wanted != got
