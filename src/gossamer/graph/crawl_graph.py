"""The graph of a crawl, mapped into memory."""

from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gossamer.core.errors import DirectoryError
from gossamer.graph.bv import BVGraph, GraphRows
from gossamer.graph.bv.block_checks import REBUILD, BlockSums
from gossamer.graph.bv.decoding import Nodes, Places
from gossamer.graph.bv.transposing import transpose
from gossamer.graph.published_graph import KINDS, find_published
from gossamer.graph.seen_links import links_out
from gossamer.graph.urls import UrlMap


class Graph:
    """Nodes are numbers from 0 on; those of a crawl have URLs, in the order of reversed hosts and of paths.

    Many may read at once, in one process or in several. What was opened stays as it is, also when a newer
    graph is published meanwhile.

    `Graph.open(DIR)` opens the graph of a crawl, which `gossamer graph build DIR` makes, or a BVGraph of
    WebGraph's by its name without suffix.

    >>> import gossamer
    >>> gossamer.Graph.open("nowhere")
    Traceback (most recent call last):
    gossamer.core.errors.DirectoryError: nowhere has no graph; make one with `gossamer graph build nowhere`, \
if that is a crawl
    """

    def __init__(
        self,
        forward: BVGraph,
        backward: BVGraph | None = None,
        known: UrlMap | None = None,
        crawl: Path | None = None,
    ) -> None:
        self.forward, self._backward, self.known = forward, backward, known
        self._crawl = crawl
        """The crawl directory, if it is the graph of one."""

    @classmethod
    def open(cls, directory: str | Path, kind: str = "page", *, at: str = "") -> "Graph":
        """Open the graph that was published last; `kind` is page, requisite or redirect.

        With `at`, the layer of that time, as `gossamer graph build DIR --at` was given it: `at="2026-03"`.
        """
        path = Path(directory)
        if kind not in KINDS:
            raise ValueError(f"there is no kind {kind!r} of links; take one of {', '.join(KINDS)}")
        published = find_published(path, at)
        if published is not None:
            graph = published.use(lambda folder, sums: cls._open_generation(folder, kind, sums))
            graph._crawl = path if published.folder != path else None
            return graph
        if at:
            raise DirectoryError(
                f"{path} has no layer {at}; make it with `gossamer graph build {path} --at {at}`"
            )
        return cls._open_foreign(path)

    @classmethod
    def _open_generation(cls, folder: Path, kind: str, sums: BlockSums) -> "Graph":
        forward, backward = BVGraph(folder / kind, sums), BVGraph(folder / f"{kind}-t", sums)
        known = UrlMap(folder / "urls", sums)
        if not len(forward) == len(backward) == len(known):
            raise DirectoryError(f"{folder} has files of several graphs; {REBUILD}")
        return cls(forward, backward, known)

    @classmethod
    def _open_foreign(cls, path: Path) -> "Graph":
        name = path.with_suffix("") if path.suffix in (".graph", ".properties") else path
        if not name.with_name(name.name + ".properties").exists():
            raise DirectoryError(
                f"{path} has no graph; make one with `gossamer graph build {path}`, if that is a crawl"
            )
        back = name.with_name(name.name + "-t")
        has_back = back.with_name(back.name + ".properties").exists()
        return cls(BVGraph(name), BVGraph(back) if has_back else None)

    def __len__(self) -> int:
        """The number of nodes."""
        return len(self.forward)

    @property
    def arcs(self) -> int:
        """The number of different links."""
        return self.forward.arcs

    def __repr__(self) -> str:
        return f"<Graph {self.forward.path}: {len(self):,} nodes, {self.arcs:,} arcs>"

    # Rows.

    def successors(self, node: int) -> Nodes:
        """The nodes that a node links to, in ascending order."""
        return self.forward.successors(node)

    def predecessors(self, node: int) -> Nodes:
        """The nodes that link to a node, in ascending order."""
        return self.backward.successors(node)

    def outdegree(self, node: int) -> int:
        return self.forward.outdegree(node)

    def indegree(self, node: int) -> int:
        return self.backward.outdegree(node)

    def outdegrees(self, nodes: npt.ArrayLike | None = None) -> Places:
        """The number of links of nodes; of all nodes if none are named."""
        return self.forward.outdegrees(nodes)

    def indegrees(self, nodes: npt.ArrayLike | None = None) -> Places:
        return self.backward.outdegrees(nodes)

    def successors_of(self, nodes: npt.ArrayLike) -> tuple[Places, Nodes]:
        """Rows laid end to end: node number i links to `targets[offsets[i]:offsets[i + 1]]`."""
        return self.forward.successors_of(nodes)

    def predecessors_of(self, nodes: npt.ArrayLike) -> tuple[Places, Nodes]:
        return self.backward.successors_of(nodes)

    def rows(
        self, begin: int = 0, end: int | None = None, *, transposed: bool = False
    ) -> Iterator[GraphRows]:
        """All rows one after the other, some at a time, for graphs that do not fit into memory."""
        return (self.backward if transposed else self.forward).rows(begin, end)

    def unpack(self, *, transposed: bool = False) -> tuple[Places, Nodes]:
        """The whole graph in memory: `offsets` (one more than nodes) and `targets`, 4 bytes an arc."""
        if not transposed:
            return self.forward.unpack()
        return self._turned if self._backward is None else self._backward.unpack()

    @property
    def backward(self) -> "BVGraph | _InMemory":
        """The arcs turned round; of a foreign graph without them, they are turned once, in memory."""
        return self._backward if self._backward is not None else _InMemory(*self._turned)

    @cached_property
    def _turned(self) -> tuple[Places, Nodes]:
        return transpose(*self.forward.unpack())

    # URLs.

    def url(self, node: int) -> str:
        """The URL of a node."""
        return self.urls([node])[0]

    def urls(self, nodes: npt.ArrayLike) -> list[str]:
        """The URLs of nodes, in their order."""
        return self._known.urls(nodes)

    def url_array(self, nodes: npt.ArrayLike) -> Any:
        """The same, as a column of Arrow's."""
        return self._known.url_array(nodes)

    def number(self, url: str) -> int | None:
        """The node of a URL in its one spelling; None when it is not in the graph."""
        return self._known.number(url)

    def anchors(self, source: int, target: int) -> list[str]:
        """The texts of the links from a node to another, or to one that redirects to it, each once.

        They are in the links table, where all links of the source are looked at: it takes milliseconds and
        more.
        """
        if self._crawl is None:
            raise DirectoryError(
                f"{self.forward.path} is not in a crawl directory, so it has no anchor texts"
            )
        start, end = self.urls([source, target])
        wanted = {end, *urls_that_lead_to(self._crawl, end)}
        found = (link.anchor for link in links_out(self._crawl, start) if link.target in wanted)
        return [*dict.fromkeys(found)]

    @property
    def _known(self) -> UrlMap:
        if self.known is None:
            raise DirectoryError(f"{self.forward.path} is a graph of numbers, without URLs")
        return self.known

    # For other libraries.

    def to_scipy(self) -> Any:
        """A sparse matrix: a one in row i and column j for an arc from i to j."""
        sparse = _library("scipy.sparse", "scipy")
        offsets, targets = self.unpack()
        ones = np.ones(len(targets), np.int8)
        wide = np.int64 if max(len(self), len(targets)) >= 1 << 31 else np.int32
        shape = (len(self), len(self))
        return sparse.csr_array((ones, targets.astype(wide), offsets.astype(wide)), shape)

    def to_networkx(self) -> Any:
        """A `DiGraph`; it takes about a hundred times the memory."""
        graph = _library("networkx").DiGraph()
        graph.add_nodes_from(range(len(self)))
        for sources, targets in self._arcs():
            graph.add_edges_from(zip(sources.tolist(), targets.tolist(), strict=True))
        return graph

    def to_igraph(self) -> Any:
        """A directed `igraph.Graph`."""
        library = _library("igraph")
        pairs = [np.stack(arcs, axis=1) for arcs in self._arcs()]
        edges = np.concatenate(pairs) if pairs else np.empty((0, 2), np.int64)
        return library.Graph(len(self), edges, directed=True)

    def to_networkit(self) -> Any:
        """A directed `networkit.Graph`."""
        library = _library("networkit")
        graph = library.Graph(len(self), directed=True)
        for sources, targets in self._arcs():
            graph.addEdges((sources.astype(np.uint64), targets.astype(np.uint64)))
        return graph

    def _arcs(self) -> Iterator[tuple["npt.NDArray[np.int64]", "npt.NDArray[np.int64]"]]:
        for rows in self.rows():
            yield arcs_of(rows)


