"""The graph in the browser: its figures are those of the library, drawn and as tables."""

import re
import shutil
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import numpy as np
import pytest
from pyarrow import parquet

import gossamer
from gossamer.dashboard.cached_graph import pages_of
from gossamer.graph.rank.graph_opening import open_web
from gossamer.graph.rank.web_shape import find_shape
from tests.dashboard.faces import Visitor, shown
from tests.dashboard.watching import watch
from tests.manifests import forget_manifests

if TYPE_CHECKING:
    from playwright.sync_api import Page

_ODD = (
    "(",
    "\x00",
    "\u202e",
    "a" * 5000,
    "%ff",
    "../../etc/passwd",
    "-1",
    "1e9",
    "http://",
    "[::",
    "𝕏.test",
)


def ask(visitor: Visitor, path: str, **asked: object) -> Any:
    answer = visitor.get(f"/api{path}?{urlencode(asked)}")
    assert answer.status == 200, answer.text
    return answer.json


def test_shape_and_ranks_are_those_of_the_library(studied_crawl: Path) -> None:
    graph, (shape, _) = gossamer.Graph.open(studied_crawl), find_shape(open_web(studied_crawl))
    ranks = parquet.read_table(studied_crawl / "graph" / "ranks.parquet")
    with shown(studied_crawl) as visitor:
        page, seen = visitor.get("/graph").text, ask(visitor, "/graph")
        links = ask(visitor, "/graph", by="indegree", most=200)
    assert (seen["nodes"], seen["links"]) == (len(graph), graph.arcs)
    assert seen["shape"]["bow_tie"] == shape.bow_tie
    assert f"{shape.bow_tie['core']:,} (" in page  # in the picture
    best = sorted(ranks.to_pylist(), key=lambda row: -row["pagerank"])[:25]
    assert seen["by"] == "pagerank"
    assert [one["value"] for one in seen["top"]] == [row["pagerank"] for row in best]
    expected = sorted(graph.indegrees().tolist(), reverse=True)[:200]
    assert [one["value"] for one in links["top"]] == expected


def test_around_a_page_is_what_the_graph_says(studied_crawl: Path) -> None:
    graph = gossamer.Graph.open(studied_crawl)
    node = int(np.argmax(graph.indegrees()))
    url = graph.url(node)
    with shown(studied_crawl) as visitor:
        near = ask(visitor, "/graph/near", url=url, most=60)
        page = visitor.get(f"/graph/near?{urlencode({'url': url})}").text
    assert near["incoming_count"] == graph.indegree(node) > 1
    assert near["outgoing_count"] == graph.outdegree(node)
    best = sorted(graph.indegrees(graph.predecessors(node)).tolist(), reverse=True)[:60]
    assert [one["weight"] for one in near["incoming"]] == best
    assert {one["name"] for one in near["incoming"]} <= set(graph.urls(graph.predecessors(node)))
    both = set(graph.predecessors(node).tolist()) & set(graph.successors(node).tolist())
    for one in near["outgoing"]:
        assert one["is_both"] == (graph.number(one["name"]) in both)
    assert page.count("<circle") == 1 + min(15, graph.indegree(node)) + min(
        15, graph.outdegree(node)
    )


def test_around_a_host_is_what_its_pages_say(studied_crawl: Path) -> None:
    graph, hosts = gossamer.Graph.open(studied_crawl), open_web(studied_crawl).hosts
    arcs, names = hosts.arcs, hosts.names
    place = int(np.argmax(np.bincount(arcs.targets, minlength=len(names))))
    sources = arcs.sources()
    links = {
        names[int(one)]: int(weight)
        for one, other, weight in zip(sources, arcs.targets, arcs.weights, strict=True)
        if other == place
    }
    with shown(studied_crawl) as visitor:
        near = ask(visitor, "/graph/near", host=names[place], most=60)
        graph_of_hosts = ask(visitor, "/graph/hosts", most=80)
    assert near["pages"] == len(pages_of(graph, names[place])) == hosts.sizes()[place]
    assert near["inside"] == hosts.internal[place]
    assert near["incoming_count"] == len(links)
    assert {one["name"]: one["weight"] for one in near["incoming"]} == links
    shown_hosts = [one["host"] for one in graph_of_hosts["hosts"]]
    assert (
        shown_hosts[:1]
        == parquet.read_table(studied_crawl / "graph" / "hosts.parquet")["host"].to_pylist()[:1]
    )
    into = {
        shown_hosts[one["source"]]: one["links"]
        for one in graph_of_hosts["links"]
        if shown_hosts[one["target"]] == names[place]
    }
    assert into == {name: count for name, count in links.items() if name in shown_hosts}


