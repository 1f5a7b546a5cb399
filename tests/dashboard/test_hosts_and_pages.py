"""Hosts and pages: what is shown is what the tables say, as a page, as JSON, and in the browser."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

import pytest

import gossamer
from gossamer.core.outcomes import Outcome
from gossamer.dashboard.views import VIEWS
from tests.dashboard.faces import Visitor, shown

if TYPE_CHECKING:
    from playwright.sync_api import Page

Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def visitor(finished_crawl: Path) -> Iterator[Visitor]:
    with shown(finished_crawl) as found:
        yield found


@pytest.fixture(scope="module")
def pages(finished_crawl: Path) -> Rows:
    rows: Rows = gossamer.open(finished_crawl).pages.to_table().to_pylist()
    return rows


@pytest.fixture(scope="module")
def links(finished_crawl: Path) -> Rows:
    rows: Rows = gossamer.open(finished_crawl).links.to_table().to_pylist()
    return rows


def _all(visitor: Visitor, path: str) -> Rows:
    """All rows of a list, page after page."""
    first = visitor.get(path).json
    joint = "&" if "?" in path else "?"
    rest = [
        visitor.get(f"{path}{joint}page={page}").json
        for page in range(2, first["paging"]["pages"] + 1)
    ]
    return [row for some in (first, *rest) for row in some.get("lines", some.get("hosts"))]


def test_the_list_has_every_visit_once_and_the_newest_first(visitor: Visitor, pages: Rows) -> None:
    found = _all(visitor, "/api/pages")
    assert Counter(line["url"] for line in found) == Counter(row["url"] for row in pages)
    times = [line["at"] for line in found]
    assert times == sorted(times, reverse=True)
    by_url = {row["url"]: row for row in pages}
    for line in found:
        row = by_url[line["url"]]
        said = (line["status"], line["outcome"], line["media_type"], line["title"], line["bytes"])
        told = (
            row["status"],
            row["outcome"],
            row["media_type"] or "",
            row["title"] or "",
            row["bytes"],
        )
        assert said == told


@pytest.mark.parametrize("column", ["outcome", "media_type", "host", "via"])
def test_lists_by_a_column_have_its_rows(visitor: Visitor, pages: Rows, column: str) -> None:
    for value, count in Counter(row[column] for row in pages if row[column]).items():
        found = visitor.get(f"/api/pages?{column}={quote(value, safe='')}").json
        assert found["paging"]["total"] == count


def test_lists_by_status_part_of_the_url_time_and_mark(visitor: Visitor, pages: Rows) -> None:
    def total(query: str) -> int:
        number: int = visitor.get(f"/api/pages?{query}").json["paging"]["total"]
        return number

    for status, count in Counter(row["status"] for row in pages).items():
        assert total(f"status={status or 'none'}") == count
    assert total("status=4xx") == sum(400 <= (row["status"] or 0) < 500 for row in pages)
    assert total("url=HTML") == sum("html" in row["url"].lower() for row in pages)
    assert total("mark=redirect") == sum(row["redirect_to"] is not None for row in pages)
    assert total("mark=duplicate") == sum(row["duplicate_of"] is not None for row in pages)
    middle = sorted(row["fetched_at"] for row in pages)[len(pages) // 2]
    moment = f"{middle:%Y-%m-%dT%H:%M:%S}"
    assert total(f"since={moment}") + total(f"until={moment}") == len(pages)
    assert total("outcome=never_heard_of") == 0


def test_hosts_are_counted_from_their_pages(visitor: Visitor, pages: Rows) -> None:
    found = {one["host"]["name"]: one["host"] for one in _all(visitor, "/api/hosts")}
    assert found.keys() == {row["host"] for row in pages}
    for name, host in found.items():
        own = [row for row in pages if row["host"] == name]
        assert host["visits"] == len(own)
        assert host["pages"] == sum(row["outcome"] == Outcome.FETCHED for row in own)
        assert host["bytes"] == sum(row["bytes"] for row in own)
        is_forbidden = [row["outcome"] == Outcome.ROBOTS_DISALLOWED for row in own]
        assert host["forbidden"] == sum(is_forbidden)
        is_error = [row["status"] is None or row["status"] >= 400 for row in own]
        assert host["errors"] == sum(is_error) - sum(is_forbidden)


@pytest.mark.parametrize("column", ["name", "pages", "errors", "forbidden", "bytes", "last"])
def test_hosts_are_sorted(visitor: Visitor, column: str) -> None:
    for down in ("true", "false"):
        hosts = [one["host"] for one in _all(visitor, f"/api/hosts?sort={column}&down={down}")]
        values = [host[column] for host in hosts]
        assert values == sorted(values, reverse=down == "true")


def test_one_host(visitor: Visitor, pages: Rows) -> None:
    name = Counter(row["host"] for row in pages).most_common(1)[0][0]
    own = [row for row in pages if row["host"] == name]
    found = visitor.get(f"/api/host?name={name}").json
    assert sum(bar["visits"] for bar in found["timeline"]) == len(own)
    statuses = Counter(str(row["status"]) for row in own if row["status"])
    assert found["statuses"] == statuses
    assert found["outcomes"] == Counter(row["outcome"] for row in own)
    page = visitor.get(f"/host?name={name}").text
    for status, count in statuses.items():
        assert (
            f'href="/pages?host={name}&amp;status={status}">{status}</a> <span>{count:,}</span>'
            in page
        )
    assert "<svg" in page


def test_the_robots_txt_of_a_host_is_that_of_the_archive(visitor: Visitor, pages: Rows) -> None:
    found = [
        one
        for name in {row["host"] for row in pages}
        for one in visitor.get(f"/api/host?name={name}").json["robots_txt"]
    ]
    assert any(one["status"] == 200 and "User-agent" in one["text"] for one in found)
    assert all(one["url"].endswith("/robots.txt") and not one["trouble"] for one in found)


def test_refused_links_by_reason(visitor: Visitor, links: Rows) -> None:
    reasons = Counter(row["refused"] for row in links if row["refused"])
    assert visitor.get("/api/links").json["reasons"] == reasons
    for reason, count in reasons.items():
        found = _all(visitor, f"/api/links?refused={reason}")
        assert len(found) == count
        pairs = Counter((line["source"], line["target"], line["anchor"]) for line in found)
        rows = [row for row in links if row["refused"] == reason]
        assert pairs == Counter((r["source"], r["target"], r["anchor"][:100]) for r in rows)


def test_links_are_filtered_by_all_that_is_said(visitor: Visitor, links: Rows) -> None:
    row = next(row for row in links if row["refused"])
    wanted = {name: row[name] for name in ("source", "target", "refused")}
    for names in (("source", "target"), ("source", "refused"), ("target", "refused"), [*wanted]):
        asked = urlencode({name: wanted[name] for name in names})
        own = [one for one in links if all(one[name] == wanted[name] for name in names)]
        for sort in ("", "&sort=anchor", "&sort=kind&down=true"):
            found = _all(visitor, f"/api/links?{asked}{sort}")
            assert len(found) == len(own) > 0
            assert all(line[name] == wanted[name] for line in found for name in names)
    elsewhere = urlencode({**wanted, "source": "http://nowhere.test/"})
    assert not _all(visitor, f"/api/links?{elsewhere}")


def test_one_page_has_its_links_and_its_record(
    visitor: Visitor, pages: Rows, links: Rows, finished_crawl: Path
) -> None:
    crawl = gossamer.open(finished_crawl)
    for row in pages[::40]:
        url = row["url"]
        found = visitor.get(f"/api/page?url={quote(url, safe='')}").json
        assert found["total"] == 1
        assert found["links_here"]["total"] == sum(one["target"] == url for one in links)
        assert found["links_on_it"]["total"] == sum(one["source"] == url for one in links)
        told = {name.lower(): value for name, value in found["headers"]}
        assert told == {name.lower(): value for name, value in crawl[url].page.headers}
        if row["warc_file"]:
            assert f"WARC-Target-URI: {url}\r\n" in found["record"]["text"]
        assert visitor.get(f"/page?url={quote(url, safe='')}").status == 200


def test_a_page_says_what_the_command_says(
    visitor: Visitor, pages: Rows, finished_crawl: Path
) -> None:
    from gossamer.archive.explain import KnownOnDisk, explain_url
    from gossamer.core import settings_file
    from gossamer.core.url import Spelling

    settings = settings_file.read(finished_crawl / "crawl.toml")
    never = "http://never.test/named"
    for url in [*(row["url"] for row in pages[::50]), never]:
        parsed = Spelling(settings.url.rules).parse(url)
        assert parsed is not None
        said = explain_url(parsed, settings, KnownOnDisk(parsed, finished_crawl))
        found = visitor.get(f"/api/page?url={quote(url, safe='')}").json
        assert [tuple(fact) for fact in found["facts"]] == said


def test_two_versions_that_are_the_same(visitor: Visitor, pages: Rows) -> None:
    url = next(row["url"] for row in pages if row["status"] == 200 and row["title"])
    found = visitor.get(f"/api/difference?url={quote(url, safe='')}").json["difference"]
    assert (found["words_added"], found["words_removed"], found["passages"]) == (0, 0, [])
    assert "The text is the same." in visitor.get(f"/difference?url={quote(url, safe='')}").text


_ODD = [
    "../../etc/passwd",
    "..%2f..%2fcrawl.toml",
    "/etc/passwd",
    "file:///etc/passwd",
    "\x00",
    "%00",
    "-1",
    "1e999",
    "99999999999999999999",
    "NaN",
    "'\"><script>alert(1)</script>",
    "{{7*7}}",
    "$(id)",
    "\u202e",
    "\ud7ff\uffff",
    "http://[::1",
    "http://a.test:99999/",
    "javascript:alert(1)",
    "x" * 3999,
    "x" * 5000,
    "[]",
    "true",
]


@pytest.mark.parametrize("view", VIEWS, ids=lambda one: one.path)
def test_odd_values_of_every_parameter_are_answered_plainly(visitor: Visitor, view: Any) -> None:
    for name in (*view.asked.__struct_fields__, "no_such_field"):
        for value in _ODD:
            for path in (view.path, f"/api{view.path}"):
                answer = visitor.get(f"{path}?{name}={quote(value, safe='')}")
                assert answer.status in (200, 400, 404, 409), (name, value)
                assert "root:" not in answer.text
                assert "<script>alert" not in answer.text or path.startswith("/api")


@pytest.mark.parametrize("value", _ODD)
def test_odd_values_for_a_copy(visitor: Visitor, value: str) -> None:
    for name in ("url", "at", "key", "other"):
        answer = visitor.get(f"/archive/copy?{name}={quote(value, safe='')}")
        assert answer.status == 404
        assert answer.headers["content-security-policy"].startswith("sandbox")
        assert b"root:" not in answer.body
        assert b"<script>" not in answer.body


def test_the_browser_shows_the_same(visitor: Visitor, pages: Rows, tab: "Page") -> None:
    """By keyboard and form, without a script: search, sort, and one page."""
    hosts = Counter(row["host"] for row in pages if row["outcome"] == Outcome.FETCHED)
    name, count = hosts.most_common(1)[0]
    tab.goto(f"{visitor.url}/hosts")
    tab.get_by_label("Part of the name").fill(name)
    tab.keyboard.press("Enter")
    row = tab.get_by_role("row", name=name)
    assert row.get_by_role("cell").first.inner_text() == f"{count:,}"
    row.get_by_role("link").first.click()
    assert tab.get_by_role("heading", level=1).inner_text() == name
    tab.get_by_role("link", name="200", exact=True).click()
    good = sum(one["host"] == name and one["status"] == 200 for one in pages)
    assert f"{good:,} rows" in tab.locator(".pager").inner_text()
    first = tab.locator("tbody a").first
    url = first.inner_text()
    first.click()
    assert tab.get_by_role("heading", level=1).inner_text() == url
    assert tab.frames[1].locator("body").inner_text()


@pytest.mark.parametrize("width", [1200, 360])
def test_pages_fit_and_are_labelled(visitor: Visitor, pages: Rows, tab: "Page", width: int) -> None:
    """Nothing is wider than a phone, and every field, table and picture says what it is."""
    tab.set_viewport_size({"width": width, "height": 800})
    url = quote(next(row["url"] for row in pages if row["title"]), safe="")
    name = pages[0]["host"]
    for path in ("/hosts", "/pages", f"/host?name={name}", f"/page?url={url}", "/links"):
        tab.goto(f"{visitor.url}{path}")
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
        unlabelled = "[...document.querySelectorAll('input:not([type=hidden]),select')]"
        assert tab.evaluate(f"{unlabelled}.filter(one => !one.labels.length).length") == 0
        assert tab.evaluate("[...document.querySelectorAll('th:not([scope])')].length") == 0
        assert (
            tab.evaluate("[...document.querySelectorAll('table:not(:has(caption))')].length") == 0
        )
