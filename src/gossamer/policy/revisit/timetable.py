"""From what visits found to when pages are due again, in columns: a row for each page that was visited.

    sights ─▶ evidence ─▶ rates ─▶ counts of pages by rate and weight ─▶ plan ─▶ days until the next visit

Nothing here knows what a page is: a ring fills the columns with pages that it has compared, a lab with
changes that it has computed. What is known of single pages is kept by the caller. Here is what belongs to
all of them: how many pages there are of each rate, and the price of a visit.
"""

from collections.abc import Iterable
from math import inf
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from gossamer.core.settings import RevisitSettings
from gossamer.policy.revisit.evidence import Evidence
from gossamer.policy.revisit.goals import freshness
from gossamer.policy.revisit.host_prices import HostPrices, Waits
from gossamer.policy.revisit.population import Flags, Floats, PageBuckets, Population, describe
from gossamer.policy.revisit.prior import Keys
from gossamer.policy.revisit.visit_plan import RevisitPlan, solve

Counted = npt.NDArray[np.float32]
"""How pages are counted: a row for each, with these columns."""
RATE, WEIGHT, LASTING, OFTEN = range(4)
"""Its rate, its weight, the part of its content that lasts; and visits per day, by when it is due."""
COUNTED_COLUMNS = 4
NOT_SEEN = -1
"""In place of a `Sight`: a first visit, or one that failed."""

_STALE = 20
"""The plan is made again after visits to one of this many pages …"""
_AT_LEAST = 50
"""… or after this many visits, if that is more …"""
_GROWN = 10
"""… and whenever there are more or fewer pages by one of so many."""
_HASTE = 4
"""A page that seems to be gone is looked at this many times sooner, to be sure."""
_GROWTH = 2.0
"""A page waits at most this many times as long as it has waited before, or as pages wait on average."""
_MOST_CORRECTED = 4.0
"""A plan has at most this many times the budget, and not less than one of this many parts of it."""
_EAGER = 0.5
"""How much of what is amiss is corrected while as many visits are made as there are pages.

It takes so long until all pages are due by new plans. Who corrects faster does it again and again for the
same fault, and visits come in waves.
"""
_ALL_SPENT = 0.999
"""The part of its budget that a plan spends at least if it spends all of it."""
_FEWEST_VISITS, _LAST_VISITS = 50, 1000
"""New pages are counted among about as many of the last visits as pages are known, within these limits."""


class RateModel(Protocol):
    """A model of change rates; `ChangeModel`, or in a lab one that has the true rates."""

    def learn(
        self,
        evidence: Evidence,
        keys: npt.ArrayLike,
        intervals: npt.ArrayLike,
        kinds: npt.ArrayLike,
        details: npt.ArrayLike | None = None,
    ) -> Floats: ...

    def posteriors(self, evidence: Evidence, keys: npt.ArrayLike) -> Floats:
        """Posterior rates of pages: the shape and the days of a gamma distribution."""
        ...


class VisitedPages(NamedTuple):
    """Pages that were visited: columns of the same length."""

    evidence: Evidence
    """What visits say of the rate of each; renewed in place."""
    keys: Keys
    """The groups of each."""
    sights: npt.NDArray[np.int8]
    """A `Sight`, or `NOT_SEEN`."""
    intervals: Floats
    """Days since the visit before."""
    weights: npt.NDArray[np.float32]
    lasting: npt.NDArray[np.float32]
    counted: Counted
    """How each is counted until now; the weight is 0 where it is not."""
    is_gone: Flags
    """Whether it seems to be gone."""
    details: Floats | None = None
    """What sights have to say besides: see `Sightings`."""
    announced_shares: Floats | None = None
    """The share of each page's changes that trusted sources announce."""
    asked: "AskedHosts | None" = None
    """Where hosts may be asked as often as anybody likes, nobody needs to say who was asked."""


class AskedHosts(NamedTuple):
    """The hosts of pages that were visited: columns of the same length."""

    hosts: npt.NDArray[np.int64]
    """A number for the host of each."""
    times: Floats
    """The day of each visit …"""
    waited: Floats
    """… and the days since the visit before."""
    is_free: Flags
    """Whether more visits might have begun: a page that is late then had to wait for its host."""


