"""A distribution of whole numbers on two scales of logarithms, with the power law of its tail."""

from collections.abc import Iterator

import numpy as np

from gossamer.graph.picture.svg import PALETTE, document, haloed, shape, text
from gossamer.graph.rank.arcs import Offsets, Values
from gossamer.graph.rank.power_law import PowerLaw

_WIDTH, _HEIGHT = 560.0, 380.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 62.0, 34.0, 56.0, 50.0
_MOST_POINTS = 300


class _Frame:
    """Maps numbers to places in the picture."""

    def __init__(self, most: float, least: float) -> None:
        self.right = max(np.ceil(np.log10(max(most, 2.0))), 1.0)
        """Powers of ten to the right, and downwards."""
        self.down = max(np.ceil(-np.log10(least)), 1.0)

    def x(self, value: "Values | float") -> Values:
        found: Values = _LEFT + np.log10(value) / self.right * (_WIDTH - _LEFT - _RIGHT)
        return found

    def y(self, share: "Values | float") -> Values:
        found: Values = _TOP - np.log10(share) / self.down * (_HEIGHT - _TOP - _BOTTOM)
        return found


def draw_distribution(title: str, what: str, numbers: Offsets, law: PowerLaw | None) -> str:
    """Draw which part of the numbers is at least this large; zeros are stated in words."""
    values, counts = np.unique(numbers[numbers > 0], return_counts=True)
    zeros = len(numbers) - int(counts.sum())
    words = f"{what}; {zeros:,} of {len(numbers):,} are 0" if zeros else what
    if not len(values):
        return document(_WIDTH, _HEIGHT, title, [text(_WIDTH / 2, _HEIGHT / 2, "nothing above 0")])
    shares = np.cumsum(counts[::-1])[::-1] / counts.sum()
    frame = _Frame(float(values[-1]), float(shares[-1]))
    parts = [*_axes(frame, title, words), *_points(frame, values.astype(np.float64), shares)]
    if law is not None:
        parts += _law(frame, law, float(values[-1]), law.tail / int(counts.sum()))
    return document(_WIDTH, _HEIGHT, title, parts)


def _axes(frame: _Frame, title: str, what: str) -> Iterator[str]:
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    yield text(14, 20, title, anchor="start")
    yield text((_LEFT + right) / 2, _HEIGHT - 12, what, kind="soft")
    yield text(14, _TOP - 16, "part that is at least so large", kind="soft", anchor="start")
    for power in range(int(frame.right) + 1):
        x = float(frame.x(10.0**power))
        yield shape("path", d=f"M{x:.1f} {_TOP} V{bottom}", class_="axis")
        yield text(x, bottom + 16, f"{10**power:,}", kind="soft")
    for power in range(int(frame.down) + 1):
        y = float(frame.y(10.0**-power))
        yield shape("path", d=f"M{_LEFT} {y:.1f} H{right}", class_="axis")
        yield text(_LEFT - 6, y + 4, f"{100 / 10**power:g} %", kind="soft", anchor="end")


def _points(frame: _Frame, values: Values, shares: Values) -> Iterator[str]:
    chosen = np.arange(len(values))
    if len(values) > _MOST_POINTS:
        wanted = np.geomspace(values[0], values[-1], _MOST_POINTS)
        chosen = np.unique(np.searchsorted(values, wanted))
    for x, y in zip(frame.x(values[chosen]), frame.y(shares[chosen]), strict=True):
        yield shape("circle", cx=float(x), cy=float(y), r=2.2, fill=PALETTE[0])


def _law(frame: _Frame, law: PowerLaw, most: float, share: float) -> Iterator[str]:
    values = np.geomspace(law.begin, most, 40)
    shares = np.maximum(share * law.above(values), 10.0**-frame.down)
    places = zip(frame.x(values), frame.y(shares), strict=True)
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    yield shape("polyline", points=line, fill="none", stroke=PALETTE[1], stroke_width=2)
    words = f"α = {law.exponent:.2f} ± {law.error:.2f} from {law.begin:,} on"
    yield haloed(_WIDTH - _RIGHT - 8, _TOP + 18, words, anchor="end")
