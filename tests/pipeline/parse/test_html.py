"""Titles and links of HTML, in ordinary and in tricky markup."""

import pytest

from gossamer.core.records import LinkKind
from gossamer.core.settings import ParseSettings
from gossamer.pipeline.parse.html import HtmlParser
from gossamer.pipeline.parse.kernel_findings import MAX_ANCHOR, MAX_TITLE
from tests.pipeline.parse.parse_pages import SPELLING, URL, page_of, read, targets


def test_links_in_document_order_with_kind_anchor_and_rel() -> None:
    document = read(
        """<!doctype html><title> A
        title </title>
        <link rel="Canonical" href="/c"><link rel=stylesheet href=/s.css>
        <link rel=next href="?p=2"><link rel="prev" href="?p=0">
        <link rel=alternate hreflang=de href=/de><link rel="alternate stylesheet" href=/t.css>
        <link rel=alternate type="application/rss+xml" title=News href=/feed>
        <a href="a" REL="NoFollow  ugc"> one <b>two</b>
        three </a>
        <map><area href=b alt="the  area"></map>
        <iframe src=c title=Inner></iframe>
        """
    )
    assert document.title == "A title"
    assert [(link.target.path, link.kind, link.anchor, link.rel) for link in document.links] == [
        ("/c", LinkKind.CANONICAL, "", "canonical"),
        ("/dir/page.html?p=2", LinkKind.NEXT, "", "next"),
        ("/dir/page.html?p=0", LinkKind.NEXT, "", "prev"),
        ("/de", LinkKind.TRANSLATION, "", "alternate"),
        ("/feed", LinkKind.ALTERNATE, "News", "alternate"),
        ("/dir/a", LinkKind.ANCHOR, "one two three", "nofollow  ugc"),
        ("/dir/b", LinkKind.AREA, "the area", ""),
        ("/dir/c", LinkKind.FRAME, "Inner", ""),
    ]
    assert all(link.source == URL for link in document.links)
    assert document.links[5].is_nofollow


def test_frames() -> None:
    frames = read("<frameset><frame src=a><frame src=b><noframes><a href=c>c</a></noframes>")
    assert [link.target.path for link in frames.links] == ["/dir/a", "/dir/b"]


@pytest.mark.parametrize(
    ("markup", "wanted"),
    [
        ("<base href=/x/><a href=y>", "http://www.example.org/x/y"),
        ("<a href=y><base href=/late/>", "http://www.example.org/late/y"),
        (
            "<base target=_top><base href=//b.example/1/><base href=/2/><a href=y>",
            "http://b.example/1/y",
        ),
        ("<base href='javascript:0'><a href=y>", "http://www.example.org/dir/y"),
        ("<base href='http://[bad'><a href=y>", "http://www.example.org/dir/y"),
        ("<base href=/b><a href=#f>", "http://www.example.org/b"),
        ("<!-- <base href=/no/> --><a href=y>", "http://www.example.org/dir/y"),
    ],
)
def test_base(markup: str, wanted: str) -> None:
    assert targets(read(markup)) == [wanted]


@pytest.mark.parametrize(
    ("markup", "wanted"),
    [
        ("<a href=' \n/x\t'>", ["/x"]),
        ("<a href='/a\nb'>", ["/ab"]),
        ("<a href='/?a=1&amp;b=2&copy=3'>", ["/?a=1&b=2&copy=3"]),
        ("<A HREF=/up>", ["/up"]),
        ("<a href='/first' href='/second'>", ["/first"]),
        ("<a href=/x/>y", ["/x/"]),
        ("<a href='#top'>", []),
        ("<a href>", []),
        ("<a name=x>", []),
        ("<!-- <a href=/no> --><a href=/yes>", ["/yes"]),
        ("<!--><a href=/yes>-->", ["/yes"]),
        ("<script>'<a href=/no>'</script><a href=/yes>", ["/yes"]),
        ("<style><a href=/no></style><a href=/yes>", ["/yes"]),
        ("<textarea><a href=/no></textarea><a href=/yes>", ["/yes"]),
        ("<title><a href=/no></title><a href=/yes>", ["/yes"]),
        ("<div title='<a href=/no>'><a href=/yes>", ["/yes"]),
        ("<noscript><a href=/yes></noscript>", ["/yes"]),
        ("<template><a href=/no></template><a href=/yes>", ["/yes"]),
        ("<svg><a xlink:href=/yes></svg>", ["/yes"]),
        ("<p><a href=/1>x<p>not cloned", ["/1"]),
        ("<table><a href=/foster><tr><td>x", ["/foster"]),
        ("<plaintext><a href=/no>", []),
        ("<xmp><a href=/no></xmp>", []),
        ("a\0b<a href='/n'>", ["/n"]),
    ],
)
def test_markup(markup: str, wanted: list[str]) -> None:
    assert [link.target.path for link in read(markup).links] == wanted


