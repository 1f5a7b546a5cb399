"""Freshness of copies, by what visits found afterwards.

A page changes at chance times, λ of them a day. Between two visits that lie L days apart, s days after the
first of them:

    what the second visit found    the copy is fresh                       its age, in days
    nothing new                    1                                       0
    a change, or that it is gone   (e^−λs − e^−λL) / (1 − e^−λL)           (s − (1 − e^−λs)/λ) / (1 − e^−λL)
    nothing yet: it is the last    e^−λs                                   s − (1 − e^−λs)/λ

The last row is that of Cho and Garcia-Molina (TODS 2003); the second one is the same, given that the first
change came before the visit. A change counts as half an interval ago: λ = X / Q, where Q are the days in
which surely nothing changed. A host begins with the rate of all as if one change had been seen of it, a page
with that of its host.
"""

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

_HALF_A_CHANGE = 0.5


class VisitFound(IntEnum):
    """The result of a visit."""

    FAILED = 0
    """No answer that says anything."""
    GONE = 1
    SEEN = 2
    """The page, for the first time, or with nothing to compare it with."""
    SAME = 3
    CHANGED = 4


class PastVisits(NamedTuple):
    """Visits, a row each, in any order."""

    pages: Numbers
    """The number of the page, from 0 on …"""
    hosts: Numbers
    """… and of its host."""
    days: Floats
    found: NDArray[np.int8]


class LookBack(Struct, frozen=True):
    """The results; times are days, as in the visits."""

    days: Floats
    """The points in time that were looked at."""
    fresh: Floats
    """The part of the copies that were as their pages; NaN while there were none."""
    age: Floats
    """Mean days since copies went out of date."""
    pages: Numbers
    """Pages that were known and not gone."""
    rates: Floats
    """Changes per day, by page."""
    host_rates: Floats
    host_changes: Numbers
    host_intervals: Numbers
    """Intervals between two visits whose second one could compare, by host."""
    host_pages: Numbers
    """Pages that are known and not gone at the end …"""
    host_fresh: Floats
    """… and the part of them that is fresh."""


class _Intervals(Struct, frozen=True):
    """The times between two visits to a page, and after the last one."""

    pages: Numbers
    hosts: Numbers
    begins: Floats
    ends: Floats
    is_changed: NDArray[np.bool_]
    is_same: NDArray[np.bool_]


def look_back(visits: PastVisits, now: float, points: int = 60) -> LookBack:
    """
    >>> twice, days = np.zeros(2, np.int64), np.array([0.0, 4.0])
    >>> visits = PastVisits(twice, twice, days, np.array([VisitFound.SEEN, VisitFound.SAME], np.int8))
    >>> look_back(visits, 4.0, 2).fresh.tolist()
    [1.0, 1.0]
    """
    pages = int(visits.pages.max(initial=-1)) + 1
    hosts = int(visits.hosts.max(initial=-1)) + 1
    spans = _intervals(visits)
    quiet, changes = _quiet(spans), spans.is_changed.astype(np.float64)
    host_rates, rates = _rates(spans, quiet, changes, pages, hosts)
    days = np.linspace(visits.days.min(initial=now), now, points)
    seen = [_at(spans, rates, day) for day in days.tolist()]
    last, fresh, _ = seen[-1] if seen else (np.zeros(0, np.int64), np.zeros(0), np.zeros(0))
    is_known = spans.is_changed | spans.is_same
    return LookBack(
        days,
        np.array([_mean(some) for _, some, _ in seen]),
        np.array([_mean(some) for _, _, some in seen]),
        np.array([len(some) for some, _, _ in seen], np.int64),
        rates,
        host_rates,
        np.bincount(spans.hosts[spans.is_changed], minlength=hosts),
        np.bincount(spans.hosts[is_known], minlength=hosts),
        np.bincount(spans.hosts[last], minlength=hosts),
        _means(spans.hosts[last], fresh, hosts),
    )


def _intervals(visits: PastVisits) -> _Intervals:
    kept = visits.found != VisitFound.FAILED
    pages, hosts, days, found = (column[kept] for column in visits)
    order = np.lexsort((days, pages))
    pages, hosts, days, found = pages[order], hosts[order], days[order], found[order]
    is_last = np.append(pages[1:] != pages[:-1], True) if len(pages) else np.zeros(0, np.bool_)
    ends = np.where(is_last, np.inf, np.append(days[1:], np.inf)[: len(days)])
    then = np.append(found[1:], VisitFound.SEEN)[: len(found)]
    is_changed = ~is_last & ((then == VisitFound.CHANGED) | (then == VisitFound.GONE))
    is_same = ~is_last & (then == VisitFound.SAME)
    there = found != VisitFound.GONE
    columns = (pages, hosts, days, ends, is_changed, is_same)
    return _Intervals(*(column[there] for column in columns))


def _quiet(spans: _Intervals) -> Floats:
    """Days of each interval in which surely nothing changed."""
    is_known = spans.is_changed | spans.is_same
    lengths = np.where(is_known, spans.ends - spans.begins, 0.0)
    quiet: Floats = np.where(spans.is_changed, lengths / 2, lengths)
    return quiet


def _rates(
    spans: _Intervals, quiet: Floats, changes: Floats, pages: int, hosts: int
) -> tuple[Floats, Floats]:
    """Changes per day by host and by page; 0 as long as nothing was compared."""
    total = float(quiet.sum())
    if total <= 0:
        return np.zeros(hosts), np.zeros(pages)
    overall = max(float(changes.sum()), _HALF_A_CHANGE) / total
    host_rates = (np.bincount(spans.hosts, changes, hosts) + 1) / (
        np.bincount(spans.hosts, quiet, hosts) + 1 / overall
    )
    of_page = np.full(pages, overall)
    of_page[spans.pages] = host_rates[spans.hosts]
    seen, calm = np.bincount(spans.pages, changes, pages), np.bincount(spans.pages, quiet, pages)
    return host_rates, (seen + 1) / (calm + 1 / of_page)


def _at(spans: _Intervals, rates: Floats, day: float) -> tuple[Numbers, Floats, Floats]:
    """The intervals that a day is in, and for each of them how fresh the copy was, and how old."""
    inside = np.flatnonzero((spans.begins <= day) & (day < spans.ends))
    rate, since = rates[spans.pages[inside]], day - spans.begins[inside]
    is_changed = spans.is_changed[inside]
    whole = np.where(is_changed, spans.ends[inside] - spans.begins[inside], 0.0)
    with np.errstate(all="ignore"):
        fresh, missed = np.exp(-rate * since), -np.expm1(-rate * whole)
        age = np.where(rate > 0, since + np.expm1(-rate * since) / rate, 0.0)
        given = np.where(missed > 0, (fresh - 1 + missed) / missed, 1 - since / whole)
        fresh = np.where(is_changed, given, fresh)
        age = np.where(is_changed & (missed > 0), age / missed, age)
    is_same = spans.is_same[inside]
    return inside, np.where(is_same, 1.0, fresh), np.where(is_same, 0.0, age)


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else float("nan")


def _means(groups: Numbers, values: Floats, count: int) -> Floats:
    members = np.bincount(groups, minlength=count)
    with np.errstate(all="ignore"):
        found: Floats = np.bincount(groups, values, count) / members
    return found
