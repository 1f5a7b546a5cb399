"""Freshness of stored copies, computed exactly and without fetching anything.

A copy is what a visit stored. It is fresh until the page changes or vanishes. After that it has an
age: the time since the first change that it lacks. Nobody holds a copy of a page that was not yet born at the
last visit, or that was found to be gone; but a copy of a page that is gone unnoticed is held, and is not
fresh. The definitions are those of Cho and Garcia-Molina, as Olston and Najork's survey (2010, section 5.1)
tells them.
"""

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from gossamer.core.kernel import kernel
from gossamer.lab.living_web.change_table import ChangeTable
from gossamer.lab.living_web.page_visits import Visits

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def freshness(changes: ChangeTable, copies: Floats, time: float) -> Floats:
    """Is the copy of each page fresh at a time? 1 if it is, 0 if not, NaN where there is no copy.

    `copies` says when each page was visited last, minus infinity where it was not. The mean over all copies
    is `np.nanmean(freshness(…))`.
    """
    ages = age(changes, copies, time)
    return np.where(np.isnan(ages), np.nan, ages == 0)


def age(changes: ChangeTable, copies: Floats, time: float) -> Floats:
    """For how many days the copy of each page has been out of date; 0 if it is fresh, NaN if there is none.

    A change at the very `time` makes a copy stale, too: its age is the smallest number above 0.
    """
    is_held = (copies >= changes.born) & (copies < changes.gone) & (copies <= time)
    _check(changes, copies[is_held], time)
    first = np.minimum(_first_after(changes.offsets, changes.times, copies), changes.gone)
    late = np.where(first <= time, np.maximum(time - first, np.finfo(np.float64).tiny), 0.0)
    return np.where(is_held, late, np.nan)


class Averages(Struct, frozen=True):
    """Days of a span, and what was the case in them; one row per page."""

    lived: Floats
    """Days in which the page was there."""
    held: Floats
    """Days in which there was a copy of it."""
    fresh: Floats
    """Days in which its copy was fresh."""
    aged: Floats
    """The age of its copy, added up over the days in which there was one (days × days)."""

    def freshness(self, weights: Floats | None = None) -> float:
        """The mean freshness of copies: every day of a copy counts, by the weight of its page."""
        return _ratio(self.fresh, self.held, weights)

    def coverage(self, weights: Floats | None = None) -> float:
        """The same over all pages that are there: one without a copy counts as stale."""
        return _ratio(self.fresh, self.lived, weights)

    def age(self, weights: Floats | None = None) -> float:
        """The mean age of copies, in days."""
        return _ratio(self.aged, self.held, weights)


def averages(changes: ChangeTable, visits: Visits, begin: float, end: float) -> Averages:
    """Freshness and age over a span of days; visits before it store the copies it begins with."""
    _check(changes, visits.times[visits.times <= end], end)
    found = [np.zeros(len(changes)) for _ in range(3)]
    _add_up(
        changes.offsets,
        changes.times,
        changes.born,
        changes.gone,
        visits.offsets,
        visits.times,
        float(begin),
        float(end),
        *found,
    )
    lived = np.minimum(changes.gone, end) - np.maximum(changes.born, begin)
    return Averages(np.maximum(lived, 0.0), *found)


def delays(changes: ChangeTable, visits: Visits) -> Floats:
    """The days between each change and the visit that saw it; NaN for changes that no visit saw.

    A visit sees the last change only: what comes later replaces it, or takes the page away. The rows are
    those of `changes.times`.
    """
    seen = _first_visits(changes.offsets, changes.times, changes.gone, visits.offsets, visits.times)
    return seen - changes.times


def captured(changes: ChangeTable, visits: Visits) -> NDArray[np.bool_]:
    """The changes that a visit saw before the next one came; the rows are those of `changes.times`."""
    return ~np.isnan(delays(changes, visits))


def discoveries(changes: ChangeTable, visits: Visits) -> Floats:
    """The time when each page was first visited while it existed; NaN for those that never were.

    The days from a birth to this are what it took to find the page: `discoveries(…) - changes.born`.
    """
    return _first_meetings(changes.born, changes.gone, visits.offsets, visits.times)


def _ratio(parts: Floats, wholes: Floats, weights: Floats | None) -> float:
    whole = wholes.sum() if weights is None else (weights * wholes).sum()
    part = parts.sum() if weights is None else (weights * parts).sum()
    return float(part / whole) if whole else float("nan")


def _check(changes: ChangeTable, visited: Floats, time: float) -> None:
    first = visited.min() if len(visited) else changes.begin
    if first < changes.begin or time > changes.end:
        raise ValueError(
            f"days {first:g} to {time:g} are asked for, but changes are known from {changes.begin:g} "
            f"to {changes.end:g}: make the table larger"
        )


@kernel
def _first_after(offsets: Ints, times: Floats, moments: Floats) -> Floats:
    """The first change of each page after a moment of its own; infinity when there is none."""
    found = np.full(len(moments), np.inf)
    for page in range(len(moments)):
        row = times[offsets[page] : offsets[page + 1]]
        place = np.searchsorted(row, moments[page], "right")
        if place < len(row):
            found[page] = row[place]
    return found


@kernel
def _add_up(
    offsets: Ints,
    times: Floats,
    born: Floats,
    gone: Floats,
    visit_offsets: Ints,
    visits: Floats,
    begin: float,
    end: float,
    held: Floats,
    fresh: Floats,
    aged: Floats,
) -> None:
    """Each visit brings a copy that counts until the next one, as far as it lies in the span."""
    for page in range(len(born)):
        change, last_change = offsets[page], offsets[page + 1]
        last_visit = visit_offsets[page + 1]
        for visit in range(visit_offsets[page], last_visit):
            since = visits[visit]
            until = min(visits[visit + 1], end) if visit + 1 < last_visit else end
            if since < born[page] or since >= gone[page] or until <= begin:
                continue
            while change < last_change and times[change] <= since:
                change += 1
            stale = gone[page]
            if change < last_change:
                stale = min(stale, times[change])
            since = max(since, begin)
            if since >= until:
                continue
            held[page] += until - since
            fresh[page] += max(0.0, min(stale, until) - since)
            if stale < until:
                first = max(stale, since)
                aged[page] += ((until - stale) ** 2 - (first - stale) ** 2) / 2


@kernel
def _first_visits(
    offsets: Ints, times: Floats, gone: Floats, visit_offsets: Ints, visits: Floats
) -> Floats:
    """The first visit after each change, if it comes before the next one; else NaN."""
    found = np.full(len(times), np.nan)
    for page in range(len(gone)):
        visit, last_visit = visit_offsets[page], visit_offsets[page + 1]
        last = offsets[page + 1]
        for change in range(offsets[page], last):
            until = times[change + 1] if change + 1 < last else gone[page]
            while visit < last_visit and visits[visit] < times[change]:
                visit += 1
            if visit < last_visit and visits[visit] < until:
                found[change] = visits[visit]
    return found


@kernel
def _first_meetings(born: Floats, gone: Floats, visit_offsets: Ints, visits: Floats) -> Floats:
    found = np.full(len(born), np.nan)
    for page in range(len(born)):
        for visit in range(visit_offsets[page], visit_offsets[page + 1]):
            if born[page] <= visits[visit] < gone[page]:
                found[page] = visits[visit]
                break
    return found
