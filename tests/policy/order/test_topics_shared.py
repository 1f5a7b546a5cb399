"""Orders by the words of a topic, in several partitions: together they know what one would know."""

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from msgspec.structs import replace

from gossamer.policy.order import Crawled, Policy, Waiting
from gossamer.policy.order.backlinks import Backlinks
from gossamer.policy.order.order_protocol import can_travel
from gossamer.policy.order.random_order import Random
from gossamer.policy.order.similarity import Similarity
from gossamer.policy.order.two_queues import TwoQueues
from tests.policy.order.feeding import Links, keys, random_links
from tests.policy.order.sharing import Shared, _score, worth
from tests.present import as_a

WORDS = ("tide", "sea", "harbour")
SEEDS = range(4)


def said(*about: int) -> str:
    """A few words, by lot, some of which are of the topic."""
    chance = np.random.default_rng(about)
    return " ".join(chance.choice([*WORDS, "tea", "of", "and", "the", "more", "less"], 4).tolist())


class Worded(Shared):
    """A web whose links and pages have texts."""

    def wait(self) -> None:
        for number, part in enumerate(self.parts):
            pages = self.pages_of(number)
            depths = np.array([int(page != 0) for page in pages])
            urls = [f"http://a.test/{page}/{said(page, 7, 7).split()[0]}" for page in pages]
            part.do("score", partial(_score, waiting=Waiting(keys(*pages), depths, urls=urls)))

    def _crawled(self, page: int, number: int) -> Crawled:
        targets = self._links[page]
        return replace(
            super()._crawled(page, number),
            urls=[f"http://a.test/{target}" for target in targets],
            anchors=[said(page, target) for target in targets],
            titles=[said(page)],
            texts=[said(page, 1)],
        )


def run(makes: list[Callable[[], Policy]], links: Links, seed: int, crashes: float) -> Worded:
    shared = Worded(makes, links, seed, crashes=crashes)
    shared.run()
    shared.settle()
    return shared


def hints(shared: Worded) -> dict[int, list[float]]:
    found: dict[int, list[float]] = {}
    for number, part in enumerate(shared.parts):
        policy = as_a(Similarity, part.policy)
        pages = shared.pages_of(number)
        for page, place in zip(pages, policy._pages.find(keys(*pages)).tolist(), strict=True):
            found[page] = policy._row(policy._hints, place).tolist()
    return found


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("partitions", [2, 3])
def test_words_of_anchors_are_counted_exactly_whatever_dies(seed: int, partitions: int) -> None:
    links, make = random_links(150, seed), partial(Similarity, WORDS)
    alone = run([make], links, seed, crashes=0.0)
    shared = run([make] * partitions, links, seed, crashes=0.2)
    assert hints(shared) == hints(alone)
    collections = [as_a(Similarity, part.policy)._collection.tolist() for part in shared.parts]
    assert (
        collections == [as_a(Similarity, alone.parts[0].policy)._collection.tolist()] * partitions
    )
    assert worth(shared) == pytest.approx(worth(alone))


def test_a_waiting_page_rises_by_links_from_elsewhere() -> None:
    order = Similarity(WORDS)
    order.join(0, 2)
    order.score(Waiting(keys(1, 2), np.array([1, 1]), urls=["http://a.test/", "http://b.test/"]))
    other = Similarity(WORDS)
    other.join(1, 2)
    anchors, owners = ["the sea", "tea"], np.array([0, 0])
    other.learn(
        Crawled(
            keys(9),
            np.array([0, 2]),
            keys(1, 2),
            urls=["", ""],
            anchors=anchors,
            titles=[""],
            texts=["the tide"],
            owners=owners,
        )
    )
    for update in other.rank_updates():
        order.receive(replace(update, partition=1))
    revised = order.revised()
    assert revised.keys.tolist() == [1]
    assert not other.has_rank_updates
    assert order._collection.tolist() == [1.0, 0.0, 0.0]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("partitions", [2, 3])
def test_distances_and_names_arrive_whatever_dies(seed: int, partitions: int) -> None:
    """Distances depend on the order in which pages come; what one partition learned, the owner knows."""
    links = random_links(150, seed)

    def new() -> TwoQueues:
        return TwoQueues(Backlinks(), WORDS[:1], often=100)

    alone = run([new], links, seed, crashes=0.0)
    shared = run([new] * partitions, links, seed, crashes=0.2)
    assert names(shared) == names(alone)
    for number, part in enumerate(shared.parts):
        policy = as_a(TwoQueues, part.policy)
        for other, its in enumerate(shared.parts):
            if other != number:
                owner = as_a(TwoQueues, its.policy)
                pages = keys(*shared.pages_of(other))
                here, there = policy._pages.find(pages), owner._pages.find(pages)
                known = here >= 0
                assert (owner._distance[there[known]] <= policy._distance[here[known]]).all()


def names(shared: Worded) -> dict[int, bool]:
    found: dict[int, bool] = {}
    for number, part in enumerate(shared.parts):
        policy, pages = as_a(TwoQueues, part.policy), shared.pages_of(number)
        places = policy._pages.find(keys(*pages))
        found |= dict(zip(pages, policy._is_named[places].tolist(), strict=True))
    return found


def test_a_page_within_reach_of_a_hot_one_elsewhere_is_hot() -> None:
    one, other = (TwoQueues(Random(1), WORDS, reach=1) for _ in range(2))
    one.join(0, 2)
    other.join(1, 2)
    other.score(Waiting(keys(2), np.array([1]), urls=["http://b.test/"]))
    one.learn(
        Crawled(
            keys(1),
            np.array([0, 1]),
            keys(2),
            urls=["http://b.test/"],
            anchors=["more"],
            titles=["The sea"],
            texts=[""],
            owners=np.array([1]),
        )
    )
    [update] = one.rank_updates()
    before = other.revised()
    other.receive(replace(update, partition=0))
    revised = other.revised()
    assert not len(before.keys)
    assert revised.keys.tolist() == [2]
    assert not one.has_rank_updates
    one.learn(
        Crawled(
            keys(3),
            np.array([0, 1]),
            keys(2),
            urls=["http://b.test/"],
            anchors=["more"],
            titles=["The sea"],
            texts=[""],
            owners=np.array([1]),
        )
    )
    assert one.rank_updates() == [], "nothing is better than before"


def test_they_travel_if_what_is_within_them_does() -> None:
    assert can_travel(Similarity(WORDS))
    assert can_travel(TwoQueues(Backlinks(), WORDS))


def test_one_partition_sends_nothing() -> None:
    order = Similarity(WORDS)
    order.learn(
        Crawled(
            keys(1),
            np.array([0, 1]),
            keys(2),
            urls=[""],
            anchors=["sea"],
            titles=["sea"],
            texts=[""],
        )
    )
    assert not order.has_rank_updates
    assert order.rank_updates() == []
