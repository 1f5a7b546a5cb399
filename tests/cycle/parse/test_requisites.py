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
