"""Pictures of what happened over time: curves, and bars of several kinds on top of each other."""

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from gossamer.harvest.graph.picture.svg import inline, shape, text
from gossamer.serve.subjects.freshness import FreshnessSeen
from gossamer.serve.web.moments import write_moment

_WIDTH, _HEIGHT = 460.0, 170.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 46.0, 10.0, 12.0, 26.0
KINDS = ("new", "changed", "unchanged", "announced", "failed")
"""What visits were for, as they stand on top of each other; classes of the style sheet, too."""


def curve_picture(
    title: str, times: Sequence[float], values: Sequence[float | None], most: float = 0.0
) -> Markup:
    """One curve from left to right; a gap where there is no value."""
    top = most or max((one for one in values if one is not None), default=0.0) or 1.0
    parts = [*_axes(times, top)]
    points = ""
    for at, value in zip(times, values, strict=True):
        if value is None:
            continue
        points += f"{_x(times, at):.1f},{_y(min(value, top), top):.1f} "
    if points:
        parts.append(shape("polyline", points=points.strip(), class_="curve"))
    return Markup(inline(_WIDTH, _HEIGHT, title, parts))


def visits_picture(found: FreshnessSeen) -> Markup:
    """How many visits were made in each span of time, and for what."""
    most = float(max((one.total for one in found.made), default=0) or 1)
    times = [found.made[0].begin, found.made[-1].end] if found.made else []
    parts = [*_axes(times, most)]
    step = (_WIDTH - _LEFT - _RIGHT) / max(len(found.made), 1)
    for place, one in enumerate(found.made):
        below = 0.0
        for kind in KINDS:
            count = getattr(one, kind)
            if not count:
                continue
            top, bottom = _y(below + count, most), _y(below, most)
            box = {"x": _LEFT + place * step, "y": top, "width": step * 0.9, "height": bottom - top}
            says = f"{write_moment(one.begin)}: {count:,} {kind}"
            parts.append(shape("rect", **box, class_=f"bar {kind}", says=says))
            below += count
    return Markup(inline(_WIDTH, _HEIGHT, "Visits over time, by what they were for", parts))


def _axes(times: Sequence[float], most: float) -> Iterator[str]:
    bottom = _HEIGHT - _BOTTOM
    for part in (0.0, 0.5, 1.0):
        y = _y(most * part, most)
        yield shape("path", d=f"M{_LEFT:g} {y:.1f} H{_WIDTH - _RIGHT:g}", class_="axis")
        yield text(_LEFT - 6, y + 4, f"{most * part:.3g}", anchor="end", kind="soft")
    if times:
        yield text(_LEFT, bottom + 18, write_moment(times[0]), anchor="start", kind="soft")
        yield text(_WIDTH - _RIGHT, bottom + 18, write_moment(times[-1]), anchor="end", kind="soft")


def _x(times: Sequence[float], at: float) -> float:
    span = times[-1] - times[0]
    part = (at - times[0]) / span if span else 0.0
    return _LEFT + part * (_WIDTH - _LEFT - _RIGHT)


def _y(value: float, most: float) -> float:
    return _HEIGHT - _BOTTOM - value / most * (_HEIGHT - _TOP - _BOTTOM)


TIME_PICTURES = {
    "curve_picture": curve_picture,
    "visits_picture": visits_picture,
    "visit_kinds": KINDS,
}
"""By the names that templates use."""
