"""Markdown: links as CommonMark has them, title and text; hostile input."""

from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from gossamer.pipeline.parse.markdown.inline import find_links
from gossamer.pipeline.parse.markdown.mask import mask
from tests.examples import examples
from tests.pipeline.parse.parse_pages import read, targets

DOCS = Path(__file__).parents[4] / "docs"
BASE = "http://www.example.org/dir/"


def links(text: str) -> list[str]:
    return [target.removeprefix(BASE) for target in targets(read(text, "text/markdown"))]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("[a](b)", ["b"]),
        ("[a](<b c>)", ["b%20c"]),
        ("[a](b \"title\") [c](d 'x')", ["b", "d"]),
        ("[a](b_(c)) x", ["b_(c)"]),
        ("[a\nb](c)", ["c"]),
        ("![picture](b)", []),
        ("[![picture](b)](c)", ["c"]),
        ("[a [b] c](d)", ["d"]),
        ("[a](b) [c] (d)", ["b"]),
        ("\\[a](b)", []),
        ("[a][n] [N][] [n]\n\n[n]: /x 'title'", ["http://www.example.org/x"] * 3),
        ("[a][none]", []),
        ("note[^1]\n\n[^1]: Some words", []),
        ("[ n ]: <x y>\n[n]", ["x%20y"]),
        ("<http://a.example/b>", ["http://a.example/b"]),
        ("<a class=x href='b'>c</a>", ["b"]),
        ("see http://a.example/b_(c).", ["http://a.example/b_(c)"]),
        ("`[a](b)` and ``[c`](d)``", []),
        ("`[a](b) no end, [c](d)", ["b", "d"]),
        ("```\n[a](b)\n```\n[c](d)", ["d"]),
        ("~~~ x\n[a](b)\n```\n~~~\n[c](d)", ["d"]),
        ("```\n[a](b)", []),
        ("<!-- [a](b) --> [c](d)", ["d"]),
        ("[a](#here) [b](mailto:x@y.example)", []),
        ("[a](b&amp;c)", ["b&c"]),
        ("[a]()", []),
    ],
)
def test_links(text: str, wanted: list[str]) -> None:
    assert links(text) == wanted


def test_anchors_are_what_is_shown() -> None:
    text = "[**bold** `code` and ![picture](x)](y) <http://a.example/>"
    document = read(text, "text/markdown")
    anchors = [link.anchor for link in document.links]
    assert anchors == ["bold code and picture", "http://a.example/"]


def test_links_that_are_no_urls_are_counted() -> None:
    document = read("[a](http://[) [b](c)", "text/markdown")
    assert (len(document.links), document.bad_links) == (1, 1)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# One #\n\n## Two", "One"),
        ("text\n\nOne\n===\n", "One"),
        ("---\ntitle: 'Front'\nx: y\n---\n# One", "Front"),
        ("```\n# code\n```\n# [One](x) *more*", "One more"),
        ("no heading", ""),
    ],
)
def test_titles(text: str, title: str) -> None:
    assert read(text, "text/markdown").title == title


def test_text_is_what_is_shown() -> None:
    text = (
        "# Title\n\nSome **bold** and _soft_ snake_case [words](x 'y') &amp; `a[0]`.\n\n"
        "- one\n- two\n\n> said\n\n```py\ncode = 1\n```\n<b>tag</b> <!-- hidden -->\n\n[n]: /x\n"
    )
    document = read(text, "text/markdown")
    shown = "Title Some bold and soft snake_case words & a[0]. one two said code = 1 tag"
    assert document.text == shown


@pytest.mark.parametrize(
    ("content_type", "url", "media_type"),
    [
        ("text/markdown; charset=utf-8", "http://a.example/x", "text/markdown"),
        ("text/x-markdown", "http://a.example/x", "text/x-markdown"),
        ("text/plain", "http://a.example/x.md", "text/markdown"),
        ("text/plain", "http://a.example/x.MD?raw", "text/markdown"),
        (None, "http://a.example/README.markdown", "text/markdown"),
        ("text/plain", "http://a.example/x.txt", "text/plain"),
        ("text/html", "http://a.example/x.md", "text/html"),
    ],
)
def test_recognised_by_type_and_name(content_type: str | None, url: str, media_type: str) -> None:
    assert read("[a](b)", content_type, url=url).media_type == media_type


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.name)
def test_the_same_links_as_a_full_parser(page: Path) -> None:
    text = page.read_text("utf-8")
    ours = {
        unquote(unescape(link.target))
        for link in find_links(mask(text), 20_000)
        if not link.is_image
    }
    theirs = {unquote(target) for target in _by_markdown_it(text)}
    bare = {target for target in ours - theirs if target.startswith("http")}
    assert ours - bare == theirs


def _by_markdown_it(text: str) -> list[str]:
    tokens = MarkdownIt("commonmark").parse(text)
    children = [child for token in tokens for child in token.children or []]
    return [str(child.attrs["href"]) for child in children if child.type == "link_open"]


MILLION = 1_000_000
HOSTILE = {
    "open brackets": "[" * MILLION,
    "closed brackets": "]" * MILLION,
    "nested": "[" * (MILLION // 2) + "]" * (MILLION // 2),
    "pictures never closed": "![" * (MILLION // 2) + "[a](b)" * 1000,
    "targets that never end": "[a](" * (MILLION // 4),
    "nested targets": "[a](" + "(" * MILLION,
    "backticks": "".join("`" * (n % 50 + 1) + " " for n in range(40_000)),
    "fences": "```\n" * (MILLION // 4),
    "comments never closed": "<!--" * (MILLION // 4),
    "tags never closed": "<a " * (MILLION // 3),
    "definitions": "".join(f"[n{n}]: /x{n}\n" for n in range(50_000)) + "[n1]" * 50_000,
    "a definition of spaces": "[a]:" + " " * MILLION,
    "definitions of spaces": "[a]: \n \n" * (MILLION // 8),
    "a long line": "x " * MILLION,
    "a heading of spaces": "# " + " " * MILLION,
    "brackets after a URL": ("http://a.example/" + ")" * 2000 + " ") * 500,
    "emphasis": "*_" * (MILLION // 2),
    "quotes": "> " * (MILLION // 2),
    "rules": "-" * MILLION,
    "NULs": "\0" * MILLION,
    "front matter without end": "---\n" + "a: b\n" * 200_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile(name: str) -> None:
    document = read(HOSTILE[name] + "\n\n[last](/last)", "text/markdown")
    assert len(document.links) <= 20_000
    assert len(document.text_utf8) <= 2 * len(HOSTILE[name]) + 100


PIECES = (
    "[ ] ( ) ![ ]( ]: < > ` ``` ~~~ <a href= \\ \n \n\n # --- * _ http://a.example [n] <!-- --> & é"
)


@given(st.lists(st.sampled_from(PIECES.split(" ")) | st.text(max_size=4), max_size=60))
@settings(max_examples=examples(300), deadline=None)
def test_anything(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert len(mask(text)) == len(text)
    document = read(text, "text/markdown")
    assert all(len(link.anchor) <= 256 for link in document.links)
