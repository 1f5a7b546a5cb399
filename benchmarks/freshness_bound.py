"""Real pages: the freshness of the best even visits to each page, chosen in hindsight.

    python -m benchmarks.freshness_bound releases.jsonl.gz [--visits 0.03] [--days 90]

Hindsight: how long copies of a page are stale is computed from all its changes, for each number of even
visits, and the visits are shared so that together they bring most (the lower convex hull of each page, the
steepest steps first). With `--days` the number of visits may differ from one span of so many days to the
next. A copy is taken at the beginning of each span, which is not counted in the budget.
"""

import argparse
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gossamer.lab.freshness.freshness_webs import KnownWeb, recorded
from gossamer.lab.living_web import read_histories
from gossamer.policy.revisit.population import Floats

_PHASES = (np.arange(6) + 0.5) / 6
"""Visits begin at one of these parts of their distance; the mean counts."""
_FEW, _STEPS = 9, 14
"""Numbers of visits that are tried: all below the first, and so many above."""


class Step(NamedTuple):
    """More visits to a page."""

    gain: float
    """Fresh days for each of them."""
    visits: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("histories", type=Path)
    parser.add_argument("--visits", type=float, default=0.03, help="visits per page and day")
    parser.add_argument("--days", type=float, default=float("inf"), help="days of a span")
    arguments = parser.parse_args()
    web = recorded(read_histories(arguments.histories))
    print(f"at most {bound(web, arguments.visits, min(arguments.days, web.days)):.4f} fresh")


def bound(web: KnownWeb, visits: float, span: float) -> float:
    """The freshness of the best shares, each kept for a span of days."""
    held, stale, steps = 0.0, 0.0, list[Step]()
    for page in range(len(web)):
        times, born = web.changes.of(page), max(float(web.changes.born[page]), 0.0)
        for start in np.arange(0.0, web.days, span):
            begin, end = max(start, born), min(start + span, web.days)
            if begin < end:
                tried = _tried(end - begin)
                lost = np.minimum.accumulate([_stale(times, begin, end, n) for n in tried])
                held, stale = held + end - begin, stale + float(lost[0])
                steps += _hull(tried, lost)
    left = visits * len(web) * web.days
    for step in sorted(steps, reverse=True):
        made = min(step.visits, left)
        stale, left = stale - step.gain * made, left - made
    return 1 - stale / held


def _tried(days: float) -> list[int]:
    many = np.geomspace(_FEW, max(_FEW + 1, days), _STEPS).round().astype(int)
    return sorted({*range(_FEW), *many.tolist()})


def _stale(times: Floats, begin: float, end: float, count: int) -> float:
    """Days in which the copy of a page is stale, that has `count` even visits and one at the beginning."""
    found = []
    for phase in _PHASES if count else _PHASES[:1]:
        own = begin + (np.arange(count) + phase) * (end - begin) / max(count, 1)
        taken = np.concatenate(((begin,), own))
        until = np.append(taken[1:], end)
        change = np.append(times, np.inf)[np.searchsorted(times, taken, "right")]
        found.append(float(np.maximum(until - change, 0.0).sum()))
    return float(np.mean(found))


def _hull(tried: list[int], lost: Floats) -> list[Step]:
    """Steps along the lower convex hull, from few visits to many."""
    corners = [0]
    for place in range(1, len(tried)):
        while len(corners) > 1 and _slope(tried, lost, *corners[-2:]) >= _slope(
            tried, lost, corners[-2], place
        ):
            corners.pop()
        corners.append(place)
    return [Step(-_slope(tried, lost, a, b), tried[b] - tried[a]) for a, b in pairwise(corners)]


def _slope(tried: list[int], lost: Floats, first: int, second: int) -> float:
    return float(lost[second] - lost[first]) / (tried[second] - tried[first])


if __name__ == "__main__":
    main()
