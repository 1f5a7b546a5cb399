"""The graph of the crawl that is shown: opened once, and again when another one is published.

Nodes are numbered in the order of reversed hosts. So the pages of a host have numbers in a row, and what is
around a host is found without a table of hosts.
"""

from typing import NamedTuple

from gossamer.core.errors import GossamerError
from gossamer.dashboard.file_stamp import Stamp, stamp
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.graph import Graph
from gossamer.graph.published_graph import find_published


class HostPages(NamedTuple):
    """The numbers of a host's pages."""

    begin: int
    end: int

    def __len__(self) -> int:
        return self.end - self.begin


def open_graph(crawl: ShownCrawl) -> Graph:
    """The graph that counts now; `GossamerError` says which command makes one."""
    if crawl.in_storage is not None:
        crawl.in_storage.refuse("the graph", "gossamer graph build DIR")
    if find_published(crawl.path) is None:
        raise GossamerError(
            f"{crawl.path} has no graph; make one with: gossamer graph build {crawl.path}"
        )
    return crawl.keep("graph", graph_mark(crawl), lambda: Graph.open(crawl.path))


def graph_mark(crawl: ShownCrawl) -> Stamp:
    """Another one for each graph that is published."""
    return stamp(crawl.path / "graph" / "manifest.json")


def pages_of(graph: Graph, host: str) -> HostPages:
    """The pages of a host, whatever their schemes and ports; none when it is not there."""
    front = ".".join(reversed(host.encode("utf-8", "replace").decode().split("."))).encode()
    return HostPages(_first(graph, front + b"/"), _first(graph, front + b"0"))  # 0 comes after /


def _first(graph: Graph, key: bytes) -> int:
    """The first node whose key is not below this one."""
    assert graph.known is not None, "the graph of a crawl has URLs"
    low, high = 0, len(graph)
    while low < high:
        middle = (low + high) // 2
        _, found = graph.known.keys([middle])
        low, high = (middle + 1, high) if found.tobytes() < key else (low, middle)
    return low
