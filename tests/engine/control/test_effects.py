"""What commands do: crawls of simulated webs, seen in the log of their server."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import gossamer
from gossamer.core.directory import Directory
from gossamer.lab import ServedWeb, Web, serve
from tests.engine.control.telling import job
from tests.engine.engine_crawling import asked, by_host, query
from tests.present import parse

PARTITIONS = pytest.mark.parametrize("partitions", [1, 2])


@pytest.fixture
def served() -> Iterator[ServedWeb]:
    with serve(Web(seed=4, pages=150, hosts=8)) as served:
        yield served


def begin(served: ServedWeb, out: Path, **knobs: Any) -> None:
    """A crawl with one page, which can be told something before it goes on."""
    job(served, out, max_pages=1, **knobs).run()
    gossamer.send_command(out, "set", "crawl.max_pages=0")


def go_on(out: Path) -> str:
    return gossamer.Crawl.resume(out).run().stopped_by


def another_host(served: ServedWeb) -> str:
    """The host with the most pages, apart from the seed's."""
    hosts = [parse(url).host for url in served.web.expected()]
    rest = [host for host in hosts if host != parse(served.seed_url).host]
    return max(rest, key=rest.count)


def hosts_asked(served: ServedWeb) -> set[str]:
    return {request.host for request in served.requests()}


def everything_once(served: ServedWeb) -> dict[str, int]:
    return dict.fromkeys(served.web.expected(), 1)


@PARTITIONS
def test_a_blocked_host_is_not_asked_and_nothing_of_it_is_lost(
    served: ServedWeb, tmp_path: Path, partitions: int
) -> None:
    out, host = tmp_path / "out", another_host(served)
    begin(served, out, partitions=partitions)
    assert not gossamer.send_command(out, "block", host).is_running
    assert go_on(out) == "blocked"
    assert host not in hosts_asked(served)
    assert 1 < len(asked(served)) < len(everything_once(served))
    gossamer.send_command(out, "unblock", host)
    assert go_on(out) == "finished"
    assert asked(served) == everything_once(served)


@PARTITIONS
def test_a_pattern_is_blocked_and_freed_while_the_crawl_runs(
    served: ServedWeb, tmp_path: Path, partitions: int
) -> None:
    """It is told within its own loop: nothing but the seed is asked for before that."""
    crawl = job(served, tmp_path / "out", partitions=partitions)
    seed, has_told = parse(served.seed_url), False
    for _ in crawl.turns():
        if crawl.summary().pages and not has_told:
            has_told = True
            crawl.send_command("pause")
            crawl.send_command("block", "*.test*/*")
            crawl.send_command("go-on")
            crawl.send_command("unblock", "*.test*/*")
    assert has_told
    assert seed.text in asked(served)
    assert asked(served) == everything_once(served)


def test_an_order_within_the_loop_counts_from_the_next_turn_on(
    served: ServedWeb, tmp_path: Path
) -> None:
    crawl = job(served, tmp_path / "out", transfers=1, max_transfers=1)
    for number, page in enumerate(crawl):
        if not number:
            crawl.send_command("block", "*")
            before = asked(served)
            assert list(before) == [page.url]
    assert asked(served) == before
    assert (crawl.summary().stopped_by, crawl.summary().waiting) == ("blocked", 0)
    assert crawl.summary().blocked > 0
    gossamer.send_command(crawl.out, "unblock", "*")
    go_on(crawl.out)
    assert asked(served) == everything_once(served)


@PARTITIONS
def test_seeds_are_added(served: ServedWeb, tmp_path: Path, partitions: int) -> None:
    """Its scope is the host of the seed, so that only seeds lead elsewhere."""
    out, host = tmp_path / "out", another_host(served)
    [seed, *_] = sorted(url for url in served.web.expected() if parse(url).host == host)
    crawl = job(served, out, scope="host", partitions=partitions)
    has_told = False
    for _ in crawl.turns():
        if not has_told:
            has_told = True
            crawl.send_command("seeds", seed)
    assert hosts_asked(served) == {parse(served.seed_url).host, host}
    assert asked(served)[seed] == 1
    assert Directory(out).look().crawl.seeds == (served.seed_url, seed)
    before = asked(served)
    go_on(out)
    assert asked(served) == before, "known seeds change nothing"


@PARTITIONS
def test_a_known_page_is_visited_now_and_once(
    served: ServedWeb, tmp_path: Path, partitions: int
) -> None:
    out = tmp_path / "out"
    job(served, out, partitions=partitions).run()
    gossamer.send_command(out, "revisit", served.seed_url)
    for _ in range(2):
        assert go_on(out) == "finished"
        assert asked(served) == everything_once(served) | {served.seed_url: 2}


def test_known_pages_are_visited_now_by_pattern(served: ServedWeb, tmp_path: Path) -> None:
    out, host = tmp_path / "out", another_host(served)
    job(served, out).run()
    gossamer.send_command(out, "revisit", f"{host}*/*")
    go_on(out)
    twice = {url for url, times in asked(served).items() if times == 2}
    assert twice == {url for url in served.web.expected() if parse(url).host == host}
    with pytest.raises(
        gossamer.GossamerError, match="no visited page in the tables on disk matches"
    ):
        gossamer.send_command(out, "revisit", "nowhere.test/*")


