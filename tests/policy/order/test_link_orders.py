"""Orders that count or follow links, with values computed by hand."""

import numpy as np
import pytest

from gossamer.policy.order.backlinks import Backlinks
from gossamer.policy.order.pagerank import PageRank
from gossamer.policy.order.site_rank import SiteRank
from tests.policy.order.feeding import crawled, keys, scores_of, waiting

A, B, C, D = 1, 2, 3, 4
TRIANGLE = {A: [B, C], B: [C]}
"""A links to B and C, B to C; C has not been fetched."""


def test_backlinks_are_counted_once_for_each_page_and_not_for_oneself() -> None:
    order = Backlinks()
    order.score(waiting(A, depth=0))
    order.learn(crawled({A: [B, C, C, A]}))
    assert order.score(waiting(B, C)).tolist() == [1.0, 1.0]
    order.learn(crawled({B: [C, B]}))
    assert scores_of(order.revised()) == {C: 2.0}
    assert order.worth(keys(A, B, C, 99)).tolist() == [0.0, 1.0, 2.0, 0.0]


def test_only_waiting_pages_are_revised_and_each_once() -> None:
    order = Backlinks()
    order.score(waiting(A, depth=0))
    order.learn(crawled({A: [B, C]}))
    order.score(waiting(B))  # C was heard of only
    order.learn(crawled({D: [A, B, C]}))
    assert scores_of(order.revised()) == {B: 2.0}
    assert scores_of(order.revised()) == {}
    order.learn(crawled({B: [], A: [B]}))
    assert scores_of(order.revised()) == {}


def test_small_changes_are_not_told() -> None:
    order = Backlinks(grain=0.5)
    order.score(waiting(A, depth=0))
    order.learn(crawled({10: [A], 11: [A]}))
    assert scores_of(order.revised()) == {A: 2.0}
    order.learn(crawled({12: [A]}))
    assert scores_of(order.revised()) == {}
    order.learn(crawled({13: [A]}))
    assert scores_of(order.revised()) == {A: 4.0}


def ranks(order: PageRank) -> list[float]:
    order.score(waiting(A, depth=0))
    order.learn(crawled(TRIANGLE))
    order.score(waiting(B, C))
    for _ in range(10):
        order.compute()
    return list(order.worth(keys(A, B, C)).round(4).tolist())


def test_pagerank_of_three_pages() -> None:
    # With f for what everybody has: A = f, B = 1.45 f, C = 2.755 f, and the sum is 3.
    assert ranks(PageRank(tolerance=1e-9)) == [0.5764, 0.8357, 1.5879]


def test_pagerank_that_jumps_to_seeds_only() -> None:
    # A = 3 f, B = 1.35 f, C = 2.565 f.
    assert ranks(PageRank(jump="seeds", tolerance=1e-9)) == [1.3015, 0.5857, 1.1128]


def test_pagerank_without_jumps() -> None:
    # C passes on to all: A = f, B = 1.5 f, C = 3 f.
    assert ranks(PageRank(jump="none", tolerance=1e-9)) == [0.5455, 0.8182, 1.6364]


def test_external_links_only() -> None:
    order = PageRank(external=True, tolerance=1e-9)
    order.score(waiting(A, depth=0))
    order.learn(crawled(TRIANGLE, hosts={A: 7, B: 7, C: 8}))
    order.compute()
    first, second, third = order.worth(keys(A, B, C)).tolist()
    assert first == pytest.approx(second)
    assert third == pytest.approx(first + 1.8 * first)  # 0.9 · A/1 + 0.9 · B/1


def test_between_two_computations_a_page_gives_its_share_at_once() -> None:
    order = PageRank()
    order.score(waiting(A, depth=0))
    order.learn(crawled({A: [B, C]}))
    assert order.computed == 0
    assert order.score(waiting(B, C)).tolist() == [1.45, 1.45]
    order.learn(crawled({B: [C]}))
    assert scores_of(order.revised()) == {C: pytest.approx(1.45 + 0.9 * 1.45)}


def test_a_page_fetched_again_gives_nothing_twice() -> None:
    order = PageRank()
    order.score(waiting(A, depth=0))
    order.learn(crawled({A: [B]}))
    before = order.score(waiting(B))
    order.learn(crawled({A: [B]}))
    assert order.worth(keys(B)).tolist() == before.tolist()
    order.compute()
    alone = PageRank()
    alone.score(waiting(A, depth=0))
    alone.learn(crawled({A: [B]}))
    alone.score(waiting(B))
    alone.compute()
    assert order.worth(keys(A, B)) == pytest.approx(alone.worth(keys(A, B)), abs=0.01)


def test_ranks_are_computed_at_growing_intervals() -> None:
    order, when = PageRank(growth=0.5), []
    for page in range(200):
        before = order.computed
        order.learn(crawled({page: [page + 1]}))
        if order.computed > before:
            when.append(page + 1)
    assert when == [16, 32, 48, 72, 108, 162]


def test_a_page_of_a_host_that_is_linked_to_comes_first() -> None:
    order = SiteRank()
    order.score(waiting(A, depth=0, hosts=[1]))
    order.learn(crawled({A: [B, C]}, hosts={A: 1, B: 2, C: 1}))
    scores = order.score(waiting(B, C, hosts=[2, 1]))
    # Host 1 links to host 2, which links to nobody: f and 1.9 f, and the sum is 2.
    assert scores == pytest.approx(np.array([1.3103, 0.6897]), abs=0.01)


def test_links_within_a_host_say_nothing_about_hosts() -> None:
    order = SiteRank()
    order.score(waiting(A, depth=0, hosts=[1]))
    order.learn(crawled({A: [B]}, hosts={A: 1, B: 1}))
    assert order.score(waiting(B, hosts=[1])).tolist() == [1.0]
