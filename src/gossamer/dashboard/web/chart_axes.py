"""Axes of charts: round numbers with their units, and round times."""

from collections.abc import Iterator
from datetime import UTC, datetime
from math import ceil, floor, log10
from typing import NamedTuple

from gossamer.core.quantities import write_bytes

_STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200)
_DAY = 86_400
_DAYS = (1, 2, 5, 7, 14, 30, 60, 90, 180, 365, 730, 1825, 3650)
_MOST_TIMES, _MOST_LONG = 4, 3
"""Steps of a time axis; fewer where the words are long, so that they never touch."""
_ROUND = (1.0, 2.0, 2.5, 5.0, 10.0)


class Tick(NamedTuple):
    """A place on an axis."""

    part: float
    """From 0 to 1."""
    words: str


def value_ticks(most: float, unit: str) -> list[Tick]:
    """From 0 to a round number that is not less; `top_of` says which.

    >>> [tick.words for tick in value_ticks(47.0, "pages/s")], top_of(47.0, "pages/s")
    (['0', '20', '40', '60'], 60.0)
    """
    top, step = _scale(most, unit)
    count = round(top / step)
    return [Tick(number / count, write_short(number * step, unit)) for number in range(count + 1)]


def top_of(most: float, unit: str) -> float:
    """The upper end of the axis of values."""
    return _scale(most, unit)[0]


def _scale(most: float, unit: str) -> tuple[float, float]:
    if unit == "%":
        return 1.0, 0.5
    least = 0.1 if unit in ("days", "pages/s") else 1.0  # there is no half of a thing
    raw = max(most / 3, least)
    size = 10.0 ** floor(log10(raw))
    steps = [one * size for one in _ROUND if least < 1 or (one * size).is_integer()]
    step = next(one for one in steps if one >= raw * (1 - 1e-9))
    return step * max(1, ceil(most / step - 1e-9)), step


def time_ticks(first: float, last: float) -> list[Tick]:
    """Round times between two, in UTC; those themselves when there is no round one.

    >>> [tick.words for tick in time_ticks(0.0, 600.0)]
    ['00:00', '00:05', '00:10']
    """
    span = last - first
    if span <= 0:
        return [Tick(0.0, _write(first, 1))]
    steps = (*_STEPS, *(days * _DAY for days in _DAYS))
    step = next((one for one in steps if span / one <= _most(one)), steps[-1])
    begin = ceil(first / step) * step
    times = [begin + number * step for number in range(floor((last - begin) / step) + 1)]
    ticks = [Tick((time - first) / span, _write(time, step)) for time in times]
    return ticks if len(ticks) > 1 else [Tick(0.0, _write(first, 1)), Tick(1.0, _write(last, 1))]


def _most(step: int) -> int:
    return _MOST_LONG if step < 60 or step >= 180 * _DAY else _MOST_TIMES


def number_ticks(count: int) -> Iterator[Tick]:
    """The numbers of this many bars, from 0 on: few enough to be read."""
    step = max(1, ceil(count / 10))
    for number in range(0, count, step):
        yield Tick((number + 0.5) / count, str(number))


def _write(time: float, step: int) -> str:
    moment = datetime.fromtimestamp(time, UTC)
    if step >= 180 * _DAY:
        return f"{moment:%b %Y}"
    if step >= _DAY or (step >= 3600 and moment.hour == moment.minute == 0):
        return f"{moment.day} {moment:%b}"
    return f"{moment:%H:%M:%S}" if step < 60 else f"{moment:%H:%M}"


def write_short(value: float, unit: str) -> str:
    """A value on an axis.

    >>> write_short(2500, "pages"), write_short(2.5e6, "bytes/s"), write_short(0.5, "%")
    ('2.5k', '2.5 MB/s', '50 %')
    """
    if unit == "%":
        return f"{100 * value:.0f} %"
    if unit.startswith("bytes"):
        return write_bytes(value).replace(".0 ", " ") + unit.removeprefix("bytes")
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:.3g}{letter}"
    return f"{value:.3g}"


def write_value(value: float, unit: str) -> str:
    """A value with its unit.

    >>> write_value(1500.0, "pages"), write_value(1.25, "pages/s"), write_value(0.125, "%")
    ('1,500 pages', '1.2 pages/s', '12.5 %')
    """
    if unit == "%":
        return f"{100 * value:.1f} %"
    if unit.startswith("bytes"):
        return write_bytes(value) + unit.removeprefix("bytes")
    number = f"{value:,.0f}" if value >= 10 or value == int(value) else f"{value:.1f}"
    return f"{number} {unit}"
