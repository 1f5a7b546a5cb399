"""Links in pages and style sheets of a mirror."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from gossamer.core.url import Spelling
from gossamer.export.mirror.mirror_links import MirrorAddresses
from gossamer.export.mirror.mirror_markup import rewrite_page
from gossamer.pipeline.parse.css import rewrite_addresses

FILES = {
    "http://a.test/": "a.test/index.html",
    "http://a.test/b?c=1": "a.test/b~c_1.html",
    "http://a.test/d/e.png": "a.test/d/e.png",
}
MOVED = {"http://a.test/old": "http://a.test/older", "http://a.test/older": "http://a.test/"}
ADDRESSES = MirrorAddresses(FILES, MOVED | {"http://a.test/loop": "http://a.test/loop"}, Spelling())


def rewrite(text: str, page: str = "http://a.test/d/page", file: str = "a.test/d/page.html") -> str:
    base = ADDRESSES.base(page, "utf-8")
    assert base is not None
    return rewrite_page(text, base, ADDRESSES, file).replace('<meta charset="utf-8">', "", 1)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('<a href="/">x</a>', '<a href="../index.html">x</a>'),
        ("<a href='/b?c=1#f'>", '<a href="../b~c_1.html#f">'),
        ("<a href=/b?c=2>", '<a href="http://a.test/b?c=2">'),
        ("<a href=//other.test/x>", '<a href="http://other.test/x">'),
        ("<a href=/old>", '<a href="../index.html">'),
        ("<a href=/loop>", '<a href="http://a.test/loop">'),
        ("<a href=#top>", "<a href=#top>"),
        ("<a href=mailto:a@b.test>", "<a href=mailto:a@b.test>"),
        ("<a href=javascript:x()>", "<a href=javascript:x()>"),
        (
            "<img src=e.png srcset='e.png 2x, no.png'>",
            '<img src="e.png" srcset="e.png 2x, http://a.test/d/no.png">',
        ),
        ("<base href=/><img src=d/e.png>", '<img src="e.png">'),
        ("<p style='background: url(e.png)'>", '<p style="background: url(&quot;e.png&quot;)">'),
        (
            "<style>p { background: url('/d/e.png') }</style>",
            '<style>p { background: url("e.png") }</style>',
        ),
        (
            '<meta http-equiv=refresh content="0; url=/">',
            '<meta http-equiv="refresh" content="0; url=../index.html">',
        ),
        (
            "<script src=/x.js integrity=sha256-x></script>",
            '<script src="http://a.test/x.js"></script>',
        ),
        (
            "<script>'<a href=/>'</script><a href=/>",
            "<script>'<a href=/>'</script><a href=\"../index.html\">",
        ),
        (
            "<!-- <a href=/> --><p title='a&amp;b'>&nbsp",
            "<!-- <a href=/> --><p title='a&amp;b'>&nbsp",
        ),
        ("<a href='/q\"><script>x'>", '<a href="http://a.test/q%22%3E%3Cscript%3Ex">'),
    ],
)
def test_links_become_files_or_absolute(before: str, after: str) -> None:
    assert rewrite(before) == after


def test_the_encoding_is_said_behind_the_declaration() -> None:
    base = ADDRESSES.base("http://a.test/", "utf-8")
    assert base is not None
    text = rewrite_page("<!doctype html>\n<p>é", base, ADDRESSES, "a.test/index.html")
    assert text == '<!doctype html><meta charset="utf-8">\n<p>é'


def tags_of(text: str) -> list[tuple[str | None, set[str]]]:
    """Elements and the names of their attributes, as browsers find them."""
    found = [*LexborHTMLParser(text).css("*")]
    return [(one.tag, {*one.attributes}) for one in found if one.tag != "base"]


@given(
    st.lists(
        st.sampled_from(
            [
                "<a href=",
                "<img src='",
                '"',
                "'",
                ">",
                "/x ",
                "onclick=",
                "<!--",
                "-->",
                "é",
                "\n",
                "<style>",
                "url(",
                ")",
                "</style>",
                "<script>",
                "</script>",
                "&lt;",
                "=",
                "/",
                "<svg>",
                "</svg>",
                "<title>",
                "<![",
                "\v",
            ]
        ),
        max_size=20,
    ).map("".join)
)
def test_no_tag_and_no_attribute_is_added(text: str) -> None:
    assert tags_of(rewrite(text)) == tags_of(text)


def test_an_address_cannot_leave_its_quotes_in_a_sheet() -> None:
    said = rewrite_addresses("a{b:url(x)}", lambda href: 'y")} body{}/*')
    assert said == 'a{b:url("y%22%29}%20body{}/*")}'


@pytest.mark.parametrize(
    ("sheet", "rewritten"),
    [
        (r"a{b:url(c\)d.png)}", 'a{b:url("C%29D.PNG")}'),
        ("/* url(a) */ b{c:url(d)}", '/* url(a) */ b{c:url("D")}'),
        (
            "a{b:image-set('c.png' 1x, url(d.png) 2x)}",
            'a{b:image-set("C.PNG" 1x, url("D.PNG") 2x)}',
        ),
        (
            "a{b:image-set('c.png' type('image/png'))}",
            "a{b:image-set(\"C.PNG\" type('image/png'))}",
        ),
        ("ä{b:url('ö.png')}", 'ä{b:url("Ö.PNG")}'),
        ("a{b:url(data:c) url(#d)}", "a{b:url(data:c) url(#d)}"),
    ],
)
def test_a_sheet_is_rewritten_where_a_crawl_finds_addresses(sheet: str, rewritten: str) -> None:
    assert rewrite_addresses(sheet, str.upper) == rewritten
