"""Freshness of the copies of a continuous crawl: over time, by host, and what is due next."""

import time
from collections.abc import Iterator, Sequence
from math import isfinite
from pathlib import Path
from typing import Annotated, Literal, get_args

import numpy as np
from msgspec import Meta, Struct

from gossamer.core.directory import Directory
from gossamer.dashboard.cached_frontier import read_waiting
from gossamer.dashboard.crawl_snapshot import snapshot_of
from gossamer.dashboard.file_stamp import stamp, stamps
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.view_protocol import SortableAsked, View
from gossamer.dashboard.views.chart_marks import ChartMark, read_marks
from gossamer.dashboard.visit_log import LoggedVisits, VisitLog
from gossamer.engine.ledger import Ledger
from gossamer.policy.revisit import Revisits, RevisitStatistics, describe_allocations
from gossamer.policy.revisit.hindsight import LookBack, VisitFound, look_back

POINTS = 60
_MOST_HOSTS = 200
_MOST_DUE = 20
_PATIENCE = 0.2
"""Seconds that a page waits for the visits to be read."""
_KEPT = 60.0
"""Seconds for which a picture of a crawl that runs is good enough."""


Sorting = Literal["pages", "rate", "fresh"]


class FreshnessAsked(SortableAsked, frozen=True):
    by: Sorting = "pages"
    """What hosts are sorted by: most pages, fastest, least fresh."""
    most: Annotated[int, Meta(ge=1, le=_MOST_HOSTS)] = 30


class Moment(Struct, frozen=True):
    """A point in time."""

    time: float
    """Seconds since 1970."""
    fresh: float | None
    """The part of the copies that were as their pages, estimated; None before the first page."""
    age: float | None
    """Mean days since copies went out of date, 0 for those that are fresh."""
    pages: int


class VisitsMade(Struct, frozen=True):
    """Visits of a span of time, by what they were for."""

    begin: float
    end: float
    new: int
    """First visits."""
    changed: int
    """Visits to known pages that were due, and had changed …"""
    unchanged: int
    """… or had not, or were gone."""
    announced: int
    """Visits beside those that were due, because pages were announced."""
    failed: int

    @property
    def total(self) -> int:
        return self.new + self.changed + self.unchanged + self.announced + self.failed


class HostRate(Struct, frozen=True):
    host: str
    pages: int
    """Known and not gone."""
    compared: int
    """Visits that could say whether the page had changed."""
    changes: int
    """Those that it had."""
    rate: float
    """Changes of a page per day, estimated."""
    fresh: float | None
    """The part of its copies that is as the pages are."""


class DuePage(Struct, frozen=True):
    url: str
    time: float
    """When it is due, in seconds since 1970."""


class FreshnessSeen(Struct, frozen=True):
    """The freshness of a crawl that never ends."""

    is_continuous: bool
    policy: str = ""
    policy_means: str = ""
    visits_per_day: float = 0.0
    """As set; 0: as many as there are pages."""
    new_share: float = 0.0
    day: float = 86_400.0
    """Seconds."""
    visits: int = 0
    """In the tables on disk."""
    one_in: int = 1
    """Of this many pages, one was looked at; figures are of these."""
    moments: tuple[Moment, ...] = ()
    made: tuple[VisitsMade, ...] = ()
    hosts: tuple[HostRate, ...] = ()
    host_count: int = 0
    due: tuple[DuePage, ...] = ()
    """As of the last checkpoint."""
    checkpoint: float | None = None
    """Its time, the oldest of all partitions, in seconds since 1970; None before the first."""
    scheduled: int = 0
    """Pages that are due again, as of now."""
    marks: tuple[ChartMark, ...] = ()
    """Commands and events in the time of the curves."""
    plan: RevisitStatistics | None = None
    """What the crawl's own plan said of itself at the last checkpoint, all partitions together."""
    is_reading: bool = False
    """Are there visits that are still being read? The figures do not count them yet."""

    @property
    def now(self) -> Moment | None:
        return self.moments[-1] if self.moments else None

    @property
    def totals(self) -> VisitsMade:
        """All visits together."""
        return VisitsMade(
            *(self.made[0].begin, self.made[-1].end) if self.made else (0.0, 0.0),
            *(
                sum(getattr(made, name) for made in self.made)
                for name in ("new", "changed", "unchanged", "announced", "failed")
            ),
        )


class _Past(Struct, frozen=True):
    """Results from the tables, ready to be shown."""

    visits: int
    one_in: int
    moments: tuple[Moment, ...]
    made: tuple[VisitsMade, ...]
    hosts: dict[str, tuple[HostRate, ...]]
    """The first hosts, by what they are sorted by."""
    host_count: int


_NOT_READ = _Past(0, 1, (), (), dict.fromkeys(get_args(Sorting), ()), 0)


def look(crawl: ShownCrawl, asked: FreshnessAsked) -> FreshnessSeen:
    settings = crawl.settings.revisit
    if not settings.continuous:
        return FreshnessSeen(False)
    past, is_reading = _read_past(crawl)
    parts = read_waiting(crawl)
    due = sorted(
        (visit for part in parts for visit in part.frontier.due), key=lambda visit: visit.time
    )
    means = {name: about for name, _, about in describe_allocations()}
    return FreshnessSeen(
        True,
        settings.policy,
        means.get(settings.policy.partition(":")[0], ""),
        settings.visits_per_day,
        settings.new_share,
        settings.day,
        past.visits,
        past.one_in,
        past.moments,
        past.made,
        past.hosts[asked.by][: asked.most],
        past.host_count,
        tuple(DuePage(visit.visit.url.text, visit.time) for visit in due[:_MOST_DUE]),
        min((part.time for part in parts if part.time), default=None),
        snapshot_of(crawl).summary.scheduled,
        tuple(read_marks(crawl, past.moments[0].time)) if past.moments else (),
        _plan(crawl),
        is_reading=is_reading,
    )


