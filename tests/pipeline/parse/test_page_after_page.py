"""A reader keeps its workspace, its components and what it met from page to page: nobody may see that."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from gossamer.core.records import Document, Page
from gossamer.core.settings import ParseSettings
from gossamer.pipeline.parse import Parsers
from gossamer.pipeline.parse.html_kernel import Reader
from tests.examples import examples
from tests.pipeline.parse.parse_pages import SPELLING, page_of

MARKUP = (
    "<a href=x>|<a href=#y rel=next>|</a>|<a href='?q'>|<a href=''>|<base href=/b/>|<title>|</title>|"
    "<table><tr><td>|</table>|<svg>|</svg>|<a xlink:href=z>|<math><mi>|</math>|<template>|</template>|"
    "<frameset>|<frame src=f>|<input type=hidden>|<nav>|</nav>|<label>|</label>|<noscript>|<object>|"
    "<meta name=robots content=none>|<style>p{background:url(i)}</style>|<img src=j alt=k>|<script>|"
    "</script>|<!--|-->|\0|&nGt;|&amp;|é| |word"
)
PIECES = st.tuples(st.sampled_from(MARKUP.split("|")), st.sampled_from([1, 1, 1, 2, 30, 600, 3000]))
"""Few, or so many that components must grow."""
BODIES = st.lists(PIECES, max_size=8).map(
    lambda pieces: "".join(text * times for text, times in pieces)
)


@given(BODIES, BODIES, st.booleans(), st.booleans())
@example("word " * 300, "<svg>" + "\0" * 40, False, False)
@example("<a href=x>" * 3000, "<a href=x>" * 2200, True, False)
@settings(max_examples=examples(150), deadline=None)
def test_a_reader(first: str, second: str, wants_requisites: bool, is_xml: bool) -> None:
    used, fresh = Reader(5000, wants_requisites), Reader(5000, wants_requisites)
    used.read(first.encode(), is_xml)
    assert used.read(second.encode(), is_xml) == fresh.read(second.encode(), is_xml)


ADDRESSES = "http://a.example/ http://a.example/b http://a.example/b/ http://a.example/b/c?d/e http://b.example/b/"
TYPES = (
    "text/html text/html;charset=koi8-r application/xhtml+xml application/xml text/css text/plain"
)
PAGES = st.builds(
    lambda body, kind, url: page_of(body, kind, url=url),
    BODIES,
    st.sampled_from(TYPES.split()),
    st.sampled_from(ADDRESSES.split()),
)


@given(st.lists(PAGES, min_size=2, max_size=4))
@settings(max_examples=examples(60), deadline=None)
def test_parsers(pages: list[Page]) -> None:
    wanted = ParseSettings(page_requisites=True, text_links=True)
    used = Parsers(SPELLING, "Gossamer", settings=wanted)
    documents = [used.parse([page])[0] for page in pages]
    for page, document in zip(pages, documents, strict=True):
        (alone,) = Parsers(SPELLING, "Gossamer", settings=wanted).parse([page])
        assert seen(document) == seen(alone)


def seen(document: Document) -> tuple[object, ...]:
    links = [
        (link.target.text, link.kind, link.anchor, link.rel, link.position, link.offset)
        for link in document.links
    ]
    return document.title, document.text, document.charset, document.bad_links, links
