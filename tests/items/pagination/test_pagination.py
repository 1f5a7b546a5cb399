"""Pagination of pages, as programs write it and as real pages have it."""

from urllib.parse import urljoin

import pytest

from gossamer.core.page_tree import parse_page
from gossamer.items.pagination import Pagination, read_pagination
from tests.items.pagination.pager_snippets import SNIPPETS, Snippet

_FILLER = """<html><head><title>A page</title></head><body><div id="header"><a href="/">Home</a> <a
href="/about">About</a> <a href="/contact">Contact</a></div><div id="content"><h1>Title</h1><p>Some
words of text
that go on for a line or two, with <a href="/other/42">a link</a> in them.</p>{}</div><div id="footer"><a
href="/imprint">Imprint</a> © 2020</div></body></html>"""


@pytest.mark.parametrize("snippet", SNIPPETS, ids=lambda one: one.name)
def test_reads_the_pagers_that_programs_write(snippet: Snippet) -> None:
    found = read_pagination(parse_page(_FILLER.format(snippet.html)), snippet.url)
    expected = Pagination(
        *(
            tuple(urljoin(snippet.url, one) for one in urls)
            for urls in (snippet.next, snippet.previous, snippet.pages)
        )
    )
    assert {name: set(getattr(found, name)) for name in ("next", "previous", "pages")} == {
        name: set(getattr(expected, name)) for name in ("next", "previous", "pages")
    }
