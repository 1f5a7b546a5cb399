"""On a real web: which order has the important pages first?"""

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from gossamer.lab.crawl_orders.importance import pagerank
from gossamer.lab.crawl_orders.known_web import LabGraph, read_graph
from gossamer.lab.crawl_orders.order_metrics import coverage, rank_correlation
from gossamer.lab.crawl_orders.virtual_crawl import CrawlPlan, crawl, revisit
from gossamer.policy.order import Scores, make_order
from gossamer.policy.order.opic import Opic


@pytest.fixture(scope="module")
def graph(conformance_data: Path) -> LabGraph:
    return read_graph(conformance_data / "graph" / "cnr-2000.graph-txt.gz")


@pytest.fixture(scope="module")
def ranks(graph: LabGraph) -> Scores:
    return pagerank(graph)


def half(graph: LabGraph, ranks: Scores, order: str, plan: CrawlPlan) -> float:
    """The part of the web that has to be fetched for half of all PageRank."""
    plan = replace(plan, pages=len(graph) * 9 // 20)  # what comes later cannot change it
    run = crawl(graph, make_order(order), [graph.best_seed()], plan)
    return coverage(order, run.order, ranks).reaches(0.5)


def test_the_graph_is_whole(graph: LabGraph) -> None:
    assert (len(graph), graph.links) == (325_557, 3_216_152)
    assert len(graph.reach(np.array([graph.best_seed()]))) == 325_557


@pytest.mark.parametrize("levels", [0, 16])
def test_pagerank_and_opic_have_half_of_all_pagerank_sooner(
    graph: LabGraph, ranks: Scores, levels: int
) -> None:
    plan = CrawlPlan(levels=levels)
    parts = {
        name: half(graph, ranks, name, plan)
        for name in ("breadth-first", "backlinks", "pagerank", "opic")
    }
    others = min(parts["breadth-first"], parts["backlinks"])
    assert parts["pagerank"] < 0.30
    assert parts["opic"] < 0.33
    assert parts["pagerank"] < others - 0.08
    assert parts["opic"] < others - 0.05


def test_opic_comes_to_agree_with_pagerank(graph: LabGraph, ranks: Scores) -> None:
    policy = Opic()
    order = crawl(graph, policy, [graph.best_seed()]).order
    revisit(graph, policy, order, rounds=4)
    keys, values = policy.importance()
    estimate = np.zeros(len(graph))
    estimate[keys.astype(np.int64)] = values
    assert rank_correlation(estimate, ranks) > 0.9