def urls_that_lead_to(crawl: Path, url: str) -> list[str]:
    """URLs that lead to this one by redirects, as far as the graph of a crawl knows."""
    if find_published(crawl) is None:
        return []
    graph = Graph.open(crawl, "redirect")
    node = graph.number(url)
    found = [] if node is None else [node]
    for one in found:  # it grows as we go
        found += [source for source in graph.predecessors(one).tolist() if source not in found]
    return graph.urls(found[1:]) if len(found) > 1 else []


def arcs_of(rows: GraphRows) -> tuple["npt.NDArray[np.int64]", "npt.NDArray[np.int64]"]:
    """Sources and targets of the arcs of rows."""
    nodes = np.arange(rows.node, rows.node + len(rows.offsets) - 1)
    return np.repeat(nodes, np.diff(rows.offsets)), rows.targets.astype(np.int64)


def _library(module: str, name: str = "") -> Any:
    try:
        return import_module(module)
    except ImportError:
        name = name or module
        raise DirectoryError(f"{name} is not installed; `pip install {name}` brings it") from None


class _InMemory:
    """The rows of a graph that is unpacked."""

    def __init__(self, offsets: Places, targets: Nodes) -> None:
        self._offsets, self._targets = offsets, targets

    def outdegrees(self, nodes: npt.ArrayLike | None = None) -> Places:
        lengths = np.diff(self._offsets)
        return lengths if nodes is None else lengths[np.asarray(nodes)]

    def outdegree(self, node: int) -> int:
        return int(self.outdegrees([node])[0])

    def successors(self, node: int) -> Nodes:
        return self.successors_of([node])[1]

    def successors_of(self, nodes: npt.ArrayLike) -> tuple[Places, Nodes]:
        wanted = np.asarray(nodes, np.int64)
        lengths = self.outdegrees(wanted)
        offsets = np.concatenate(([0], np.cumsum(lengths)))
        places = np.arange(offsets[-1]) + np.repeat(self._offsets[wanted] - offsets[:-1], lengths)
        return offsets, self._targets[places]

    def rows(self, begin: int = 0, end: int | None = None) -> Iterator[GraphRows]:
        here = self._offsets[begin : None if end is None else end + 1]
        yield GraphRows(begin, here - here[0], self._targets[here[0] : here[-1]])
