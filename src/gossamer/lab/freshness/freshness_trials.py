"""All policies on one web: with rates that they have to learn, and with the true ones."""

import time
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from msgspec import Struct

from gossamer.core.settings import RevisitSettings
from gossamer.lab.freshness.freshness_measures import RateError, YearsWorth, err, judge
from gossamer.lab.freshness.freshness_webs import KnownWeb
from gossamer.lab.freshness.year import KnownRates, crawl_virtually
from gossamer.lab.living_web import averages
from gossamer.policy.revisit import ALLOCATIONS, ChangeModel
from gossamer.policy.revisit.page_groups import LEVELS

ReportLine = Callable[[str], None]

GOALS = {
    "freshness": "freshness",
    "content": "content",
    "age": "age",
    "capture": "captured",
    "harmonic": "penalty",
}
"""Policies that are the best there is at a goal, and which measure of `YearsWorth` it is."""
LESS_IS_MORE = frozenset({"age", "penalty"})
_LOOKS = (1.0, 3.0, 7.0, 14.0, 30.0, 60.0, 90.0, 180.0, 270.0, 364.0, 730.0, 1460.0, 2500.0)
_PARTS = 24
"""Pieces of the time that a curve is made of."""


class FreshTrial(Struct, frozen=True):
    """One virtual crawl, and what it was worth."""

    policy: str
    knows: bool
    """Whether it was informed the true rates."""
    worth: YearsWorth
    curve: list[tuple[float, float]]
    """Freshness over time: the middle of a part of it, and the mean freshness there."""
    errors: list[RateError]
    late: float
    """Days that pages were visited too late, on average."""
    seconds: float
    """Of a processor."""


class FreshQuestion(Struct, frozen=True):
    """Options of a trial."""

    policies: tuple[str, ...] = tuple(ALLOCATIONS)
    share: float = 0.3
    """Visits per page and day."""
    warm: float = 30.0
    """Days at the beginning that do not count: for the first visits, and to learn."""


def try_policies(web: KnownWeb, question: FreshQuestion, report: ReportLine) -> list[FreshTrial]:
    """Crawl with each policy, as a real crawl has to; those that aim at a goal also with the true rates."""
    tries = [(policy, knows) for policy in question.policies for knows in (False, True)]
    found = []
    for policy, knows in tries:
        if policy == "content" and not web.lasting.any():  # it is freshness then
            continue
        if not knows or policy in GOALS:
            found.append(_try(web, question, policy, knows))
            whose = "true" if knows else "learned"
            report(f"{web.name}: {policy}, {whose} rates: {found[-1].worth.freshness:.3f} fresh")
    return found


def _try(web: KnownWeb, question: FreshQuestion, policy: str, knows: bool) -> FreshTrial:
    settings = RevisitSettings(policy=policy, visits_per_day=question.share * len(web))
    began = time.process_time()
    moments = [day for day in _LOOKS if day < web.days]
    if knows:
        numbers = np.arange(len(web))[:, None]
        year = crawl_virtually(web, settings, KnownRates(web.rates), numbers)
    else:
        model = ChangeModel(LEVELS, half_life=settings.half_life)
        year = crawl_virtually(web, settings, model, moments=moments)
    seconds = time.process_time() - began
    edges = np.linspace(0.0, web.days, _PARTS + 1).tolist()
    return FreshTrial(
        policy,
        knows,
        judge(web, year, question.warm, web.days),
        [
            (sum(span) / 2, averages(web.changes, year.visits, *span).freshness())
            for span in pairwise(edges)
        ],
        [err(web, snapshot) for snapshot in year.snapshots],
        year.late,
        seconds,
    )


def optimum(trials: Sequence[FreshTrial], measure: str) -> float:
    """The result of the policy of a goal with the true rates."""
    policy = next(name for name, goal in GOALS.items() if goal == measure)
    informed = [trial for trial in trials if trial.policy == policy and trial.knows]
    return measured(informed[0], measure) if informed else float("nan")


def measured(trial: FreshTrial, measure: str) -> float:
    return float(getattr(trial.worth, measure))


def best_at(trials: Sequence[FreshTrial], measure: str) -> str:
    """Of the policies that had to learn, the best at a goal."""
    learned = [trial for trial in trials if not trial.knows]
    sign = 1 if measure in LESS_IS_MORE else -1
    return min(learned, key=lambda one: sign * measured(one, measure)).policy
