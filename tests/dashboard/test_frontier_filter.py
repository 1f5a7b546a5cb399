"""Filters of the frontier find the URLs of the last checkpoint that they ask for, and no others."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

from gossamer.core.records import Via
from gossamer.dashboard.tables import waiting_table
from gossamer.engine.ledger import Ledger
from gossamer.pipeline.frontier import DiskFrontier
from gossamer.pipeline.frontier.frontier_checkpoint import read_all
from gossamer.pipeline.frontier.waiting_url import decode
from tests.dashboard.faces import Visitor, shown

if TYPE_CHECKING:
    from playwright.sync_api import Page

Line = dict[str, Any]


@pytest.fixture(scope="module")
def visitor(finished_crawl: Path) -> Iterator[Visitor]:
    with shown(finished_crawl) as found:
        yield found


@pytest.fixture(scope="module")
def waiting(finished_crawl: Path) -> list[Line]:
    """What the files of the frontier have."""
    state = finished_crawl / "state" / "00000"
    packed = Ledger.read_checkpoint(state).components[DiskFrontier.name]
    found = []
    for queue, records in read_all(state / "frontier", packed):
        for visit in map(decode, records):
            line = {name: getattr(visit, name) for name in ("level", "depth", "attempt", "source")}
            where = {"url": visit.url.text, "host": visit.url.host, "via": visit.via.value}
            found.append(line | where | {"queue": queue.name.lower()})
    return found


def find(visitor: Visitor, **fields: object) -> list[Line]:
    """All pages of what a filter finds, once the frontier was read."""
    lines: list[Line] = []
    page = pages = 1
    while page <= pages:
        found = visitor.get(f"/api/frontier?{urlencode({**fields, 'page': page})}").json["found"]
        if not found["is_reading"]:
            lines, page, pages = lines + found["lines"], page + 1, found["paging"]["pages"]
    assert found["is_whole"]
    assert found["paging"]["total"] == len(lines)
    return lines


def _found_by(via: Via) -> Callable[[Line], bool]:
    return lambda one: one["via"] == via.value


_FILTERS: tuple[tuple[dict[str, str], Callable[[Line], bool]], ...] = (
    ({"depth": "0-"}, lambda one: True),
    ({"depth": "3"}, lambda one: one["depth"] == 3),
    ({"depth": "2-3"}, lambda one: 2 <= one["depth"] <= 3),
    ({"depth": "-2"}, lambda one: one["depth"] <= 2),
    ({"level": "2-"}, lambda one: one["level"] >= 2),
    ({"text": "-1.HTML"}, lambda one: "-1.html" in one["url"].lower()),
    ({"queue": "at_its_host"}, lambda one: one["queue"] == "at_its_host"),
    ({"queue": "in_front_queue"}, lambda one: one["queue"] == "in_front_queue"),
    ({"queue": "due_again"}, lambda one: one["queue"] == "due_again"),
    *(({"via": via.value}, _found_by(via)) for via in Via),
    (
        {"via": "link", "text": "2", "depth": "3-"},
        lambda one: "2" in one["url"] and one["depth"] > 2,
    ),
)


@pytest.mark.parametrize("number", range(len(_FILTERS)))
def test_a_filter_finds_what_it_asks_for(
    visitor: Visitor, waiting: list[Line], number: int
) -> None:
    fields, is_wanted = _FILTERS[number]
    wanted = [one for one in waiting if is_wanted(one)]
    assert find(visitor, **fields) == wanted
    assert len(waiting) > 100
    host = waiting[0]["host"]
    assert find(visitor, **fields, host=host) == [one for one in wanted if one["host"] == host]


@pytest.mark.parametrize("column", ["url", "level", "depth", "queue", "via", "attempt"])
def test_what_was_found_is_sorted_by_every_column(
    visitor: Visitor, waiting: list[Line], column: str
) -> None:
    order = ("under_way", "at_its_host", "in_front_queue", "tried_again", "due_again")
    for down in ("false", "true"):
        found = find(visitor, depth="0-", sort=f"found.{column}", down=down)
        values = [order.index(one[column]) if column == "queue" else one[column] for one in found]
        assert values == sorted(values, reverse=down == "true")
        assert sorted(one["url"] for one in found) == sorted(one["url"] for one in waiting)


def test_more_than_is_looked_through_is_said(
    finished_crawl: Path, waiting: list[Line], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting_table, "MOST_URLS", 7)
    with shown(finished_crawl) as visitor:
        while (found := visitor.get("/api/frontier?depth=0-").json["found"])["is_reading"]:
            pass
        assert "not all that wait" in visitor.get("/frontier?depth=0-").text
    assert not found["is_whole"]
    assert found["looked_through"] == found["paging"]["total"] == 7
    assert found["lines"] == waiting[:7]


@pytest.mark.parametrize("field", ["level", "depth", "queue", "via", "text", "page"])
def test_odd_values_are_refused_in_one_line(visitor: Visitor, field: str) -> None:
    for odd in ("(", "1--2", "-1e9", "9" * 30, "a-b", "<b>", "\x00", "x" * 5000):
        answer = visitor.get(f"/frontier?{urlencode({field: odd})}")
        assert answer.status in (200, 400), odd
        assert "<b>" not in answer.text
        assert answer.status == 400 or field == "text"


def test_a_reader_narrows_step_by_step(visitor: Visitor, waiting: list[Line], tab: "Page") -> None:
    tab.goto(f"{visitor.url}/frontier")
    tab.get_by_label("Depth").fill("2-")
    tab.get_by_label("Found by").select_option("link")
    tab.get_by_role("button", name="Show").click()
    tab.wait_for_function("() => !document.querySelector('[data-unread]')")
    wanted = [one for one in waiting if one["depth"] >= 2 and one["via"] == "link"]
    assert f"{len(wanted):,} URLs found" in tab.locator("caption").inner_text()
    tab.get_by_role("columnheader", name="URL").get_by_role("link").click()
    tab.wait_for_selector("th[aria-sort=ascending]:has-text('URL')")
    assert tab.get_by_label("Depth").input_value() == "2-"
    urls = tab.locator("tbody td.text > a:first-child").all_inner_texts()
    assert urls[0] == min(one["url"] for one in wanted)
