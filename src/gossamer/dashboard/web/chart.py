"""Charts as SVG within a page: axes with units, curves or bars, and marks for commands and events.

Without a script they show all but single values; with `static/chart.js`, these are read by pointing or with
the arrow keys. Places across are in per cent, so a chart fits any width and its words keep their size.
"""

from collections.abc import Iterator, Sequence

import msgspec
from markupsafe import Markup, escape
from msgspec import Struct

from gossamer.dashboard.views.chart_marks import ChartMark
from gossamer.dashboard.views.curves import FigureCurve
from gossamer.dashboard.views.freshness_view import FreshnessSeen
from gossamer.dashboard.views.frontier_view import FrontierSeen
from gossamer.dashboard.views.host_view import Bar
from gossamer.dashboard.web.chart_axes import (
    Tick,
    number_ticks,
    time_ticks,
    top_of,
    value_ticks,
    write_value,
)
from gossamer.dashboard.web.crawl_times import write_moment
from gossamer.dashboard.web.figure_words import write_rate
from gossamer.dashboard.web.harmless_text import plain

_ACROSS, _HIGH = 1000.0, 1000.0
"""Units of the inner picture, which is stretched to the size of the plot."""
_PART_OF_BAR = 0.86
_SLACK, _SLACK_SECONDS = 0.02, 5.0
"""Marks beyond the curve by this part of its time, or by these seconds, still belong to it."""
KINDS = ("new", "changed", "unchanged", "announced", "failed")
"""What visits were for, as they stand on top of each other; classes of the style sheet as well."""


class Series(Struct, frozen=True):
    """One curve, or one kind of bars."""

    name: str
    values: Sequence[float | None]
    kind: str = ""
    """Its class in the style sheet."""


class Chart(Struct, frozen=True, kw_only=True):
    title: str
    unit: str
    """`pages`, `pages/s`, `bytes`, `bytes/s`, `days`, or `%` for parts of one."""
    times: Sequence[float]
    """Seconds since 1970, of each value; of bars, where each begins. Or numbers, if `name` is given."""
    end: float
    """Where the last bar ends, or the curve."""
    series: Sequence[Series]
    has_bars: bool = False
    marks: Sequence[ChartMark] = ()
    name: str = ""
    """What bars are numbered by, such as `level`; empty for times."""
    now: str = ""
    """What stands beside the title."""


def draw_chart(chart: Chart) -> Markup:
    """A figure; every part is made of numbers, or escaped."""
    now = f' <span class="now">{escape(chart.now)}</span>' if chart.now else ""
    keys = "".join(_keys(chart)) if len(chart.series) > 1 else ""
    plot = "".join(_parts(chart))
    return Markup(
        f'<figure class="chart"><figcaption><span>{escape(chart.title)}</span>{now}</figcaption>'
        f'<div class="plot"><svg role="img" aria-label="{escape(_words(chart))}" '
        f'data-chart="{escape(_data(chart))}">{plot}</svg>'
        f'<div class="reading" data-own hidden></div></div>{keys}</figure>'
    )


def _keys(chart: Chart) -> Iterator[str]:
    yield '<p class="keys">'
    for series in chart.series:
        yield f'<span><span class="key {escape(series.kind)}"></span> {escape(series.name)}</span> '
    yield "</p>"


def _data(chart: Chart) -> str:
    """The data that the script needs to read values."""
    series = [
        {"name": one.name, "values": [_digits(value) for value in one.values]}
        for one in chart.series
    ]
    marks = [
        {"time": mark.time, "until": mark.until, "words": plain(mark.words, 120)}
        for mark in chart.marks
    ]
    told = {
        "unit": chart.unit,
        "name": chart.name,
        "times": [round(time, 1) for time in chart.times],
        "end": round(chart.end, 1),
        "top": _top(chart),
        "bars": chart.has_bars,
        "series": series,
        "marks": marks,
    }
    return msgspec.json.encode(told).decode()


def _digits(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.5g}")


