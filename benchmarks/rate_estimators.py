"""Rates of change from whole histories: for studies, and to measure the online form against.

Sources: Cho and Garcia-Molina, Estimating frequency of change, TOIT 2003, for `naive`, `unbiased`,
`likelihood` and `dated`; `bayesian` is Bayes' rule with a gamma prior, in numbers; `counted` is the Poisson
process itself. All give changes per day, one for each page.
"""

import math

import numpy as np

from gossamer.base.kernel import inner_kernel, kernel
from gossamer.policy.revisit.population import Floats
from gossamer.policy.revisit.sightings import Kinds, Places, Sight, Sightings

_UNCHANGED, _DATED, _COUNTED = int(Sight.UNCHANGED), int(Sight.DATED), int(Sight.COUNTED)


def naive(seen: Sightings) -> Floats:
    """Changes seen by the time: X/T. Two changes between visits count as one, so it is too low.

    >>> from gossamer.policy.revisit.sightings import sight
    >>> naive(sight([[1.0, 1.0, 2.0]], [[0, 1, 0]])).tolist()
    [0.25]
    """
    return _sum(seen, seen.kinds > 0) / _sum(seen, seen.intervals)


def unbiased(seen: Sightings) -> Floats:
    """−log((n − X + ½)/(n + ½)) by the mean interval: of X changes in n even visits, with little bias."""
    visits = np.diff(seen.starts)
    changes = _sum(seen, seen.kinds > 0)
    mean: Floats = _sum(seen, seen.intervals) / visits
    found: Floats = -np.log((visits - changes + 0.5) / (visits + 0.5)) / mean
    return found


def likelihood(seen: Sightings, most: float = math.inf) -> Floats:
    """The rate that makes what was seen likeliest, at any intervals; `most` where all were changes.

    >>> from gossamer.policy.revisit.sightings import sight
    >>> likelihood(sight([[1.0, 1.0]], [[0, 1]])).round(6).tolist()  # log 2
    [0.693147]
    """
    return _likelihood(*seen, most)


def dated(seen: Sightings) -> Floats:
    """With dates of last changes: X by the time in which surely nothing changed, the bias removed.

    From each visit back, the time to the last change is that of a Poisson process, cut off at the visit
    before: X/T is the likeliest rate. X is replaced by (X − 1) − X/(n·log(1 − X/n)). A change without a
    date counts as half an interval ago.
    """
    visits = np.diff(seen.starts)
    changes = _sum(seen, seen.kinds > 0)
    ago = np.where(seen.kinds == Sight.DATED, seen.details, seen.intervals / 2)
    quiet = _sum(seen, np.where(seen.kinds > 0, ago, seen.intervals))
    with np.errstate(all="ignore"):
        share = changes / visits
        fewer = np.where(changes < visits, -share / np.log1p(-share), 0.0)
        found = (changes - 1 + fewer) / quiet
    return np.where(changes > 0, found, 0.0)


def counted(seen: Sightings) -> Floats:
    """All changes by the time, where all are known: no bias, and nothing better without a prior."""
    return _sum(seen, seen.details) / _sum(seen, seen.intervals)


def bayesian(seen: Sightings, shape: float, days: float) -> Floats:
    """The mean of what is known after all visits, when rates are drawn from a gamma distribution.

    It has `shape` and, as the other parameter, `days`: the mean is shape/days. Of all estimators it has the
    least squared error, if the distribution is right. The integral is a sum over rates.

    >>> from gossamer.policy.revisit.sightings import sight
    >>> bayesian(sight([[1.0, 3.0]], [[0, 0]]), 2.0, 4.0).round(3).tolist()  # 2 / (4 + 1 + 3)
    [0.25]
    """
    return _bayesian(*seen, shape, days)


def _sum(seen: Sightings, values: np.ndarray[tuple[int], np.dtype[np.generic]]) -> Floats:
    total = np.concatenate(((0.0,), np.cumsum(values, dtype=np.float64)))
    found: Floats = np.diff(total[seen.starts])
    return found


@inner_kernel
def _weigh(
    rate: float, intervals: Floats, kinds: Kinds, details: Floats, i: int, end: int
) -> tuple[float, float]:
    """The logarithm of the likelihood; and its derivative times the rate, which falls as the rate grows."""
    log = slope = 0.0
    for row in range(i, end):
        x = rate * intervals[row]
        if kinds[row] == _UNCHANGED:
            log -= x
            slope -= x
        elif kinds[row] == _DATED:
            log += math.log(rate) - rate * details[row]
            slope += 1 - rate * details[row]
        elif kinds[row] == _COUNTED:
            log += details[row] * math.log(rate) - x
            slope += details[row] - x
        else:
            log += math.log(-math.expm1(-x))
            slope += x / math.expm1(x) if x < 700 else 0.0
    return log, slope


@kernel
def _likelihood(
    starts: Places, intervals: Floats, kinds: Kinds, details: Floats, most: float
) -> Floats:
    """Halving of the logarithm of the rate: it cannot miss, and speed is of no matter here."""
    found = np.zeros(len(starts) - 1)
    for page in range(len(found)):
        i, end = starts[page], starts[page + 1]
        low, high = math.log(1e-9), math.log(1e6)
        if i == end or _weigh(math.exp(low), intervals, kinds, details, i, end)[1] <= 0:
            continue
        if _weigh(math.exp(high), intervals, kinds, details, i, end)[1] >= 0:
            found[page] = most
            continue
        for _ in range(60):
            middle = (low + high) / 2
            if _weigh(math.exp(middle), intervals, kinds, details, i, end)[1] > 0:
                low = middle
            else:
                high = middle
        found[page] = min(math.exp(low), most)
    return found


@kernel
def _bayesian(
    starts: Places,
    intervals: Floats,
    kinds: Kinds,
    details: Floats,
    shape: float,
    days: float,
) -> Floats:
    points = 2000
    rates = np.exp(np.linspace(math.log(1e-12), math.log(1e4), points))
    found, logs = np.zeros(len(starts) - 1), np.zeros(points)
    for page in range(len(found)):
        i, end = starts[page], starts[page + 1]
        for at in range(points):
            rate = rates[at]  # dλ is λ times the step
            logs[at] = shape * math.log(rate) - days * rate
            logs[at] += _weigh(rate, intervals, kinds, details, i, end)[0]
        parts = np.exp(logs - logs.max())
        found[page] = (parts * rates).sum() / parts.sum()
    return found
