"""Pages that say the same, or nearly the same, are found whichever partitions their hosts are in."""

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import gossamer
from gossamer.archive.duplicate_groups import find_duplicates
from gossamer.core.copies import CopyKind
from gossamer.core.url import owner_of
from gossamer.verify import inspect
from tests.analyzers.duplicates.texts import prose
from tests.engine.engine_crawling import query
from tests.engine.moments import at_page, commit_each_turn, kill_yourself
from tests.engine.test_engine_discovery import Server

HOSTS, PAGES = 8, 30
TEXTS = [prose(number, 120).decode() for number in range(PAGES)]
AS_FOUND = {"follow_near": -1, "follow_duplicates": True, "mirrors": False, "soft_errors": False}
"""Nothing is left out for being like something else."""


@pytest.fixture
def sites() -> Iterator[list[Server]]:
    sites = [Server(f"127.0.0.{number + 1}") for number in range(HOSTS)]
    yield sites
    for site in sites:
        site.server.end()


def fill(sites: list[Server]) -> None:
    """Every host has nearly the same pages; the first ten have the same text, in other markup."""
    for number, site in enumerate(sites):
        links = "".join(f"<a href=/{page}>{page}</a> " for page in range(PAGES))
        site.page("/", f"<h1>host {number}</h1>{links}")
        for page, text in enumerate(TEXTS):
            own = f"<b class=h{number}>" if page < PAGES // 3 else f"<p>host {number} says: "
            site.page(f"/{page}", f"<html><title>page</title>{own}{text}")


def crawl(sites: list[Server], out: Path, partitions: int, **knobs: Any) -> gossamer.Summary:
    seeds = [f"{site.url}/" for site in sites]
    settings: dict[str, Any] = {"delay": 0, "allow_private": True, "scope": "all", **knobs}
    return gossamer.Crawl(seeds, out=out, partitions=partitions, **settings).run()


Pair = tuple[CopyKind, str, str]


def pairs(out: Path) -> set[Pair]:
    """All unordered pairs of pages that are in one group."""
    found = find_duplicates(out / "pages", 10_000, 10_000, 0.5)
    return {
        (group.kind, min(pair), max(pair))
        for group in found.groups
        for pair in combinations([group.first, *(one.url for one in group.members)], 2)
    }


def mirrors(out: Path) -> set[tuple[str, str]]:
    return {one.hosts for one in find_duplicates(out / "pages", 10_000, 1, 0.5).mirrors}


def of_paths(found: set[Pair]) -> set[Pair]:
    """Without ports, which differ from crawl to crawl."""
    return {(kind, _short(one), _short(other)) for kind, one, other in found}


def _short(url: str) -> str:
    host, _, path = url.removeprefix("http://").partition("/")
    return f"{host.partition(':')[0]}/{path}"


def wanted_pairs() -> set[Pair]:
    hosts = [f"127.0.0.{number + 1}" for number in range(HOSTS)]
    return {
        (CopyKind.TEXT if page < PAGES // 3 else CopyKind.NEAR, f"{one}/{page}", f"{other}/{page}")
        for page in range(PAGES)
        for one, other in combinations(hosts, 2)
    }


@pytest.mark.parametrize("partitions", [1, 2, 4])
def test_near_duplicates_of_eight_hosts(
    sites: list[Server], tmp_path: Path, partitions: int
) -> None:
    fill(sites)
    out = tmp_path / "out"
    summary = crawl(sites, out, partitions, **AS_FOUND)
    owners = {owner_of(f"127.0.0.{number + 1}", partitions) for number in range(HOSTS)}
    assert len(owners) == partitions, "every partition has some of the hosts"
    assert summary.pages == HOSTS * (PAGES + 1)
    hosts = [f"127.0.0.{number + 1}" for number in range(HOSTS)]
    same, wanted = PAGES // 3, wanted_pairs()
    assert of_paths(pairs(out)) >= wanted
    extra = {pair for pair in of_paths(pairs(out)) - wanted if not pair[1].endswith("/")}
    assert extra == set()
    assert summary.same_text == (HOSTS - 1) * same
    assert summary.near_duplicates == (HOSTS - 1) * (PAGES - same)
    assert mirrors(out) == set(combinations(hosts, 2))
    assert [finding for finding in inspect(out) if finding.is_problem] == []


def test_the_same_pages_are_found_when_partitions_die(sites: list[Server], tmp_path: Path) -> None:
    fill(sites)
    out = tmp_path / "out"
    with ExitStack() as stack:
        stack.enter_context(commit_each_turn())
        for victim, pages in ((0, 20), (1, 40), (0, 60)):
            mark = tmp_path / f"{victim}-{pages}"
            stack.enter_context(at_page(pages, victim, mark, kill_yourself))
        summary = crawl(sites, out, 2, **AS_FOUND)
    assert summary.exchange["restarts"] == 3
    assert of_paths(pairs(out)) >= wanted_pairs()
    same = PAGES // 3
    assert summary.same_text == (HOSTS - 1) * same
    assert summary.near_duplicates == (HOSTS - 1) * (PAGES - same)
    rows = query(out, f"select url, kind from '{out}/copies/*.parquet'")
    assert len(rows) == len(set(rows)) > 0
    assert [finding for finding in inspect(out) if finding.is_problem] == []


@pytest.mark.parametrize("partitions", [1, 2])
def test_as_many_pages_are_stored_by_default(
    sites: list[Server], tmp_path: Path, partitions: int
) -> None:
    fill(sites)
    summary = crawl(sites, tmp_path / "out", partitions, soft_errors=False)
    assert summary.statuses["200"] == HOSTS * (PAGES + 1)


MIRRORED = 160


def fill_mirror(site: Server, root: str, name: str) -> None:
    """Pages that each lead to the next ones, below a root; `name` is all that differs, in a comment."""
    for page in range(MIRRORED):
        links = "".join(
            f"<a href={root}/p{page * 3 + more}>more</a> "
            for more in (1, 2, 3)
            if page * 3 + more < MIRRORED
        )
        path = f"{root}/p{page}" if page else f"{root}/"
        site.page(path, f"<!-- {name} --><title>t</title>{prose(page, 60).decode()} {links}")


def stored(out: Path, server: Server) -> int:
    [(count,)] = query(
        out, f"select count(*) from pages where starts_with(url, '{server.url}') and status = 200"
    )
    return int(count)


@pytest.mark.parametrize("root", ["", "/mirror/a"])
def test_a_mirror_is_sampled(sites: list[Server], tmp_path: Path, root: str) -> None:
    main, copy = sites[:2]
    fill_mirror(main, "", "main")
    fill_mirror(copy, root, "copy")
    summary = gossamer.Crawl(
        [f"{main.url}/", f"{copy.url}{root}/"],
        out=tmp_path / "out",
        delay=0,
        allow_private=True,
        scope="all",
        soft_errors=False,
    ).run()
    [line] = [one for one in summary.decisions if "a mirror of" in one]
    roots = [main.url, f"{copy.url}{root}"]
    found = line.removeprefix("sampled ").partition(";")[0].split(": a mirror of ")
    assert sorted(found) == sorted(roots)
    assert not root or found[1] == main.url, "a whole host comes before a folder"
    counts = {site.url: stored(tmp_path / "out", site) for site in (main, copy)}
    is_main = found[1] == main.url
    assert counts[main.url if is_main else copy.url] == MIRRORED
    # If the copy answers faster, much of it is there before it is known for one.
    assert 10 <= counts[copy.url if is_main else main.url] <= MIRRORED
