"""The crawl as a whole: figures, curves, what became of visits and links, and what needs a word."""

from math import inf
from typing import Literal

from msgspec import Struct

from gossamer.core.outcomes import Outcome
from gossamer.dashboard.crawl_snapshot import snapshot_of
from gossamer.dashboard.host_machine import Machine, measure
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.tables.host_table import statuses_of_failing
from gossamer.dashboard.view_protocol import SortableAsked, View
from gossamer.dashboard.views.chart_marks import ChartMark, read_marks
from gossamer.dashboard.views.curves import FigureCurve, draw_curves
from gossamer.dashboard.views.shares import (
    MachineFigures,
    PartitionFigures,
    by_machine,
    by_partition,
)
from gossamer.dashboard.views.warnings_view import PresentPace, name_failing_hosts, name_warnings
from gossamer.engine.crawl_figures import FigureNow, show_figures
from gossamer.engine.crawl_health import CrawlSnapshot, CrawlVerdict, judge
from gossamer.engine.summary import Summary
from gossamer.engine.timeline import read_timeline

_SPANS = {"minutes": 600.0, "day": 86_400.0, "all": inf}
_MEASURED_FOR = 10.0
"""Seconds for which what the machine has left counts as known."""
_FAILED = 5
"""Visits without anything but an error after which a host is named."""
_OUTCOMES = frozenset(one.value for one in Outcome)


class OverviewAsked(SortableAsked, frozen=True):
    span: Literal["minutes", "day", "all"] = "all"
    """How far back the curves go."""


class Tallied(Struct, frozen=True):
    """A result of visits or links, and its count."""

    name: str
    count: int
    path: str
    """Where the list of them is."""


class Overview(Struct, frozen=True):
    """The progress of a crawl, and its state."""

    verdict: CrawlVerdict
    figures: list[FigureNow]
    """Those that all pages have in common."""
    summary: Summary
    is_running: bool
    pace: PresentPace
    seconds_left: float | None
    """Until a limit is reached at the present rate; None when there is none, or it cannot be known."""
    seconds_of_waiting: float | None
    """To visit all that waits, as fast as the queue shrinks; None when it grows."""
    is_here: bool
    """Are all files of the crawl on this machine? Else what follows is only where it is shown."""
    machine: Machine
    warnings: list[str]
    curves: list[FigureCurve]
    marks: list[ChartMark]
    """Commands and events in the time of the curves."""
    answers: list[Tallied]
    errors: list[Tallied]
    refused: list[Tallied]
    partitions: list[PartitionFigures]
    machines: list[MachineFigures]
    """None when all partitions are on one machine."""
    notes: list[str]
    """Where this was read, if the crawl is in remote storage, and what is not here."""


def look(crawl: ShownCrawl, asked: OverviewAsked) -> Overview:
    at = snapshot_of(crawl)
    summary, is_running, verdict = at.summary, at.is_running, judge(at)
    timeline, present = read_timeline(crawl.path), at.time
    partitions = by_partition(timeline, summary, present)
    machine = crawl.keep_for(
        _MEASURED_FOR, "machine", lambda: measure(crawl.path, crawl.process if is_running else 0)
    )
    is_here, pace = crawl.in_storage is None, PresentPace(0.0, 0.0, 0.0)
    if is_running:
        pace = _pace(at, machine, is_here)
    curves = draw_curves(timeline.since(present - _SPANS[asked.span]), at)
    return Overview(
        verdict,
        show_figures(at),
        summary,
        is_running,
        pace,
        at.seconds_to_limit,
        at.seconds_of_waiting,
        is_here,
        machine,
        [
            *([verdict.cause] if verdict.tone in ("warning", "bad") else ()),
            *verdict.alarms,
            *name_warnings(summary, machine, pace, is_running, at.seconds_to_limit),
            *(name_failing_hosts(statuses_of_failing(crawl, _FAILED)) if crawl.is_whole else ()),
        ],
        curves,
        read_marks(
            crawl, min((curve.times[0] for curve in curves if curve.times), default=present)
        ),
        _tallied(summary.statuses, "/pages?status="),
        _tallied(summary.errors, "/pages?outcome="),
        _refused(summary),
        partitions,
        by_machine(summary, partitions),
        crawl.notes,
    )


def _pace(at: CrawlSnapshot, machine: Machine, is_here: bool) -> PresentPace:
    """By what the last seconds brought. The directory grows with the pages, if they are here."""
    pages, size = at.pages_per_second, at.bytes_per_second
    if not is_here:
        return PresentPace(pages, size, 0.0)
    per_page = machine.disk_used / at.summary.pages if at.summary.pages else 0.0
    return PresentPace(pages, size, pages * per_page)


def _tallied(counts: dict[str, int], path: str) -> list[Tallied]:
    return [Tallied(name, count, f"{path}{name}") for name, count in counts.items()]


def _refused(summary: Summary) -> list[Tallied]:
    """Visits that were not made, and links that were not followed, are in different tables."""
    return [
        Tallied(
            name, count, f"/pages?outcome={name}" if name in _OUTCOMES else f"/links?refused={name}"
        )
        for name, count in summary.refused.items()
    ]


OVERVIEW = View(
    path="/",
    title="Overview",
    about="The crawl as a whole: figures, curves, outcomes, warnings.",
    asked=OverviewAsked,
    answer=Overview,
    look=look,
    template="overview.html",
    live="overview.live.html",
)
