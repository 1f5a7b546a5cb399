"""Pages that are made to keep a mirror busy: each character is looked at a few times at most."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from gossamer.core.url import Spelling
from gossamer.export.mirror import mirror_markup, start_tags
from gossamer.export.mirror.mirror_links import MirrorAddresses
from gossamer.export.mirror.mirror_markup import rewrite_page
from gossamer.pipeline.parse.css import rewrite_addresses

TIMES = 3000
ADDRESSES = MirrorAddresses({"http://a.test/": "a.test/index.html"}, {}, Spelling())
HOSTILE = {
    "tags": "<a " * TIMES,
    "names": "<a" * TIMES,
    "values": "<a b=" * TIMES,
    "quotes": "<a b='" * TIMES,
    "other quotes": '<a b="' + "<a b='" * TIMES,
    "attributes": "<a " + "href=b " * TIMES + ">",
    "comments": "<!--" * TIMES,
    "dashes": "<!-- -" * TIMES,
    "declarations": "<!doctype " * TIMES,
    "sections": "<![" * TIMES,
    "instructions": "<?" * TIMES,
    "ends": "</a " * TIMES,
    "scripts": "<script><!--<script>" * TIMES,
    "endless script": "<script>" + "</s" * TIMES,
    "sheets": "<style>" * TIMES,
    "titles": "<title></titl" * TIMES,
    "bases": "<base href=/x/>" * TIMES,
    "nested": "<svg><div>" * TIMES,
    "refreshes": "<meta " + "http-equiv=x content='0;url=b' " * TIMES + ">",
    "closed": "<a href=b>" * TIMES,
    "references": "<a href='" + "&am" * TIMES + "'>",
}


class Counting:
    """A pattern that counts the characters that it goes over."""

    def __init__(self, pattern: re.Pattern[str], spent: list[int]) -> None:
        self._pattern = pattern
        self._spent = spent

    def search(self, text: str, begin: int) -> re.Match[str] | None:
        return self._count(self._pattern.search(text, begin), text, begin)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        self._spent.append(len(text))
        return self._pattern.finditer(text)

    def _count(self, found: re.Match[str] | None, text: str, begin: int) -> re.Match[str] | None:
        self._spent.append((found.end() if found else len(text)) - begin)
        return found


@pytest.fixture
def spent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    found = list[int]()
    for name in ("TAG_IN_TEXT", "ATTRIBUTE_IN_TEXT", "_IN_SCRIPT"):
        monkeypatch.setattr(start_tags, name, Counting(getattr(start_tags, name), found))
    raw: dict[str, Any] = {name: Counting(one, found) for name, one in start_tags._RAW.items()}
    monkeypatch.setattr(start_tags, "_RAW", raw)
    return found


def rewrite(text: str) -> str:
    base = ADDRESSES.base("http://a.test/", "utf-8")
    assert base is not None
    return rewrite_page(text, base, ADDRESSES, "a.test/index.html")


@pytest.mark.parametrize("kind", HOSTILE)
def test_no_character_is_looked_at_often(kind: str, spent: list[int]) -> None:
    text = HOSTILE[kind]
    rewrite(text)
    assert sum(spent) <= 2 * len(text)


@pytest.mark.parametrize(
    "text", ["<![", "<![if x]>", "<!", "<a b=&#" + "9" * 5000 + ";>", "<!x<!y"]
)
def test_nothing_stops_it(text: str) -> None:
    assert rewrite(text + "x") == '<meta charset="utf-8">' + text + "x"


def test_a_set_of_pictures_is_gone_through_once() -> None:
    asked = list[str]()

    def note(href: str) -> str:
        asked.append(href)
        return f"{href}{href}"

    value = ", ".join(f"{number} 1x" for number in range(TIMES))
    said = mirror_markup._in_set(value, note)
    assert asked == [str(number) for number in range(TIMES)]
    assert said == ", ".join(f"{number}{number} 1x" for number in range(TIMES))


def test_what_no_browser_loads_stays_one_address_within_its_quotes() -> None:
    assert rewrite_addresses("url(a" * 3 + ")", str.upper) == 'url("AURL%28AURL%28A")'


def test_a_long_base_is_not_written_for_each_link() -> None:
    text = f"<base href=/{'x' * 100_000}/>" + "<a href=b>" * TIMES
    assert len(rewrite(text)) < 10 * len("<a href=b>") * TIMES


def test_addresses_that_have_grown_much_let_the_others_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mirror_markup, "_MOST_GROWTH", 100)
    said = rewrite("<a href=b>" * TIMES)
    assert 1 < said.count('href="http://a.test/b"') < 20
    assert said.endswith("<a href=b>")


def test_signs_in_addresses_are_read_as_browsers_do() -> None:
    said = rewrite("<a href='/?a=1&copy=2&amp;c=3&#65;'>")
    assert said.endswith('<a href="http://a.test/?a=1&amp;copy=2&amp;c=3A">')
