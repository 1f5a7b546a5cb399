"""Tables sorted by the address: the rows are those of the columns, and headings say how they are sorted."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import numpy as np
import pyarrow as pa
import pytest

import gossamer
from gossamer.dashboard.tables.row_picking import pick_numbers, pick_texts
from gossamer.lab import Web, serve
from tests.dashboard.faces import Visitor, shown

if TYPE_CHECKING:
    from playwright.sync_api import Page

Key = Callable[[dict[str, Any]], Any]


@pytest.fixture(scope="module")
def visitor(finished_crawl: Path) -> Iterator[Visitor]:
    with shown(finished_crawl) as found:
        yield found


def all_lines(visitor: Visitor, query: str) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = []
    page = pages = 1
    while page <= pages:
        found = visitor.get(f"/api/pages?{query}&page={page}").json
        lines, page, pages = lines + found["lines"], page + 1, found["paging"]["pages"]
    return lines


@pytest.mark.parametrize("down", ["true", "false"])
@pytest.mark.parametrize(
    ("column", "key"),
    [
        ("url", lambda one: one["url"]),
        ("status", lambda one: one["status"] or 0),
        ("media_type", lambda one: one["media_type"]),
        ("bytes", lambda one: one["bytes"]),
        ("seconds", lambda one: one["seconds"]),
        ("depth", lambda one: one["depth"]),
        ("fetched_at", lambda one: one["fetched_at"]),
    ],
)
@pytest.mark.parametrize("narrowed", ["", "&status=200", "&url=-1"])
def test_visits_are_sorted_by_every_column(
    visitor: Visitor, column: str, key: Key, down: str, narrowed: str
) -> None:
    lines = all_lines(visitor, f"sort={column}&down={down}{narrowed}")
    values = [key(one) for one in lines]
    assert values == sorted(values, reverse=down == "true")
    everything = all_lines(visitor, f"sort=fetched_at{narrowed}")
    assert sorted(one["url"] for one in lines) == sorted(one["url"] for one in everything)
    assert len(lines) > 1


def test_texts_of_any_rank_are_found_in_many_files() -> None:
    chance = np.random.default_rng(3)
    files, everything = [], []
    for which in range(7):
        texts = [f"{number:03}" for number in chance.integers(0, 60, which * 9)]
        order = np.argsort(np.array(texts or [""], object)[: len(texts)], kind="stable")
        files.append((pa.array(texts, pa.large_string()), order))
        everything += texts
    everything.sort()
    for begin in range(0, len(everything) + 5, 3):
        for is_falling in (False, True):
            wanted = everything[::-1] if is_falling else everything
            found = pick_texts(files, is_falling, begin, 10)
            assert len({*found}) == len(found)
            assert [files[which][0][row].as_py() for which, row in found] == wanted[begin:][:10]


def test_numbers_of_any_rank_are_found_once_however_many_are_equal() -> None:
    values = [np.array([3, 1, 3, 3]), np.array([], np.int64), np.array([3, 2, 1, 3, 3])]
    for is_falling in (False, True):
        found = [pick_numbers(values, is_falling, begin, 2) for begin in range(0, 11, 2)]
        places = [place for some in found for place in some]
        assert len({*places}) == len(places) == 9
        picked = [int(values[which][row]) for which, row in places]
        assert picked == sorted(picked, reverse=is_falling)


def test_headings_sort_and_say_so(visitor: Visitor, tab: "Page") -> None:
    """By keyboard: filters stay, the first page is shown again, and a second time reverses the order."""
    tab.goto(f"{visitor.url}/pages?status=200&page=2")
    sorted_by = tab.locator("th[aria-sort]")
    assert sorted_by.inner_text().startswith("When")
    assert sorted_by.get_attribute("aria-sort") == "descending"
    for expected in ("ascending", "descending"):
        tab.get_by_role("columnheader", name="URL and title").get_by_role("link").focus()
        tab.keyboard.press("Enter")
        tab.wait_for_selector(f"th[aria-sort={expected}]:has-text('URL')")
        assert "status=200" in tab.url
        assert "page=" not in tab.url
        urls = tab.locator("tbody td.text > a:first-child").all_inner_texts()
        assert urls == sorted(urls, reverse=expected == "descending")
        assert len(urls) > 10
    tab.get_by_role("button", name="Show").click()
    assert "sort=url" in tab.url
    assert tab.locator("th[aria-sort]").inner_text().startswith("URL")


_SORTED = """() => [...document.querySelectorAll('th[aria-sort]')].map((head) => {
    const rows = [...head.closest('table').tBodies[0].rows];
    const cells = rows.map((row) => row.cells[head.cellIndex]).filter(Boolean);
    const isRising = head.getAttribute('aria-sort') === 'ascending';
    return [isRising, cells.map((cell) => cell.innerText.trim())];
})"""


_PLACES = (
    "/",
    "/hosts",
    "/pages",
    "/frontier",
    "/frontier?depth=0-",
    "/graph",
    "/graph/hosts",
    "/control",
)
_MORE = (
    "/log",
    "/state",
    "/links?refused=nofollow",
    "/graph/near?url={url}",
    "/graph/near?host={host}",
)
_OF_ONE = ("/host?name={host}", "/page?url={url}", "/frontier?host={host}")


@pytest.mark.parametrize("path", [*_PLACES, *_MORE, *_OF_ONE])
def test_every_table_sorts_by_its_columns(studied_crawl: Path, tab: "Page", path: str) -> None:
    """A heading either sorts, or says why it does not."""
    with shown(studied_crawl) as visitor:
        line = visitor.get("/api/pages?sort=bytes").json["lines"][0]
        tab.goto(visitor.url + path.format(**{name: quote(line[name]) for name in ("url", "host")}))
        tab.wait_for_function("() => !document.querySelector('[data-unread]')")
        unsorted = tab.locator("thead th:not([data-unsorted]):not(:has(a))")
        assert unsorted.all_inner_texts() == []
        assert all(one.get_attribute("title") for one in tab.locator("th[data-unsorted]").all())
        heads = "[...document.querySelectorAll('thead th a')].map((one) => one.href)"
        links: list[str] = tab.evaluate(heads)
        assert len(links) > 1
        for link in links:
            tab.goto(link)
            [[is_rising, cells]] = tab.evaluate(_SORTED)
            numbers = [cell.replace(",", "") for cell in cells]
            if all(one.replace(".", "", 1).isdigit() for one in numbers):
                values = [float(one) for one in numbers]
                assert values == sorted(values, reverse=not is_rising), link


def _value(now: str) -> Key:
    return lambda one: one["now"][now]


@pytest.mark.parametrize("down", [True, False])
@pytest.mark.parametrize(
    ("column", "key"),
    [
        ("rest", _value("rest")),
        ("delay", _value("delay")),
        ("budget", lambda one: float((one["now"]["budget"].split("in ")[1:] or ["0 s"])[0][:-2])),
        ("robots", lambda one: one["robots"]),
        ("waiting", _value("waiting")),
        ("found", lambda one: one["found"]),
    ],
)
def test_hosts_are_sorted_by_what_the_crawl_knows_of_them(
    crawl_of_many_delays: Path, column: str, key: Key, down: bool
) -> None:
    with shown(crawl_of_many_delays) as visitor:
        query = f"/api/hosts?sort={column}&down={str(down).lower()}"
        while (found := visitor.get(query).json)["paging"]["unread"]:
            pass
    values = [key(one) for one in found["hosts"]]
    assert len(values) > 5
    there, missing = [one for one in values if one != ""], [one for one in values if one == ""]
    assert values == sorted(there, reverse=down) + missing
    assert len({*values}) > 1 or column in ("found", "rest")  # by now, all may be asked again


@pytest.fixture(scope="module")
def crawl_of_many_delays(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl that was stopped, of hosts with different delays, budgets and robots.txt."""
    out = tmp_path_factory.mktemp("delays") / "crawl"
    web = Web(seed=4, pages=3000, hosts=12, behaviours=("correct", "robots", "errors"))
    with serve(web) as served:
        gossamer.Crawl(
            served.seed_url,
            out=out,
            scope="all",
            delay=0.05,
            factor=0,
            max_pages=150,
            servers=(served.dns_address,),
            allow_private=True,
            delays=True,
            host_delay=0.2,
            least_host_delay=0.01,
        ).run()
    with shown(out) as visitor:
        token, hosts = visitor.token(), visitor.get("/api/hosts").json["hosts"]
        for number, one in enumerate(hosts[:4]):
            fields = {"token": token, "order": f"delay {one['host']['name']} {7 + number}"}
            assert visitor.post("/control", fields).status == 303
    return out


@pytest.mark.parametrize("column", ["source", "target", "anchor", "kind", "rel", "refused"])
def test_links_are_sorted_by_every_column(visitor: Visitor, column: str) -> None:
    reasons = visitor.get("/api/links").json["reasons"]
    reason = max(reasons, key=reasons.__getitem__)
    for down in ("false", "true"):
        found: list[dict[str, Any]] = []
        page = 1
        while lines := visitor.get(
            f"/api/links?refused={reason}&sort={column}&down={down}&page={page}"
        ).json["lines"]:
            found, page = found + lines, page + 1
        assert len(found) == reasons[reason]
        values = [one[column] for one in found]
        assert values == sorted(values, reverse=down == "true")
