"""A crawl fetches exactly what the truth says."""

import os
from pathlib import Path

import pytest
from warcio.checker import Checker

from gossamer.lab import ALL_FINITE, Web, serve
from tests.engine.engine_crawling import asked, crawl, query

PAGES = int(os.environ.get("GOSSAMER_PAGES", "2400"))
"""`make soak` takes more of them."""
OF_EACH_KIND = PAGES // 4
"""So many pages have each finite behaviour several times: each kind of broken answer at least four."""


def test_thousands_of_pages_on_two_hundred_hosts_each_once(tmp_path: Path) -> None:
    with serve(Web(seed=11, pages=PAGES, hosts=200, behaviours=("robots",))) as served:
        summary = crawl(served, tmp_path / "out")
        reach = served.web.reachable()
        requests = asked(served)
    assert set(requests) == reach.asked
    assert set(requests.values()) == {1}
    assert summary.stopped_by == "finished"
    assert summary.pages == len(reach.asked)
    assert summary.waiting == 0
    assert summary.refused["robots_disallowed"] == len(
        {url for url in reach.disallowed if not _is_unreachable(served.web, url)}
    )
    [(rows, urls)] = query(
        tmp_path / "out", "select count(*), count(distinct url) from pages where status > 0"
    )
    assert rows == urls == len(reach.asked)


def _is_unreachable(web: Web, url: str) -> bool:
    """Is the URL forbidden because its host's robots.txt cannot be had?"""
    site, _ = web.locate(url)
    answer = web.answer(web.origin(site) + "/robots.txt")
    return answer is not None and answer.status >= 500


@pytest.mark.parametrize("seed", [1, 2])
def test_every_finite_behaviour_at_once(tmp_path: Path, seed: int) -> None:
    web = Web(seed=seed, pages=OF_EACH_KIND, hosts=60, behaviours=ALL_FINITE)
    out = tmp_path / "out"
    with serve(web) as served:
        summary = crawl(served, out, dust=False)  # no spelling is tried that no page names
        reach = served.web.reachable()
        requests = asked(served)
    assert set(requests) == reach.asked
    assert summary.stopped_by == "finished"
    healthy = reach.usable | reach.redirects
    assert {requests[url] for url in healthy} == {1}
    titled = {
        url
        for (url,) in query(out, "select url from pages where status = 200 and title is not null")
    }
    assert reach.usable <= titled, "every usable page was read"
    missing = {
        url for (url,) in query(out, "select url from pages where outcome = 'dns_not_found'")
    }
    assert missing == reach.unresolvable
    for path in (out / "warc").glob("*.warc.gz"):
        assert _is_valid(path)


def _is_valid(path: Path) -> bool:
    class Arguments:
        inputs = [str(path)]  # noqa: RUF012
        verbose = False

    checker = Checker(Arguments())
    checker.process_all()
    return bool(checker.exit_value == 0)


def test_hostile_to_the_utmost_and_still_it_ends(tmp_path: Path) -> None:
    web = Web(seed=5, pages=200, hosts=20, behaviours=("hostile",))
    with serve(web) as served:
        summary = crawl(
            served,
            tmp_path / "out",
            max_pages=750,
            timeout=3.0,
            slow_seconds=1.0,
            max_seconds=160.0,
        )
        reach = served.web.reachable()
        requests = set(asked(served))
    assert summary.stopped_by == "max_pages"
    assert summary.pages == 750
    good = reach.asked & requests
    assert len(good) >= 0.5 * len(reach.asked), "traps or not, it saw most of the web"
    assert summary.refused.get("robots_disallowed", 0) > 0
    assert not requests & reach.disallowed


def test_copies_are_recognised_and_their_links_left_alone(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with serve(Web(seed=3, pages=500, hosts=10, behaviours=("duplicates",))) as served:
        summary = crawl(served, out)
        web = served.web
        copies = {url for url in web.reachable().usable if web.duplicate_of(url)}
    pairs = query(out, "select url, duplicate_of from pages where duplicate_of is not null")
    assert len(pairs) == len(copies) == summary.duplicates > 0
    for url, original in pairs:
        assert web.duplicate_of(url) == original or web.duplicate_of(original) == url
    assert summary.refused["duplicate_content"] > 0


def test_max_pages_is_exact(tmp_path: Path) -> None:
    with serve(Web(seed=3, pages=2000, hosts=40)) as served:
        summary = crawl(served, tmp_path / "out", max_pages=137)
        answered = sum(asked(served).values())
    assert (summary.pages, summary.stopped_by) == (137, "max_pages")
    assert answered == 137
    assert summary.waiting > 0
