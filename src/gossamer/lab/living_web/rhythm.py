"""Times at which a page changes by itself: each is drawn from the one before, by a hash of page and time.

So a page's changes are a chain that starts at its birth, and nothing has to be kept. Times are whole seconds,
for that is what a date in HTTP can tell apart.
"""

from enum import IntEnum
from math import ceil, log

import numpy as np

from gossamer.core.kernel import inner_kernel

FOREVER = 1 << 62
"""A second that never comes."""
DAY = 86_400
WEEK = 7 * DAY


class Rhythm(IntEnum):
    """Distributions of a page's changes in time."""

    STILL = 0
    """Never."""
    STEADY = 1
    """A Poisson process."""
    OFFICE = 2
    """A Poisson process whose rate falls to a tenth at night, and to a quarter on days six and seven."""
    DAILY = 3
    """One edition a day within an hour of its own; one in ten is left out."""
    WEEKLY = 4
    """One edition a week within six hours of its own; one in ten is left out."""
    BURSTS = 5
    """Four of five changes follow soon after another, one comes after a long rest."""


_STILL, _OFFICE, _DAILY = int(Rhythm.STILL), int(Rhythm.OFFICE), int(Rhythm.DAILY)
_WEEKLY, _BURSTS = int(Rhythm.WEEKLY), int(Rhythm.BURSTS)
_OPENS, _CLOSES = 8 * 3600, 20 * 3600
_NIGHT, _WEEKEND = 0.1, 0.25
OFFICE_MEAN = (1 + _NIGHT) / 2 * (5 + 2 * _WEEKEND) / 7
"""The mean rate of an office as a part of its rate in working hours."""
_SOON, _SHORT = 0.8, 0.05
_LONG = (1 - _SOON * _SHORT) / (1 - _SOON)
_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


@inner_kernel
def hash_of(key: np.uint64, number: int) -> np.uint64:
    mixed = key + np.uint64(number) * _STEP
    mixed = (mixed ^ (mixed >> np.uint64(30))) * _FIRST
    mixed = (mixed ^ (mixed >> np.uint64(27))) * _SECOND
    return mixed ^ (mixed >> np.uint64(31))


@inner_kernel
def _uniform(bits: np.uint64) -> float:
    return (float(bits >> np.uint64(11)) + 0.5) / 9007199254740992.0


@inner_kernel
def _gap(bits: np.uint64, rate: float) -> int:
    """Whole seconds to the next event of a Poisson process, at least one."""
    return max(1, ceil(-log(_uniform(bits)) / rate * 86400.0))


@inner_kernel
def _next_in_office(key: np.uint64, rate: float, since: int) -> int:
    """Thin out a process that always has the rate of working hours."""
    while True:
        bits = hash_of(key, since)
        since += _gap(bits, rate / OFFICE_MEAN)
        second = since % DAY
        weight = 1.0 if _OPENS <= second < _CLOSES else _NIGHT
        if since % WEEK >= 5 * DAY:
            weight *= _WEEKEND
        if _uniform(hash_of(bits, 1)) < weight:
            return since


@inner_kernel
def _next_edition(key: np.uint64, period: int, jitter: int, since: int) -> int:
    first = int(hash_of(key, -1) % np.uint64(period))
    turn = (since - first - jitter) // period
    while True:
        turn += 1
        bits = hash_of(key, turn)
        moment = turn * period + first + int(bits % np.uint64(jitter))
        if moment > since and hash_of(bits, 1) % np.uint64(10):
            return moment


@inner_kernel
def next_change(key: np.uint64, kind: int, rate: float, since: int) -> int:
    """The second at which a page changes next by itself, after its birth or its last own change."""
    if kind == _STILL:
        return FOREVER
    if kind == _OFFICE:
        return _next_in_office(key, rate, since)
    if kind == _DAILY:
        return _next_edition(key, DAY, 3600, since)
    if kind == _WEEKLY:
        return _next_edition(key, WEEK, 6 * 3600, since)
    bits = hash_of(key, since)
    if kind == _BURSTS:
        is_soon = _uniform(hash_of(bits, 1)) < _SOON
        rate /= _SHORT if is_soon else _LONG
    return since + _gap(bits, rate)
