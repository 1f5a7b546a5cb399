"""A snapshot of the crawl that is shown: what the verdict and all figures are made of.

One is taken at most once a second, for all pages, the API, the metrics and the event stream together: so all
of them say the same.
"""

import time
from statistics import median

import numpy as np

from gossamer.dashboard.present_rate import rate
from gossamer.dashboard.related_crawls import families_of
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.engine.crawl_health import CrawlSnapshot, CrawlVerdict, PartitionLoad, judge
from gossamer.engine.timeline import Timeline, read_timeline

_EVERY = 1.0
_GROWTH = 300.0
"""Seconds over which the growth of the queue is measured …"""
_LEAST = 30.0
"""… and from which on it counts."""
_USUAL = 1_800.0
"""Seconds before the present ones, of which the median is the usual speed …"""
_NOW = 60.0
"""… and those that do not belong to it."""
_PIECES = 10
"""Into which these are cut; with fewer there is no usual speed."""


def snapshot_of(crawl: ShownCrawl) -> CrawlSnapshot:
    """The last snapshot, not older than a second, nor than a change of the crawl's status or a command."""
    mark = int(time.monotonic() / _EVERY), crawl.changes
    return crawl.keep("snapshot", mark, lambda: take_snapshot(crawl))


def verdict_of(crawl: ShownCrawl) -> CrawlVerdict:
    return judge(snapshot_of(crawl))


def take_snapshot(crawl: ShownCrawl, *, waits: bool = False) -> CrawlSnapshot:
    """`waits`: read all that belongs to it now, however long that takes."""
    summary, is_running, present = crawl.summary(), crawl.is_running, crawl.present
    timeline, limits = read_timeline(crawl.path), crawl.settings.crawl
    families = families_of(crawl, waits=waits)
    is_paused = is_running and crawl.is_paused
    is_moving = is_running and not is_paused
    return CrawlSnapshot(
        time=present,
        summary=summary,
        is_running=is_running,
        is_paused=is_paused,
        silent_seconds=crawl.silent_seconds if is_running else 0.0,
        idle_seconds=_idle_seconds(timeline, present) if is_running else 0.0,
        pages_per_second=rate(timeline, "pages", present) if is_moving else 0.0,
        bytes_per_second=rate(timeline, "bytes", present) if is_moving else 0.0,
        usual_pages_per_second=_usual_speed(timeline, present),
        growth_per_second=_growth(timeline, present) if is_moving else 0.0,
        hosts=families.hosts,
        urls_at_hosts=families.urls_at_hosts,
        recent_pages=families.recent_pages,
        recent_hosts=families.recent_hosts,
        families=families.families,
        partitions=_loads(timeline),
        max_pages=limits.max_pages,
        max_seconds=limits.max_seconds,
        last_level=crawl.settings.frontier.levels - 1,
        trouble=crawl.in_storage.trouble if crawl.in_storage is not None else "",
    )


def _idle_seconds(timeline: Timeline, present: float) -> float:
    """Since the last page, by the timeline; a run that has just begun is not idle yet."""
    if len(timeline) < 2:
        return 0.0
    pages = timeline.column("pages")
    last = int(np.searchsorted(pages, pages[-1]))
    watched = timeline.seconds[-1] - timeline.seconds[last]  # without the time between two runs
    return float(watched + max(0.0, present - timeline.times[-1])) if watched > 0 else 0.0


def _growth(timeline: Timeline, present: float) -> float | None:
    recent = timeline.since(present - _GROWTH)
    if len(recent) < 2 or (took := recent.times[-1] - recent.times[0]) < _LEAST:
        return None
    waiting = recent.column("waiting")
    return float((waiting[-1] - waiting[0]) / took)


def _usual_speed(timeline: Timeline, present: float) -> float:
    """The median of pieces of the half hour before the last minute."""
    begin, end = present - _USUAL - _NOW, present - _NOW
    times, pages = timeline.times, timeline.column("pages")
    if not len(times) or times[0] > end - _USUAL / _PIECES * 2:
        return 0.0
    at = np.interp(np.linspace(begin, end, _PIECES + 1), times, pages)
    grown = [value for value in np.diff(at) if value > 0]
    return float(median(grown)) / (_USUAL / _PIECES) if grown else 0.0


def _loads(timeline: Timeline) -> tuple[PartitionLoad, ...]:
    if not len(timeline):
        return ()
    columns = [timeline.columns.index(name) for name in ("waiting", "in_flight")]
    last = timeline.figures[-1][:, columns].tolist()
    return tuple(PartitionLoad(number, *row) for number, row in enumerate(last))
