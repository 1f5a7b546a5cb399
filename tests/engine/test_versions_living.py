"""Crawls of living webs, of several partitions, and of a crawl that runs: versions are told apart alike."""

import itertools
from pathlib import Path

import pytest

import gossamer
from gossamer.archive.page_history import Event
from gossamer.cli import run
from gossamer.core.clock import SystemClock
from gossamer.lab import serve
from gossamer.lab.living_web import LivingWeb, WebClock
from tests.engine.changing import (
    DAILY,
    LATEST,
    crawl_again_and_again,
    crawl_continuously,
    serve_changing,
)
from tests.engine.engine_crawling import DNS, query
from tests.engine.moments import commit_each_turn
from tests.engine.test_versions import PAGES, assert_pointers_lead_to_responses


@pytest.mark.parametrize("partitions", [1, 2])
def test_a_living_web(tmp_path: Path, partitions: int) -> None:
    out = tmp_path / "out"
    web = LivingWeb(7, 30, 4, clock=WebClock(SystemClock(), 0.05))
    with serve(web) as served:
        settings = gossamer.Settings(dns=DNS(servers=(served.dns_address,)))
        options = {"scope": "all", "partitions": partitions}
        crawl_continuously(settings, served.seed_url, out, 200, **options)
    stored = gossamer.open(out)
    assert len(stored) >= 200
    urls = [url for (url,) in query(out, "from pages select distinct url")]
    assert len(urls) < 150
    versions = {url: [*stored.versions(url)] for url in urls}
    changed = [url for url, some in versions.items() if len(some) > 1]
    assert len(changed) > 5
    for url in changed:
        assert all(one.body != two.body for one, two in itertools.pairwise(versions[url]))
    for url in urls:
        visits = [*stored.history(url)]
        [(count,)] = query(out, f"from pages select count(*) where url = '{url}'")
        assert len(visits) == count
        assert [x.date for x in visits] == sorted(x.date for x in visits)
        assert max(x.version for x in visits) == len(versions[url])
    latest = {one.url: one for one in stored.latest()}
    rows = query(out, f"with latest as ({LATEST}) from latest select url, title")
    assert sorted(rows) == sorted((url, one.title or None) for url, one in latest.items())
    for url, one in latest.items():
        assert versions[url][-1].body == one.body
    assert_pointers_lead_to_responses(out)
    assert run(["verify", str(out)]) == 0


def test_a_crawl_that_runs_can_be_asked(tmp_path: Path) -> None:
    """Whatever is recorded is told; here the crawl is in the midst of its work."""
    out, seen = tmp_path / "out", 0
    with serve_changing(PAGES) as site, commit_each_turn():
        job = gossamer.Crawl(
            site.url, out=out, settings=DAILY, delay=0, allow_private=True, max_pages=60
        )
        for number, _ in enumerate(job):
            if number % 15 == 14:
                stored = gossamer.open(out)
                assert stored.is_running
                told = [*stored.history(site.url)]
                assert len(told) == sum(one.url == site.url for one in stored)
                seen = max(seen, len(told))
                assert [x.event for x in told[1:]] == [Event.UNCHANGED] * (len(told) - 1)
                assert len({x.url for x in stored.latest()}) <= len(PAGES)
    assert seen > 0


def test_a_limit_of_stored_pages_is_one_of_pages_and_not_of_visits(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with serve_changing(PAGES) as site:
        crawl_again_and_again(site, out, 80, max_stored_pages=12)
    there = [path for path in PAGES if path not in ("/gone", "/moves")]
    found = {x.url: x for x in gossamer.open(out).latest()}
    assert {url: x.body for url, x in found.items()} == {
        f"{site.url[:-1]}{path}": str(PAGES[path][-1]).encode() for path in there
    }
    [(responses,)] = query(
        out, "from pages select count(*) where warc_file is not null and refers_to is null"
    )
    assert responses <= 12
    [(retired,)] = query(out, "from pages select count(*) where is_retired")
    assert retired > 0
    assert_pointers_lead_to_responses(out)
    assert run(["verify", str(out)]) == 0
