"""A crawl on a virtual clock: the real estimator, the real plan and the real schedule, without pages.

Visits go by the hour, or by two hours when they are few. New pages are visited when they are born, or as soon
as the budget has room. All other pages that are due within this time are taken out of the schedule, the
earliest first; and if the budget has room for more, those that are next in line, as in a real crawl
(`DueClock`). What visits see is learned together, and the pages go back into the schedule. So only a page
that is due twice within this time comes late.
"""

from collections.abc import Sequence
from math import ceil
from pathlib import Path
from struct import Struct as Layout
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from gossamer.core.kernel import kernel
from gossamer.core.settings import RevisitSettings
from gossamer.lab.freshness.freshness_webs import KnownWeb
from gossamer.lab.living_web import Visits, visits_of
from gossamer.pipeline.frontier.schedule import Schedule
from gossamer.policy.revisit import NOT_SEEN, Evidence, Sight, Timetable, VisitedPages, no_evidence
from gossamer.policy.revisit.due_clock import DueClock
from gossamer.policy.revisit.population import Flags, Floats
from gossamer.policy.revisit.timetable import COUNTED_COLUMNS, WEIGHT, RateModel

Ints = npt.NDArray[np.int64]
Sights = npt.NDArray[np.int8]

_SAVED = 60 / 86_400
"""Days for which visits that were not made may be made up for: as the purse of a real crawl."""
_SHORTEST, _LONGEST = 1 / 24, 1 / 12
_ENOUGH = 100
"""Visits that are worth a step; it takes an hour at least, two hours at most."""
_RECORD = Layout("<I")
_DAY = 86_400.0
_CHANGED, _UNCHANGED = int(Sight.CHANGED), int(Sight.UNCHANGED)


class KnownRates:
    """Knows the true rates, in place of an estimator; the first group of a page is its number."""

    def __init__(self, rates: Floats, sure: float = 1e9) -> None:
        """`sure`: the days for which pages were watched."""
        self._rates, self._sure = rates, sure

    def learn(
        self,
        evidence: Evidence,
        keys: npt.ArrayLike,
        intervals: npt.ArrayLike,
        kinds: npt.ArrayLike,
        details: npt.ArrayLike | None = None,
    ) -> Floats:
        return np.empty(0)

    def posteriors(self, evidence: Evidence, keys: npt.ArrayLike) -> Floats:
        rates = self._rates[np.asarray(keys)[:, 0]]
        return np.column_stack((rates * self._sure, np.full(len(rates), self._sure)))


class RateSnapshot(Struct, frozen=True):
    """Estimated rates at a moment."""

    day: float
    rates: Floats
    """NaN for pages that are not known."""


class VirtualYear(Struct, frozen=True):
    """All visits of a crawl."""

    visits: Visits
    snapshots: list[RateSnapshot]
    late: float
    """Days that pages were visited too late, on average."""


def crawl_virtually(
    web: KnownWeb,
    settings: RevisitSettings,
    model: RateModel,
    keys: Ints | None = None,
    moments: Sequence[float] = (),
    pauses: Sequence[tuple[float, float]] = (),
) -> VirtualYear:
    """Crawl a web from its first day to its last; `moments` are days at which to look at the rates.

    In `pauses`, from a day to another in their order, nothing is visited, and no visits are saved for later.
    """
    with TemporaryDirectory() as folder:
        schedule = Schedule(Path(folder))
        try:
            return _Crawl(web, settings, model, schedule, keys, pauses).run(moments)
        finally:
            schedule.close()


