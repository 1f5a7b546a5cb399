"""Pages of a crawl that runs: the browser shows what the tables say, and what is in the archive so far."""

from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from pyarrow.dataset import dataset

import gossamer
from gossamer.archive.explain import KnownOnDisk, explain_url
from gossamer.core import settings_file
from gossamer.core.url import Spelling
from gossamer.lab import Web
from tests.dashboard.faces import shown
from tests.dashboard.live import crawling, wait_until
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Page

WEB = Web(seed=5, pages=100_000, hosts=10, behaviours=("correct", "errors"))
"""More than a crawl has in the time of a test, however slow the machine is."""

Rows = list[dict[str, Any]]


def _rows(out: Path, table: str = "pages") -> Rows:
    """A table as its files have it; `gossamer.open` also reads what is recorded but in no file yet."""
    rows: Rows = dataset(out / table, format="parquet").to_table().to_pylist()
    return rows


def _tell(out: Path, *words: str) -> None:
    assert gossamer.send_command(out, *words, seconds=PATIENCE).is_done


def _hold(crawl: gossamer.Crawl, out: Path) -> Rows:
    """No visit begins, and all that were made are in the tables, which are given."""
    _tell(out, "pause")
    ring = crawl.ring
    assert ring is not None
    wait_until(lambda: not ring.components.fetcher.in_flight and not ring.pages_in_flight)
    store = ring.components.store
    wait_until(lambda: len(_rows(out)) == store.statistics().pages)
    wait_until(lambda: len(_rows(out, "links")) == store.statistics().links)
    return _rows(out)


def _moment(time: datetime) -> str:
    return f"{time:%Y-%m-%d %H:%M:%S}"


def _check_list(tab: "Page", url: str, rows: Rows) -> None:
    """The list has all rows, the newest first, and counts them."""
    tab.goto(f"{url}/pages")
    assert f" {len(rows):,} rows" in tab.locator(".pager").inner_text()
    latest = max(rows, key=lambda row: row["fetched_at"])
    cells = tab.locator("tbody tr").first.get_by_role("cell").all_inner_texts()
    assert cells[0].splitlines()[0].partition(" · ")[0] == latest["url"]
    assert cells[3] == f"{latest['bytes']:,}"
    for title, column in (("All by outcome", "outcome"), ("All by status", "status")):
        section = tab.locator("section.count", has=tab.get_by_role("heading", name=title))
        said = {
            line.rsplit(maxsplit=1)[0]: line.rsplit(maxsplit=1)[1].replace(",", "")
            for line in section.get_by_role("listitem").all_inner_texts()
        }
        counts = Counter(row[column] for row in rows if row[column])
        assert said == {str(value): str(count) for value, count in counts.items()}
    status, count = Counter(row["status"] for row in rows if row["status"]).most_common()[-1]
    tab.get_by_label("Status").fill(str(status))
    tab.get_by_role("button", name="Show").click()
    tab.wait_for_url("**status=*")
    assert f" {count:,} rows" in tab.locator(".pager").inner_text()


def _check_page(tab: "Page", out: Path, url: str, rows: Rows) -> None:
    """One page with two visits: explained, with both, as archived, its links and its record."""
    own = [row for row in rows if row["url"] == url]
    assert tab.get_by_role("heading", level=1).inner_text() == url
    settings = settings_file.read(out / "crawl.toml")
    parsed = Spelling(settings.url.rules).parse(url)
    assert parsed is not None
    facts = tab.locator("dl.facts").first
    said = [*zip(*(facts.locator(name).all_inner_texts() for name in ("dt", "dd")), strict=True)]
    assert said == explain_url(parsed, settings, KnownOnDisk(parsed, out))

    visits = tab.get_by_role("table", name=f"{len(own)} of {len(own)}, the newest first")
    moments = visits.locator("td.moment").all_inner_texts()
    latest_first = sorted(own, key=lambda row: row["fetched_at"], reverse=True)
    assert [one[:19] for one in moments] == [_moment(row["fetched_at"]) for row in latest_first]

    links = _rows(out, "links")
    for words, column in (("Links to it", "target"), ("Links on it", "source")):
        count = sum(link[column] == url for link in links)
        shown = min(count, 25)
        assert tab.get_by_role("table", name=f"{words}: {shown} of {count:,}").count() == 1

    document = gossamer.open(out)[url]
    assert document.title
    assert document.text.split() == tab.frames[1].locator("body").inner_text().split()

    tab.get_by_text("Show it").click()
    record = tab.locator("pre").inner_text()
    assert record.startswith("WARC/1.1")
    assert f"WARC-Target-URI: {url}\n" in record.replace("\r\n", "\n")
    headers = tab.locator("#headers + dl")
    assert dict(
        zip(*(headers.locator(name).all_inner_texts() for name in ("dt", "dd")), strict=True)
    ) == dict(document.page.headers)


def test_pages_of_a_running_crawl(tmp_path: Path, tab: "Page") -> None:
    out = tmp_path / "crawl"
    with crawling(out, WEB, tables_every=0.1) as (served, crawl), shown(out) as visitor:
        wait_until(lambda: len(served.requests()) > 50)
        url = served.seed_url
        _tell(out, "revisit", url)
        asked = f"/api/page?url={quote(url, safe='')}"
        wait_until(lambda: visitor.get(asked).json["total"] == 2)
        rows = _hold(crawl, out)
        assert visitor.get("/api/").json["is_running"]
        _check_list(tab, visitor.url, rows)

        tab.goto(f"{visitor.url}/pages")
        tab.get_by_label("Look up one URL").fill(url)
        tab.keyboard.press("Enter")
        tab.wait_for_url("**/page?url=*")
        _check_page(tab, out, url, rows)
        tab.get_by_role("button", name="Show the difference").click()
        tab.wait_for_url("**/difference?*")
        assert "The text is the same." in tab.locator("main").inner_text()

        never = "http://never.test/named"
        tab.goto(f"{visitor.url}/page?url={quote(never, safe='')}")
        assert "Safe view" not in tab.locator("main").inner_text()

        _tell(out, "go-on")
        wait_until(lambda: len(_rows(out)) > len(rows) + 20)
        more = _hold(crawl, out)
        assert len(more) > len(rows)
        _check_list(tab, visitor.url, more)
        tab.locator("tbody a").first.click()
        tab.wait_for_url("**/page?url=*")
        assert "what happened" in tab.locator("main").inner_text().lower()
