"""Curves of a crawl's figures over time, few enough points to draw."""

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from gossamer.engine.crawl_figures import value_of
from gossamer.engine.crawl_health import CrawlSnapshot
from gossamer.engine.timeline import Timeline

MOST_POINTS = 160


class FigureCurve(Struct, frozen=True):
    """One figure over time."""

    name: str
    unit: str
    """What the values are: a number, `bytes`, or something for each second."""
    times: list[float]
    """Seconds since 1970."""
    values: list[float]
    now: float | None = None
    """The figure of that name as all pages show it; None when the curve does not go on to the present."""

    @property
    def last(self) -> float:
        if self.now is not None:
            return self.now
        return self.values[-1] if self.values else 0.0

    @property
    def most(self) -> float:
        return max(self.values, default=0.0)


DRAWN = (
    ("pages", "pages/s", True, "pages_per_second"),
    ("bytes", "bytes/s", True, "bytes_per_second"),
    ("pages", "pages", False, "pages"),
    ("waiting", "waiting", False, "waiting"),
    ("hosts", "hosts", False, "hosts"),
    ("errors", "errors", False, "errors"),
)
"""The column, what the curve is called, whether it is by how much the column grows, and the figure that it
shows (`gossamer.engine.crawl_figures`)."""


def draw_curves(timeline: Timeline, at: CrawlSnapshot) -> list[FigureCurve]:
    """The curves of the overview, up to the figures of a snapshot."""
    return [
        _curve(timeline, column, name, is_rate, value_of(at, figure))
        for column, name, is_rate, figure in DRAWN
    ]


def _curve(
    timeline: Timeline, column: str, name: str, is_rate: bool, now: float | None
) -> FigureCurve:
    edges = _edges(len(timeline))
    times, figures = timeline.times[edges], timeline.column(column)[edges].astype(float)
    values = _growth(times, figures) if is_rate else figures
    unit = "bytes" if column == "bytes" else "number"
    return FigureCurve(name, unit, times.tolist(), values.tolist(), now)


def _edges(count: int) -> npt.NDArray[np.int64]:
    """The points to draw: all of a few, a sample of many, and always the last."""
    if count <= MOST_POINTS:
        return np.arange(count)
    return np.linspace(0, count - 1, MOST_POINTS).round().astype(np.int64)


def _growth(
    times: npt.NDArray[np.float64], figures: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """For each second, since the point before; a crawl that was killed may have lost a little."""
    if len(times) < 2:
        return np.zeros(len(times))
    grown = np.maximum(np.diff(figures), 0) / np.maximum(np.diff(times), 1e-3)
    return np.concatenate([grown[:1], grown])