def _words(chart: Chart) -> str:
    """The whole chart in a line, for those who do not see it."""
    values = [value for series in chart.series for value in series.values if value is not None]
    if not values:
        return f"{chart.title}: no values yet"
    most = write_value(max(values), chart.unit)
    span = (
        "" if chart.name else f", {write_moment(chart.times[0])} to {write_moment(chart.end)} UTC"
    )
    now = f"{chart.now}, " if chart.now else ""
    return f"{chart.title}: {now}at most {most}{span}"


def _parts(chart: Chart) -> Iterator[str]:
    for tick in value_ticks(_most(chart), chart.unit):
        y = f"{100 * (1 - tick.part):.1f}%"
        yield f'<line class="axis" x1="0" x2="100%" y1="{y}" y2="{y}"/>'
        yield f'<text x="-6" y="{y}" dy="4" text-anchor="end">{escape(tick.words)}</text>'
    for tick in _ticks(chart):
        x = f"{100 * tick.part:.1f}%"
        yield f'<line class="axis" x1="{x}" x2="{x}" y1="100%" y2="103%"/>'
        yield f'<text x="{x}" y="100%" dy="18" text-anchor="{_anchor(tick)}">{escape(tick.words)}</text>'
    yield f'<svg viewBox="0 0 {_ACROSS:g} {_HIGH:g}" preserveAspectRatio="none">'
    yield from _spans(chart)
    yield from _bars(chart) if chart.has_bars else _curves(chart)
    yield "</svg>"
    yield from _marks(chart)


def _ticks(chart: Chart) -> list[Tick]:
    if chart.name:
        return [*number_ticks(len(chart.times))]
    return time_ticks(chart.times[0], chart.end) if chart.times else []


def _anchor(tick: Tick) -> str:
    return "start" if tick.part < 0.06 else "end" if tick.part > 0.94 else "middle"


def _curves(chart: Chart) -> Iterator[str]:
    top = _top(chart)
    for series in chart.series:
        points, runs = "", []
        for time, value in zip(chart.times, series.values, strict=True):
            if value is None:
                runs.append(points)
                points = ""
            else:
                points += f"{_x(chart, time):.1f},{_y(value, top):.1f} "
        for run in filter(None, [*runs, points]):
            yield f'<polyline class="curve {escape(series.kind)}" points="{run.strip()}"/>'


def _bars(chart: Chart) -> Iterator[str]:
    top, edges = _top(chart), [*chart.times, chart.end]
    for place, time in enumerate(chart.times):
        below, left = 0.0, _x(chart, time)
        wide = (_x(chart, edges[place + 1]) - left) * _PART_OF_BAR
        for series in chart.series:
            value = series.values[place] or 0.0
            if value:
                high = max(_y(below, top) - _y(below + value, top), 6.0)
                box = f'x="{left:.1f}" y="{_y(below, top) - high:.1f}" width="{wide:.1f}" height="{high:.1f}"'
                yield f'<rect class="bar {escape(series.kind)}" {box}/>'
            below += value


def _spans(chart: Chart) -> Iterator[str]:
    """Pauses are stretches of time."""
    for mark in chart.marks:
        if mark.until is not None:
            left, right = _x(chart, mark.time), _x(chart, mark.until)
            if right > left:
                box = f'x="{left:.1f}" y="0" width="{right - left:.1f}" height="{_HIGH:g}"'
                yield f'<rect class="span" {box}/>'


def _marks(chart: Chart) -> Iterator[str]:
    """Those a little before the first value or after the last, such as starts, stand at the edge."""
    if not chart.times:
        return
    slack = max(_SLACK * (chart.end - chart.times[0]), _SLACK_SECONDS)
    for mark in chart.marks:
        if chart.times[0] - slack <= mark.time <= chart.end + slack:
            x, says = f"{_x(chart, mark.time) / 10:.1f}%", f"{write_moment(mark.time)} {mark.words}"
            yield (
                f'<g class="mark {escape(mark.kind)}"><line x1="{x}" x2="{x}" y1="0" y2="100%"/>'
                f'<circle cx="{x}" cy="0" r="3.5"/><title>{escape(plain(says, 160))}</title></g>'
            )


