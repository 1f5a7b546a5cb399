"""Orders that learn from links, in several partitions: what they know together is what one would know."""

from pathlib import Path

import numpy as np
import pytest

from gossamer.core.disk.drum import Drum
from gossamer.policy.order import Crawled, Policy, Waiting
from gossamer.policy.order.backlinks import Backlinks
from gossamer.policy.order.combination import Combination
from gossamer.policy.order.domain_caps import DomainCaps
from gossamer.policy.order.drum_backlink import DrumBacklinks
from gossamer.policy.order.drum_opic import DrumOpic
from gossamer.policy.order.opic import Opic
from gossamer.policy.order.pagerank import PageRank
from gossamer.policy.order.policy_batches import HERE
from gossamer.policy.order.random_surfer import rank_pages
from tests.policy.order.feeding import Links, keys, random_links
from tests.policy.order.sharing import Shared, cash_on_disk, read_column, worth
from tests.present import as_a

SEEDS = range(4)


def backlinks(links: Links) -> dict[int, float]:
    counts = dict.fromkeys(links, 0.0)
    for page, targets in links.items():
        for target in {*targets} - {page}:
            counts[target] += 1.0
    return counts


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("partitions", [2, 3])
def test_backlinks_are_counted_exactly_whatever_dies(seed: int, partitions: int) -> None:
    links = random_links(150, seed)
    shared = Shared([Backlinks] * partitions, links, seed, crashes=0.2)
    shared.run()
    shared.settle()
    assert worth(shared) == backlinks(links)


