"""robots.txt of each kind, and what it allows."""

import pytest

from gossamer.lab import Web
from gossamer.lab.behaviours import Robots
from gossamer.lab.behaviours.robots_behaviour import is_allowed_by

FOLDERS = {
    "private": ".html",
    "private/press": ".html",
    "catalogue": ".html?sort=price",
    "cgi-bin": ".html",
    "scripts": ".cgi",
}
FORBIDDEN = {
    "some": {"private", "private/press", "cgi-bin"},
    "all": set(),
    "missing": set(),
    "wildcards": {"private", "catalogue", "scripts"},
    "delay": {"private", "private/press"},
    "agents": {"private", "private/press"},
    "shared group": {"cgi-bin"},
    "merged groups": {"private", "private/press", "cgi-bin"},
    "others only": set(),
    "messy": {"private", "catalogue", "scripts"},
    "moved": {"private", "private/press", "cgi-bin"},
    "broken": {*FOLDERS, ""},
}


@pytest.fixture(scope="module")
def web() -> Web:
    return Web(7, 3000, 300, behaviours=(Robots(crawl_delay=0.25),))


def site_of(web: Web, kind: str) -> int:
    robots = web.behaviours[0]
    assert isinstance(robots, Robots)
    return next(s for s in range(web.hosts) if robots.kind_of(web, s).name == kind)


@pytest.mark.parametrize("kind", FORBIDDEN)
def test_each_kind_forbids_what_it_says(web: Web, kind: str) -> None:
    site = site_of(web, kind)
    urls = {folder: web.leaf_link(site, 3, folder, end).url for folder, end in FOLDERS.items()}
    urls[""] = web.url(site, 0)
    assert {folder for folder, url in urls.items() if not web.is_allowed(url)} == FORBIDDEN[kind]
    for url in urls.values():
        answer = web.answer(url)
        assert answer is not None
        assert answer.status == 200


def test_the_files_say_so(web: Web) -> None:
    def text(kind: str) -> str:
        answer = web.answer_at(site_of(web, kind), "/robots.txt")
        return web.body_of(answer).decode()

    assert "User-agent: *\nDisallow: /private/\n" in text("some")
    assert "Allow: /private/press/\nDisallow: /*?sort=\nDisallow: /*.cgi$" in text("wildcards")
    assert "Crawl-delay: 0.25" in text("delay")
    assert "User-agent: *\nDisallow: /\nUser-agent: Gossamer\n" in text("agents")
    assert "User-agent: Otherbot\nUser-agent: GOSSAMER\n" in text("shared group")
    assert text("messy").startswith("\ufeff#")
    assert "disALLOW :\t/private/   # why?\r\n" in text("messy")


@pytest.mark.parametrize(("kind", "statuses"), [("missing", {404, 410}), ("broken", {500})])
def test_statuses(web: Web, kind: str, statuses: set[int]) -> None:
    assert web.answer_at(site_of(web, kind), "/robots.txt").status in statuses


def test_moved_files_are_found_where_they_went(web: Web) -> None:
    robots = web.behaviours[0]
    assert isinstance(robots, Robots)
    moved = [s for s in range(web.hosts) if robots.kind_of(web, s).is_moved]
    abroad = 0
    for site in moved:
        first = web.answer_at(site, "/robots.txt")
        assert first.status == 301
        assert web.is_robots(first.location)
        second = web.answer(first.location)
        assert second is not None
        assert b"Disallow: /cgi-bin/" in web.body_of(second)
        abroad += not first.location.startswith(web.origin(site) + "/")
    assert 0 < abroad < len(moved)
    assert web.answer_at(0, "/policies/robots-0.txt").status == 404


def test_crawl_delay(web: Web) -> None:
    assert web.crawl_delay(web.names[site_of(web, "delay")]) == 0.25
    assert web.crawl_delay(web.names[0]) == 0.0
    assert web.crawl_delay("nobody.test") == 0.0


def test_other_agents_are_treated_otherwise(web: Web) -> None:
    root = web.url(site_of(web, "agents"), 0)
    assert web.is_allowed(root, "gossamer")
    assert not web.is_allowed(root, "Somebot")
    assert web.is_allowed(web.url(site_of(web, "others only"), 0), "Somebot")
    assert not web.is_allowed(web.url(site_of(web, "others only"), 0), "otherbot")


def test_forbidden_paths_are_linked_to(web: Web) -> None:
    reach = web.reachable()
    assert len(reach.disallowed) > 100
    assert not reach.disallowed & reach.asked
    assert any("/private/" in url for url in reach.asked)


def test_the_seed_is_allowed_whatever_the_number() -> None:
    assert all(
        (w := Web(n, 50, 9, behaviours=("robots",))).is_allowed(w.seed_url) for n in range(40)
    )


def test_longest_match_and_ties() -> None:
    assert not is_allowed_by([(False, "/")], "/a")
    assert is_allowed_by([(False, "/a"), (True, "/a")], "/ab")
    assert not is_allowed_by([(True, "/a"), (False, "/a*c")], "/abc")
    assert is_allowed_by([(False, "/*.cgi$")], "/a.cgi?x")
    assert is_allowed_by([(False, "")], "/a")
