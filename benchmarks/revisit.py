"""Rates of change and shares of visits: how exact, how good, how quick. Tables in Markdown.

    python -m benchmarks.revisit [--pages 10000000] [--only estimators]

- `estimators`: the error of rates by the number of visits, what groups add to them, and half-lives where
  rates drift. How other estimators do is recorded in docs/freshness.md.
- `policies`: each goal under each policy.
- `speed`: the time of the processor to share a budget among many pages, and for single answers.

Everything is drawn with seeds; only the times differ from run to run.
"""

import argparse
import time
from collections.abc import Callable, Iterable

import numpy as np
import numpy.typing as npt

from gossamer.policy.revisit import (
    ALLOCATIONS,
    ChangeModel,
    Sight,
    Sightings,
    allocate,
    describe,
    gather,
    no_evidence,
    sight,
    solve,
)
from gossamer.policy.revisit.goals import age, captured, freshness, missed

Floats = npt.NDArray[np.float64]
_SHAPE, _MEAN = 0.5, 0.3
"""Rates of the pages in the tables, as a gamma distribution: many are slow, some change daily."""


def draw_visits(
    chance: np.random.Generator, rates: Floats, visits: int, even: bool, dates: bool = False
) -> Sightings:
    """So many visits to each page, a day apart, or a day on average."""
    shape = (len(rates), visits)
    intervals = np.ones(shape) if even else chance.exponential(1.0, shape)
    ago = chance.exponential(1.0, shape) / rates[:, None]
    kind = Sight.DATED if dates else Sight.CHANGED
    return sight(intervals, np.where(ago < intervals, kind, 0), np.minimum(ago, intervals))


def online(seen: Sightings, keys: npt.ArrayLike = (), levels: int = 0, **options: float) -> Floats:
    """The form that a crawl carries, with the prior that it learns by the way."""
    pages = len(seen.starts) - 1
    model, evidence, rates = ChangeModel(levels, **options), no_evidence(pages), np.zeros(pages)
    for visit in zip(*(column.reshape(pages, -1).T for column in seen[1:]), strict=True):
        rates = model.learn(evidence, keys, *visit)
    return rates


def print_table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> None:
    names = list(head)
    print(f"| {' | '.join(names)} |\n|{'---|' * len(names)}")
    for row in rows:
        print(f"| {' | '.join(row)} |")
    print()


def error_of(found: Floats, rates: Floats) -> float:
    return float(np.sqrt(np.mean((found - rates) ** 2)))


def groups(pages: int = 6000) -> None:
    """Hosts differ, sections of hosts differ; what knowing them is worth."""
    print("\nPages in 60 hosts with 5 sections each: error, by the groups that are given\n")
    rows = []
    for visits in (1, 2, 5, 20):
        chance = np.random.default_rng(visits)
        hosts = chance.integers(0, 60, pages)
        sections = hosts * 5 + chance.integers(0, 5, pages)
        means = (
            chance.gamma(0.8, _MEAN / 0.8, 60)[hosts] * chance.gamma(1.5, 1 / 1.5, 300)[sections]
        )
        rates = means * chance.gamma(2.0, 0.5, pages) + 1e-9
        seen = draw_visits(chance, rates, visits, even=False)
        keys = np.column_stack((hosts, sections))
        found = [
            online(seen),
            online(seen, keys[:, :1], 1),
            online(seen, keys, 2),
        ]
        rows.append([str(visits), *(f"{error_of(one, rates) / _MEAN:.2f}" for one in found)])
    print_table(["visits", "no groups", "hosts", "hosts, sections"], rows)


def traits() -> None:
    """What groups across all hosts are worth, and what those cost that say nothing, on webs of any size."""
    print("\nHosts and ten kinds of pages: error, by the groups that are given; means over webs\n")
    rows = [
        [
            f"{pages:,}",
            str(visits),
            *(f"{error / _MEAN:.2f}" for error in _traits(pages, visits, webs)),
        ]
        for pages, webs in ((100, 40), (1000, 8), (6000, 2))
        for visits in (1, 2, 5, 20)
    ]
    names = ["no groups", "hosts", "hosts, kinds", "hosts, 5 that say nothing", "all of them"]
    print_table(["pages", "visits", *names], rows)


