"""Evidence from the visits to a page: eight bytes, renewed at each visit.

The rate of a page is drawn from a gamma distribution, the prior (shape a₀, days b₀: the mean is a₀/b₀). What
visits add to it is kept beside it, so that the prior may go on learning: the rate is gamma distributed with
a₀ + events and b₀ + days.

    unchanged in t days          days + t                    exact
    last change d days ago       events + 1, days + d        exact
    n changes in t days          events + n, days + t        exact
    changed in t days            the gamma with the same mean and variance as what is known then

In the last case what is known is the difference of two gamma distributions, (a, b) and (a, b + t), whose
moments are known; to take the nearest member of a family after each observation is assumed density filtering.
Old visits fade with a half-life, since rates drift: the page goes back to what is thought of its group. Where
visits are rare, the last ten or so count, however old they are.
"""

import math
from typing import Final

import numpy as np
import numpy.typing as npt

from gossamer.core.kernel import inner_kernel
from gossamer.policy.revisit.sightings import Sight

Evidence = npt.NDArray[np.float32]
"""A row for each page, with these two columns."""
EVENTS: Final = 0
"""Changes, as far as they tell something of the rate."""
DAYS: Final = 1
"""Days, as far as they tell something of the rate."""
EVIDENCE_COLUMNS: Final = 2

_KEPT = 0.9
"""No visit makes what was known fade more than this: the last ten or so always count."""

_UNCHANGED, _DATED, _COUNTED = int(Sight.UNCHANGED), int(Sight.DATED), int(Sight.COUNTED)


def no_evidence(pages: int) -> Evidence:
    """Pages that were visited once at most: nothing is known of their changes."""
    return np.zeros((pages, EVIDENCE_COLUMNS), np.float32)


@inner_kernel
def add_sight(
    evidence: Evidence,
    page: int,
    shape: float,
    days: float,
    interval: float,
    kind: int,
    detail: float,
    half_life: float,
) -> None:
    """A page was visited again: `shape` and `days` are its prior."""
    kept = max(2 ** (-interval / half_life), _KEPT)
    events, known = evidence[page, EVENTS] * kept, evidence[page, DAYS] * kept
    if kind == _UNCHANGED:
        known += interval
    elif kind == _DATED:
        events, known = events + 1, known + detail
    elif kind == _COUNTED:
        events, known = events + detail, known + interval
    else:
        a, b = match_change(shape + events, days + known, interval)
        events, known = max(a - shape, 0.0), max(b - days, 0.0)
    evidence[page, EVENTS], evidence[page, DAYS] = events, known


@inner_kernel
def match_change(a: float, b: float, interval: float) -> tuple[float, float]:
    """The gamma for a rate that was Gamma(a, b), when at least one change is seen in the interval.

    With E(x) = 1 − (b/(b + t))^x, its mean is a/b · E(a + 1)/E(a), its second moment
    a(a + 1)/b² · E(a + 2)/E(a).
    """
    if interval <= 0:
        return a + 1, b
    log = math.log1p(interval / b)
    none = -math.expm1(-a * log)
    mean = a / b * -math.expm1(-(a + 1) * log) / none
    square = a * (a + 1) / (b * b) * -math.expm1(-(a + 2) * log) / none
    narrow = mean / (square - mean * mean)
    return mean * narrow, narrow
