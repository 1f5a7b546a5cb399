"""Real pages: how much of what learned rates lack is the future, and how much is what visits do not see?

    python -m benchmarks.hindsight releases.jsonl.gz [--visits 0.3] [--half-life 180]

Virtual crawls of recorded pages, as in `gossamer lab fresh`, with rates from three sources: learned from
visits, as a crawl has to; by all changes until the moment of planning, also those that no visit saw; and by
the whole record, which is what the lab calls true.
"""

import argparse
from math import log
from pathlib import Path

import numpy as np
import numpy.typing as npt

from gossamer.core.settings import RevisitSettings
from gossamer.lab.freshness.freshness_measures import YearsWorth, judge
from gossamer.lab.freshness.freshness_webs import KnownWeb, recorded
from gossamer.lab.freshness.year import KnownRates, crawl_virtually
from gossamer.lab.living_web import read_histories
from gossamer.policy.revisit import ChangeModel, Evidence
from gossamer.policy.revisit.page_groups import LEVELS
from gossamer.policy.revisit.population import Floats
from gossamer.policy.revisit.timetable import RateModel

_WARM = 30.0
_SHAPE, _MEAN = 0.5, 0.03
"""What is thought of a page before anything is known: about what the record says of all."""
_GOALS = {"age": "age", "harmonic": "penalty", "capture": "captured"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("histories", type=Path)
    parser.add_argument("--visits", type=float, default=0.3, help="visits per page and day")
    parser.add_argument("--half-life", type=float, default=180.0)
    arguments = parser.parse_args()
    web = recorded(read_histories(arguments.histories))
    gaps = np.concatenate([np.diff(web.changes.of(page)) for page in range(len(web))])
    print(f"{len(web)} pages; half of all changes come {np.median(gaps):.2f} days after the one")
    print(f"before, {np.mean(gaps < 1 / arguments.visits):.0%} before a visit is due\n")
    print("| policy | goal | rates | reached | visits a day |\n|---|---|---|---|---|")
    for policy, goal in _GOALS.items():
        for rates in ("learned", "all changes so far", "the whole record"):
            found = _crawl(web, policy, rates, arguments)
            reached = f"{getattr(found, goal):.4f} | {found.visits:.0f}"
            print(f"| `{policy}` | {goal} | {rates} | {reached} |", flush=True)


def _crawl(web: KnownWeb, policy: str, rates: str, arguments: argparse.Namespace) -> YearsWorth:
    budget, half_life = arguments.visits * len(web), arguments.half_life
    settings = RevisitSettings(policy=policy, visits_per_day=budget, half_life=half_life)
    numbers = np.arange(len(web))[:, None]
    keys, model = None, ChangeModel(LEVELS, half_life=half_life)
    told: RateModel = model
    if rates == "all changes so far":
        keys, told = numbers, ToldOfAll(web, half_life)
    elif rates == "the whole record":
        keys, told = numbers, KnownRates(web.rates)
    return judge(web, crawl_virtually(web, settings, told, keys), _WARM, web.days)


class ToldOfAll:
    """Hears of each change when it happens, and of nothing before; old changes fade."""

    def __init__(self, web: KnownWeb, half_life: float) -> None:
        self._web, self._fade = web, log(2) / half_life
        self._last = web.changes.born.clip(0.0)
        """When each page was visited last: a crawl plans it then, and not later."""

    def learn(
        self,
        evidence: Evidence,
        keys: npt.ArrayLike,
        intervals: npt.ArrayLike,
        kinds: npt.ArrayLike,
        details: npt.ArrayLike | None = None,
    ) -> Floats:
        pages = np.asarray(keys)[:, 0]
        self._last[pages] += np.asarray(intervals, np.float64)
        return np.empty(0)

    def posteriors(self, evidence: Evidence, keys: npt.ArrayLike) -> Floats:
        return np.array([self._know(page) for page in np.asarray(keys)[:, 0].tolist()])

    def _know(self, page: int) -> tuple[float, float]:
        now, changes = self._last[page], self._web.changes
        times = changes.of(page)
        events = np.exp(-self._fade * (now - times[times <= now])).sum()
        life = max(now - max(changes.born[page], 0.0), 0.0)
        return _SHAPE + float(events), _SHAPE / _MEAN - float(
            np.expm1(-self._fade * life)
        ) / self._fade


if __name__ == "__main__":
    main()
