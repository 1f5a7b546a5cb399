"""The state of a crawl is the same wherever it is said: on pages, in the API, the metrics, the command."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from gossamer.core import settings_file
from gossamer.core.directory import Directory
from gossamer.dashboard.related_crawls import families_of
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.views import VIEWS
from gossamer.dashboard.web.html_templates import render
from gossamer.engine.crawl_figures import show_figures
from gossamer.engine.crawl_health import CrawlSnapshot, PartitionLoad, judge
from gossamer.engine.summary import NOTHING, Summary
from gossamer.engine.timeline import read_timeline
from gossamer.lab import Web
from gossamer.lab.behaviours.spam_behaviour import Spam
from tests.dashboard.faces import Visitor, shown
from tests.dashboard.live import crawling, wait_until

MENU = [one.path for one in VIEWS if one.is_in_menu]
WEB = Web(seed=5, pages=100_000, hosts=20)
STATE = re.compile(r'data-state="(\w+)"')


def states(visitor: Visitor) -> set[str]:
    """What is said everywhere."""
    pages = {STATE.findall(visitor.get(path).text)[0] for path in MENU}
    api = {visitor.get(path).json["verdict"]["state"] for path in ("/api/", "/api/state")}
    metrics = re.findall(r'gossamer_state\{state="(\w+)"\} 1\n', visitor.get("/metrics").text)
    health = visitor.get("/healthz").text.rpartition(": ")[2].strip().replace(" ", "_")
    return {*pages, *api, *metrics, health}


def verdict(visitor: Visitor) -> Any:
    return visitor.get("/api/state").json["verdict"]


def status(*words: object) -> str:
    """What the command says, from a process of its own: there are threads here."""
    command = [sys.executable, "-m", "gossamer", "status", *map(str, words)]
    wide = {**os.environ, "COLUMNS": "400"}
    return subprocess.run(command, capture_output=True, text=True, check=True, env=wide).stdout


def test_a_pause_is_said_everywhere(tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    with crawling(out, WEB) as (served, crawl), shown(out) as visitor:
        wait_until(lambda: len(served.requests()) > 20)
        crawl.send_command("pause")
        wait_until(lambda: states(visitor) == {"paused"})
        said = status(out)
        assert "paused: The crawl is paused" in said
        assert f"gossamer control {out} go-on" in " ".join(said.split())
        told = msgspec.json.decode(status(out, "--json"))
        assert told["verdict"]["state"] == "paused"
        assert msgspec.convert(told, Summary).pages == told["pages"]
        crawl.send_command("go-on")
        wait_until(lambda: "paused" not in states(visitor))


def test_a_pause_of_the_program_is_said_too(tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    with crawling(out, WEB) as (served, crawl), shown(out) as visitor:
        wait_until(lambda: len(served.requests()) > 20)
        crawl.pause()
        wait_until(lambda: verdict(visitor)["state"] == "paused")
        crawl.go_on()


def test_the_end_is_said_everywhere(finished_crawl: Path) -> None:
    with shown(finished_crawl) as visitor:
        assert states(visitor) == {"ended"}
        page = visitor.get("/").text
    assert "The crawl ended: the limit of pages is reached" in page


def test_no_end_is_promised_while_the_queue_grows() -> None:
    at = CrawlSnapshot(
        0.0,
        replace(NOTHING, pages=9, waiting=902_650),
        is_running=True,
        pages_per_second=90.0,
        growth_per_second=80.0,
    )
    names = {one.name for one in show_figures(at)}
    assert "seconds_of_waiting" not in names
    assert "seconds_of_waiting" in {
        one.name for one in show_figures(replace(at, growth_per_second=-5.0))
    }


def test_the_growth_of_a_queue_is_not_claimed_before_it_is_known(tmp_path: Path) -> None:
    """A growing queue was said to grow by 0 in its first half minute, and to grow on in a pause."""
    out = tmp_path / "crawl"
    with crawling(out, WEB) as (served, crawl), shown(out) as visitor:
        wait_until(lambda: len(served.requests()) > 20)

        def growth() -> Any:
            figures = visitor.get("/api/state").json["figures"]
            return next(one["value"] for one in figures if one["name"] == "growth_per_second")

        seen = growth(), visitor.get("/").text, visitor.get("/metrics").text
        times = read_timeline(out).times
        if not len(times) or times[-1] - times[0] < 30:  # on a very slow machine it is more
            assert seen[0] is None
            assert 'id="figure-growth_per_second">–<' in seen[1]
            assert "growth_per_second" not in seen[2]
        crawl.send_command("pause")
        wait_until(lambda: verdict(visitor)["state"] == "paused")
        assert growth() == 0
        assert "gossamer_urls_waiting_growth_per_second 0" in visitor.get("/metrics").text


def test_a_spam_farm_is_a_trap_with_a_button(tmp_path: Path) -> None:
    """Nearly all hosts are of one domain: everywhere a warning, and a button that blocks it."""
    out = tmp_path / "crawl"
    farm = Web(seed=3, pages=100_000, hosts=4, behaviours=("correct", Spam(every=1)))
    with crawling(out, farm, delay=0, checkpoint_every=1), shown(out) as visitor:
        wait_until(lambda: verdict(visitor)["state"] == "trapped")
        wait_until(lambda: states(visitor) == {"trapped"})
        seen = visitor.get("/api/").json
        assert "known hosts are of the domain cheapdeals.test" in seen["verdict"]["cause"]
        assert seen["verdict"]["cause"] in seen["warnings"]
        page = visitor.get("/hosts").text
        assert '<input type="hidden" name="what" value="*.cheapdeals.test">' in page
        assert "Block *.cheapdeals.test</button>" in page
        first = seen["verdict"]["remedies"][0]
        fields = {name: first[name] for name in ("order", "what")}
        assert visitor.post("/control", {"token": visitor.token(), **fields}).status == 303
        wait_until(lambda: verdict(visitor)["state"] != "trapped")
        assert "*.cheapdeals.test" in ShownCrawl(out).active_commands.blocked


@pytest.mark.parametrize(
    ("include", "is_wanted"),
    [([], False), (["{}"], True), (["."], False), (["other[.]test"], False)],
)
def test_a_domain_that_the_scope_names_is_no_trap(
    finished_copy: Path, include: list[str], is_wanted: bool
) -> None:
    """A crawl that was narrowed to one host was called trapped, with a button to block that host."""
    directory = Directory(finished_copy)
    domain = families_of(ShownCrawl(finished_copy), waits=True).families[0].name
    wanted = [one.format(domain.replace(".", "[.]")) for one in include]
    directory.write_settings(settings_file.change(directory.look(), {"scope.include": wanted}))
    families = families_of(ShownCrawl(finished_copy), waits=True).families
    assert {one.name: one.is_wanted for one in families if not one.is_address} == {
        one.name: is_wanted and one.name == domain for one in families if not one.is_address
    }


def test_an_imbalance_leads_to_the_hosts_that_cause_it() -> None:
    parts = (PartitionLoad(0, 90_000, 8), PartitionLoad(1, 0, 0))
    summary = replace(NOTHING, pages=500, waiting=90_000, hosts=3)
    at = CrawlSnapshot(
        5.0, summary, is_running=True, pages_per_second=20.0, partitions=parts, hosts=3
    )
    drawn = render("state.live.html", verdict=judge(at), token="", can_resume=False)
    assert "artition" in drawn
    assert '<a href="/hosts?sort=waiting">' in drawn


@pytest.mark.parametrize("path", ["/api/state", "/api/"])
def test_a_snapshot_has_its_time(finished_crawl: Path, path: str) -> None:
    with shown(finished_crawl) as visitor:
        at = visitor.get(path).json["verdict"]["time"]
        page = visitor.get("/hosts").text
    assert at > 1e9
    assert re.search(r'data-time="1\d{9}\.\d+"', page)


def test_the_verdict_is_made_of_a_snapshot_alone() -> None:
    at = CrawlSnapshot(5.0, NOTHING, is_running=True)
    assert judge(at) == judge(at)
