"""The search page: it says what the index says, and nothing of a page becomes markup."""

import re
import shutil
import sys
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest

import gossamer
from gossamer.cli import run
from tests.dashboard.faces import Visitor, shown
from tests.dashboard.studied import HOSTILE
from tests.dashboard.watching import watch

if TYPE_CHECKING:
    from playwright.sync_api import Page

_ODD = (
    "",
    " ",
    "(",
    '"',
    ")))",
    "-",
    "OR",
    "\x00",
    "\u202e",
    "a" * 3000,
    "%ff",
    "../../etc",
    "𝕏",
    "NaN",
)


def search(visitor: Visitor, **asked: object) -> dict:  # type: ignore[type-arg]
    answer = visitor.get(f"/api/search?{urlencode(asked)}")
    assert answer.status == 200
    found: dict = answer.json  # type: ignore[type-arg]
    return found


@pytest.fixture(scope="module")
def word(studied_crawl: Path) -> str:
    """A word that many pages have."""
    index = gossamer.Index.open(studied_crawl)
    words = ("people", "every", "nobody", "guide", "better")
    return max(words, key=lambda one: index.search(one).total)


def test_it_says_what_the_index_says(studied_crawl: Path, word: str) -> None:
    index = gossamer.Index.open(studied_crawl)
    expected = index.search(word, 21)
    with shown(studied_crawl) as visitor:
        first, second = (search(visitor, q=word, page=page) for page in (1, 2))
        page = visitor.get(f"/search?q={word}").text
    assert first["total"] == expected.total > 20
    assert first["pages"] == len(index)
    urls = [hit["url"] for hit in first["hits"] + second["hits"]]
    assert urls == [hit.url for hit in expected.hits[:20]]
    assert first["has_more"]
    assert f"{expected.total:,} of {len(index):,} pages match" in page
    for hit in expected.hits[:10]:
        marked = hit.snippet.marked("<mark>", "</mark>", lambda text: text)
        assert marked in unescape(page)


def test_fields_are_conditions_for_all_words(studied_crawl: Path, word: str) -> None:
    index = gossamer.Index.open(studied_crawl)
    host = index.search(word).hits[0].url.split("/")[2].partition(":")[0]
    expected = index.search(f"({word} OR nothinglikethis) site:{host} lang:en", 10)
    with shown(studied_crawl) as visitor:
        found = search(visitor, q=f"({word} OR nothinglikethis", site=host, lang="en")
        none = search(visitor, q=word, before="1999")
        later = search(visitor, q=word, after="1999", type="html")
    assert found["total"] == expected.total > 0
    assert [hit["url"] for hit in found["hits"]] == [hit.url for hit in expected.hits]
    assert none["total"] == 0
    assert later["total"] == index.search(f"{word} type:html").total


def test_suggestions_and_similar_pages_are_links(studied_crawl: Path, word: str) -> None:
    index = gossamer.Index.open(studied_crawl)
    with shown(studied_crawl) as visitor:
        page = visitor.get(f"/search?q={word}").text
        first = index.search(word).hits[0].url
        similar = search(visitor, q=f'related:"{first}"')
    assert urlencode({"url": first}) in page
    assert urlencode({"q": f'related:"{first}"'}) in page
    assert [hit["url"] for hit in similar["hits"]] == [
        hit.url for hit in index.search(f"related:{first}").hits
    ]
    assert first not in [hit["url"] for hit in similar["hits"]]


def test_what_cannot_be_understood_is_one_line(studied_crawl: Path) -> None:
    with shown(studied_crawl) as visitor:
        page = visitor.get("/search?q=after:yesterday")
        assert "&#39;after:yesterday&#39; needs a day, such as after:2026-03-31" in page.text
        for odd in _ODD:
            for name in ("q", "site", "lang", "type", "after", "before", "page", "all_tiers", "x"):
                answer = visitor.get(f"/search?{urlencode({'q': 'a', **{name: odd}})}")
                assert answer.status in (200, 400), (name, odd)
                assert "Traceback" not in answer.text
        assert visitor.get("/api/search?page=0").status == 400
        assert visitor.get("/api/search?page=21").status == 400


def test_without_an_index_it_says_which_command_makes_one(finished_crawl: Path) -> None:
    with shown(finished_crawl) as visitor:
        page = visitor.get("/search?q=tea")
        assert search(visitor)["problem"].endswith(f"gossamer index {finished_crawl}")
    assert page.status == 200
    assert f"make one with: gossamer index {finished_crawl}" in unescape(page.text)


def test_without_the_engine_it_says_what_to_install(
    studied_crawl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tantivy", None)
    with shown(studied_crawl) as visitor:
        assert "pip install 'gossamer[search]'" in search(visitor, q="tea")["problem"]


def test_an_index_that_changed_is_opened_again(studied_crawl: Path, tmp_path: Path) -> None:
    crawl = Path(shutil.copytree(studied_crawl, tmp_path / "crawl"))
    shutil.rmtree(crawl / "index")
    with shown(crawl) as visitor:
        assert "has no index" in search(visitor)["problem"]
        assert run(["index", "-q", str(crawl)]) == 0
        assert search(visitor)["pages"] == len(gossamer.Index.open(crawl))
        shutil.rmtree(crawl / "index")
        assert "has no index" in search(visitor)["problem"]


def test_nothing_of_a_page_becomes_markup(hostile_site: Path) -> None:
    with shown(hostile_site) as visitor:
        page, found = visitor.get("/search?q=needle").text, search(visitor, q="needle")
    assert {hit["title"] for hit in found["hits"]} >= set(HOSTILE[:3])
    for mark in ("<script>alert", "<img", "<svg", "onload=alert(3)>\n", "\u202e"):
        assert mark not in page
    assert "&lt;script&gt;alert(1)" in page
    assert re.search(r"<mark>needle</mark>", page)


def test_a_reader_searches_and_turns_the_page(studied_crawl: Path, word: str, tab: "Page") -> None:
    expected = gossamer.Index.open(studied_crawl).search(word, 20)
    with shown(studied_crawl) as visitor:
        tab.goto(f"{visitor.url}/search")
        tab.wait_for_selector("#q:focus")  # it has the focus, a little later
        tab.keyboard.type(word)
        tab.keyboard.press("Enter")
        tab.wait_for_url("**/search?q=*")
        assert tab.locator("ol.hits > li").count() == 10
        assert str(expected.total) in tab.get_by_role("status").inner_text()
        places = tab.locator(".hits .place").all_inner_texts()
        assert places == [hit.url for hit in expected.hits[:10]]
        tab.get_by_role("link", name="Next").click()
        assert tab.locator(".hits .place").first.inner_text() == expected.hits[10].url
        tab.get_by_role("link", name="similar").first.click()
        assert tab.locator("#q").input_value() == f'related:"{expected.hits[10].url}"'


def test_no_script_of_a_page_runs_in_the_browser(hostile_site: Path, tab: "Page") -> None:
    with shown(hostile_site) as visitor:
        seen = watch(tab, visitor.url)
        tab.goto(f"{visitor.url}/search?q=needle")
        tab.wait_for_selector("#updated:not(:empty)")  # our own scripts have run
        assert tab.locator("ol.hits > li").count() >= 3
        assert seen == []