class _Crawl:
    def __init__(
        self,
        web: KnownWeb,
        settings: RevisitSettings,
        model: RateModel,
        schedule: Schedule,
        keys: Ints | None,
        pauses: Sequence[tuple[float, float]],
    ) -> None:
        pages = len(web)
        self._pauses = np.array(pauses, np.float64).reshape(-1, 2)
        self._web, self._settings, self._schedule = web, settings, schedule
        self._model, self._timetable = model, Timetable(settings, model)
        self._keys = web.keys if keys is None else keys
        self._evidence = no_evidence(pages)
        self._counted = np.zeros((pages, COUNTED_COLUMNS), np.float32)
        self._visited = np.full(pages, -np.inf)
        self._gone = np.zeros(pages, np.int64)
        """How often in a row a page was found to be gone."""
        self._change = web.changes.offsets[:-1].copy()
        """The first change of each page that no visit came after."""
        self._due = _first_visits(web, settings)
        """When each page is due, by the clock; a first visit, by time."""
        self._order = np.argsort(self._due, kind="stable")
        """Pages in the order in which they are found, when that is …"""
        self._finds = self._due[self._order]
        self._found, self._waiting = 0, self._order[:0]
        """… of which this many were; some of them wait for their first visit."""
        self._clock = DueClock()
        self._gap = 1 / settings.visits_per_day
        self._free = 0.0
        """When the next visit may begin."""
        self._pages: list[Ints] = []
        self._times: list[Floats] = []
        self._late = 0.0

    def run(self, moments: Sequence[float]) -> VirtualYear:
        step = min(max(_ENOUGH * self._gap, _SHORTEST), _LONGEST)
        snapshots, left = [], sorted(moments)
        for number in range(ceil(self._web.days / step)):
            end = min((number + 1) * step, self._web.days)
            self._pass(end)
            while left and left[0] <= end:
                snapshots.append(self._look_at_rates(left.pop(0)))
        pages, times = np.concatenate(self._pages), np.concatenate(self._times)
        visits = visits_of(len(self._web), pages, times)
        return VirtualYear(visits, snapshots, self._late / max(len(times), 1))

    def _pass(self, end: float) -> None:
        """Make the visits that begin before `end`."""
        new = self._find(end)
        known = self._take(max(ceil((end - self._free) / self._gap) + 1 - len(new), 0), end)
        pages = np.concatenate((new, known))
        begin = np.concatenate((self._due[new], self._earliest(known)))
        order = np.argsort(np.maximum(begin, self._free), kind="stable")  # new pages come first
        pages, begin, times = pages[order], begin[order], np.empty(len(pages))
        begun, self._free = _begin(begin, self._free, end, self._gap, self._pauses, times)
        self._leave(pages[begun:])
        if begun:
            self._late += float((times[:begun] - self._due[pages[:begun]]).clip(0.0).sum())
            self._visit(pages[:begun], times[:begun])

    def _find(self, end: float) -> Ints:
        """New pages that are there before `end`, and those that were not visited yet."""
        upto = max(int(np.searchsorted(self._finds, end)), self._found)
        new = np.concatenate((self._waiting, self._order[self._found : upto]))
        self._found, self._waiting = upto, new[:0]
        return new

    def _earliest(self, pages: Ints) -> Floats:
        """The earliest time of visits to pages that were taken out of the schedule."""
        if not self._timetable.may_hurry:
            return self._due[pages]
        return self._visited[pages] + self._settings.shortest

    def _leave(self, pages: Ints) -> None:
        """There was no room for these."""
        is_new = np.isinf(self._visited[pages])
        self._waiting = pages[is_new]
        self._put_back(pages[~is_new])

    def _take(self, room: int, end: float) -> Ints:
        """Known pages that are visited before `end`, at most this many."""
        schedule, clock = self._schedule, self._clock
        now = end * _DAY
        taken = [*schedule.take_due(clock.at(now), room)]
        while len(taken) < room and self._timetable.may_hurry:
            if (following := schedule.next_due()) is None:
                break
            clock.set_forward(following)
            taken += schedule.take_due(clock.at(now), room - len(taken))
        return np.frombuffer(b"".join(taken), np.uint32).astype(np.int64)

    def _put_back(self, pages: Ints) -> None:
        add, pack = self._schedule.add, _RECORD.pack
        for page, due in zip(pages.tolist(), self._due[pages].tolist(), strict=True):
            add(due * _DAY, pack(page))
        self._schedule.write_overflow()

    def _visit(self, pages: Ints, times: Floats) -> None:
        self._pages.append(pages)
        self._times.append(times)
        is_first = np.isinf(self._visited[pages])
        self._timetable.met(is_first.tolist())
        is_gone = times >= self._web.changes.gone[pages]
        is_over = self._find_gone(pages, is_gone, is_first)
        self._forget(pages[is_over])
        left = ~is_over
        self._plan(pages[left], times[left], is_gone[left], is_first[left])

    def _find_gone(self, pages: Ints, is_gone: Flags, is_first: Flags) -> Flags:
        """Find the pages that are given up: they were gone at several visits in a row."""
        self._gone[pages[is_gone]] += 1
        over: Flags = is_gone & (is_first | (self._gone[pages] >= self._settings.gone_after))
        return over

    def _forget(self, pages: Ints) -> None:
        self._timetable.forget(self._counted[pages])
        self._counted[pages] = 0.0

    def _plan(self, pages: Ints, times: Floats, is_gone: Flags, is_first: Flags) -> None:
        """Learn from visits, and plan the next ones."""
        sights = self._see(pages, times)
        sights[is_gone | is_first] = NOT_SEEN
        evidence = self._evidence[pages]
        seen = VisitedPages(
            evidence=evidence,
            keys=self._keys[pages],
            sights=sights,
            intervals=np.where(is_first, 0.0, times - self._visited[pages]),
            weights=np.ones(len(pages), np.float32),
            lasting=self._web.lasting[pages].astype(np.float32),
            counted=self._counted[pages],
            is_gone=is_gone,
        )
        self._counted[pages], days = self._timetable.plan(seen)
        self._timetable.noted()
        self._evidence[pages] = evidence
        self._visited[pages] = np.where(is_gone, self._visited[pages], times)
        self._due[pages] = np.maximum(times, self._clock.shown / _DAY) + days
        self._put_back(pages)

    def _see(self, pages: Ints, times: Floats) -> Sights:
        changes = self._web.changes
        return _look(pages, times, changes.offsets, changes.times, self._change)

    def _look_at_rates(self, day: float) -> RateSnapshot:
        shape, days = self._model.posteriors(self._evidence, self._keys).T
        return RateSnapshot(day, np.where(self._counted[:, WEIGHT] > 0, shape / days, np.nan))


