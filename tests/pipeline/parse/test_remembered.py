"""What is remembered from page to page is short, whatever a page says."""

import tracemalloc
from collections.abc import Callable

import pytest

from gossamer.core.http import read_media_type
from gossamer.pipeline.parse import Parsers
from gossamer.pipeline.parse.feed_dates import read_date
from gossamer.pipeline.parse.xml import read_xml
from tests.pipeline.parse.parse_pages import SPELLING, page_of

TIMES = 50
LONG = "y" * 100_000
PARSERS = Parsers(SPELLING, "Gossamer")


def read(body: str) -> object:
    """All pages are read by one parser: what it remembers stays."""
    return PARSERS.parse([page_of(body)])


SAYINGS: dict[str, Callable[[str], object]] = {
    "Content-Type": lambda text: read_media_type(f"text/html; x={text}"),
    "date": read_date,
    "name of an element": lambda text: list(read_xml(f"<{text}>".encode())),
    "rel": lambda text: read(f"<link rel='{text}' href=x>"),
    "name of a meta": lambda text: read(f"<meta name='{text}' content=x>"),
    "http-equiv": lambda text: read(f"<meta http-equiv='{text}' content=x>"),
    "password": lambda text: SPELLING.parse(f"http://{text}@a.example/"),
    "address": lambda text: read(f"<a href='{text}'>"),
    "reference": lambda text: read(f"<a href='&amp;{text}'>"),
    "base": lambda text: read(
        f"<base href='http://a.example/{text[:60_000]}{text[-9:]}/'><a href=x>"
    ),
}


@pytest.mark.parametrize("name", SAYINGS)
def test_nothing_long_is_remembered(name: str) -> None:
    say = SAYINGS[name]
    say(LONG)  # so that what grows with the largest page has grown
    tracemalloc.start()
    try:
        for number in range(TIMES):
            say(f"{LONG}{number:09}")
        now, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert now < TIMES * len(LONG) // 4
