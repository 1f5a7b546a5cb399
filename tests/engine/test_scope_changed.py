"""A crawl that goes on with another scope: what waits by then is judged by the new one."""

from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import gossamer
from gossamer.lab import ServedWeb, Web, serve
from tests.engine.engine_checking import assert_valid
from tests.engine.engine_crawling import asked, crawl, query
from tests.engine.static import serve_static


def _host(url: str) -> str:
    return urlsplit(url).hostname or ""


def _unvisited(served: ServedWeb) -> Counter[str]:
    """How many pages of each host were not asked for yet."""
    return Counter(map(_host, served.web.expected() - set(asked(served))))


@pytest.mark.parametrize("partitions", [1, 2])
def test_a_host_that_is_excluded_gets_no_more_pages(tmp_path: Path, partitions: int) -> None:
    out = tmp_path / "out"
    with serve(Web(seed=3, pages=900, hosts=20)) as served:
        crawl(served, out, max_pages=150, partitions=partitions)
        [(host, _)] = _unvisited(served).most_common(1)
        before = asked(served)
        changes = {"scope.exclude": [f"^http://{host}[:/]"], "crawl.max_pages": 0}
        summary = gossamer.Crawl.resume(out, changes=changes).run()
        after = asked(served)
        missed = served.web.expected() - set(after)
    new = set(after - before)
    assert new, "others go on"
    assert not [url for url in new if _host(url) == host]
    assert summary.stopped_by == "finished"
    assert summary.waiting == 0
    assert 0 < summary.out_of_scope <= len(missed), "what had waited is set aside"
    assert not query(out, "select url from pages where outcome = 'excluded'")
    assert summary.refused["excluded"] >= summary.out_of_scope
    assert_valid(out)


def test_a_new_scope_holds_after_a_further_resume(tmp_path: Path) -> None:
    """URLs that waited under the first scope still wait when the second run ends."""
    out = tmp_path / "out"
    with serve(Web(seed=3, pages=900, hosts=20)) as served:
        crawl(served, out, max_pages=150)
        [(host, _)] = _unvisited(served).most_common(1)
        changes = {"scope.exclude": [f"^http://{host}[:/]"], "crawl.max_pages": 151}
        gossamer.Crawl.resume(out, changes=changes).run()
        before = asked(served)
        gossamer.Crawl.resume(out, max_pages=0).run()
        new = set(asked(served) - before)
    assert new
    assert not [url for url in new if _host(url) == host]


CHANGES: dict[str, dict[str, Any]] = {
    "not_included": {"scope.include": ["/only-this$"]},
    "too_deep": {"scope.max_depth": 0},
    "out_of_scope": {"scope.kind": "site"},
    "url_too_long": {"fetch.max_url": 64},
}


_DEFAULTS = {
    "scope.include": [],
    "scope.max_depth": -1,
    "scope.kind": "host",
    "fetch.max_url": 2048,
}


@pytest.mark.parametrize("reason", CHANGES)
def test_every_rule_of_a_new_scope_holds_for_what_waits(tmp_path: Path, reason: str) -> None:
    out, name = tmp_path / "out", "b" * 80
    pages = {"/docs/": ("text/html", f'<a href="/{name}">b</a>'.encode())}
    with serve_static(pages) as site:
        _begin(out, site.origin + "/docs/")
        changes = {**CHANGES[reason], "crawl.max_pages": 0}
        summary = gossamer.Crawl.resume(out, changes=changes).run()
        assert (summary.refused[reason], summary.out_of_scope) == (1, 1)
        before = site.asked[f"/{name}"]
        back = {one: _DEFAULTS[one] for one in CHANGES[reason]}
        summary = gossamer.Crawl.resume(out, changes=back).run()
    assert summary.out_of_scope == 0
    assert (before, site.asked[f"/{name}"]) == (0, 1), "the scope wants it again"


def test_a_waiting_seed_obeys_only_what_excludes(tmp_path: Path) -> None:
    out = tmp_path / "out"
    pages = {f"/{name}": ("text/html", name.encode()) for name in ("one", "two", "three")}
    with serve_static(pages) as site:
        _begin(out, *(site.origin + path for path in pages))
        waiting = [path for path in pages if not site.asked[path]]
        assert len(waiting) == 2
        changes = {
            "scope.include": ["/none$"],
            "scope.max_depth": 0,
            "scope.exclude": [f"{waiting[1]}$"],
            "crawl.max_pages": 0,
        }
        summary = gossamer.Crawl.resume(out, changes=changes).run()
    assert [site.asked[path] for path in waiting] == [1, 0]
    assert summary.out_of_scope == 1


def test_an_excluded_seed_is_not_fetched(tmp_path: Path) -> None:
    with serve_static({"/": ("text/html", b"home")}) as site:
        summary = gossamer.Crawl(
            site.origin, out=tmp_path / "out", delay=0, allow_private=True, exclude=["/$"]
        ).run()
    assert summary.refused == {"excluded": 1}
    assert not site.asked


def test_parts_of_pages_that_wait_when_they_are_not_wanted_any_more(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with serve_static({"/": ("text/html", b'<img src="/picture">')}) as site:
        knobs: Any = {"delay": 1.0, "allow_private": True, "page_requisites": True}
        with gossamer.Crawl(site.origin, out=out, **knobs) as job:
            next(iter(job))  # its picture is not asked for within the delay
        changes = {"parse.page_requisites": False, "politeness.delay": 0}
        summary = gossamer.Crawl.resume(out, changes=changes).run()
        before = site.asked["/picture"]
        gossamer.Crawl.resume(out, changes={"parse.page_requisites": True}).run()
    assert summary.out_of_scope == 1
    assert (before, site.asked["/picture"]) == (0, 1)


def _begin(out: Path, *seeds: str, **knobs: Any) -> None:
    """Fetch one page; the others wait."""
    gossamer.Crawl(*seeds, out=out, delay=0, allow_private=True, max_pages=1, **knobs).run()
