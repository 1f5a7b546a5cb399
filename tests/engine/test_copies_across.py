"""Pages that say the same, or nearly the same, are found whichever partitions their hosts are in."""

from collections.abc import Iterator
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
        site.page("/", "".join(f"<a href=/{page}>{page}</a> " for page in range(PAGES)))
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
    same = PAGES // 3
    wanted = {
        (CopyKind.TEXT if page < same else CopyKind.NEAR, f"{one}/{page}", f"{other}/{page}")
        for page in range(PAGES)
        for one, other in combinations(hosts, 2)
    }
    assert of_paths(pairs(out)) >= wanted
    extra = {pair for pair in of_paths(pairs(out)) - wanted if not pair[1].endswith("/")}
    assert extra == set()
    assert summary.same_text == (HOSTS - 1) * same
    assert summary.near_duplicates == (HOSTS - 1) * (PAGES - same)
    assert mirrors(out) == set(combinations(hosts, 2))
    assert [finding for finding in inspect(out) if finding.is_problem] == []


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
    [line] = summary.decisions
    assert line.startswith(f"sampled {copy.url}{root}: a mirror of {main.url};")
    assert stored(tmp_path / "out", main) == MIRRORED
    assert 10 <= stored(tmp_path / "out", copy) < MIRRORED / 2
