"""What comes next: what the page says is what the checkpoint has, and what the crawl then does."""

from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

import gossamer
from gossamer.dashboard import cached_frontier
from gossamer.engine.ledger import Ledger
from gossamer.engine.status_file import read_summary
from gossamer.lab import Web, serve
from tests.dashboard.faces import Visitor, shown
from tests.dashboard.watching import watch
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Page

_ODD = (
    "(",
    "\x00",
    "\u202e",
    "a" * 400,
    "%ff",
    "../../etc/passwd",
    "-1",
    "1e9",
    "[::",
    "<b>",
    "𝕏.test",
)


def test_a_crawl_that_stopped_shows_its_checkpoint(finished_crawl: Path) -> None:
    summary = read_summary(finished_crawl)
    checkpoint = Ledger.read_checkpoint(finished_crawl / "state" / "00000")
    with shown(finished_crawl) as visitor:
        seen, page = visitor.get("/api/frontier?most=100").json, visitor.get("/frontier").text
        largest = seen["largest"][0]
        queue = visitor.get(f"/api/frontier?{urlencode({'host': largest['name']})}").json
    assert seen["moment"] == checkpoint.progress.time
    assert seen["waiting"] == seen["in_queues"] + seen["deferred"] == summary.waiting > 0
    assert (
        sum(one["front"] + one["behind"] for one in seen["levels"]) + seen["later"]
        == (seen["in_queues"])
    )
    assert tuple(one["front"] for one in seen["levels"]) == summary.levels
    assert f'<dd id="figure-waiting">{seen["waiting"]:,}</dd>' in page
    assert seen["order"] == "breadth-first"
    assert "the closer to a seed, the sooner" in page
    known = set(gossamer.open(finished_crawl).pages.to_table()["url"].to_pylist())
    assert not known & {one["url"] for one in seen["next"]}  # none was visited
    assert len(queue["next"]) == min(20, largest["waiting"])
    assert {one["host"] for one in queue["next"]} == {largest["name"]}


def test_a_crawl_that_runs_says_itself_what_comes_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cached_frontier, "_PATIENCE", PATIENCE)
    crawl, go_on = tmp_path / "crawl", Event()
    with serve(Web(seed=3, pages=300, hosts=6)) as served:
        job = gossamer.Crawl(
            served.seed_url,
            out=crawl,
            scope="all",
            delay=30,
            servers=(served.dns_address,),
            allow_private=True,
        )

        def crawl_on() -> None:
            for _ in job:
                go_on.set()

        thread = Thread(target=crawl_on)
        thread.start()
        try:
            assert go_on.wait(PATIENCE)
            with shown(crawl) as visitor:
                seen = _until_live(visitor)
                page = visitor.get("/frontier").text
                host = seen["next"][0]["host"]
                own = visitor.get(f"/api/frontier?{urlencode({'host': host})}").json
        finally:
            job.stop()
            thread.join()
    assert seen["next"][0]["why"] == "breadth-first gives it this level"
    assert "breadth-first gives it this level" in page
    assert {one["host"] for one in own["next"]} == {host}


def _until_live(visitor: Visitor) -> Any:
    """A crawl that has just begun has its socket in a moment."""
    for _ in range(1000):
        seen = visitor.get("/api/frontier").json
        if seen["is_live"] and seen["next"]:
            return seen
    raise AssertionError("the crawl said nothing")


def test_a_crawl_that_runs_is_shown_from_its_last_checkpoint(tmp_path: Path) -> None:
    crawl = tmp_path / "crawl"
    with serve(Web(seed=3, pages=60, hosts=4)) as served:
        pages = gossamer.Crawl(
            served.seed_url,
            out=crawl,
            scope="all",
            delay=0,
            servers=(served.dns_address,),
            allow_private=True,
        )
        walk = iter(pages)
        next(walk)
        with shown(crawl) as visitor:
            for path in ("/frontier", "/search", "/graph", "/graph/hosts", "/freshness"):
                page = visitor.get(path)
                assert page.status == 200
                assert 'data-state="ended"' not in page.text
            assert visitor.get("/api/frontier").json["order"] == "breadth-first"
            assert sum(1 for _ in walk) > 0  # to the end
            assert visitor.get("/api/frontier").json["waiting"] == 0
            assert 'data-state="ended"' in visitor.get("/frontier").text


def test_odd_values_are_answered_in_one_line(finished_crawl: Path) -> None:
    with shown(finished_crawl) as visitor:
        for odd in _ODD:
            for name in ("host", "most", "x"):
                answer = visitor.get(f"/frontier?{urlencode({name: odd})}")
                assert answer.status in (200, 400), (name, odd)
                assert "Traceback" not in answer.text
                assert "<b>" not in answer.text


def test_a_reader_sees_levels_and_hosts(finished_crawl: Path, tab: "Page") -> None:
    with shown(finished_crawl) as visitor:
        seen = watch(tab, visitor.url)
        levels = visitor.get("/api/frontier").json["levels"]
        tab.goto(f"{visitor.url}/frontier")
        filled = [one for one in levels for part in ("front", "behind") if one[part]]
        assert tab.locator(".chart rect.bar").count() == len(filled)
        host = tab.locator("tbody th a").first
        name = host.inner_text()
        host.click()
        assert tab.get_by_role("heading", level=1).inner_text() == f"Frontier: {name}"
        assert seen == []


@pytest.mark.parametrize("partitions", [2])
def test_partitions_are_one_frontier(tmp_path: Path, partitions: int) -> None:
    crawl = tmp_path / "crawl"
    with serve(Web(seed=3, pages=200, hosts=8)) as served:
        gossamer.Crawl(
            served.seed_url,
            out=crawl,
            scope="all",
            delay=0,
            partitions=partitions,
            max_pages=60,
            servers=(served.dns_address,),
            allow_private=True,
        ).run()
    with shown(crawl) as visitor:
        seen = visitor.get("/api/frontier").json
    summary = read_summary(crawl)
    assert seen["waiting"] == seen["in_queues"] + seen["deferred"] == summary.waiting > 0
    hosts = {one["name"] for one in seen["largest"]}
    assert len(hosts) == len(seen["largest"]) == seen["hosts"] > 1