def _traits(pages: int, visits: int, webs: int) -> list[float]:
    errors = []
    for web in range(webs):
        chance = np.random.default_rng((pages, visits, web))
        hosts, kinds = chance.integers(0, max(pages // 25, 1), pages), chance.integers(0, 10, pages)
        means = chance.gamma(0.8, _MEAN / 0.8, pages)[hosts] * chance.gamma(1.5, 1 / 1.5, 10)[kinds]
        rates = means * chance.gamma(2.0, 0.5, pages) + 1e-9
        seen = draw_visits(chance, rates, visits, even=False)
        nothing = [hosts * 10 + chance.integers(0, 6, pages) for _ in range(5)]
        given = [(), (hosts,), (hosts, kinds), (hosts, *nothing), (hosts, kinds, *nothing)]
        found = [
            online(seen, np.column_stack(one), len(one)) if one else online(seen) for one in given
        ]
        errors.append([error_of(one, rates) for one in found])
    means = np.mean(errors, axis=0)
    return [float(one) for one in means]


def drift(pages: int = 2000, days: int = 1200) -> None:
    """Rates that become others, at random; the error over the last half."""
    print("\nRates that become others once in so many days: error by half-life in days\n")
    lives = (5.0, 10.0, 20.0, 40.0, 80.0, 160.0, 320.0, np.inf)
    rows = []
    for lasts, interval in ((200, 1), (200, 4), (200, 16), (1000, 4), (np.inf, 4)):
        errors = [_drift(pages, days, interval, lasts, half_life) for half_life in lives]
        rows.append([f"{lasts:g}", str(interval), *(f"{error:.2f}" for error in errors)])
    print_table(["rates last", "days between visits", *(f"{life:g}" for life in lives)], rows)


def _drift(pages: int, days: int, interval: int, lasts: float, half_life: float) -> float:
    chance = np.random.default_rng(5)
    rates = chance.gamma(_SHAPE, _MEAN / _SHAPE, pages) + 1e-9
    model, evidence, squares = ChangeModel(half_life=half_life), no_evidence(pages), []
    for day in range(0, days, interval):
        other = chance.random(pages) < interval / lasts
        rates = np.where(other, chance.gamma(_SHAPE, _MEAN / _SHAPE, pages) + 1e-9, rates)
        changed = chance.random(pages) < -np.expm1(-rates * interval)
        found = model.learn(evidence, (), np.full(pages, float(interval)), changed)
        if day >= days // 2:
            squares.append(np.mean((found - rates) ** 2))
    return float(np.sqrt(np.mean(squares))) / _MEAN


def policies(pages: int = 100_000) -> None:
    """Each goal under each policy: a tenth of the pages can be visited a day; a tenth tells of changes."""
    print("\nGoals by policy: weighted means over all pages\n")
    chance = np.random.default_rng(6)
    rates = chance.gamma(_SHAPE, _MEAN / _SHAPE, pages) + 1e-6
    weights = chance.pareto(2.0, pages) + 0.5
    complete = chance.random(pages) < 0.1
    rows = []
    for name in ALLOCATIONS:
        visits = allocate(name, rates, weights, 1.0, pages / 10, complete=complete, longest=90.0)
        goals = (
            np.average(goal(rates, visits, complete), weights=weights)
            for goal in (freshness, age, captured, missed)
        )
        given_up = np.mean(visits < 1 / 89)
        rows.append([f"`{name}`", *(f"{goal:.3f}" for goal in goals), f"{given_up:.0%}"])
    head = ["policy", "fresh", "age in days", "updates per day", "penalty", "given up"]
    print_table(head, rows)


def speed(pages: int) -> None:
    print(f"\nA budget for {pages:,} pages: seconds of the processor\n")
    chance = np.random.default_rng(7)
    many = describe(
        chance.gamma(_SHAPE, _MEAN / _SHAPE, pages),
        chance.pareto(2.0, pages) + 0.5,
        1.0,
        chance.random(pages) < 0.1,
    )
    gather(describe([1.0]))
    begin = time.process_time()
    buckets = gather(many)
    gathered = time.process_time() - begin
    rows = []
    for name in ALLOCATIONS:
        solve(name, describe([1.0, 2.0]), 1.0)
        begin = time.process_time()
        plan = solve(name, buckets, pages / 10, longest=90.0)
        solved = time.process_time() - begin
        off = float(plan.share(many).sum()) / plan.budget - 1
        cells = (f"{gathered:.2f}", f"{solved:.2f}", f"{gathered + solved:.2f}", f"{off:+.2%}")
        rows.append([f"`{name}`", *cells])
    print_table(["policy", "buckets", "price", "together", "all pages, beside the budget"], rows)
    print(f"{len(buckets.rates):,} buckets.")
    _single_answers()


def _single_answers(times: int = 20_000) -> None:
    plan = solve("freshness", describe([1.0, 2.0]), 1.0)
    model, evidence = ChangeModel(2), no_evidence(1)
    keys, days, kinds = np.zeros((1, 2), np.int64), np.ones(1), np.ones(1, np.uint8)
    many, all_keys = no_evidence(times), np.zeros((times, 2), np.int64)
    all_days, all_kinds = np.ones(times), np.ones(times, np.uint8)
    steps: dict[str, tuple[Callable[[], object], int]] = {
        "`RevisitPlan.interval`": (lambda: [plan.interval(0.3) for _ in range(times)], times),
        "`ChangeModel.learn`, one visit": (
            lambda: [model.learn(evidence, keys, days, kinds) for _ in range(times)],
            times,
        ),
        "`ChangeModel.learn`, of many": (
            lambda: model.learn(many, all_keys, all_days, all_kinds),
            times,
        ),
    }
    rows = []
    for name, (step, count) in steps.items():
        begin = time.process_time()
        step()
        rows.append([name, f"{(time.process_time() - begin) / count * 1e6:.1f}"])
    print()
    print_table(["one answer", "µs"], rows)


def estimators() -> None:
    groups()
    traits()
    drift()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=10_000_000)
    parser.add_argument("--only", choices=("estimators", "policies", "speed"))
    given = parser.parse_args()
    parts = {"estimators": estimators, "policies": policies, "speed": lambda: speed(given.pages)}
    for name, part in parts.items():
        if given.only in (None, name):
            part()


if __name__ == "__main__":
    main()
