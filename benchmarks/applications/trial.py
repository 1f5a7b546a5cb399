"""One application, filled, served, and crawled by whoever was asked for."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.applications import fifo, ours
from benchmarks.applications.answers import kept_answers
from benchmarks.applications.application import OLD, Application, Origin
from benchmarks.applications.figures import Figures, curve, judge, most_behind
from benchmarks.applications.generated import Generated
from benchmarks.applications.oracle import reachable
from benchmarks.applications.witness import Fetch, Witness

ENOUGH = 20_000


@dataclass(frozen=True)
class Plan:
    """How large an application is, and how long it is crawled."""

    pages: int = 300
    seed: int = 1
    fetches: int = ENOUGH
    seconds: float = 900.0
    crawlers: tuple[str, ...] = ("fifo", "gossamer")
    more: tuple[str, ...] = ()
    """Further words for Gossamer's command line."""


@dataclass
class Run:
    """What a crawler did: its fetches, and whether it said that it had finished."""

    fetches: list[Fetch]
    finished: bool
    summary: dict[str, object] = field(default_factory=dict)


def try_application(application: Application, root: Path, plan: Plan) -> dict[str, Figures]:
    """Crawl an application, which is filled first if the folder has none; figures by crawler."""
    with prepared(application, root, plan) as (origin, items):
        runs = {name: _run(name, application, origin, plan) for name in plan.crawlers}
        can = reachable(application, origin, items, plan.fetches)
    return judged(runs, items, can)


def try_generated(application: Generated, plan: Plan) -> dict[str, Figures]:
    """The same for a site that is computed, and needs no folder."""
    items = application.truth()
    runs = {name: _run(name, application, application.reply, plan) for name in plan.crawlers}
    can = reachable(application, application.reply, items, plan.fetches)
    return judged(runs, items, can)


@contextmanager
def prepared(application: Application, root: Path, plan: Plan) -> Iterator[tuple[Origin, set[str]]]:
    """The origin of a filled application, and its items."""
    folder = root / f"{application.name}-{plan.pages}-{plan.seed}"
    truth = folder / "truth.json"
    if not truth.exists():
        folder.mkdir(parents=True)
        items = sorted(application.fill(folder, plan.pages, plan.seed))
        truth.write_text(json.dumps(items, indent=0))
    with (
        application.served(folder) as origin,
        kept_answers(folder / "answers.sqlite", origin) as kept,
    ):
        yield kept, set(json.loads(truth.read_text()))


def judged(runs: dict[str, Run], items: set[str], can: set[str]) -> dict[str, Figures]:
    """Whatever some crawl has fetched can be reached."""
    old = {item.removeprefix(OLD) for item in items if item.startswith(OLD)}
    for run in runs.values():
        can = can | (items & {item for fetch in run.fetches for item in fetch.items})
    figures = {name: judge(run.fetches, can, old, run.finished) for name, run in runs.items()}
    curves = {name: curve(run.fetches, can) for name, run in runs.items()}
    for name, run in runs.items():
        figures[name].summary = run.summary
        if "fifo" in curves:
            figures[name].behind = most_behind(curves[name], curves["fifo"])
    return figures


def _run(name: str, application: Application, origin: Origin, plan: Plan) -> Run:
    witness = Witness(application, origin)
    if name == "fifo":
        done = fifo.crawl(witness.ask, application.url, plan.fetches, plan.seconds)
        return Run(witness.fetches, done)
    summary = ours.crawl(witness, application.url, plan.fetches, plan.seconds, list(plan.more))
    return Run(witness.fetches, summary["stopped_by"] == "finished", summary)
