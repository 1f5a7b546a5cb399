"""Several orders on one web, from one or several starting points, measured and written down."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
from msgspec import Struct
from pyarrow import parquet

from gossamer.core.errors import SettingsError
from gossamer.lab.crawl_orders.importance import backlinks, pagerank, similar
from gossamer.lab.crawl_orders.known_web import LabGraph, Nodes
from gossamer.lab.crawl_orders.order_metrics import (
    Curve,
    coverage,
    crawl_and_stop,
    ideal,
    limited_buffer,
    threshold,
)
from gossamer.lab.crawl_orders.virtual_crawl import CrawlPlan, crawl
from gossamer.policy.order import OrderPlace, make_order
from gossamer.policy.order.policy_batches import Scores

IDEAL = "ideal"


class TrialQuestion(Struct, frozen=True):
    """A measure of importance, and the threshold of hot pages."""

    importance: str = "pagerank"
    """`pagerank`, `backlinks`, or words that a page is about, parted by `|`."""
    hot: float = 0.0
    """Hot is a page at least so important; 0 is the best hundredth."""


class Trial(Struct, frozen=True):
    """One virtual crawl."""

    order: str
    repetition: int
    seconds: float
    """Of real time."""
    pages: int
    virtual_seconds: float
    coverage: Curve
    hot: Curve
    stop: Curve
    buffer: float
    """P_BC; of a crawl that keeps all pages 1."""


def try_orders(
    graph: LabGraph,
    orders: Sequence[str],
    starts: Sequence[Nodes],
    plan: CrawlPlan,
    question: TrialQuestion,
) -> Iterator[Trial]:
    """Crawl in each order from each starting point; the ideal order comes along."""
    for repetition, seeds in enumerate(starts):
        reached = graph.reach(seeds)
        importance = _importance(graph, reached, question.importance)
        for order in orders:
            began = time.perf_counter()
            run = crawl(graph, make_order(order, OrderPlace(random_seed=repetition)), seeds, plan)
            seconds = time.perf_counter() - began
            yield _judge(order, repetition, seconds, run.order, run.kept, float(run.times[-1]),
                         importance, len(reached), question)  # fmt: skip
        best = ideal(importance)[: len(reached)]
        kept = best[: plan.keep or len(best)]
        yield _judge(IDEAL, repetition, 0.0, best, kept, len(best) / plan.rate,
                     importance, len(reached), question)  # fmt: skip


def starting_points(graph: LabGraph, seeds: Sequence[int], repetitions: int) -> list[Nodes]:
    """The seeds, then single pages drawn by lot from which much can be reached."""
    starts = [np.array(seeds, np.int64) if len(seeds) else np.array([graph.best_seed()])]
    enough = len(graph.reach(starts[0])) / 2
    random = np.random.default_rng(0)
    for _ in range(100 * repetitions):
        if len(starts) >= repetitions:
            break
        start = random.integers(len(graph), size=1)
        if len(graph.reach(start)) >= enough:
            starts.append(start)
    return starts


def _importance(graph: LabGraph, reached: Nodes, kind: str) -> Scores:
    """The importance of pages that can be reached; 0 for all others."""
    importance = np.zeros(len(graph))
    if kind == "pagerank":
        importance[reached] = pagerank(graph.part(reached))
    elif kind == "backlinks":
        importance[reached] = backlinks(graph.part(reached))
    else:
        importance[reached] = similar(graph, kind.split("|"))[reached]
    if not importance.any():
        raise SettingsError(f"no page is important by {kind!r}")
    return importance


def _judge(
    order: str,
    repetition: int,
    seconds: float,
    pages: Nodes,
    kept: Nodes,
    virtual: float,
    importance: Scores,
    total: int,
    question: TrialQuestion,
) -> Trial:
    bar = question.hot or np.sort(importance)[::-1][max(total // 100 - 1, 0)]
    is_hot = importance >= max(bar, 1e-300)
    return Trial(
        order,
        repetition,
        seconds,
        len(pages),
        virtual,
        coverage(order, pages, importance, total),
        threshold(order, pages, is_hot, total),
        crawl_and_stop(order, pages, importance, total),
        limited_buffer(kept, importance),
    )


def write_curves(trials: Sequence[Trial], path: Path) -> None:
    """All curves as one Parquet table: order, repetition, measure, crawled, value."""
    columns: dict[str, list[object]] = {
        name: [] for name in ("order", "repetition", "measure", "crawled", "value")
    }
    for trial in trials:
        for measure in ("coverage", "hot", "stop"):
            curve: Curve = getattr(trial, measure)
            for crawled, value in zip(curve.crawled.tolist(), curve.value.tolist(), strict=True):
                row = (trial.order, trial.repetition, measure, crawled, value)
                for name, entry in zip(columns, row, strict=True):
                    columns[name].append(entry)
    parquet.write_table(pa.table(columns), path)


def write_table(trials: Sequence[Trial]) -> Iterator[str]:
    """The trials as a Markdown table, the mean of all repetitions in a row."""
    yield (
        "| order | half of all importance after | P_ST at 20 % | P_CS at 20 % | P_BC "
        "| virtual hours | fetches a second |"
    )
    yield "|---|---|---|---|---|---|---|"
    for order in dict.fromkeys(trial.order for trial in trials):
        some = [trial for trial in trials if trial.order == order]
        half = _mean([trial.coverage.reaches(0.5) for trial in some])
        seconds = sum(trial.seconds for trial in some)
        speed = f"{sum(trial.pages for trial in some) / seconds:,.0f}" if seconds else ""
        yield (
            f"| {order} | {half:.1%} | {_mean([one.hot.at(0.2) for one in some]):.3f} "
            f"| {_mean([one.stop.at(0.2) for one in some]):.3f} "
            f"| {_mean([one.buffer for one in some]):.3f} "
            f"| {_mean([one.virtual_seconds for one in some]) / 3600:.1f} | {speed} |"
        )


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values))