@PARTITIONS
def test_a_limit_is_raised_while_the_crawl_runs(
    served: ServedWeb, tmp_path: Path, partitions: int
) -> None:
    crawl = job(served, tmp_path / "out", partitions=partitions, max_pages=20)
    has_told = False
    for _ in crawl.turns():
        if not has_told:
            has_told = True
            crawl.send_command("set", "crawl.max_pages=75")
    summary = crawl.summary()
    assert (summary.pages, summary.stopped_by) == (75, "max_pages")
    assert sum(asked(served).values()) == 75
    assert Directory(crawl.out).look().crawl.max_pages == 75


@PARTITIONS
def test_a_limit_comes_and_goes_while_the_crawl_runs(
    served: ServedWeb, tmp_path: Path, partitions: int
) -> None:
    crawl = job(served, tmp_path / "out", partitions=partitions)
    has_told = False
    for _ in crawl.turns():
        if not has_told:
            has_told = True
            for limit in (100, 0, 90):
                crawl.send_command("set", f"crawl.max_pages={limit}")
    assert (crawl.summary().pages, crawl.summary().stopped_by) == (90, "max_pages")
    gossamer.send_command(crawl.out, "set", "max_pages=0")
    go_on(crawl.out)
    assert asked(served) == everything_once(served)


@PARTITIONS
def test_other_expressions_of_the_scope_count_at_once(
    served: ServedWeb, tmp_path: Path, partitions: int
) -> None:
    out, host = tmp_path / "out", another_host(served)
    begin(served, out, partitions=partitions)
    gossamer.send_command(out, "set", f'scope.exclude=["{host}"]')
    go_on(out)
    assert host not in hosts_asked(served)
    [(links,)] = query(out, "select count(*) from links where refused = 'excluded'")
    assert links > 0


@PARTITIONS
def test_a_scope_that_is_narrowed_and_widened_loses_nothing(
    served: ServedWeb, tmp_path: Path, partitions: int
) -> None:
    out = tmp_path / "out"
    job(served, out, partitions=partitions, max_pages=30).run()
    gossamer.send_command(out, "set", "crawl.max_pages=0")
    gossamer.send_command(out, "set", 'scope.include=["nomatch"]')
    assert go_on(out) == "finished"
    assert len(asked(served)) == 30
    assert gossamer.Crawl.resume(out).run().out_of_scope > 30, "a further run keeps them, too"
    gossamer.send_command(out, "set", "scope.include=[]")
    assert go_on(out) == "finished"
    assert asked(served) == everything_once(served)


def test_a_scope_that_is_narrowed_and_widened_while_the_crawl_runs(
    served: ServedWeb, tmp_path: Path
) -> None:
    crawl, host, told = job(served, tmp_path / "out", max_transfers=2), another_host(served), 0
    for _ in crawl.turns():
        summary = crawl.summary()
        if not told and summary.pages:
            told = 1
            crawl.send_command("set", f'scope.exclude=["{host}"]')
        elif told == 1 and summary.out_of_scope:
            told = 2
            crawl.send_command("set", "scope.exclude=[]")
    assert told == 2
    assert crawl.summary().out_of_scope == 0
    missed = everything_once(served).keys() - asked(served).keys()
    refused = query(crawl.out, "select target from links where refused = 'excluded'")
    assert missed <= {url for (url,) in refused}, "only what was found meanwhile, and nowhere else"


def test_a_delay_of_a_host(served: ServedWeb, tmp_path: Path) -> None:
    out, host = tmp_path / "out", another_host(served)
    begin(served, out)
    gossamer.send_command(out, "delay", host, "0.05")
    gossamer.send_command(out, "block", "*/*5*")  # it need not take long
    go_on(out)
    slow = [request.start for request in by_host(served.requests())[host]]
    gaps = [after - before for before, after in pairwise(slow)]
    assert len(gaps) > 2
    assert min(gaps) >= 0.049, "from the end of a request to the beginning of the next"


def test_a_priority_moves_what_waits(served: ServedWeb, tmp_path: Path) -> None:
    """One request at a time: once the seed has named pages, those of the host come first."""
    out, host = tmp_path / "out", another_host(served)
    knobs = {"transfers": 1, "max_transfers": 1, "worth": False}
    job(served, out, max_pages=25, order="breadth-first", **knobs).run()
    before = len(asked(served))
    gossamer.send_command(out, "set", "crawl.max_pages=0")
    gossamer.send_command(out, "priority", host, "0")
    gossamer.send_command(out, "priority", "*", "15")
    go_on(out)
    order = [request for request in sorted(served.requests()) if request.path != "/robots.txt"]
    hosts = [request.host for request in order[before:]]
    assert len(set(hosts)) > 3
    assert set(hosts[:5]) == {host}
    assert asked(served) == everything_once(served)
