"""Freshness and errors over time, as pictures."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from gossamer.lab.crawl_orders.order_metrics import Curve
from gossamer.lab.crawl_orders.order_plots import plot
from gossamer.lab.freshness.freshness_findings import FreshFindings, WebFindings


def draw(findings: FreshFindings, folder: Path) -> None:
    """Write all pictures: two for each web."""
    for number, web in enumerate(findings.webs):
        which = f"{web.name}, {web.share:g} visits a day"
        _plot(folder / f"freshness-{number}", f"Freshness, {which}", _freshness(web), "fresh")
        _plot(folder / f"rates-{number}", f"Rates, {which}", _rates(web), "right by a factor of 2")


def _freshness(web: WebFindings) -> list[Curve]:
    """Of each policy that learns, and of the optimum."""
    found = [
        _curve(trial.policy, web, trial.curve)
        for trial in web.trials
        if not trial.knows and trial.policy != "buckets"
    ]
    return found + [
        _curve("ideal", web, trial.curve)
        for trial in web.trials
        if trial.knows and trial.policy == "freshness"
    ]


def _rates(web: WebFindings) -> list[Curve]:
    return [
        _curve(trial.policy, web, [(error.day, error.close) for error in trial.errors])
        for trial in web.trials
        if not trial.knows and trial.policy in ("uniform", "freshness", "age", "capture")
    ]


def _curve(name: str, web: WebFindings, points: Sequence[tuple[float, float]]) -> Curve:
    days, values = np.array(points, np.float64).reshape(-1, 2).T
    return Curve(name, days / web.days, values)


def _plot(path: Path, title: str, curves: list[Curve], y: str) -> None:
    if curves:
        plot(path, title, curves, y=y, x="part of the time")
