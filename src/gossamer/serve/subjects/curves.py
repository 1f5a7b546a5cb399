"""Curves of a crawl's figures over time, few enough points to draw."""

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from gossamer.crawl.timeline import Timeline

MOST_POINTS = 160


class FigureCurve(Struct, frozen=True):
    """One figure over time."""

    name: str
    unit: str
    """What the values are: a number, `bytes`, or something for each second."""
    times: list[float]
    """Seconds since 1970."""
    values: list[float]

    @property
    def last(self) -> float:
        return self.values[-1] if self.values else 0.0

    @property
    def most(self) -> float:
        return max(self.values, default=0.0)


DRAWN = (
    ("pages", "pages/s", True),
    ("bytes", "bytes/s", True),
    ("pages", "pages", False),
    ("waiting", "waiting", False),
    ("hosts", "hosts", False),
    ("errors", "errors", False),
)
"""The column, what the curve is called, and whether it is by how much the column grows."""


def draw_curves(timeline: Timeline) -> list[FigureCurve]:
    """The curves of the overview."""
    return [_curve(timeline, column, name, is_rate) for column, name, is_rate in DRAWN]


def _curve(timeline: Timeline, column: str, name: str, is_rate: bool) -> FigureCurve:
    edges = _edges(len(timeline))
    times, figures = timeline.times[edges], timeline.column(column)[edges].astype(float)
    values = _growth(times, figures) if is_rate else figures
    unit = "bytes" if column == "bytes" else "number"
    return FigureCurve(name, unit, times.tolist(), values.tolist())


def _edges(count: int) -> npt.NDArray[np.int64]:
    """Which points are drawn: all of a few, of many so many, and always the last."""
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
