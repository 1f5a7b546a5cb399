"""Which points stay: all of the last ten minutes, one a minute of the last day, and some of all before."""

import numpy as np
import numpy.typing as npt

_FINE = 1.0
_FINE_FOR = 600.0
"""Seconds of the past with a point for each second."""
_COARSE = 60.0
_COARSE_FOR = 86_400.0
"""Seconds of the past with a point for each minute."""
_MOST_OLD = 1_000
"""Points of all time; the seconds between them are doubled when there are more."""

MOST = int(_FINE_FOR / _FINE + _COARSE_FOR / _COARSE) + _MOST_OLD + 6
"""No more points than this stay, whatever there was."""


def which_stay(times: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Which points of a row of growing times stay: the last one of each step.

    >>> times = np.arange(0.0, 3 * 3600.0)
    >>> int(which_stay(times).sum())
    771
    """
    if not len(times):
        return np.zeros(0, bool)
    age = times[-1] - times
    stay = _is_last_in_step(times, _FINE) & (age < _FINE_FOR)
    stay |= _is_last_in_step(times, _COARSE) & (age < _COARSE_FOR)
    stay |= _is_last_in_step(times, _old_step(float(age[0])))
    stay[0] = True
    return np.asarray(stay, bool)


def _old_step(span: float) -> float:
    """Minutes, doubled until few enough points are left."""
    step = _COARSE
    while span / step > _MOST_OLD:
        step *= 2
    return step


def _is_last_in_step(times: npt.NDArray[np.float64], step: float) -> npt.NDArray[np.bool_]:
    number = np.floor(times / step)
    return np.append(number[1:] != number[:-1], True)