class RevisitStatistics(Struct, frozen=True):
    pages: int
    """Pages that are due again, some time."""
    visits_per_day: float
    """How many visits are planned."""
    fresh: float
    """The part of the pages that is as the last visit found it, by what is known of their rates."""


class Pace(NamedTuple):
    """Corrections that keep a timetable within its budget."""

    new_part: float
    """The part of the last visits that were first ones."""
    correction: float
    """What a plan has, as a part of the budget, so that all pages are due as often as it allows."""
    settled: int
    """Visits since there were more or fewer pages, until the last plan …"""
    visits: int
    """… and since then."""
    planned: float
    """Pages for which it was made."""


class TimetableState(Struct, frozen=True, array_like=True):
    """Counts of pages of each kind, and the visits per day that they are due for."""

    pages: bytes = b""
    promised: float = 0.0
    correction: float = 1.0
    pace: Pace | None = None
    """None in those of an older time."""
    prices: bytes = b""


class Timetable:
    """Says of pages in how many days they are due again.

    >>> from gossamer.policy.revisit.change_rates import ChangeModel
    >>> table = Timetable(RevisitSettings(visits_per_day=2.0, new_share=0.0), ChangeModel(levels=0))
    >>> table.met([True, True])
    >>> no = np.zeros((2, 4), np.float32)
    >>> seen = (np.array((NOT_SEEN,) * 2, np.int8), np.zeros(2), np.ones(2, np.float32), no[:, 0])
    >>> pages = VisitedPages(no[:, :2].copy(), np.empty((2, 0), np.int64), *seen, no, no[:, 0] > 0)
    >>> counted, days = table.plan(pages)
    >>> days.round(3).tolist()
    [1.0, 1.0]
    """

    def __init__(
        self,
        settings: RevisitSettings,
        model: RateModel,
        partitions: int = 1,
        state: TimetableState | None = None,
    ) -> None:
        self._settings, self._model = settings, model
        self.per_day = settings.visits_per_day / partitions
        """Visits that all pages may have, new ones included; 0 for as many as there are pages."""
        self._buckets = PageBuckets()
        self._known = 0.0
        self._promised = 0.0
        """Visits per day of all pages, by when they are due: each as the plan of its last visit had it."""
        self.prices = HostPrices(state.prices if state is not None else b"")
        self.pace = Pace(settings.new_share, 1.0, 0, 0, 0.0)
        if state is not None:
            self._restore(state)
        self._plan: RevisitPlan | None = None
        self._notes: list[bytes] = []

    @property
    def pace(self) -> Pace:
        numbers = (self._new_part, self._correction, self._settled, self._visits)
        return Pace(*numbers, self._planned)

    @pace.setter
    def pace(self, pace: Pace) -> None:
        self._new_part, self._correction, self._settled, self._visits, self._planned = pace

    def met(self, is_first: Iterable[bool]) -> None:
        """Visits were made, whatever they found; some were the first ones of their pages."""
        memory = min(max(self._known, _FEWEST_VISITS), _LAST_VISITS)
        for first in is_first:
            self._visits += 1
            self._new_part += (first - self._new_part) / memory

    def plan(self, pages: VisitedPages) -> tuple[Counted, Floats]:
        """Make a plan: the groups of pages, and the days until each is due again."""
        self._learn(pages)
        rates = self._rates(pages)
        counted = np.column_stack((rates, pages.weights, pages.lasting, rates)).astype(np.float32)
        for rows, times in ((pages.counted, -1.0), (counted, 1.0)):
            self._sort(_counts(rows, times))
        days = self._days(counted, pages)
        counted[:, OFTEN] = 1 / days
        if pages.announced_shares is not None and pages.announced_shares.any():
            counted[:, OFTEN] += self.heeded(counted) * pages.announced_shares * rates
        for rows, times in ((pages.counted, -1.0), (counted, 1.0)):
            self._promise(_counts(rows, times))
        return counted, days

    def _learn(self, pages: VisitedPages) -> None:
        again = np.flatnonzero(pages.sights != NOT_SEEN)
        if len(again):
            seen = pages.evidence[again]
            details = None if pages.details is None else pages.details[again]
            columns = (pages.keys[again], pages.intervals[again], pages.sights[again], details)
            self._model.learn(seen, *columns)
            pages.evidence[again] = seen

    def _rates(self, pages: VisitedPages) -> Floats:
        """The rate that makes no change in half of an average wait as likely as it is, by what is known.

        It is less than the mean of what is known, the more so the less that is. At the mean, pages would be
        given up of which one or two visits say that they change often; and nobody would learn better.
        """
        shape, days = self._model.posteriors(pages.evidence, pages.keys).T
        wait = max(self.mean_wait() / 2, self._settings.shortest)
        found: Floats = shape / wait * np.log1p(wait / days)
        return found

    def mean_wait(self) -> float:
        """Days from one visit of a page to the next, if all had the same."""
        return min(self._known / max(self._budget(), 1e-9), self._settings.longest)

    def _days(self, counted: Counted, pages: VisitedPages) -> Floats:
        """The distance to the next visit, within its limits."""
        rates, weights, lasting, _ = counted.T.astype(np.float64)
        settings, before = self._settings, pages.counted[:, OFTEN]
        if (
            pages.announced_shares is not None and pages.announced_shares.any()
        ):  # visits are for the changes that nobody tells of
            announced = self.heeded(counted) * pages.announced_shares
            rates *= 1 - announced
            before = np.where(
                announced > 0, np.minimum(before, 1 / np.maximum(pages.intervals, 1e-9)), before
            )
        visits = self._share(describe(rates, weights, lasting=lasting), pages.asked)
        with np.errstate(divide="ignore"):
            days = np.where(visits > 0, 1 / visits, settings.longest)
        self._learn_prices(pages, np.clip(days, settings.shortest, settings.longest))
        days = np.minimum(days, self._longest_wait(before))
        days = np.where(pages.is_gone, days / _HASTE, days)
        return np.clip(days, settings.shortest, settings.longest)

    def _share(self, pages: Population, asked: AskedHosts | None) -> Floats:
        """Visits per day; fewer at hosts that cannot be asked so often."""
        plan = self.current()
        visits = plan.share(pages)
        if asked is None or not len(self.prices):
            return visits
        for host in {*asked.hosts.tolist()}:
            if (price := self.prices.of(host)) > plan.price:
                here = asked.hosts == host
                own = plan.at(price).share(pages.only(here))
                visits[here] = np.minimum(visits[here], own)
        return visits

    def _learn_prices(self, pages: VisitedPages, days: Floats) -> None:
        """Learn the prices of hosts that cannot be asked as often as planned, so that pages wait for `days`.

        A page that others tell of has visits beside its schedule, and says nothing of it.
        """
        if (asked := pages.asked) is None:
            return
        often = pages.counted[:, OFTEN].astype(np.float64)
        is_known = (pages.sights != NOT_SEEN) & (pages.counted[:, WEIGHT] > 0) & asked.is_free
        if pages.announced_shares is not None:
            is_known &= pages.announced_shares == 0
        planned = np.where(is_known & (often > 0), 1 / np.maximum(often, 1e-9), 0.0)
        seen = Waits(asked.hosts, asked.times, planned, asked.waited, days)
        self.prices.learn(seen, self.current().price)

    def heeded(self, counted: Counted) -> Floats:
        """The part of all changes that are worth a visit, when they are told of."""
        rates, weights, lasting, _ = counted.T.astype(np.float64)
        visits = self.current().visits(rates, weights, True, lasting)
        found: Floats = np.minimum(visits / np.maximum(rates, 1e-12), 1.0)
        return found

    def _longest_wait(self, often: npt.NDArray[np.float32]) -> Floats:
        """The longest wait of pages: not all of it at once, for their rates are hardly known at first.

        So a page that is given up is looked at some more times, and comes back if it was thought wrong of.
        """
        with np.errstate(divide="ignore"):
            before = np.where(often > 0, 1 / often.astype(np.float64), 0.0)
        return _GROWTH * np.maximum(before, self.mean_wait())

    def forget(self, counted: Counted) -> None:
        """Pages are not due any more."""
        rows = _counts(counted, -1.0)
        self._sort(rows)
        self._promise(rows)

    # The plan.

    def current(self) -> RevisitPlan:
        """The plan that holds now."""
        if self._plan is None or self._has_grown() or self._is_stale():
            self._correct()
            self._plan = self._solve(self._buckets.population(), self._correction)
            self._visits, self._planned = 0, self._known
        return self._plan

    def interval(self, rate: float) -> float:
        """Days between two visits of a page of this rate; without end if it is given up, or there is none."""
        return self.current().interval(rate) if self._known >= 1 else inf

    @property
    def may_hurry(self) -> bool:
        """May pages that are next in line have visits for which nobody is due?

        Not where the plan leaves visits over because more of them would be in vain.
        """
        if not self.per_day or self._known < 1:
            return False
        plan = self.current()
        return plan.spent > _ALL_SPENT * plan.budget

    def _has_grown(self) -> bool:
        return abs(self._known - self._planned) * _GROWN > self._planned

    def _is_stale(self) -> bool:
        return self._visits > max(_AT_LEAST, self._known / _STALE)

    def _solve(self, pages: Population, correction: float = 1.0) -> RevisitPlan:
        limits = {"longest": self._settings.longest, "shortest": self._settings.shortest}
        return solve(self._settings.policy, pages, self._budget() * correction, **limits)

    def _budget(self) -> float:
        """Visits per day for pages that are known; what new ones leave of their share is for them."""
        if not self.per_day:
            return self._known
        return self.per_day * (1 - min(self._settings.new_share, self._new_part))

    def _correct(self) -> None:
        """Make up for pages that are due by older plans: in a long time, or all too soon.

        Without it, visits are not made for which nobody is due, or pages come late. While pages come and go,
        what is amiss passes by itself: it is what plans for fewer pages had promised.
        """
        self._settled = 0 if self._has_grown() else self._settled + self._visits
        if self._promised > 0 and self._settled > self._known:
            part = min(1.0, self._visits / max(self._known, 1.0))
            found = self._correction * (self._budget() / self._promised) ** (_EAGER * part)
            self._correction = min(max(found, 1 / _MOST_CORRECTED), _MOST_CORRECTED)

    def statistics(self) -> RevisitStatistics:
        if not self._known:
            return RevisitStatistics(0, 0.0, 0.0)
        pages = self._buckets.population()
        often = self._solve(pages).share(pages)
        part = float(freshness(pages.rates, often) @ pages.counts) / self._known
        return RevisitStatistics(round(self._known), float(often @ pages.counts), part)

    # Recorded.

    def _sort(self, rows: Counted) -> None:
        """Pages come to those of their kind, or leave them."""
        rates, weights, lasting, _, times = rows.T.astype(np.float64)
        self._buckets.add(describe(rates, weights, times, lasting=lasting))
        self._known += float(times.sum())

    def _promise(self, rows: Counted) -> None:
        """Pages are due, or not any more; this is recorded."""
        self._promised += float(rows[:, OFTEN].astype(np.float64) @ rows[:, -1])
        if len(rows):
            self._notes.append(rows.tobytes())

    def note(self) -> bytes:
        return b"".join(self._notes)

    def noted(self) -> None:
        self._notes.clear()

    def replay(self, notes: Iterable[bytes]) -> None:
        for note in notes:
            rows = np.frombuffer(note, np.float32).reshape(-1, COUNTED_COLUMNS + 1)
            self._sort(rows)
            self._promise(rows)
        self._notes.clear()

    def state(self) -> TimetableState:
        pages = self._buckets.population()
        rows = (pages.rates, pages.weights, pages.lasting, pages.counts)
        counts = np.column_stack(rows).tobytes()
        numbers = (self._promised, self._correction, self.pace)
        return TimetableState(counts, *numbers, self.prices.dump())

    def _restore(self, state: TimetableState) -> None:
        rates, weights, lasting, counts = np.frombuffer(state.pages).reshape(-1, 4).T
        self._buckets.add(describe(rates, weights, counts, lasting=lasting))
        self._known = float(counts.sum())
        self._promised = state.promised
        self.pace = state.pace or self.pace._replace(correction=state.correction)


def _counts(counted: Counted, times: float) -> Counted:
    """Rows of pages that are counted, and behind them whether they come (1) or leave (-1)."""
    rows = counted[counted[:, WEIGHT] > 0]
    return np.column_stack((rows, np.full(len(rows), times, np.float32)))
