"""What a page needs to be shown: found only when it is asked for."""

import pytest

from gossamer.base.records import Document, LinkKind
from gossamer.base.settings import ParseSettings
from gossamer.cycle.parse import Parsers
from gossamer.cycle.parse.css import addresses_in_css
from gossamer.cycle.parse.srcset import CANDIDATE, addresses_in_srcset
from tests.cycle.parse.pages import SPELLING, page_of, read, targets

PAGE = """<link rel="stylesheet" href=s.css><link rel="shortcut icon" href=i.ico><script src=j.js></script>
<style>@import "t.css"; p { background: url(b.png) }</style>
<a href=page><img src=1.png srcset="2.png 2x, 3.png 3x"></a>
<picture><source srcset=4.webp></picture><video src=v.mp4 poster=p.jpg></video><audio src=a.ogg></audio>
<embed src=e.swf><object data=o.pdf></object><img><script>x</script><template><img src=no></template>"""


def read_all(body: str, content_type: str = "text/html") -> Document:
    parsers = Parsers(SPELLING, "Gossamer", settings=ParseSettings(page_requisites=True))
    (document,) = parsers.parse([page_of(body, content_type)])
    return document


def test_of_a_page() -> None:
    found = [
        (link.kind.value, link.target.path.removeprefix("/dir/")) for link in read_all(PAGE).links
    ]
    assert found == [
        ("style", "s.css"),
        ("image", "i.ico"),
        ("script", "j.js"),
        ("style", "t.css"),
        ("image", "b.png"),
        ("a", "page"),
        ("image", "1.png"),
        ("image", "2.png"),
        ("image", "3.png"),
        ("media", "4.webp"),
        ("media", "v.mp4"),
        ("image", "p.jpg"),
        ("media", "a.ogg"),
        ("media", "e.swf"),
        ("media", "o.pdf"),
    ]


def found_in(body: str) -> list[tuple[str, str]]:
    """Kind and name of each requisite."""
    links = read_all(body).links
    return [(link.kind.value, link.target.path.removeprefix("/dir/")) for link in links]


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("<input type=image src=1><INPUT TYPE=' Image ' SRC=2>", [("image", "1"), ("image", "2")]),
        ("<input src=1><input type=text src=2><input type=image>", []),
        ("<body background=1>x", [("image", "1")]),
        (
            "<table background=1><tr background=2><td background=3 style='x:url(4)'><th background=5>",
            [("image", "1"), ("image", "2"), ("image", "4"), ("image", "3"), ("image", "5")],
        ),
        ("<div background=1><hr background=2>", []),
        ("<table background=' '><td background=#x>", []),
        ("<svg><image href=1 /><use xlink:href='2#a'/></svg>", [("image", "1"), ("image", "2")]),
        ("<svg><image xlink:href=1 href=2 /></svg>", [("image", "2")]),
        ("<svg><use href=#a /><use xlink:href='#b'/></svg>", []),
        ("<base href=/x/><svg><use href=#a /></svg>", []),
        ("<svg><filter><feImage href=1 /></filter></svg>", [("image", "1")]),
        ("<svg><script href=1></script><script src=2 /></svg>", [("script", "1")]),
        ("<svg><foreignObject><img src=1></foreignObject></svg>", [("image", "1")]),
        ("<math><image href=1 /><use href=2 /></math>", []),
        ("<use href=1><feimage href=2>", []),
        ("<link rel=preload href=1>", []),
        (
            "<link rel=preload as=image href=1><link rel=preload as=font href=2>",
            [("image", "1"), ("media", "2")],
        ),
        ("<link rel='x PRELOAD' as=' Script ' href=1>", [("script", "1")]),
        (
            "<link rel=preload as=style href=1><link rel=preload as=document href=2>",
            [("style", "1")],
        ),
        ("<link rel='preload stylesheet' as=style href=1>", [("style", "1")]),
        (
            "<link rel=modulepreload href=1><link rel=manifest href=2>",
            [("script", "1"), ("media", "2")],
        ),
        ("<img data-src=1>", [("image", "1")]),
        ("<img src=1 data-src=2 data-srcset='3 1x, 4 2x'>", [("image", one) for one in "1234"]),
        ("<picture><source data-srcset='1, 2'></picture>", [("media", "1"), ("media", "2")]),
        (
            "<script data-src=1></script><video data-src=2 poster=3></video>",
            [("script", "1"), ("image", "3"), ("media", "2")],
        ),
        ("<div data-src=1><a data-src=2>", []),
        ("<template><input type=image src=1><svg><use href=2 /></svg></template>", []),
    ],
)
def test_what_else_a_page_loads(body: str, wanted: list[tuple[str, str]]) -> None:
    assert found_in(body) == wanted
    assert read(body).links == ()


