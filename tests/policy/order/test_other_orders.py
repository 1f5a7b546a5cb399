"""Orders by depth, chance, site, place and words."""

import numpy as np
import pytest

from gossamer.core.errors import SettingsError
from gossamer.core.outcomes import Outcome
from gossamer.core.records import Candidate, Document, Link, Page, Visit
from gossamer.core.url import Url, parse
from gossamer.policy.order import (
    BreadthFirst,
    DepthFirst,
    Function,
    Needs,
    gather_crawled,
    gather_waiting,
    make_levels,
    name_key,
)
from gossamer.policy.order.backlinks import Backlinks
from gossamer.policy.order.combination import Combination
from gossamer.policy.order.domain_caps import DomainCaps
from gossamer.policy.order.location import Location
from gossamer.policy.order.random_order import Random
from gossamer.policy.order.similarity import Similarity
from gossamer.policy.order.site_orders import LargestSites, SiteFirst
from gossamer.policy.order.two_queues import TwoQueues
from tests.policy.order.feeding import crawled, keys, scores_of, waiting

A, B, C, D, E = 1, 2, 3, 4, 5


def test_depth() -> None:
    pages = waiting(A, depth=3)
    assert BreadthFirst().score(pages).tolist() == [-3.0]
    assert DepthFirst().score(pages).tolist() == [3.0]


def test_chance_is_even_and_repeats() -> None:
    pages = waiting(*range(10_000))
    scores = Random(seed=1).score(pages)
    assert (scores == Random(seed=1).score(pages)).all()
    assert abs(np.corrcoef(scores, Random(seed=2).score(pages))[0, 1]) < 0.05
    assert np.histogram(scores, 10, (0, 1))[0].min() > 800


def test_sites_one_after_the_other() -> None:
    order = SiteFirst()
    assert order.score(waiting(A, B, C, hosts=[7, 8, 7])).tolist() == [0.0, -1.0, 0.0]
    assert order.score(waiting(D, E, hosts=[9, 8])).tolist() == [-2.0, -1.0]


def test_largest_sites_first() -> None:
    order = LargestSites()
    order.score(waiting(A, depth=0, hosts=[7]))
    order.learn(crawled({A: []}, hosts={A: 7}))
    assert order.score(waiting(B, C, D, hosts=[7, 8, 8])).tolist() == [1.0, 2.0, 2.0]
    for page in range(100, 116):  # the next look at all sizes
        order.learn(crawled({page: []}))
    order.learn(crawled({C: []}, hosts={C: 8}))
    for page in range(200, 220):
        order.learn(crawled({page: []}))
    assert scores_of(order.revised()) == {D: 1.0}


def test_a_domain_at_its_cap_comes_last() -> None:
    order = DomainCaps(BreadthFirst(), limit=2)
    order.score(waiting(A, depth=0, hosts=[7]))
    order.learn(crawled({A: []}))
    before = order.score(waiting(B, C, D, hosts=[7, 7, 8])).tolist()
    assert before == [1.5, 1.5, 1.5]
    assert scores_of(order.revised()) == {}
    order.learn(crawled({B: []}))
    assert scores_of(order.revised()) == {C: -0.5}
    assert order.score(waiting(E, hosts=[7])).tolist() == [-0.5]


def test_location() -> None:
    order = Location(slashes=1.0, suffixes=(".edu",), words=("home",))
    urls = ["http://a.edu:80/", "http://a.com/x/HOME.html", "http://edu.com/a/b/c/"]
    assert order.score(waiting(A, B, C, urls=urls)).tolist() == [0.0, -1.0, -4.0]


def test_similarity_weighs_rare_words_more() -> None:
    order = Similarity(("tide", "regatta"))
    order.score(waiting(A, depth=0, urls=["http://h.test/"]))
    links = {A: [B, C, D]}
    anchors = {(A, B): "the tide", (A, C): "Regatta!"}
    order.learn(crawled(links, anchors=anchors, texts={A: "tide tide tide regatta"}))
    urls = ["http://h.test/b", "http://h.test/c", "http://h.test/low_tide"]
    scores = order.score(waiting(B, C, D, urls=urls))
    # "tide" stands 3 times in the collection, "regatta" once: idfs 1/4 and 1/2, scaled 1/3 and 2/3.
    assert scores == pytest.approx([1 / 9, 4 / 9, 1 / 9])
    order.learn(crawled({B: [D]}, anchors={(B, D): "tide table"}))
    assert scores_of(order.revised()) == {D: pytest.approx(2 / 9)}
    assert order.worth(keys(A, D)) == pytest.approx([3 / 9 + 4 / 9, 0.0])


