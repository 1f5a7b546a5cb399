"""What is thought of a page's rate before it is known: a gamma distribution, learned from pages like it.

A page belongs to groups, given from the wide to the narrow as small numbers: its host, its URL pattern, its
depth, whatever is known. Each group has a factor: how many times more its pages change than the wider
groups let expect. All pages are the widest group. A factor is (caution + changes)/(caution + changes that
were expected), so that a group that was hardly seen has the rate of the wider ones, and one that was seen
often has its own. Groups need not lie within each other: a factor for the host and one for the depth are
multiplied.

Changes between visits that were not seen are counted as what is expected of them (the EM algorithm, online:
Cappé and Moulines, 2009). A page that is watched for long says ever less about its group. Old changes of a
group fade as new ones come.

How much pages within their groups differ is the shape of the gamma distribution: the one of sixteen that
has foretold what visits saw best. So a page that was seen once has the rate of its groups, and moves away
from it sooner where pages differ much.
"""

import math

import numpy as np
import numpy.typing as npt

from gossamer.base.kernel import inner_kernel
from gossamer.policy.revisit.evidence import DAYS, EVENTS, WATCHED, Evidence
from gossamer.policy.revisit.population import Floats
from gossamer.policy.revisit.sightings import Sight

Keys = npt.NDArray[np.int64]
"""A row for each page, with its groups from the wide to the narrow; below 0: none."""
_UNCHANGED, _DATED, _COUNTED = int(Sight.UNCHANGED), int(Sight.DATED), int(Sight.COUNTED)

SHAPES = np.geomspace(0.05, 20.0, 16)
_CAUTION = 2.0
"""Changes that have to be expected before a group counts as much as the wider ones."""
_MEMORY = 500.0
"""Changes after which half of a group's factor is new."""
_FORGET = 1 - 1 / 20_000
"""What remains of how well a shape foretold, at each visit."""
_FEWEST, _MOST = 1e-6, 1e4
"""Rates are between these."""
SEEN, EXPECTED = 0, 1


@inner_kernel
def slot_of(key: int, level: int, bits: int) -> int:
    """The place of a group in its level's table: the first bits of its number, well mixed."""
    mixed = np.uint64(key + 1) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    return int(np.int64(mixed >> np.uint64(64 - bits)))


@inner_kernel
def expect(groups: Floats, keys: Keys, page: int, guess: float, bits: int) -> float:
    """The mean rate of pages in these groups."""
    rate = guess * _factor(groups, 0, 0)
    for level in range(keys.shape[1]):
        if keys[page, level] >= 0:
            rate *= _factor(groups, level + 1, slot_of(keys[page, level], level, bits))
    return min(max(rate, _FEWEST), _MOST)


@inner_kernel
def _factor(groups: Floats, level: int, slot: int) -> float:
    seen, expected = groups[SEEN, level, slot], groups[EXPECTED, level, slot]
    return float((_CAUTION + seen) / (_CAUTION + expected))


@inner_kernel
def teach_groups(
    groups: Floats,
    keys: Keys,
    page: int,
    guess: float,
    bits: int,
    evidence: Evidence,
    shape: float,
    interval: float,
    kind: int,
    detail: float,
) -> None:
    """A visit tells the groups of a page something; `evidence` is what was known before it."""
    days = shape / expect(groups, keys, page, guess, bits)
    a, b = shape + evidence[page, EVENTS], days + evidence[page, DAYS]
    share = (days / (days + evidence[page, WATCHED])) ** 2
    changes = share * _changes(a, b, interval, kind, detail)
    rate = guess
    for level in range(keys.shape[1] + 1):
        slot = 0
        if level > 0:
            if keys[page, level - 1] < 0:
                continue
            slot = slot_of(keys[page, level - 1], level - 1, bits)
        expected = share * rate * interval
        kept = math.exp(-expected / _MEMORY)
        groups[SEEN, level, slot] = kept * groups[SEEN, level, slot] + changes
        groups[EXPECTED, level, slot] = kept * groups[EXPECTED, level, slot] + expected
        rate *= _factor(groups, level, slot)


@inner_kernel
def _changes(a: float, b: float, interval: float, kind: int, detail: float) -> float:
    """Changes since the visit before, of a page whose rate is Gamma(a, b): those seen, and those expected."""
    if kind == _UNCHANGED:
        return 0.0
    if kind == _COUNTED:
        return detail
    if kind == _DATED:
        return 1 + max(interval - detail, 0.0) * (a + 1) / (b + detail)
    return interval * a / b / -math.expm1(-a * math.log1p(interval / b)) if interval > 0 else 1.0


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
    """How well each shape foretold this visit."""
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
