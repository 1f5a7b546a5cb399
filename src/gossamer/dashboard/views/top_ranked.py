"""The pages that come first by a ranking: those of `gossamer graph rank`, and the links that a page has."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from gossamer.core.errors import DamageError
from gossamer.core.finished_ranks import RANKS_FILE, check_ranking
from gossamer.dashboard.cached_graph import graph_mark
from gossamer.dashboard.file_stamp import stamp
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.graph import Graph

MOST = 200
_TOGETHER = 1 << 17
"""Rows that are looked at together."""
LINKS = "indegree"
MEASURES = {
    "pagerank": "PageRank: the share of time that a random surfer spends on the page.",
    "trust": "TrustRank: PageRank with jumps to trusted pages only.",
    LINKS: "Pages that link to it.",
    "outdegree": "Pages that it links to.",
    "harmonic": "The sum of 1/distance from all other pages.",
    "hub": "HITS: it links to good authorities.",
    "authority": "HITS: good hubs link to it.",
    "host_rank": "PageRank of its host.",
    "domain_rank": "PageRank of its pay-level domain.",
    "supporters_1": "Other pages that are one link away.",
    "supporters_2": "Other pages from which it is at most two links away.",
    "supporters_3": "Other pages from which it is at most three links away.",
}
"""What the columns mean, the most telling first."""


class RankedPage(Struct, frozen=True):
    url: str
    value: float


def measures_in(crawl: ShownCrawl) -> tuple[str, ...]:
    """The measures to rank pages by, the most useful first. Links are counted by the graph itself."""
    file = crawl.path / RANKS_FILE
    there = crawl.keep("measures", stamp(file), lambda: _columns(file))
    return tuple(name for name in MEASURES if name in there or name == LINKS)


def read_top(crawl: ShownCrawl, graph: Graph, by: str) -> tuple[RankedPage, ...]:
    """The first pages by a measure; without one, by links, for which no table is read."""
    file = crawl.path / RANKS_FILE
    mark = stamp(file)
    if by and by in crawl.keep("measures", mark, lambda: _columns(file)):
        return crawl.keep(f"top by {by}", mark, lambda: _top(_rows(file, by)))
    return crawl.keep("top by links", graph_mark(crawl), lambda: _top(_links(graph)))


def _columns(file: Path) -> tuple[str, ...]:
    from pyarrow import parquet

    check_ranking(file)
    if not file.exists():
        return ()
    try:
        names: list[str] = parquet.read_schema(file).names
    except (OSError, ValueError):
        raise DamageError(file, "is damaged; make it again with `gossamer graph rank`") from None
    return tuple(names)


class _Some(Struct, frozen=True):
    """The best rows of some."""

    urls: list[str]
    values: NDArray[np.float64]


def _top(parts: Iterator[_Some]) -> tuple[RankedPage, ...]:
    """The best of all; of equals, the first."""
    best: list[RankedPage] = []
    for part in parts:
        best += [RankedPage(*one) for one in zip(part.urls, part.values.tolist(), strict=True)]
        best = sorted(best, key=lambda one: -one.value)[:MOST]
    return tuple(best)


def _rows(file: Path, by: str) -> Iterator[_Some]:
    from pyarrow import parquet

    with parquet.ParquetFile(file) as table:
        for batch in table.iter_batches(_TOGETHER, columns=["url", by]):
            values = np.nan_to_num(batch.column(by).to_numpy(False).astype(np.float64), nan=-1.0)
            best = _best(values)
            best = best[values[best] >= 0]
            yield _Some(batch.column("url").take(best).to_pylist(), values[best])


def _links(graph: Graph) -> Iterator[_Some]:
    for begin in range(0, len(graph), _TOGETHER):
        numbers = np.arange(begin, min(begin + _TOGETHER, len(graph)))
        values = graph.indegrees(numbers).astype(np.float64)
        best = _best(values)
        yield _Some(graph.urls(numbers[best]), values[best])


def _best(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """The places of the largest values, in their order in the file."""
    return np.sort(np.argsort(-values, kind="stable")[:MOST])