def _most(chart: Chart) -> float:
    if chart.has_bars:
        return max((sum(one or 0.0 for one in some) for some in _columns(chart)), default=0.0)
    return max((v for series in chart.series for v in series.values if v is not None), default=0.0)


def _columns(chart: Chart) -> Iterator[tuple[float | None, ...]]:
    return zip(*(series.values for series in chart.series), strict=True)


def _top(chart: Chart) -> float:
    return top_of(_most(chart), chart.unit)


def _x(chart: Chart, at: float) -> float:
    span = chart.end - chart.times[0]
    part = (at - chart.times[0]) / span if span > 0 else 0.0
    return min(max(part, 0.0), 1.0) * _ACROSS


def _y(value: float, top: float) -> float:
    return _HIGH * (1 - value / top)


# The charts of our pages.


def figure_chart(curve: FigureCurve, marks: Sequence[ChartMark], is_running: bool = True) -> Markup:
    """A figure of the crawl over time."""
    unit = curve.name if curve.unit == "number" else curve.name.replace("pages", "bytes")
    is_rate = unit == "pages/s"
    last = f"{write_rate(curve.last)} {unit}" if is_rate else write_value(curve.last, unit)
    last = last if curve.values else ""
    now = f"{last} now" if last and is_running else last
    series, times = [Series(curve.name, curve.values)], curve.times
    end = times[-1] if times else 0.0
    title = curve.name.capitalize()
    return draw_chart(
        Chart(title=title, unit=unit, times=times, end=end, series=series, marks=marks, now=now)
    )


def curve_chart(
    title: str,
    unit: str,
    times: Sequence[float],
    values: Sequence[float | None],
    marks: Sequence[ChartMark] = (),
) -> Markup:
    """One curve; a gap where there is no value."""
    end, series = times[-1] if times else 0.0, [Series(title, values)]
    return draw_chart(
        Chart(title=title, unit=unit, times=times, end=end, series=series, marks=marks)
    )


def visits_chart(found: FreshnessSeen) -> Markup:
    """Draw the number of visits in each span of time, by purpose."""
    return draw_chart(
        Chart(
            title="Visits by purpose",
            unit="visits",
            times=[made.begin for made in found.made],
            end=found.made[-1].end if found.made else 0.0,
            series=[
                Series(kind, [getattr(made, kind) for made in found.made], kind) for kind in KINDS
            ],
            has_bars=True,
            marks=found.marks,
        )
    )


def timeline_chart(timeline: Sequence[Bar], marks: Sequence[ChartMark]) -> Markup:
    """Visits to a host over time."""
    times = [bar.begin for bar in timeline]
    return draw_chart(
        Chart(
            title="Visits over time",
            unit="visits",
            times=times,
            end=2 * times[-1] - times[-2] if len(times) > 1 else 0.0,
            series=[Series("visits", [bar.visits for bar in timeline])],
            has_bars=True,
            marks=marks,
        )
    )


def levels_chart(found: FrontierSeen) -> Markup:
    """URLs that wait, a bar for each level."""
    count = len(found.levels)
    return draw_chart(
        Chart(
            title="URLs that wait, by level",
            unit="URLs",
            times=[*map(float, range(count))],
            end=float(count),
            series=[
                Series("in front queues", [level.front for level in found.levels]),
                Series("at their hosts", [level.behind for level in found.levels], "second"),
            ],
            has_bars=True,
            name="level",
        )
    )


CHARTS = {
    "figure_chart": figure_chart,
    "curve_chart": curve_chart,
    "visits_chart": visits_chart,
    "timeline_chart": timeline_chart,
    "levels_chart": levels_chart,
    "visit_kinds": KINDS,
}
"""By the names that templates use."""
