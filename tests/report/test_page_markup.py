"""What is read from a page for the report, however it is written."""

import pytest

from gossamer.report.page_markup import read_markup


def test_what_no_reader_sees_is_left_out() -> None:
    page = read_markup(
        b"<!-- <a href=1 id=a> --><script>'<a href=2>'</script><style><a href=3></style>"
        b"<template><a href=4></template><textarea><a href=5></textarea><A HREF=6 ID=b>x</A>"
    )
    assert page.hrefs == [("a", "6")]
    assert page.names == {"b"}


def test_names_are_as_written() -> None:
    page = read_markup("<p id='gr\xf6\xdfe'><a name=\"a&amp;b\"></a><img name=c>".encode())
    assert page.names == {"gr\xf6\xdfe", "a&b"}


def test_the_first_heading_and_the_first_base_count() -> None:
    page = read_markup(b"<base href=/x/><base href=/y/><h1>One <i>two</i></h1><h1>three</h1>")
    assert (page.base, page.heading) == ("/x/", "One two")


def test_forms_and_languages() -> None:
    page = read_markup(
        b'<form method=POST action="/s"></form><form id=f></form>'
        b'<link rel="alternate" hreflang=" de " href=/d>'
        b'<link rel="stylesheet" hreflang="no">'
    )
    assert [(form.action, form.method) for form in page.forms] == [("/s", "post"), ("", "get")]
    assert page.languages == ["de"]


MANY = 50_000
END = b"<a href=/end id=end>over</a>"


@pytest.mark.parametrize(
    ("piece", "closed_by", "hrefs", "names", "heading", "words"),
    [
        # No tag: text.
        (b"<", b"", ["/end"], {"end"}, "", 2),
        (b"&#", b"", ["/end"], {"end"}, "", 2),
        (b"&# ", b"", ["/end"], {"end"}, "", MANY + 1),
        # One tag that has the others in its name or among its attributes.
        (b"<a", b"", [], {"end"}, "", 1),
        (b"</h1", b"", [], set(), "", 1),
        (b"<a href='", b"", ["<a href="], {"end"}, "", 1),
        (b"<a href='", b"'>", ["<a href=", "/end"], {"end"}, "", 1),
        # Each is an element.
        (b"<h1>", b"", ["/end"], {"end"}, "over", 1),
        (b"<h1>", b"first</h1>", ["/end"], {"end"}, "first", 2),
        (b"<h1>x ", b"", ["/end"], {"end"}, ("x " * 100)[:200], MANY + 1),
        (b"<p id=x>", b"", ["/end"], {"x", "end"}, "", 1),
        # Without an end, all that follows is within.
        (b"<script>", b"", [], set(), "", 0),
        (b"<script>", b"</script>", ["/end"], {"end"}, "", 1),
        (b"<!--", b"", [], set(), "", 0),
        (b"<!--", b"-->", ["/end"], {"end"}, "", 1),
    ],
)
def test_hostile_pages_are_read_to_their_end(
    piece: bytes, closed_by: bytes, hrefs: list[str], names: set[str], heading: str, words: int
) -> None:
    page = read_markup(piece * MANY + closed_by + END)
    assert [href for _, href in page.hrefs] == hrefs
    assert page.names == names
    assert page.heading == heading
    assert page.words == words
