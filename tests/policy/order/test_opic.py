from pathlib import Path

import numpy as np
import pytest

from gossamer.policy.order import Policy
from gossamer.policy.order.drum_opic import DrumOpic
from gossamer.policy.order.opic import Opic
from tests.policy.order.feeding import crawled, feed, keys, random_links, scores_of, waiting

A, B, C = 1, 2, 3


@pytest.fixture(params=["memory", "disk"])
def order(request: pytest.FixtureRequest, tmp_path: Path) -> Policy:
    return Opic() if request.param == "memory" else DrumOpic(tmp_path, grain=0.0)


def test_cash_flows(order: Policy) -> None:
    assert order.score(waiting(A, depth=0)).tolist() == [1.0]
    order.learn(crawled({A: [B, C]}))
    # B and C get 0.45 each. The bank has paid 0.1 to A, so they join with that much less.
    assert order.score(waiting(B, C)) == pytest.approx([0.35, 0.35])
    order.revised()
    order.learn(crawled({B: [C]}))
    # B had 0.45, its dividend of 0.1 included: C gets 0.405, the bank 0.045.
    assert scores_of(order.revised()) == {C: pytest.approx(0.755)}


def test_a_page_without_links_gives_all_to_the_bank() -> None:
    order = Opic()
    order.score(waiting(A, depth=0))
    order.learn(crawled({A: []}))
    assert order.score(waiting(B)).tolist() == [-1.0]
    assert order.worth(keys(A, B)).tolist() == [2.0, 0.0]  # A had 1, and got a dividend of 1


def test_no_cash_is_lost() -> None:
    order = Opic()
    links = random_links(200)
    for _ in feed(order, links):
        pass
    assert order.cash() == pytest.approx(1.0)


def test_without_damping_nothing_goes_to_the_bank() -> None:
    order = Opic(damping=1.0)
    order.score(waiting(A, depth=0))
    order.learn(crawled({A: [B, C]}))
    assert order.score(waiting(B, C)).tolist() == [0.5, 0.5]


def test_memory_and_disk_agree_page_by_page(tmp_path: Path) -> None:
    links = random_links(120)
    in_memory = feed(Opic(), links, batch=1)
    on_disk = feed(DrumOpic(tmp_path, grain=0.0), links, batch=1)
    for (scores, revised), (others, changed) in zip(in_memory, on_disk, strict=True):
        assert scores == pytest.approx(others)
        assert set(revised) == set(changed)
        assert revised == pytest.approx(changed)


def test_with_little_memory_the_same_comes_out_after_merges(tmp_path: Path) -> None:
    """Accounts beyond what fits into memory: cash arrives with the merges, and none is lost."""
    pages = 60_000
    order = DrumOpic(tmp_path, memory=1 << 20, grain=0.0)
    order.score(waiting(A, depth=0))
    told: dict[int, float] = {}
    targets = list(range(10, 10 + pages))
    order.learn(crawled({A: targets}))
    order.score(waiting(*targets))
    told |= scores_of(order.revised())
    order.merge()
    told |= scores_of(order.revised())
    assert order.disk_bytes > 0
    order.learn(crawled({10: [12], 11: [12]}))
    for _ in range(3):
        order.merge()
        told |= scores_of(order.revised())
    share = 0.9 / pages
    # Pages joined when the bank had paid 0.1 to A: each owns just its share.
    assert told[12] + 0.1 == pytest.approx(share + 2 * 0.9 * share, rel=1e-3)


def test_disk_goes_back_to_a_checkpoint(tmp_path: Path) -> None:
    order = DrumOpic(tmp_path, grain=0.0)
    order.score(waiting(A, depth=0))
    order.learn(crawled({A: [B, C]}))
    order.score(waiting(B, C))
    order.revised()
    state = order.dump()
    order.checkpoint_published()
    order.learn(crawled({C: [B]}))  # is lost
    order.close()
    again = DrumOpic(tmp_path, grain=0.0)
    again.load(state)
    again.learn(crawled({B: [C]}))
    assert scores_of(again.revised()) == {C: pytest.approx(0.755)}


def test_a_grain_hides_small_gains(tmp_path: Path) -> None:
    order = DrumOpic(tmp_path, grain=1.0)
    order.score(waiting(A, depth=0))
    order.learn(crawled({A: [B, C]}))
    order.score(waiting(B, C))
    order.revised()
    order.learn(crawled({B: [C, *range(100, 200)]}))
    assert C not in scores_of(order.revised())


def test_the_estimate_has_a_sum_of_one() -> None:
    order = Opic()
    for _ in feed(order, random_links(50)):
        pass
    assert np.isclose(order.importance()[1].sum(), 1.0)