def test_without_what_was_made_of_it(
    finished_crawl: Path, studied_crawl: Path, tmp_path: Path
) -> None:
    with shown(finished_crawl) as visitor:
        for path in ("/graph", "/graph/near?host=a.test", "/graph/hosts"):
            page = visitor.get(path)
            assert page.status == 200
            assert f"make one with: gossamer graph build {finished_crawl}" in unescape(page.text)
    crawl = Path(shutil.copytree(studied_crawl, tmp_path / "crawl"))
    for name in ("ranks.parquet", "hosts.parquet", "domains.parquet", "shape.json"):
        (crawl / "graph" / name).unlink()
    with shown(crawl) as visitor:
        problem = ask(visitor, "/graph")["ranks_problem"]
        assert "ranks.parquet is missing; compute the ranks again" in problem
        assert problem in unescape(visitor.get("/graph").text)
    forget_manifests(crawl)
    with shown(studied_crawl) as whole, shown(crawl) as bare:
        assert ask(bare, "/graph")["shape"]["bow_tie"] == ask(whole, "/graph")["shape"]["bow_tie"]
        assert ask(bare, "/graph")["measures"] == ["indegree"]
        assert ask(bare, "/graph/hosts")["links"] == ask(whole, "/graph/hosts")["links"]
        (crawl / "graph" / "ranks.parquet").write_bytes(b"no table")
        assert "make it again with `gossamer graph rank`" in bare.get("/graph").text
        (crawl / "graph" / "hosts.parquet").write_bytes(b"no table")
        assert "make it again" in ask(bare, "/graph/hosts")["problem"]


@pytest.mark.parametrize("path", ["/graph", "/graph/near", "/graph/hosts"])
def test_odd_values_are_answered_in_one_line(studied_crawl: Path, path: str) -> None:
    with shown(studied_crawl) as visitor:
        for odd in _ODD:
            for name in ("by", "most", "url", "host", "x"):
                answer = visitor.get(f"{path}?{urlencode({name: odd})}")
                assert answer.status in (200, 400, 404), (name, odd, answer.status)
                assert "Traceback" not in answer.text
        assert visitor.get("/graph/near?url=http://not.test/").status == 404
        assert "by: pages are ranked by" in visitor.get("/graph?by=beauty").text


def test_nothing_of_a_url_becomes_markup(hostile_site: Path) -> None:
    graph = gossamer.Graph.open(hostile_site)
    with shown(hostile_site) as visitor:
        for node in range(len(graph)):
            page = visitor.get(f"/graph/near?{urlencode({'url': graph.url(node)})}").text
            assert not re.search(r"<script>|<img|onload=alert\(3\)>|\u202e", page)
        odd = visitor.get("/graph/near?host=%3Cscript%3Ealert(1)%3C/script%3E")
        assert odd.status == 404
        assert "<script>alert" not in odd.text


def test_a_reader_walks_along_links(studied_crawl: Path, tab: "Page") -> None:
    graph = gossamer.Graph.open(studied_crawl)
    with shown(studied_crawl) as visitor:
        seen = watch(tab, visitor.url)
        tab.goto(f"{visitor.url}/graph")
        first = tab.locator("table").last.locator("tbody a").first
        url = first.inner_text()
        first.click()
        node = graph.number(url)
        assert node is not None
        drawn = tab.locator("svg.picture").text_content()
        assert drawn is not None
        assert f"{graph.indegree(node):,} link there" in drawn
        neighbour = tab.locator("svg.picture a").first
        name = neighbour.locator("title").first.text_content()
        neighbour.click()
        tab.wait_for_url("**/graph/near?*")
        assert tab.get_by_role("heading", level=1).inner_text() == f"Links around {name}"
        tab.goto(f"{visitor.url}/graph/hosts")
        assert tab.locator("svg.picture circle").count() == len(open_web(studied_crawl).hosts.names)
        fill = tab.locator("svg.picture text").last.evaluate("one => getComputedStyle(one).fill")
        assert fill != "rgb(0, 0, 0)"  # the sheet has styles for pictures
        assert seen == []