def test_two_queues_by_anchor_and_url() -> None:
    order = TwoQueues(BreadthFirst(), ("tide",), reach=0)
    order.score(waiting(A, depth=0))
    order.learn(crawled({A: [B, C, D]}, anchors={(A, B): "Tide"}, titles={A: "tide"}))
    urls = ["http://h.test/b", "http://h.test/tide.html", "http://h.test/d"]
    scores = order.score(waiting(B, C, D, urls=urls)).tolist()
    assert scores == [1.5, 1.5, -0.5]


def test_two_queues_by_distance_to_a_hot_page() -> None:
    order = TwoQueues(BreadthFirst(), ("tide",), reach=2, often=2)
    order.score(waiting(A, depth=0))
    order.learn(crawled({A: [B]}, texts={A: "tide and tide"}))  # hot
    assert order.score(waiting(B)).tolist() == [1.5]
    order.learn(crawled({B: [C]}))
    assert order.score(waiting(C)).tolist() == [1.5]
    order.learn(crawled({C: [D]}, texts={C: "one tide"}))  # not hot
    assert order.score(waiting(D)).tolist() == [-0.5]
    order.learn(crawled({E: [D]}, titles={E: "Tide"}))
    assert scores_of(order.revised()) == {D: 1.5}


def test_two_queues_keep_the_order_within() -> None:
    order = TwoQueues(Backlinks(), ("tide",))
    order.score(waiting(A, depth=0))
    order.learn(crawled({A: [B, C], 90: [C]}))
    low, high = order.score(waiting(B, C)).tolist()
    assert (low, high) == (0.5, pytest.approx(2 / 3))
    order.learn(crawled({91: [B], 92: [B]}))
    assert scores_of(order.revised()) == {B: 0.75}


def test_a_topic_needs_words() -> None:
    with pytest.raises(SettingsError, match="two-queues:words="):
        TwoQueues(BreadthFirst(), ())
    with pytest.raises(SettingsError, match="similarity:words="):
        Similarity(())


def test_a_combination_adds_up() -> None:
    order = Combination([(2.0, Backlinks()), (-1.0, BreadthFirst())])
    assert order.needs == Needs.LINKS
    order.score(waiting(A, depth=0))
    order.learn(crawled({A: [B]}))
    assert order.score(waiting(B, depth=3)).tolist() == [2.0 * 1 + 3.0]
    order.learn(crawled({C: [B]}))
    assert scores_of(order.revised()) == {B: 2.0 * 2 + 3.0}
    assert order.worth(keys(B)).tolist() == [4.0]


def _url(text: str) -> Url:
    url = parse(text)
    assert url is not None
    return url


def test_a_plain_function_is_a_policy() -> None:
    order = Function(lambda candidate: 1.0 if "/news/" in candidate.url.path else 0.5)
    pages = [Candidate(_url("http://a.test/news/1")), Candidate(_url("http://a.test/2"))]
    scores = order.score(gather_waiting(pages, order.needs))
    assert make_levels(order.scale, 16).place(scores).tolist() == [0, 8]


def test_records_become_batches() -> None:
    source, target = _url("http://a.test/"), _url("http://www.b.test/x")
    page = Page(Visit(source), Outcome.FETCHED, 0.0, status=200)
    link = Link(source.text, target, anchor="B")
    document = Document(page, title="A", text_utf8=b"Words", links=(link,))
    batch = gather_crawled([(document, document.links)], ~Needs.NOTHING)
    assert batch.pages.tolist() == [source.key]
    assert batch.targets.tolist() == [target.key]
    assert batch.target_hosts.tolist() == [name_key("www.b.test")]
    assert (batch.urls, batch.anchors) == ([target.text], ["B"])
    assert (batch.titles, batch.texts) == (["A"], ["Words"])
    lean = gather_crawled([(document, document.links)], Needs.LINKS)
    assert not len(lean.hosts)
    assert not lean.urls
    assert not lean.texts
    waits = gather_waiting([Candidate(target, 2, anchor="B")], Needs.SITES | Needs.WORDS)
    assert waits.domains.tolist() == [name_key("b.test")]
    assert (waits.urls, waits.anchors) == ([target.text], ["B"])