def _read_past(crawl: ShownCrawl) -> tuple[_Past, bool]:
    """Computed again when there are other files, and now and then while time goes on. What was computed
    before counts until then. Are there visits that are still being read?"""
    files = sorted((crawl.path / "pages").glob("*.parquet"))
    span = int(time.monotonic() / _KEPT) if crawl.is_running else 0
    mark = stamps(files), span, crawl.settings.revisit
    found = crawl.keep_soon(_PATIENCE, "freshness", mark, lambda: _look_back(crawl, files))
    if found is not None:
        return found, False
    return crawl.last_kept("freshness") or _NOT_READ, True


def _look_back(crawl: ShownCrawl, files: Sequence[Path]) -> _Past:
    day = crawl.settings.revisit.day
    logged = crawl.keep("visit log", 0, VisitLog).read(files)
    now = time.time() if crawl.is_running else float(logged.times.max(initial=0.0))
    seen = look_back(logged.as_past(day), now / day, POINTS)
    hosts = [*_hosts(logged, seen)]
    return _Past(
        len(logged),
        logged.one_in,
        tuple(_moments(seen, day)),
        tuple(_made(logged, seen, day)),
        {
            by: tuple(sorted(hosts, key=lambda one: _place(one, by))[:_MOST_HOSTS])
            for by in get_args(Sorting)
        },
        len(hosts),
    )


def _moments(seen: LookBack, day: float) -> Iterator[Moment]:
    if not seen.pages.any():
        return
    rows = zip(seen.days * day, seen.fresh, seen.age, seen.pages, strict=True)
    for at, fresh, age, pages in rows:
        yield Moment(float(at), _number(fresh), _number(age), int(pages))


def _number(value: float) -> float | None:
    return float(value) if isfinite(value) else None


def _made(logged: LoggedVisits, seen: LookBack, day: float) -> Iterator[VisitsMade]:
    """Visits by purpose, in as many spans as there are points."""
    if not len(logged):
        return
    order = np.lexsort((logged.times, logged.keys))
    keys = logged.keys[order]
    is_first = np.ones(len(keys), np.bool_)
    is_first[order] = np.append(True, keys[1:] != keys[:-1])
    found = logged.found
    is_failed = found == VisitFound.FAILED
    is_announced = logged.is_announced & ~is_failed
    is_new = is_first & ~is_failed & ~is_announced
    is_again = ~(is_failed | is_announced | is_new)
    is_changed = is_again & (found == VisitFound.CHANGED)
    edges = seen.days * day
    edges[0] = min(edges[0], float(logged.times.min()))
    edges[-1] = max(edges[-1], float(logged.times.max()))
    kinds = (is_new, is_changed, is_again & ~is_changed, is_announced, is_failed)
    counts = [np.histogram(logged.times[kind], edges)[0].tolist() for kind in kinds]
    for begin, end, *some in zip(edges[:-1].tolist(), edges[1:].tolist(), *counts, strict=True):
        yield VisitsMade(begin, end, *some)


def _hosts(logged: LoggedVisits, seen: LookBack) -> Iterator[HostRate]:
    for number, name in enumerate(logged.names):
        if number < len(seen.host_rates) and (
            seen.host_pages[number] or seen.host_intervals[number]
        ):
            yield HostRate(
                name,
                int(seen.host_pages[number]),
                int(seen.host_intervals[number]),
                int(seen.host_changes[number]),
                float(seen.host_rates[number]),
                _number(seen.host_fresh[number]),
            )


def _place(one: HostRate, by: str) -> tuple[float, float, str]:
    if by == "rate":
        return -one.rate, -one.pages, one.host
    if by == "fresh":
        return 2.0 if one.fresh is None else one.fresh, -one.pages, one.host
    return -one.pages, -one.rate, one.host


def _plan(crawl: ShownCrawl) -> RevisitStatistics | None:
    """The figures of the revisit plans of all partitions."""
    folder = Directory(crawl.path)
    states = [Directory(crawl.path, number).state for number in range(folder.partitions)]
    mark = tuple(stamp(state / "checkpoint") for state in states)
    return crawl.keep("plan", mark, lambda: _read_plan(crawl, states))


def _read_plan(crawl: ShownCrawl, states: Sequence[Path]) -> RevisitStatistics | None:
    found = []
    for state in states:
        packed = Ledger.read_checkpoint(state).components.get(Revisits.name, b"")
        if packed:
            room = Revisits(crawl.settings.revisit, len(states), state=packed)
            found.append(room.statistics())
    pages = sum(statistics.pages for statistics in found)
    if not pages:
        return None
    fresh = sum(statistics.fresh * statistics.pages for statistics in found) / pages
    return RevisitStatistics(pages, sum(statistics.visits_per_day for statistics in found), fresh)


FRESHNESS = View(
    path="/freshness",
    title="Freshness",
    about="Freshness of copies over time and by host, and the pages due next.",
    asked=FreshnessAsked,
    answer=FreshnessSeen,
    look=look,
    template="freshness.html",
)
