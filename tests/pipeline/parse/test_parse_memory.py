"""A page that there is not enough memory for is an outcome of that page, and the next one is read."""

import pytest

from gossamer.core.outcomes import ParseFailure
from gossamer.core.settings import ParseSettings
from gossamer.pipeline.parse import Parsers
from tests.memory import LARGE, little_memory
from tests.pipeline.parse.parse_pages import SPELLING, page_of, targets

SETTINGS = ParseSettings(max_html=2 * LARGE, max_sitemap=2 * LARGE)


@pytest.mark.parametrize("media_type", ["text/html", "application/rss+xml"])
def test_a_page_that_takes_too_much_memory(media_type: str) -> None:
    parsers = Parsers(SPELLING, "Gossamer", settings=SETTINGS)
    large = page_of(b"<x>" + b"x\xe9" * (LARGE // 2), f"{media_type}; charset=latin1")
    small = page_of("<a href=/last>last</a>")
    with little_memory():
        document, last = parsers.parse([large, small])
    assert document.failure is ParseFailure.TOO_LARGE
    assert document.page.detail == "not enough memory to read it"
    assert (document.media_type, document.links) == (media_type, ())
    assert targets(last) == ["http://www.example.org/last"]


def test_what_the_page_said_before_is_kept() -> None:
    parsers = Parsers(SPELLING, "Gossamer", settings=SETTINGS)
    robots = ("X-Robots-Tag", "nofollow")
    large = page_of(b"x\xe9" * (LARGE // 2), "text/html; charset=latin1", robots)
    with little_memory():
        [document] = parsers.parse([large])
    assert not document.is_followable
    assert document.body is large.body