def _first_visits(web: KnownWeb, settings: RevisitSettings) -> Floats:
    """A crawl begins with pages that are there, as fast as new pages may; others are found at birth."""
    there = np.flatnonzero(web.changes.born <= 0)
    pace = max(settings.new_share, 1e-3) * settings.visits_per_day
    due = web.changes.born.copy()
    order = np.random.default_rng(0).permutation(len(there))
    due[there] = order / pace
    return due


@kernel
def _begin(
    due: Floats, free: float, end: float, gap: float, pauses: Floats, times: Floats
) -> tuple[int, float]:
    """The times of visits, one after the other; those that cannot begin before `end` are left."""
    for place in range(len(due)):
        time = max(due[place], free)
        for number in range(len(pauses)):
            if pauses[number, 0] <= time < pauses[number, 1]:
                time = free = pauses[number, 1]
        if time >= end:
            return place, free
        times[place] = time
        free = max(free, time - _SAVED) + gap
    return len(due), free


@kernel
def _look(pages: Ints, times: Floats, offsets: Ints, changes: Floats, first: Ints) -> Sights:
    """Compare pages with the visits before."""
    seen = np.empty(len(pages), np.int8)
    for row in range(len(pages)):
        page = pages[row]
        place, end = first[page], offsets[page + 1]
        while place < end and changes[place] <= times[row]:
            place += 1
        seen[row] = _CHANGED if place > first[page] else _UNCHANGED
        first[page] = place
    return seen
