"""A limit of pages with `parse.page_requisites`: each page that is fetched has what it needs."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest

import gossamer
from tests.engine.engine_crawling import query
from tests.engine.engine_forks import Begun
from tests.engine.test_engine_discovery import Server
from tests.processes import wait_until

PARTS = ["/a.css", "/b.css", "/c.css", "/dot.png", "/logo.png", "/moved.png", "/there.png"]
"""What each page of the site needs: a style sheet within a style sheet within a style sheet, and pictures."""
QUICK = {"delay": 0.0, "allow_private": True, "page_requisites": True, "retries": 0}


@pytest.fixture
def site() -> Iterator[Server]:
    server = Server()
    links = "".join(f"<a href=/page{number}>{number}</a>" for number in range(40))
    need = "<link rel=stylesheet href=/a.css><a href=/logo.png><img src=/logo.png></a>"
    for path in ("/", *(f"/page{number}" for number in range(40))):
        server.page(path, f"{links}{need}<p>{path} is a page of this site")
    server.page("/a.css", "@import 'b.css'; p { color: red }", "text/css")
    server.page("/b.css", "@import 'c.css'; p { color: blue }", "text/css")
    server.page("/c.css", "p { background: url(dot.png), url(moved.png) }", "text/css")
    server.answers["/moved.png"] = (302, {"Location": "/there.png"}, "")
    for name in ("/dot.png", "/logo.png", "/there.png"):
        server.page(name, f"no picture: {name}", "image/png")
    yield server
    server.server.end()


def asked(site: Server) -> list[str]:
    return [path for path, _ in site.requests if path != "/robots.txt"]


@pytest.mark.parametrize("most", [1, 3])
@pytest.mark.parametrize("order", ["breadth-first", "backlinks", "random"])
def test_a_limit_of_pages_leaves_no_page_without_its_requisites(
    site: Server, tmp_path: Path, most: int, order: str
) -> None:
    summary = site.crawl(tmp_path / "out", **QUICK, max_pages=most, order=order)
    pages = [path for path in asked(site) if path not in PARTS]
    assert sorted(set(asked(site)) - set(pages)) == PARTS
    assert len(pages) == most
    assert summary.stopped_by == "max_pages"
    assert (summary.pages, summary.requisites) == (most + len(PARTS), len(PARTS))


def test_requisites_come_before_more_pages(site: Server, tmp_path: Path) -> None:
    site.crawl(tmp_path / "out", **QUICK, max_transfers=1)
    assert sorted(asked(site)[1 : 1 + len(PARTS)]) == PARTS


def test_a_crawl_that_goes_on_keeps_to_the_limit_and_to_what_pages_need(
    site: Server, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    site.crawl(out, **QUICK, max_pages=1)
    before = asked(site)
    gossamer.Crawl.resume(out, max_pages=4).run()
    assert sorted(set(before)) == ["/", *PARTS]
    assert len(asked(site)) == len(before) + 3, "pages, and nothing that was there before"


def test_limits_of_several_partitions(site: Server, tmp_path: Path) -> None:
    other = Server("127.0.0.2")  # it belongs to another partition, or to the same: both must do
    other.page("/far.css", "@import 'farther.css';", "text/css")
    other.page("/farther.css", f"p {{ background: url({site.url}/near.png) }}", "text/css")
    site.page("/near.png", "no picture", "image/png")
    site.page("/a.css", f"@import '{other.url}/far.css'; @import 'b.css';", "text/css")
    summary = site.crawl(tmp_path / "out", **QUICK, max_pages=3, partitions=3)
    pages = [path for path in asked(site) if path not in (*PARTS, "/near.png")]
    assert sorted(set(asked(site)) - set(pages)) == sorted([*PARTS, "/near.png"])
    assert sorted(path for path, _ in other.requests if path != "/robots.txt") == [
        "/far.css",
        "/farther.css",
    ]
    assert len(pages) == 3
    assert summary.stopped_by == "max_pages"
    other.server.end()


def test_killed_among_requisites(tmp_path: Path, site: Server) -> None:
    out, reached, go_on = tmp_path / "out", Event(), Event()
    handler = site.server.RequestHandlerClass
    whole = handler.answer  # type: ignore[attr-defined]

    def answer(self: object) -> None:
        if self.path == "/c.css" and not reached.is_set():  # type: ignore[attr-defined]
            reached.set()
            go_on.wait()
        whole(self)

    handler.answer = answer  # type: ignore[attr-defined]
    told = ("--page-requisites", "--max-pages", "2", "--delay", "0", "--allow-private", "-q")
    begun = Begun("crawl", site.url + "/", "-o", str(out), *told)
    wait_until(reached.is_set)
    begun.kill()
    go_on.set()
    summary = gossamer.Crawl.resume(out).run()
    rows = [
        url.removeprefix(site.url)
        for (url,) in query(out, "select url from pages where status > 0")
    ]
    assert len(rows) == len(set(rows))
    assert sorted(set(rows) & set(PARTS)) == PARTS
    assert len(set(rows) - set(PARTS)) == 2
    assert summary.stopped_by == "max_pages"


def test_parts_without_end_do_not_keep_a_crawl_from_its_end(tmp_path: Path) -> None:
    server = Server()

    class Endless(dict[str, tuple[int, dict[str, str], str]]):
        def get(self, path: str, default: object = None) -> tuple[int, dict[str, str], str]:
            if path == "/robots.txt":
                return 404, {}, ""
            number = int(path.strip("/s.c") or 0)
            fields = {"Content-Type": "text/css" if number else "text/html"}
            here = f"@import '/s{number + 1}.css'; p {{ margin: {number}px }}"
            return 200, fields, here if number else "<link rel=stylesheet href=/s1.css>"

    server.answers = Endless()
    summary = server.crawl(tmp_path / "out", **QUICK, max_pages=1, traps=False)
    assert summary.stopped_by == "max_pages"
    assert summary.requisites == 1000
    server.server.end()