@pytest.fixture(params=[False, True])
def may_be_late(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Accounts on disk are beyond what fits into memory from the start, so that answers come with merges."""
    if request.param:
        monkeypatch.setattr(Drum, "_has_outgrown", lambda *_: True)


@pytest.mark.usefixtures("may_be_late")
@pytest.mark.parametrize("seed", SEEDS)
def test_backlinks_on_disk_are_counted_exactly(tmp_path: Path, seed: int) -> None:
    links = random_links(150, seed)
    makes = [lambda n=n: DrumBacklinks(tmp_path / str(n)) for n in range(2)]
    shared = Shared(makes, links, seed, crashes=0.2)
    shared.run()
    shared.settle()
    counts: dict[int, float] = {}
    for number, part in enumerate(shared.parts):
        found = read_column(as_a(DrumBacklinks, part.policy), shared.pages_of(number), "count")
        counts.update(found)
    assert counts == backlinks(links)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("partitions", [2, 3])
def test_no_cash_is_lost_or_made_whatever_dies(seed: int, partitions: int) -> None:
    shared = Shared([Opic] * partitions, random_links(200, seed), seed, crashes=0.2)
    shared.run()
    assert total(shared) + shared.in_rank_updates() == pytest.approx(1.0, abs=1e-9)
    shared.settle()
    assert total(shared) == pytest.approx(1.0, abs=1e-9)


def total(shared: Shared) -> float:
    return sum(as_a(Opic, part.policy).cash() for part in shared.parts)


@pytest.mark.usefixtures("may_be_late")
@pytest.mark.parametrize("seed", SEEDS)
def test_no_cash_is_lost_or_made_on_disk(tmp_path: Path, seed: int) -> None:
    makes = [lambda n=n: DrumOpic(tmp_path / str(n)) for n in range(2)]
    shared = Shared(makes, random_links(200, seed), seed, crashes=0.2)
    shared.run()
    shared.settle()
    cash = 0.0
    for number, part in enumerate(shared.parts):
        cash += cash_on_disk(as_a(DrumOpic, part.policy), shared.pages_of(number))
    assert cash == pytest.approx(1.0, abs=1e-9)


def test_the_bank_pays_everybody_alike() -> None:
    """A page without links gives all it has to the bank: pages elsewhere have a right to it, too."""
    links: dict[int, list[int]] = {page: [] for page in range(100)}
    shared = Shared([Opic] * 2, links, seed=1)
    shared.wait()
    shared.settle()  # they know of each other's pages
    shared.fetch(0)
    shared.settle()
    found = worth(shared)
    assert found.pop(0) == pytest.approx(1.01)
    assert [*found.values()] == pytest.approx([0.01] * 99)


def exact(links: Links, damping: float = 0.9) -> dict[int, float]:
    """PageRank of the whole web."""
    rows = {page: [*{*targets} - {page}] for page, targets in links.items()}
    sources = np.array([*rows], np.int32)
    offsets = np.cumsum([0, *map(len, rows.values())])
    targets = np.array([target for row in rows.values() for target in row], np.int32)
    ranks, _ = rank_pages(
        sources, offsets, targets, np.ones(len(rows)), damping, tolerance=1e-12, most_steps=1000
    )
    return dict(zip(rows, ranks.tolist(), strict=True))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("partitions", [2, 3])
def test_ranks_are_those_of_the_whole_web(seed: int, partitions: int) -> None:
    links = random_links(300, seed)
    makes = [lambda: PageRank(tolerance=1e-9)] * partitions
    shared = Shared(makes, links, seed, crashes=0.2)
    shared.run()
    settle_ranks(shared, rounds=150)
    assert relative(worth(shared)) == pytest.approx(relative(exact(links)), rel=1e-5)


def settle_ranks(shared: Shared, rounds: int) -> None:
    for _ in range(rounds):
        for part in shared.parts:
            as_a(PageRank, part.policy).compute()
        shared.settle()


def relative(ranks: dict[int, float]) -> dict[int, float]:
    mean = sum(ranks.values()) / len(ranks)
    return {page: rank / mean for page, rank in sorted(ranks.items())}


@pytest.mark.parametrize("seed", SEEDS)
def test_ranks_by_default_are_near_those_of_the_whole_web(seed: int) -> None:
    """Without a computation in the end, as a crawl leaves them."""
    links = random_links(1000, seed)
    shared = Shared([PageRank] * 2, links, seed)
    shared.run()
    shared.settle()
    found, expected = relative(worth(shared)), relative(exact(links))
    assert np.corrcoef([*found.values()], [*expected.values()])[0, 1] > 0.99
    assert all(as_a(PageRank, part.policy).computed < 60 for part in shared.parts)


def test_ranks_that_jump_to_seeds_have_one_scale() -> None:
    links = {0: [1, 2], 1: [2], 2: [3], 3: [0], **{page: [] for page in range(4, 40)}}
    shared = Shared([lambda: PageRank(jump="seeds", tolerance=1e-12)] * 2, links, seed=1)
    shared.run()
    settle_ranks(shared, rounds=100)
    found = worth(shared)
    a = 1 / (1 - 0.9 * 0.7695)  # what it gives comes back to the seed by 3
    assert [found[page] for page in range(4)] == pytest.approx(
        [a, 0.45 * a, 0.855 * a, 0.7695 * a], rel=1e-6
    )
    assert {found[page] for page in range(4, 40)} == {0.0}


def test_parts_of_a_combination_get_what_is_theirs() -> None:
    links = random_links(100)
    make = lambda: Combination([(1.0, Backlinks()), (0.0, Opic())])  # noqa: E731
    shared = Shared([make] * 2, links, seed=3, crashes=0.2)
    shared.run()
    shared.settle()
    assert worth(shared) == backlinks(links)
    opics = [as_a(Combination, part.policy)._parts[1] for part in shared.parts]
    assert sum(as_a(Opic, one).cash() for one in opics) == pytest.approx(1.0)


def test_an_order_within_another_travels() -> None:
    caps = DomainCaps(Backlinks())
    caps.join(0, 2)
    caps.learn(Crawled(keys(1), np.array([0, 1]), keys(2), hosts=keys(0), owners=np.array([1])))
    [rank_update] = caps.rank_updates()
    assert (rank_update.partition, rank_update.keys.tolist(), rank_update.amounts.tolist()) == (
        1,
        [2],
        [1.0],
    )
    assert not caps.has_rank_updates


def test_links_within_a_host_are_left_out_with_their_owners() -> None:
    order = PageRank(external=True)
    order.join(0, 3)
    order.score(Waiting(keys(1), np.array([0])))
    hosts, owners = keys(7, 8, 9), np.array([HERE, 2, 1])
    order.learn(Crawled(keys(1), np.array([0, 3]), keys(2, 3, 4), keys(7), hosts, owners=owners))
    found = {rank_update.partition: rank_update for rank_update in order.rank_updates()}
    assert {one: rank_update.keys.tolist() for one, rank_update in found.items()} == {
        1: [4],
        2: [3],
    }
    assert found[1].amounts.tolist() == [0.45]


def test_one_partition_sends_nothing() -> None:
    order: Policy = Backlinks()
    order.score(Waiting(keys(1), np.array([0])))
    order.learn(Crawled(keys(1), np.array([0, 1]), keys(2)))
    assert not order.has_rank_updates
    assert order.rank_updates() == []
