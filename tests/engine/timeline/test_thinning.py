"""Which points of a timeline stay."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gossamer.engine.timeline.thinning import MOST, which_stay

DAY = 86_400.0


def times_of(days: float, step: float = 1.0) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    return 1.8e9 + np.arange(0.0, days * DAY, step)


def test_the_last_ten_minutes_stay_by_the_second() -> None:
    times = times_of(2)
    kept = times[which_stay(times)]
    assert (np.diff(kept[-600:]) == 1).all()


def test_the_last_day_stays_by_the_minute() -> None:
    times = times_of(3)
    kept = times[which_stay(times)]
    of_the_day = kept[kept > times[-1] - DAY]
    assert np.diff(of_the_day).max() <= 60


def test_the_first_and_the_last_stay() -> None:
    times = times_of(5, 7.0)
    kept = times[which_stay(times)]
    assert kept[0] == times[0]
    assert kept[-1] == times[-1]


def test_a_year_has_no_more_points_than_a_month() -> None:
    for days in (30, 365):
        assert which_stay(times_of(days, 30.0)).sum() <= MOST


def test_old_points_lie_evenly() -> None:
    times = times_of(300, 60.0)
    kept = times[which_stay(times)]
    old = np.diff(kept[kept < times[-1] - DAY])[1:]
    assert old.max() == old.min()


@given(st.lists(st.floats(0, 1e9), max_size=200).map(sorted))
def test_what_stayed_stays_and_is_never_too_much(times: list[float]) -> None:
    some = np.array(times, np.float64)
    stay = which_stay(some)
    again = which_stay(some[stay])
    assert stay.sum() <= MOST
    assert again.all()
    assert not len(some) or (stay[0] and stay[-1])
