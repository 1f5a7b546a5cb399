"""The simulated web and finished crawls as graphs."""

from pathlib import Path

import numpy as np
import pytest

import gossamer
from gossamer.core.errors import DirectoryError
from gossamer.lab import Web, serve
from gossamer.lab.crawl_orders.importance import similar
from gossamer.lab.crawl_orders.simulated_graph import graph_of_web, order_of_web
from gossamer.lab.crawl_orders.stored_graph import read_crawl
from gossamer.policy.order import BreadthFirst, make_order


def test_the_simulated_web_is_all_there() -> None:
    web = Web(seed=7, pages=300, hosts=6)
    graph = graph_of_web(web)
    assert set(graph.urls) == web.expected()
    assert len(np.unique(graph.hosts)) == 6
    assert graph.links == len(graph.anchors)
    number = graph.urls.index(web.url(1, 3))
    targets = graph.targets[graph.offsets[number] : graph.offsets[number + 1]].tolist()
    assert [graph.urls[target] for target in targets] == [
        link.url for link in web.links(web.url(1, 3))
    ]


def test_it_has_words() -> None:
    graph = graph_of_web(Web(seed=7, pages=300, hosts=6))
    hot = similar(graph, ["harbour"])
    assert 0 < hot.sum() < 150
    assert all("<" not in text for text in graph.texts)
    assert graph.titles[0].startswith("All about")


def test_one_host_is_crawled_level_by_level() -> None:
    web = Web(seed=7, pages=200, hosts=1)
    graph = graph_of_web(web)
    order = order_of_web(web, [web.seed_url], BreadthFirst(), levels=16)
    assert order == [graph.urls[node] for node in graph.reach(np.array([0])).tolist()]


def test_the_order_is_a_matter_of_policy() -> None:
    web = Web(seed=7, pages=200, hosts=5)
    orders = {
        name: order_of_web(web, [web.seed_url], make_order(name), levels=16)
        for name in ("breadth-first", "pagerank", "opic", "two-queues:words=harbour")
    }
    assert all(set(order) == web.expected() for order in orders.values())
    assert len({tuple(order) for order in orders.values()}) == 4
    assert (
        order_of_web(web, [web.seed_url], make_order("opic"), 16, pages=20) == orders["opic"][:20]
    )


def test_a_finished_crawl_is_the_web_it_has_seen(tmp_path: Path) -> None:
    with serve(Web(seed=7, pages=120, hosts=4, behaviours=("redirects",))) as served:
        crawl = gossamer.Crawl(
            served.seed_url,
            out=tmp_path / "crawl",
            scope="all",
            delay=0.0,
            servers=[served.dns_address],
            allow_private=True,
        )
        summary = crawl.run()
        web = served.web
    graph = read_crawl(tmp_path / "crawl", with_text=True)
    assert set(graph.urls) == web.expected()
    assert len(graph) == summary.pages
    seed = graph.urls.index(web.seed_url)
    assert len(graph.reach(np.array([seed]))) == len(graph)
    truth = graph_of_web(web)
    for word in ("harbour", "violin"):
        mine, its = similar(graph, [word]), similar(truth, [word])
        assert {graph.urls[n] for n in np.flatnonzero(mine).tolist()} == {
            truth.urls[n] for n in np.flatnonzero(its).tolist()
        }


def test_what_is_no_crawl_is_said(tmp_path: Path) -> None:
    with pytest.raises(DirectoryError, match="has no pages table"):
        read_crawl(tmp_path)
