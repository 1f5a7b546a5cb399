import numpy as np
import pytest

from gossamer.lab.crawl_orders.importance import backlinks, pagerank
from gossamer.lab.crawl_orders.order_metrics import (
    coverage,
    crawl_and_stop,
    ideal,
    limited_buffer,
    random_line,
    rank_correlation,
    threshold,
)
from tests.lab.crawl_orders.small import graph_of, random_graph

IMPORTANCE = np.array([9.0, 1.0, 5.0, 5.0, 2.0])


def test_crawl_and_stop() -> None:
    # After K pages the bar is the K-th best of 9, 5, 5, 2, 1.
    curve = crawl_and_stop("", np.array([1, 0, 3, 4, 2]), IMPORTANCE)
    assert curve.value.tolist() == pytest.approx([0 / 1, 1 / 2, 2 / 3, 3 / 4, 1.0])
    assert crawl_and_stop("", ideal(IMPORTANCE), IMPORTANCE).value.tolist() == [1.0] * 5


def test_crawl_and_stop_with_threshold() -> None:
    is_hot = IMPORTANCE >= 5
    curve = threshold("", np.array([1, 0, 3, 4, 2]), is_hot)
    assert curve.value.tolist() == pytest.approx([0, 0, 1 / 3, 2 / 3, 2 / 3, 1])
    best = threshold("", ideal(IMPORTANCE), is_hot)
    assert best.reaches(1.0) == pytest.approx(3 / 5)
    assert best.at(0.2) == pytest.approx(1 / 3)


def test_weighted_coverage() -> None:
    curve = coverage("", ideal(IMPORTANCE), IMPORTANCE)
    assert curve.value.tolist() == pytest.approx([0, 9 / 22, 14 / 22, 19 / 22, 21 / 22, 1])
    assert curve.mean > random_line().mean == 0.5


def test_what_was_not_fetched_does_not_count() -> None:
    curve = coverage("", np.array([0, 2]), IMPORTANCE)
    assert curve.crawled[-1] == pytest.approx(2 / 5)
    assert curve.reaches(0.9) == 2.0


def test_limited_buffer() -> None:
    assert limited_buffer(np.array([0, 1, 2]), IMPORTANCE) == pytest.approx(2 / 3)
    assert limited_buffer(np.array([0, 2, 3]), IMPORTANCE) == 1.0


def test_rank_correlation_with_equals() -> None:
    assert rank_correlation(np.array([1.0, 1.0, 2.0]), np.array([3.0, 3.0, 8.0])) == pytest.approx(
        1
    )
    assert rank_correlation(np.array([1.0, 2.0, 3.0]), np.array([3.0, 2.0, 1.0])) == pytest.approx(
        -1
    )


def test_importance() -> None:
    graph = graph_of({0: [1, 2, 0], 1: [2], 2: []})
    assert backlinks(graph).tolist() == [0.0, 1.0, 2.0]
    assert pagerank(graph).round(4).tolist() == [0.5764, 0.8357, 1.5879]


def test_pagerank_solves_its_equations() -> None:
    graph = random_graph(300).without_self_links()
    ranks = pagerank(graph)
    degrees = np.diff(graph.offsets)
    given = np.repeat(np.where(degrees > 0, ranks / np.maximum(degrees, 1), 0), degrees)
    got = np.bincount(graph.targets, weights=given, minlength=300)
    loose = ranks[degrees == 0].sum() / 300
    assert ranks == pytest.approx(0.1 + 0.9 * (got + loose), rel=1e-4)
    assert ranks.mean() == pytest.approx(1.0)
