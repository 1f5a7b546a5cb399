"""Prior of a page's rate of change: a gamma distribution, learned from pages like it.

A page belongs to groups, given from the wide to the narrow as small numbers: its host, its URL pattern,
its depth, whatever is known. The mean of the distribution is a guess times a factor for each group; all pages
are the widest one. Groups need not lie within each other: a factor for the host and one for the depth
are multiplied.

Each logarithm of a factor is 0 at first, and has a variance: how unsure it is. A visit that saw more or
less than was foretold moves all groups of its page, the unsure ones most, and makes them surer (Kalman's
filter, extended to this likelihood, without the covariances; as in Graepel and others, ICML 2010). So a
group that was hardly seen has the rate of the wider ones, and one that was seen often has its own. A page
that is well known itself is foretold from its own visits, so it moves its groups no more.

How much pages within their groups differ is the shape of the gamma distribution: the one of sixteen that has
foretold best what visits saw. So a page that was seen once has the rate of its groups, and moves away from
it sooner where pages differ much.
"""

import math

import numpy as np
import numpy.typing as npt

from gossamer.core.kernel import inner_kernel
from gossamer.policy.revisit.evidence import DAYS, EVENTS, Evidence
from gossamer.policy.revisit.population import Floats
from gossamer.policy.revisit.sightings import Sight

Keys = npt.NDArray[np.int64]
"""A row for each page, with its groups from the wide to the narrow; below 0: none."""
_UNCHANGED, _DATED, _COUNTED = int(Sight.UNCHANGED), int(Sight.DATED), int(Sight.COUNTED)

SHAPES = np.geomspace(0.05, 20.0, 16)
_FORGET = 1 - 1 / 20_000
"""What remains of how well a shape foretold, at each visit."""
_DOUBT, _ROOT_DOUBT = 2.0, 0.25
"""One by the variance that a factor begins with; the guess for all pages is less sure.

With more than three groups each begins surer, so that together they are not less sure than three. A page
moves its own groups: if they are small and many, it would be believed twice.
"""
_SUREST = 1000.0
"""One by the least variance of a factor: it goes on learning, for rates drift."""
_FEWEST, _MOST = 1e-6, 1e4
"""Rates are between these."""
FACTOR, SURE = 0, 1
"""The tables of groups: logarithms of factors, and what was added to one by their variances."""


@inner_kernel
def slot_of(keys: Keys, page: int, level: int, bits: int) -> int:
    """The place of a group in the table of its level, below 0 for none; level 0 are all pages."""
    if level == 0:
        return 0
    key = keys[page, level - 1]
    if key < 0:
        return -1
    mixed = np.uint64(key + 1) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    return int(np.int64(mixed >> np.uint64(64 - bits)))


@inner_kernel
def expect(groups: Floats, keys: Keys, page: int, guess: float, bits: int) -> float:
    """The mean rate of pages in these groups."""
    total = math.log(guess)
    for level in range(keys.shape[1] + 1):
        slot = slot_of(keys, page, level, bits)
        if slot >= 0:
            total += groups[FACTOR, level, slot]
    return min(max(math.exp(total), _FEWEST), _MOST)


@inner_kernel
def teach_groups(
    groups: Floats, keys: Keys, page: int, bits: int, surprise: float, weight: float
) -> None:
    """Move the groups of a page.

    `surprise` is the derivative of what a visit saw by the logarithm of the mean, `weight` how
    much such a visit tells (Fisher's information).
    """
    whole = 0.0
    for level in range(keys.shape[1] + 1):
        slot = slot_of(keys, page, level, bits)
        if slot >= 0:
            whole += _variance(groups, level, slot)
    step = surprise / (1 + max(weight, surprise * surprise) * whole)
    for level in range(keys.shape[1] + 1):
        slot = slot_of(keys, page, level, bits)
        if slot >= 0:
            variance = _variance(groups, level, slot)
            groups[FACTOR, level, slot] += variance * step
            gained = weight / (1 + weight * (whole - variance))
            groups[SURE, level, slot] = min(groups[SURE, level, slot] + gained, _SUREST)


@inner_kernel
def _variance(groups: Floats, level: int, slot: int) -> float:
    doubt = max(_DOUBT, groups.shape[1] - 2.0) if level else _ROOT_DOUBT
    return 1 / float(doubt + groups[SURE, level, slot])


@inner_kernel
def surprise_of(
    shape: float,
    mean: float,
    evidence: Evidence,
    page: int,
    interval: float,
    kind: int,
    detail: float,
) -> tuple[float, float]:
    """The deviation of a visit from the forecast, and its weight: see `teach_groups`."""
    days = shape / mean
    a, b = shape + evidence[page, EVENTS], days + evidence[page, DAYS]
    if kind == _DATED:
        return days * ((a + 1) / (b + detail) - a / b), _told(days, a, b, detail)
    if kind == _COUNTED:
        return days * ((a + detail) / (b + interval) - a / b), _told(days, a, b, interval)
    slope = days * a * interval / (b * (b + interval))
    log = a * math.log1p(interval / b)
    odds = 1 / math.expm1(max(log, 1e-12)) if log < 700 else 0.0  # of no change
    return (-slope if kind == _UNCHANGED else slope * odds), slope * slope * odds


@inner_kernel
def _told(days: float, a: float, b: float, interval: float) -> float:
    return days * days * a * interval / (b * b * (b + interval))


@inner_kernel
def teach_shapes(
    scores: Floats,
    shapes: Floats,
    mean: float,
    evidence: Evidence,
    page: int,
    interval: float,
    kind: int,
    detail: float,
) -> None:
    """Score each shape by its forecast of this visit."""
    for at in range(len(shapes)):
        a = shapes[at] + evidence[page, EVENTS]
        b = shapes[at] / mean + evidence[page, DAYS]
        scores[at] = scores[at] * _FORGET + _log_chance(a, b, interval, kind, detail)


@inner_kernel
def _log_chance(a: float, b: float, interval: float, kind: int, detail: float) -> float:
    log = math.log1p((detail if kind == _DATED else interval) / b)
    if kind == _UNCHANGED:
        return -a * log
    if kind == _DATED:
        return math.log(a / b) - (a + 1) * log
    if kind == _COUNTED:
        seen = math.lgamma(a + detail) - math.lgamma(a)
        return seen - a * log + detail * math.log(max(interval, 1e-12) / (b + interval))
    return math.log(max(-math.expm1(-a * log), 1e-12))