@pytest.mark.parametrize(
    ("markup", "anchor"),
    [
        ("<a href=x><img src=i alt='A  picture'></a>", "A picture"),
        ("<a href=x> <span> <img alt=''><img alt=Second> </span></a>", "Second"),
        ("<a href=x><svg><style>.a{b:c}</style></svg>Text</a>", "Text"),
        ("<a href=x>caf&eacute; &amp; bar</a>", "café & bar"),
        ("<a href=x>" + "long " * 1000 + "</a>", ("long " * 1000)[:MAX_ANCHOR]),
        ("<a href=x></a>", ""),
    ],
)
def test_anchor_text(markup: str, anchor: str) -> None:
    assert read(markup).links[0].anchor == anchor


def test_title_is_the_first_of_the_page_and_bounded() -> None:
    assert read("<svg><title>no</title></svg><title>yes</title><title>late</title>").title == "yes"
    assert len(read(f"<title>{'x' * 5000}").title) == MAX_TITLE


def test_what_cannot_be_fetched_is_no_link_and_what_is_no_url_is_counted() -> None:
    document = read(
        "<a href='javascript:void(0)'><a href='mailto:a@b'><a href='tel:1'><a href='data:,x'>"
        "<a href='http://[bad'><a href='http://a b/'><a href='ftp://f.example/x'>"
    )
    assert targets(document) == ["ftp://f.example/x"]
    assert document.bad_links == 2


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        ("5; url=/r", ["/r"]),
        ("0;URL='/r'", ["/r"]),
        ('0, url = "/r" trailing', ["/r"]),
        ("0 /r", ["/r"]),
        (".5;url=/r", ["/r"]),
        ("0;'/r", ["/r"]),
        ("0; urls", ["/dir/urls"]),
        ("5", []),
        ("5;", []),
        ("x;url=/r", []),
        ("5x;url=/r", []),
        ("-5;url=/r", []),
    ],
)
def test_refresh(content: str, wanted: list[str]) -> None:
    quote = '"' if "'" in content else "'"
    document = read(f"<meta http-equiv=Refresh content={quote}{content}{quote}>")
    assert [link.target.path for link in document.links] == wanted
    assert all(link.kind is LinkKind.REFRESH for link in document.links)


def test_limits() -> None:
    parser = HtmlParser(SPELLING, "Gossamer", ParseSettings(max_links=3, max_html=1024))
    assert len(parser(page_of("<a href=x>" * 10)).links) == 3
    assert parser(page_of(" " * 1024 + "<a href=x>")).links == ()
    none = HtmlParser(SPELLING, "Gossamer", ParseSettings(max_links=0))
    assert none(page_of("<a href=x><link rel=next href=y>")).links == ()


def test_xhtml_elements_may_be_closed_at_once() -> None:
    body = "<html><head><title/><script src='x'/></head><body><a href='y'>z</a></body></html>"
    assert targets(read(body, "application/xhtml+xml")) == ["http://www.example.org/dir/y"]


def test_a_late_base_counts_for_the_links_before_it() -> None:
    body = (
        "<a href=#top>x</a><a href='&#35;y'>y</a><a href=z>z</a><area href=#map alt=m>"
        "<p><base href=/b/><base href=/c/><a href=#end>e</a>"
    )
    wanted = ["/b/", "/b/", "/b/z", "/b/", "/b/"]
    assert [link.target.path for link in read(body).links] == wanted
    assert targets(read("<a href=#top>x</a><a href='&#35;y'>y</a>")) == []


@pytest.mark.parametrize("kind", ["hidden", "HIDDEN", "'hidden'"])
def test_a_hidden_input_leaves_room_for_frames(kind: str) -> None:
    body = f"<form><input type={kind}></form><frameset><frame src=1><frame src=2></frameset>"
    assert [link.target.path for link in read(body).links] == ["/dir/1", "/dir/2"]
    assert targets(read(body.replace(kind, "hiddem"))) == []
