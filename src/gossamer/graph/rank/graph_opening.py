"""The graph of a crawl, unpacked for rankings."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING

import numpy as np

from gossamer.graph.crawl_graph import Graph
from gossamer.graph.rank.arcs import Arcs
from gossamer.graph.rank.ranked_web import LinkedWeb
from gossamer.graph.rank.unpacking import unpack_mapped

if TYPE_CHECKING:
    import pyarrow as pa

_MOST_LINKS = 1 << 28
"""Links that are unpacked into memory, 4 bytes each, both ways; more go to files that are mapped."""
_TOGETHER = 1 << 18


def open_web(directory: Path, most_links: int = _MOST_LINKS) -> LinkedWeb:
    """The links between pages, as the graph that was published last has them."""
    graph = Graph.open(directory)
    work = directory / "graph"
    folder = work if work.is_dir() else Path(gettempdir())
    arcs, back = (_unpack(graph, is_back, folder, most_links) for is_back in (False, True))
    return LinkedWeb(arcs, back, lambda: _urls(graph), has_urls=graph.known is not None)


def _unpack(graph: Graph, is_back: bool, folder: Path, most_links: int) -> Arcs:
    if graph.arcs <= most_links:
        return Arcs(*graph.unpack(transposed=is_back))
    return unpack_mapped(graph.rows(transposed=is_back), folder)


def _urls(graph: Graph) -> "Iterator[pa.Array]":
    """All URLs, some at a time; of a graph without URLs, the numbers of its nodes."""
    import pyarrow as pa

    for first in range(0, len(graph), _TOGETHER):
        numbers = np.arange(first, min(first + _TOGETHER, len(graph)))
        known = pa.array(numbers) if graph.known is None else graph.known.url_array(numbers)
        yield known.cast(pa.string())
