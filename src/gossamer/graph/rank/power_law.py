"""Does a distribution have a tail like a power law, and of which exponent? (Clauset, Shalizi and Newman 2009)

The exponent is the one of the greatest likelihood for whole numbers, p(x) = x^-α / ζ(α, x_min). Where the
tail begins is chosen such that tail and law are nearest to each other in the sense of Kolmogorov and Smirnov.
"""

import numpy as np
from msgspec import Struct

from gossamer.graph.rank.arcs import Offsets, Values

_LEAST_TAIL = 50
"""Numbers that a tail must have: below that, an exponent says little."""
_MOST_BEGINS = 200
"""Beginnings that are tried; among more values, as many are spread evenly on a scale of logarithms."""
_STEEPEST = 8.0
"""What falls faster than that is no power law."""
_GOLDEN = (5**0.5 - 1) / 2


class PowerLaw(Struct, frozen=True):
    exponent: float
    error: float
    """The standard error of the exponent."""
    begin: int
    """The smallest number of the tail."""
    tail: int
    """How many numbers are in it."""
    distance: float
    """The largest difference between the two distributions in the tail."""

    def above(self, values: Values) -> Values:
        """The part of the tail that the law has at these values or above."""
        return _zeta(self.exponent, values) / _zeta(self.exponent, np.array([float(self.begin)]))


def fit_power_law(numbers: Offsets) -> PowerLaw | None:
    """The law of the tail of some whole numbers; None if there are too few above 0, or they fall too fast."""
    values, counts = np.unique(numbers[numbers > 0], return_counts=True)
    tails = np.cumsum(counts[::-1])[::-1]
    begins = _begins(values, tails)
    if not len(begins):
        return None
    logs = np.cumsum((counts * np.log(values))[::-1])[::-1]
    exponents = _likeliest(values[begins].astype(np.float64), logs[begins] / tails[begins])
    distances = [
        _distance(values[begin:], counts[begin:], exponent) if exponent < _STEEPEST - 0.01 else 1.0
        for begin, exponent in zip(begins, exponents, strict=True)
    ]
    best = int(np.argmin(distances))
    if distances[best] == 1.0:
        return None
    begin, tail, exponent = values[begins[best]], tails[begins[best]], exponents[best]
    error = _standard_error(exponent, float(begin), int(tail))
    return PowerLaw(float(exponent), error, int(begin), int(tail), distances[best])


def _begins(values: Offsets, tails: Offsets) -> Offsets:
    """The places of values at which a tail may begin: it has another value after that."""
    possible = np.flatnonzero(tails[:-1] >= _LEAST_TAIL)
    if len(possible) <= _MOST_BEGINS:
        return possible
    wanted = np.geomspace(values[possible[0]], values[possible[-1]], _MOST_BEGINS)
    return np.unique(np.searchsorted(values[possible], wanted))


def _likeliest(begins: Values, mean_logs: Values) -> Values:
    """For each tail the exponent of the greatest likelihood, by golden sections of all at once."""
    low, high = np.full(len(begins), 1.0 + 1e-6), np.full(len(begins), _STEEPEST)
    for _ in range(60):
        one, other = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        costs = [np.log(_zeta(at, begins)) + at * mean_logs for at in (one, other)]
        is_left = costs[0] < costs[1]
        low, high = np.where(is_left, low, one), np.where(is_left, other, high)
    return low


def _distance(values: Offsets, counts: Offsets, exponent: float) -> float:
    """Both distributions are looked at where the tail has a value, and just before that."""
    seen = np.cumsum(counts) / counts.sum()
    ends = np.concatenate((values[1:] - 1, values[-1:]))
    total = _zeta(exponent, values[:1].astype(np.float64))
    laws = (1.0 - _zeta(exponent, (one + 1).astype(np.float64)) / total for one in (values, ends))
    return float(max(np.abs(seen - law).max() for law in laws))


def _standard_error(exponent: float, begin: float, count: int) -> float:
    """From the curvature of the likelihood."""
    step = 1e-4
    around = exponent + step * np.array([-1.0, 0.0, 1.0])
    before, here, after = np.log(_zeta(around, np.full(3, begin)))
    return float(step / np.sqrt(count * (before - 2 * here + after)))


def _zeta(exponent: "Values | float", begin: Values) -> Values:
    """Hurwitz's ζ: the sum of (begin + k)^-exponent over all k ≥ 0, after Euler and Maclaurin.

    >>> bool(abs(_zeta(2.0, np.ones(1))[0] - np.pi**2 / 6) < 1e-10)
    True
    """
    near = sum(((begin + k) ** -exponent for k in range(10)), np.zeros_like(begin))
    far = begin + 10.0
    rest = far ** (1.0 - exponent) / (exponent - 1.0) + 0.5 * far**-exponent
    term = exponent * far ** (-exponent - 1.0)
    rest += term / 12.0
    term = term * (exponent + 1.0) * (exponent + 2.0) / far**2
    rest -= term / 720.0
    term = term * (exponent + 3.0) * (exponent + 4.0) / far**2
    found: Values = near + rest + term / 30240.0
    return found
