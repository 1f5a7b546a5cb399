"""Which old pages show what is new."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.policy.revisit import Hubs, choose_hubs, watch_hubs

PAIRS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 12)), min_size=1, max_size=40)


def test_a_page_that_adds_nothing_is_not_chosen() -> None:
    hubs = choose_hubs([1, 1, 2, 2, 3], [10, 11, 10, 11, 12], cover=1.0)
    assert hubs.pages.tolist() == [1, 3]
    assert hubs.gains.tolist() == [2, 1]
    assert hubs.covered == 1.0


def test_a_cheap_page_goes_before_a_dear_one() -> None:
    old, new = [1, 1, 1, 2, 2], [10, 11, 12, 10, 11]
    assert choose_hubs(old, new, cover=0.6).pages.tolist() == [1]
    hubs = choose_hubs(old, new, [5.0, 5.0, 5.0, 1.0, 1.0], cover=0.6)
    assert hubs.pages.tolist() == [2]
    assert hubs.costs.tolist() == [1.0]


def test_the_choice_ends() -> None:
    old, new = np.arange(10), np.arange(10)
    assert len(choose_hubs(old, new, cover=0.45).pages) == 5
    assert len(choose_hubs(old, new, most=3).pages) == 3
    assert len(choose_hubs(old, new, least=2).pages) == 0


def test_nothing_new() -> None:
    hubs = choose_hubs([], [])
    assert len(hubs.pages) == 0
    assert hubs.covered == 1.0
    assert len(watch_hubs(hubs, 7.0, 100.0)) == 0


@given(PAIRS)
def test_every_gain_is_the_best_there_is(pairs: list[tuple[int, int]]) -> None:
    """As a plain greedy search finds it, which counts again each time."""
    left = {old: {new for other, new in pairs if other == old} for old, _ in pairs}
    old, new = zip(*pairs, strict=True)
    hubs = choose_hubs(old, new, cover=1.0)
    for page, gain in zip(hubs.pages.tolist(), hubs.gains.tolist(), strict=True):
        assert gain == len(left[page]) == max(map(len, left.values()))
        taken = left[page].copy()
        left = {one: rest - taken for one, rest in left.items()}
    assert not any(left.values())


@given(PAIRS)
def test_greedy_is_not_far_from_the_smallest_cover(pairs: list[tuple[int, int]]) -> None:
    links = {old: {new for other, new in pairs if other == old} for old, _ in pairs}
    wanted = set().union(*links.values())
    smallest = next(
        size
        for size in itertools.count(1)
        for some in itertools.combinations(links, size)
        if set().union(*(links[one] for one in some)) == wanted
    )
    found = choose_hubs(*zip(*pairs, strict=True), cover=1.0)
    assert len(found.pages) <= smallest * (1 + np.log(len(wanted)))


def test_hubs_share_by_the_square_root() -> None:
    hubs = Hubs(np.array((1, 2)), np.array((90, 10)), np.array((1.0, 1.0)), 0.9)
    visits = watch_hubs(hubs, days=10.0, budget=40.0)
    assert visits.tolist() == pytest.approx([3.0, 1.0])
    few = watch_hubs(hubs, days=10.0, budget=1e6, overhead=0.5)
    assert few.sum() == pytest.approx(5.0)  # half a visit for each of ten new pages a day
