import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gossamer.policy.order import Adaptive, Climb, Fixed, Steps, make_levels


def test_breadth_first_has_a_level_for_each_depth() -> None:
    depths = -np.arange(20.0)
    assert make_levels(Steps(), 16).place(depths).tolist() == [*range(16), 15, 15, 15, 15]


def test_depth_first_has_them_the_other_way_round() -> None:
    assert make_levels(Climb(), 4).place(np.arange(6.0)).tolist() == [3, 2, 1, 0, 0, 0]


def test_a_fixed_scale_is_cut_into_equal_parts() -> None:
    levels = make_levels(Fixed(best=1.0, worst=0.0), 10)
    assert levels.place(np.array([1.0, 0.9, 0.55, 0.1, 0.0, 7.0, -7.0])).tolist() == [
        0, 1, 4, 9, 9, 0, 9,
    ]  # fmt: skip


def test_adaptive_levels_hold_the_shares_they_promise() -> None:
    levels = make_levels(Adaptive(power=2.0), 4)
    random = np.random.default_rng(1)
    levels.place(random.pareto(1.0, 8192))
    counts = np.bincount(levels.place(random.pareto(1.0, 8192)), minlength=4) / 8192
    assert np.abs(counts - np.array([1, 3, 5, 7]) / 16).max() < 0.02


def test_equal_scores_leave_room_for_better_and_worse_ones() -> None:
    levels = make_levels(Adaptive(), 16)
    middle = int(levels.place(np.ones(100))[0])
    better, worse = levels.place(np.array([2.0, 0.5])).tolist()
    assert better < middle < worse


def test_adaptive_levels_follow_scores_that_grow() -> None:
    levels = make_levels(Adaptive(), 8)
    levels.place(np.arange(8192.0))
    for step in range(1, 9):
        placed = levels.place(np.arange(8192.0) + 8192 * step)
    assert set(placed.tolist()) == set(range(8))


@given(st.lists(st.lists(st.floats(-1e9, 1e9)), max_size=5), st.lists(st.floats(-1e9, 1e9)))
def test_a_better_score_is_never_on_a_worse_level(
    before: list[list[float]], scores: list[float]
) -> None:
    for scale in (Adaptive(), Steps(), Climb(), Fixed()):
        levels = make_levels(scale, 7)
        for batch in before:
            levels.place(np.array(batch))
        placed = levels.place(np.array(sorted(scores))).tolist()
        assert placed == sorted(placed, reverse=True)
        assert all(0 <= level < 7 for level in placed)


@given(st.lists(st.floats(0, 100), min_size=1), st.lists(st.floats(0, 100), min_size=1))
def test_levels_that_were_loaded_go_on_as_before(first: list[float], then: list[float]) -> None:
    levels, again = make_levels(Adaptive(), 16), make_levels(Adaptive(), 16)
    levels.place(np.array(first))
    again.load(levels.dump())
    assert (levels.place(np.array(then)) == again.place(np.array(then))).all()
