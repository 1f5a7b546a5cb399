"""The state of a crawl is the same wherever it is said: on pages, in the API, the metrics, the command."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from gossamer.crawl.figures import FIGURES, show_figures
from gossamer.crawl.summary import Summary, read_summary
from gossamer.crawl.verdict import CrawlSnapshot, judge
from gossamer.lab import Web
from gossamer.serve.families import families_of
from gossamer.serve.shown_crawl import ShownCrawl
from gossamer.serve.subjects import SUBJECTS
from tests.crawl.forks import run
from tests.serve.faces import Visitor, shown
from tests.serve.live import crawling, wait_until

MENU = [one.path for one in SUBJECTS if one.is_in_menu]
WEB = Web(seed=5, pages=100_000, hosts=20)
STATE = re.compile(r'data-state="(\w+)"')


def states(visitor: Visitor) -> set[str]:
    """What is said everywhere."""
    pages = {STATE.findall(visitor.get(path).text)[0] for path in MENU}
    api = {visitor.get(path).json["verdict"]["state"] for path in ("/api/", "/api/state")}
    metrics = re.findall(r'gossamer_state\{state="(\w+)"\} 1\n', visitor.get("/metrics").text)
    health = visitor.get("/healthz").text.rpartition(": ")[2].strip().replace(" ", "_")
    return {*pages, *api, *metrics, health}


def test_a_pause_is_said_everywhere(tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    with crawling(out, WEB) as (served, crawl), shown(out) as visitor:
        wait_until(lambda: len(served.requests()) > 20)
        crawl.tell("pause")
        wait_until(lambda: states(visitor) == {"paused"})
        said = run("status", str(out))
        assert "paused: The crawl is paused" in said.out
        assert f"gossamer tell {out} go-on" in " ".join(said.out.split())
        told = msgspec.json.decode(run("status", str(out), "--json").out)
        assert told["verdict"]["state"] == "paused"
        assert msgspec.convert(told, Summary).pages == told["pages"]
        crawl.tell("go-on")
        wait_until(lambda: "paused" not in states(visitor))


def test_a_pause_of_the_program_is_said_too(tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    with crawling(out, WEB) as (served, crawl), shown(out) as visitor:
        wait_until(lambda: len(served.requests()) > 20)
        crawl.pause()
        wait_until(lambda: visitor.get("/api/state").json["verdict"]["state"] == "paused")
        crawl.go_on()


def test_the_end_is_said_everywhere(finished_crawl: Path) -> None:
    with shown(finished_crawl) as visitor:
        assert states(visitor) == {"ended"}
        page = visitor.get("/").text
    assert "The crawl ended: the limit of pages is reached" in page


def test_figures_are_the_same_on_all_pages(finished_crawl: Path) -> None:
    """Of one snapshot: what a page, the API, the metrics and the command say of a figure is one number."""
    summary = read_summary(finished_crawl)
    with shown(finished_crawl) as visitor:
        pages = {path: visitor.get(path).text for path in ("/", "/frontier", "/state")}
        api = {path: visitor.get(f"/api{path}").json["figures"] for path in pages}
        metrics = visitor.get("/metrics").text
        whole = visitor.get("/api/frontier").json
    seen: dict[str, set[Any]] = {}
    shown_as: dict[str, set[str]] = {}
    for path in pages:
        for one in api[path]:
            assert one["about"] == FIGURES[one["name"]].about
            seen.setdefault(one["name"], set()).add(one["value"])
            [text] = re.findall(rf'id="figure-{one["name"]}">([^<]*)<', pages[path])
            shown_as.setdefault(one["name"], set()).add(text)
    assert len(seen) >= 10
    assert {name: len(values) for name, values in seen.items()} == dict.fromkeys(seen, 1)
    assert {name: len(texts) for name, texts in shown_as.items()} == dict.fromkeys(seen, 1)
    assert seen["waiting"] == {summary.waiting} == {whole["waiting"]}
    assert seen["hosts"] == {summary.hosts} == {whole["hosts"]}
    assert f"gossamer_urls_waiting {summary.waiting}\n" in metrics
    assert f"gossamer_hosts {summary.hosts}\n" in metrics
    assert f"{summary.waiting:,} still waiting" in " ".join(
        run("status", str(finished_crawl)).out.split()
    )


def test_no_end_is_promised_while_the_queue_grows() -> None:
    at = CrawlSnapshot(
        0.0,
        replace(read_nothing(), pages=9, waiting=902_650),
        is_running=True,
        pages_per_second=90.0,
        growth_per_second=80.0,
    )
    names = {one.name for one in show_figures(at)}
    assert "seconds_of_waiting" not in names
    assert "seconds_of_waiting" in {
        one.name for one in show_figures(replace(at, growth_per_second=-5.0))
    }


def read_nothing() -> Summary:
    from gossamer.crawl.summary import NOTHING

    return NOTHING


def test_a_spam_farm_is_a_trap_with_a_button(tmp_path: Path) -> None:
    """A farm that grows: nearly all hosts are of one domain. The button blocks it, and the warning goes."""
    out = tmp_path / "crawl"
    web = Web(seed=3, pages=100_000, hosts=20, behaviours=("correct", "spam"))
    with crawling(out, web, kind="off", checkpoint_every=1, delay=0) as (_, crawl):
        crawl_is = ShownCrawl(out)
        wait_until(lambda: families_of(crawl_is, waits=True).hosts > 400)
        crawl.tell("pause")
        families = families_of(crawl_is, waits=True)
    assert families.families[0].host_share > 0.5
    assert families.recent_pages > 0


@pytest.mark.parametrize("path", ["/api/state", "/api/"])
def test_a_snapshot_has_its_time(finished_crawl: Path, path: str) -> None:
    with shown(finished_crawl) as visitor:
        verdict = visitor.get(path).json["verdict"]
        page = visitor.get("/hosts").text
    assert verdict["time"] > 1e9
    assert re.search(r'data-time="1\d{9}\.\d+"', page)


def test_the_verdict_is_made_of_a_snapshot_alone() -> None:
    at = CrawlSnapshot(5.0, read_nothing(), is_running=True)
    assert judge(at) == judge(at)
