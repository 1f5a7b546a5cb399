"""Numbers and figures in words: the same wherever a page shows them."""

from math import isfinite

from gossamer.core.quantities import write_bytes, write_duration
from gossamer.engine.crawl_figures import BYTES, RATE, SECONDS, FigureNow


def write_number(value: float | None) -> str:
    """
    >>> write_number(12345), write_number(0.25), write_number(None), write_number(float("inf"))
    ('12,345', '0.25', '', '')
    """
    if value is None or not isfinite(value):
        return ""
    return (
        f"{value:,}"
        if isinstance(value, int)
        else f"{value:,.3g}"
        if value < 100
        else f"{value:,.0f}"
    )


def write_rate(value: float) -> str:
    """A number for each second, with as many digits as the verdict gives it.

    >>> write_rate(39.14), write_rate(262.52), write_rate(0.0)
    ('39.1', '262.5', '0')
    """
    return f"{value:,.1f}".removesuffix(".0")


def write_figure(figure: FigureNow) -> str:
    """The value of a figure, in its unit."""
    if figure.value is None:
        return "–"
    if figure.unit == BYTES:
        return write_bytes(figure.value)
    if figure.unit == SECONDS:
        return write_duration(figure.value)
    return write_rate(figure.value) if figure.unit == RATE else write_number(figure.value)