def test_of_style_attributes() -> None:
    body = (
        """<div style="background: URL(1.png), url('2.png')"><p style="color: red">"""
        "<i style='x: url(&quot;3.png&quot;)'>"
        "<nav><a href=page style='background:url(4.png)'>x</a></nav><b style='background: url(data:x)'>"
        "<template><p style='background: url(5.png)'></template>"
    )
    found = [(link.kind.value, link.target.path, link.position) for link in read_all(body).links]
    assert found == [
        ("image", "/dir/1.png", ""),
        ("image", "/dir/2.png", ""),
        ("image", "/dir/3.png", ""),
        ("image", "/dir/4.png", "navigation"),
        ("a", "/dir/page", "navigation"),
    ]
    assert targets(read(body)) == ["http://www.example.org/dir/page"]


@pytest.mark.parametrize("count", [6_000, 40_000])
def test_style_attributes_count_as_links(count: int) -> None:
    """As many rows as a page of this size can fill, and no more than are allowed."""
    document = read_all("<a href=x style=(>" * count)
    assert len(document.links) == min(count, ParseSettings().max_links // 2)


def test_unless_they_are_asked_for_only_pages_are_links() -> None:
    assert [link.kind for link in read(PAGE).links] == [LinkKind.ANCHOR]
    assert read("p { background: url(b.png) }", "text/css").links == ()


def test_of_a_style_sheet() -> None:
    document = read_all("@import url('t.css'); @font-face { src: url( f.woff ) }", "text/css")
    assert targets(document) == [
        "http://www.example.org/dir/t.css",
        "http://www.example.org/dir/f.woff",
    ]
    assert [link.kind for link in document.links] == [LinkKind.STYLE, LinkKind.IMAGE]


@pytest.mark.parametrize(
    ("sheet", "wanted"),
    [
        (b"url(a)url('b')url(\"c\")", ["a", "b", "c"]),
        (b"/* url(a) */ URL(b)", ["b"]),
        (b"url(data:,x) url(#f) url()", []),
        (rb"url('a\20 b\'c')", ["a b'c"]),
        (b"@IMPORT 'a'; @import url(b)", ["a", "b"]),
    ],
)
def test_css(sheet: bytes, wanted: list[str]) -> None:
    assert [href for _, href in addresses_in_css(sheet)] == wanted


@pytest.mark.parametrize("piece", [b"url(", b"/*", b"@import '", b'url("', b"@import url( '\\"])
def test_css_without_an_end(piece: bytes) -> None:
    assert sum(len(href) for _, href in addresses_in_css(piece * 200_000)) <= len(piece) * 200_000


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ("", []),
        ("a", ["a"]),
        ("a 1x, b 2x", ["a", "b"]),
        (" ,a, b,\n c 100w", ["a", "b", "c"]),
        ("data:,x 1x, b", ["data:,x", "b"]),
        ("a (b, c), d", ["a", "d"]),
        ("a " * 3, ["a"]),
    ],
)
def test_srcset(value: str, wanted: list[str]) -> None:
    assert list(addresses_in_srcset(value)) == wanted


@pytest.mark.parametrize("piece", [" ", ",", " ,", "a ", "a,", "(", "a(", "a (", "a ()", "\n"])
def test_srcset_is_read_once(piece: str) -> None:
    """One match begins where the other ends: nothing is looked at, left, and looked at again."""
    value = piece * 1000
    found = [match[0] for match in CANDIDATE.finditer(value)]
    assert "".join(found) == value
    assert all(found)


@pytest.mark.parametrize("piece", [" ", ",", "a (", "a,"])
def test_a_srcset_of_megabytes(piece: str) -> None:
    """It would take hours if an address were looked for from every place."""
    assert len(list(addresses_in_srcset(piece * (4_000_000 // len(piece))))) <= 2_000_000
