"""The table of a page's elements: made from the tree's spelling, it is what a walk over the tree gives."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from resiliparse.parse.html import DOMNode, HTMLTree

from gossamer.pipeline.parse.extraction import html_elements
from gossamer.pipeline.parse.extraction.html_elements import Elements, list_elements
from gossamer.pipeline.parse.extraction.outline import Outline
from gossamer.pipeline.parse.extraction.tree_safety import has_many_attributes
from gossamer.pipeline.parse.extraction_kernels import element_tree as tree
from gossamer.pipeline.parse.extraction_kernels.tag_cost import measure_tags
from gossamer.pipeline.parse.tag_patterns import FORMATTING_TAG, LINK_TAG

_PIECES = (
    "<p>", "</p>", "<div class='a b' id=x>", "</div>", "<a href=#top>", "<a href='/x?a=1&amp;b'>", "</a>",
    "<b>", "</b>", "<i>", "<table>", "<tr>", "<td>", "</table>", "<svg>", "<g/>", "</svg>", "<math>",
    "<br>", "<img alt='a>b'>", "<script>", "</script>", "<!-- <p> -->", "<!--", "-->", "<style>", "</style>",
    "<template>", "</template>", "<noscript>", "</noscript>", "<select>", "<option>", "</select>",
    "<ul>", "<li>", "</ul>", "<pre>\n", "</pre>", "<textarea>", "</textarea>", "<title>", "</title>",
    "<iframe>", "</iframe>", "<xmp>", "</xmp>", "<plaintext>", "<html lang=en>",
    "<body style='display: none'>",
    "<head>", "<h1 hidden>", "</h1>", "<main role=main>", "</main>", "<x-y\"z =a'b>", "<br/ >", "<?php x>",
    "<form>", "</form>", "<frameset>", "<button>", "<nobr>", "<p style='visibility:&#32;hidden'>",
    "<foreignObject>", "<desc>", "<annotation-xml>", "<![CDATA[x]]>", "<noframes>", "<object>", "<input>",
    "<h2 id='a>b' class=\"c'd\">", "</h2>", "<meta name=a content='b \"c'>",
    "<meta property=d content=e&amp;>", "<meta =f='g h' itemprop=i content>",
    "<blockquote>", "<figcaption>", "<figcaptiot>",
    "A sentence, long enough to be prose if it stands alone. ", "word", " ", "\u00a0", "\u3000",
    "&amp;", "&lt;", "&nbsp;", "。", "،", "é", "\U0001f600", "x;y", "\x0c", "\x1d", "&#0;", "…",
)  # fmt: skip


def _tables(html: str) -> tuple[Elements | None, Elements | None]:
    """From the spelling, and by a walk."""
    root = HTMLTree.parse(html).document.first_element_child
    return list_elements(root, root.html.encode("utf-8", "replace")), html_elements._walk(root)


def _columns(table: Elements | None) -> object:
    if table is None:
        return None
    counts = (table.parents, table.ends, table.runs, table.own_prose, table.texts, table.links)
    names = [table.names(number) for number in range(len(table))]
    hidden = [table.is_hidden(number) for number in range(len(table))]
    return (
        table.tags,
        *counts,
        table.prose,
        table.depth,
        names,
        hidden,
        table.roles,
        len(table.nodes),
    )


@given(st.lists(st.sampled_from(_PIECES) | st.text(max_size=8), max_size=40))
def test_the_spelling_of_a_tree_says_what_a_walk_over_it_does(pieces: list[str]) -> None:
    spelled, walked = _tables("".join(pieces))
    assert _columns(spelled) == _columns(walked)


@given(st.lists(st.sampled_from(_PIECES) | st.text(max_size=8), max_size=40))
def test_headings_and_metas_are_the_same_from_the_spelling_and_from_the_tree(
    pieces: list[str],
) -> None:
    tree = HTMLTree.parse("".join(pieces))
    root = tree.document.first_element_child
    spelling = root.html.encode("utf-8", "replace")
    found = [
        (list(outline.headings()), list(outline.metas()), outline.language)
        for table in (list_elements(root, spelling), html_elements._walk(root))
        if table is not None
        for outline in [Outline(tree, table, spelling)]
    ]
    assert found[:1] == found[1:]


@pytest.mark.parametrize(
    ("html", "is_clear"),
    [
        ("<p>a<script>if (a < b) x()</script>c", True),
        ("<p>a<script><!-- <script> </script> --></script>c", False),
        ("<template><p>a</template>", False),
        ("<svg><style>a</style></svg>", False),
        ("<noscript><p>a</noscript>", True),
    ],
)
def test_what_a_spelling_cannot_tell_is_walked(
    monkeypatch: pytest.MonkeyPatch, html: str, is_clear: bool
) -> None:
    walks, walk = list[DOMNode](), html_elements._walk

    def count(root: DOMNode) -> Elements | None:
        walks.append(root)
        return walk(root)

    monkeypatch.setattr(html_elements, "_walk", count)
    root = HTMLTree.parse(html).document.first_element_child
    assert list_elements(root, root.html.encode()) is not None
    assert bool(walks) is not is_clear


def test_a_tree_deeper_than_any_person_writes_has_no_table() -> None:
    spelled, walked = _tables("<div>" * 300)
    assert spelled is None
    assert walked is None


@given(
    st.lists(
        st.sampled_from(
            (
                "<",
                "a",
                "b ",
                "<a ",
                "<b/",
                "<B x",
                "=",
                "'",
                '"',
                ">",
                "/",
                "\n",
                "<code y>z</code>",
            )
        )
    )
)
def test_a_quick_look_at_tags_is_never_too_hopeful(pieces: list[str]) -> None:
    html = "".join(pieces).encode()
    _, link, formatting = measure_tags(np.frombuffer(html, np.uint8), 10**9)
    assert link >= max(map(len, LINK_TAG.findall(html)), default=0)
    assert formatting >= sum(
        len(one[0]) for one in FORMATTING_TAG.finditer(html) if one[3] is not None
    )


def test_a_quick_look_sees_many_attributes_and_gives_up_where_tags_overlap() -> None:
    many = b"<p " + b"a " * 2000 + b">"
    assert measure_tags(np.frombuffer(many, np.uint8), len(many))[0] == 2000
    assert has_many_attributes(many)
    nested = b"<p '" * 2000
    assert min(measure_tags(np.frombuffer(nested, np.uint8), len(nested))) > len(nested)


def test_a_text_that_ends_with_the_sign_of_a_reference_is_read_to_its_end() -> None:
    """There is no next byte to look at."""
    read_reference: Any = tree._read_reference
    assert read_reference.py_func(b"&", 0, 1) == (2, False)
    assert read_reference.py_func(b"&nbsp;", 0, 6) == (6, True)
