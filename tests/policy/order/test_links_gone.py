"""Links that a page has no more leave the counts, as far as an order can undo them."""

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from gossamer.core.outcomes import Outcome
from gossamer.core.records import Candidate, Document, Page, Visit
from gossamer.policy.order import Ordering, Policy
from gossamer.policy.order.backlinks import Backlinks
from gossamer.policy.order.combination import Combination
from gossamer.policy.order.domain_caps import DomainCaps
from gossamer.policy.order.opic import Opic
from gossamer.policy.order.pagerank import PageRank
from gossamer.policy.order.policy_batches import HERE
from tests.policy.order.feeding import crawled, keys, scores_of, waiting
from tests.present import parse

A, B, C, D = 1, 2, 3, 4
WEB = {A: [B, C], D: [C]}


def learned(order: Policy) -> Policy:
    """B and C wait; A links to both, D to C."""
    order.expect_returns()
    order.score(waiting(A, D, depth=0))
    order.learn(crawled(WEB))
    order.score(waiting(B, C))
    order.revised()
    return order


def test_backlinks_of_a_page_that_changed_or_is_gone() -> None:
    order = learned(Backlinks())
    order.learn_again(crawled({A: [C]}))
    assert scores_of(order.revised()) == {B: 0.0}
    order.learn_again(crawled({A: [], D: [B, C]}))
    assert scores_of(order.revised()) == {B: 1.0, C: 1.0}


def test_backlinks_after_a_checkpoint() -> None:
    order = learned(Backlinks())
    again = Backlinks()
    again.expect_returns()
    again.load(order.dump())
    again.learn_again(crawled({A: [], D: []}))
    assert again.worth(keys(B, C)).tolist() == [0.0, 0.0]


def test_backlinks_for_pages_of_other_partitions() -> None:
    """What was told of them is taken back."""
    order = Backlinks()
    order.expect_returns()
    order.learn(replace(crawled({A: [B, C]}), owners=np.array([1, HERE])))
    [sent] = order.rank_updates()
    order.learn_again(crawled({A: []}))
    [taken_back] = order.rank_updates()
    assert (sent.keys.tolist(), sent.amounts.tolist()) == ([B], [1.0])
    assert (taken_back.keys.tolist(), taken_back.amounts.tolist()) == ([B], [-1.0])


def test_ranks_are_those_of_the_links_that_are_there() -> None:
    order, fresh = PageRank(tolerance=1e-9), PageRank(tolerance=1e-9)
    learned(order)
    order.learn_again(crawled({A: [C], D: []}))
    order.compute()
    fresh.score(waiting(A, D, depth=0))
    fresh.learn(crawled({A: [C], D: []}))
    fresh.score(waiting(B, C))
    fresh.compute()
    pages = keys(A, B, C, D)
    assert order.worth(pages) == pytest.approx(fresh.worth(pages))


def test_cash_goes_where_links_lead_now() -> None:
    order = learned(Opic())
    before = order.worth(keys(B, C))
    order.learn(crawled({B: [A]}))
    order.learn_again(crawled({A: [C]}))
    gained = order.worth(keys(B, C)) - before
    assert gained[1] > gained[0]


def test_orders_around_others_pass_it_on() -> None:
    for order in (Combination([(2.0, Backlinks())]), DomainCaps(Backlinks())):
        learned(order)
        order.learn_again(crawled({A: [C]}))
        assert B in scores_of(order.revised())


def page(url: str) -> Document:
    return Document(Page(Visit(parse(url)), Outcome.FETCHED, 0.0, status=200))


def test_what_was_noted_is_taken_in_again(tmp_path: Path) -> None:
    def open_order(name: str) -> Ordering:
        return Ordering(Backlinks(), 4, tmp_path / name, visits_again=True)

    one, other = open_order("one"), open_order("other")
    source, target = page("http://a.test/"), Candidate(parse("http://b.test/"))
    notes = [one.learn([(source, [target])]), one.learn_again([(source, ())])]
    known = np.array([target.url.key], np.uint64)
    assert one.worth(known).tolist() == [0.0]
    other.relearn(notes[0])
    assert other.worth(known).tolist() == [1.0]
    other.relearn(notes[1])
    assert other.worth(known).tolist() == [0.0]
