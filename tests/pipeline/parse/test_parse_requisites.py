"""What a page needs to be shown: found only when it is asked for."""

import pytest

from gossamer.core.records import Document, LinkKind
from gossamer.core.settings import ParseSettings
from gossamer.pipeline.parse import Parsers
from gossamer.pipeline.parse.css import addresses_in_css
from gossamer.pipeline.parse.modules import addresses_in_script
from gossamer.pipeline.parse.srcset import CANDIDATE, addresses_in_srcset
from tests.pipeline.parse.parse_pages import SPELLING, page_of, read, targets

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
        (
            "<meta property=og:image content=1><meta name='Twitter:Image' content=2>",
            [("image", "1"), ("image", "2")],
        ),
        ("<meta property=og:title content=1><meta property=og:image content=''>", []),
        (
            "<link rel=mask-icon href=1><link rel=image_src href=2>",
            [("image", "1"), ("image", "2")],
        ),
        (
            "<script type=module>import a from './1'; import('./2')</script>",
            [("script", "1"), ("script", "2")],
        ),
        (
            "<script>import('./1')</script><script type=module src=1>import './2'</script>",
            [("script", "1")],
        ),
        (
            """<script type=importmap>{"imports": {"a": "./1", "b/": "./2/", "c": 3}}</script>""",
            [("script", "1")],
        ),
        (
            "<script type=importmap>{</script><template><script type=module>import './1'</script>",
            [],
        ),
        (
            "<div style='background: image-set(&quot;1&quot; 1x, url(2) 2x)'>",
            [("image", "1"), ("image", "2")],
        ),
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
        (
            b"x: image-set('a' 1x, url(b) 2x, \"c\" type('image/avif')); y: url(d)",
            ["a", "b", "c", "d"],
        ),
        (b"-webkit-image-set(url('a') 1x); content: 'b'", ["a"]),
        (b"image-set(linear-gradient(red, blue) 1x, 'a' 2x) 'b'", ["a"]),
        (b"image-set('a' 1x; } p { content: 'b'; x: url(c) }", ["a", "c"]),
        (b"/* image-set('a') */ image-set(/* 'b' */ 'c', 'data:x')", ["c"]),
    ],
)
def test_css(sheet: bytes, wanted: list[str]) -> None:
    assert [href for _, href in addresses_in_css(sheet)] == wanted


@pytest.mark.parametrize(
    ("script", "wanted"),
    [
        (b"import './a'; import b from \"./b\";\nimport {\n c,\n d\n} from '../c'", ["./a", "./b", "../c"]),
        (b'import*as a from"./a";import{b}from"./b";export{c}from"/c";export*from"//d.test/d"',
         ["./a", "./b", "/c", "//d.test/d"]),
        (b"const a = await import('https://x.test/a'); import(/* webpackChunkName: 'b' */ './b')",
         ["https://x.test/a", "./b"]),
        (b"import x from 'lodash'; import(name); import(`./${name}.js`); require('./a')", []),
        (b"/** import './a' */\n // import './b'\nimport './c'", ["./c"]),
        (b"const a = 'src/**/*.js'; import './b'", ["./b"]),
        (b"Array.from('./a'); reimport('./b'); this.import('./c'); x.from './d'; $from './e'", []),
        (b"let from = './a', s = \"import './b\"; @import './c'", []),
    ],
)  # fmt: skip
def test_scripts(script: bytes, wanted: list[str]) -> None:
    assert [href for _, href in addresses_in_script(script)] == wanted


SVG = """<?xml version="1.0"?><?xml-stylesheet href="s.css" type="text/css"?>
<svg xmlns="http://www.w3.org/2000/svg"><style>@import "t.css"; p { fill: url(b.png) }</style>
<image href="1.png"/><image xlink:href='2.png'/><use href="#a"/><use href="3.svg#a"/><image href="data:,"/>
<g style="fill: url(4.png)"><svg:image href="5.png"/></g><script href="j.js"/><text>Hi</text></svg>"""


def test_of_a_drawing() -> None:
    document = read_all(SVG, "image/svg+xml")
    found = [(link.kind.value, link.target.path.removeprefix("/dir/")) for link in document.links]
    assert found == [
        ("style", "s.css"),
        ("style", "t.css"),
        ("image", "b.png"),
        ("image", "1.png"),
        ("image", "2.png"),
        ("image", "3.svg"),
        ("image", "4.png"),
        ("image", "5.png"),
        ("script", "j.js"),
    ]
    assert "Hi" in document.text
    assert read(SVG, "image/svg+xml").links == ()


@pytest.mark.parametrize(
    "content_type", ["text/javascript", "application/javascript; charset=utf-8"]
)
def test_of_a_script(content_type: str) -> None:
    document = read_all("import './a.js'; import('../b.js')", content_type)
    assert targets(document) == ["http://www.example.org/dir/a.js", "http://www.example.org/b.js"]
    assert {link.kind for link in document.links} == {LinkKind.SCRIPT}
    assert document.text == ""


@pytest.mark.parametrize(
    "piece", [b"import ", b"import(", b"from'", b"import/*", b"import './", b"/*", b"\n//"]
)
def test_scripts_without_an_end(piece: bytes) -> None:
    assert list(addresses_in_script(piece * 200_000)) == []


@pytest.mark.parametrize(
    "piece", [b"image-set(", b"image-set('", b"image-set(('\"", b"image-set(url(", b"image-set(/*"]
)
def test_sets_of_images_without_an_end(piece: bytes) -> None:
    assert sum(1 for _ in addresses_in_css(piece * 200_000)) <= 2


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
