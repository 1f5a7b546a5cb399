"""Curves and bars as SVG, with what they say in words for who does not see them."""

from collections.abc import Iterator

from markupsafe import Markup, escape

from gossamer.base.quantities import write_bytes
from gossamer.serve.subjects.curves import FigureCurve

_WIDTH, _HEIGHT = 320.0, 120.0
_BELOW, _ABOVE = 18.0, 14.0
"""Room for words below and above a curve."""


def draw(curve: FigureCurve) -> Markup:
    """A curve over time, from zero up to the most it ever was."""
    words = _words(curve)
    parts = "".join(_parts(curve))
    return Markup(  # every part is made of numbers, or escaped
        f'<svg viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}" role="img" aria-label="{escape(words)}">{parts}</svg>'
    )


def _parts(curve: FigureCurve) -> Iterator[str]:
    floor = _HEIGHT - _BELOW
    yield f'<line class="axis" x1="0" y1="{floor:g}" x2="{_WIDTH:g}" y2="{floor:g}"/>'
    if len(curve.values) > 1:
        yield f'<polyline class="curve" points="{" ".join(_points(curve))}"/>'
    yield f'<text x="0" y="11">{escape(_value(curve, curve.most))}</text>'
    yield f'<text x="{_WIDTH:g}" y="11" text-anchor="end">{escape(_value(curve, curve.last))} now</text>'


def _points(curve: FigureCurve) -> Iterator[str]:
    first, last = curve.times[0], curve.times[-1]
    across, most = max(last - first, 1e-3), curve.most or 1.0
    height = _HEIGHT - _BELOW - _ABOVE
    for time, value in zip(curve.times, curve.values, strict=True):
        x = (time - first) / across * _WIDTH
        yield f"{x:.1f},{_HEIGHT - _BELOW - value / most * height:.1f}"


def _value(curve: FigureCurve, value: float) -> str:
    """
    >>> _value(FigureCurve("bytes/s", "bytes", [], []), 1500.0)
    '1.5 kB'
    >>> _value(FigureCurve("pages", "number", [], []), 1500.0)
    '1,500'
    """
    if curve.unit == "bytes":
        return write_bytes(value)
    return f"{value:,.0f}" if value >= 10 or value == int(value) else f"{value:.1f}"


def _words(curve: FigureCurve) -> str:
    return f"{curve.name}: {_value(curve, curve.last)} now, at most {_value(curve, curve.most)}"
