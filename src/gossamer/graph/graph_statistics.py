"""Statistics of a graph."""

import numpy as np
from msgspec import Struct

from gossamer.graph.crawl_graph import Graph


class GraphStatistics(Struct, frozen=True):
    kind: str
    nodes: int
    """URLs, linked or not."""
    arcs: int
    """Different links."""
    bits_per_link: float
    bits_per_link_back: float
    """The same for arcs turned round."""
    linking: int
    """Nodes that link to others."""
    linked: int
    """Nodes that others link to."""
    most_out: int
    """The most links that a node has …"""
    most_out_node: str
    """… and which it is."""
    most_in: int
    most_in_node: str


def look_at(graph: Graph, kind: str = "") -> GraphStatistics:
    out, into = graph.outdegrees(), graph.indegrees()
    back = getattr(graph.backward, "bytes", 0)
    arcs = max(1, graph.arcs)
    return GraphStatistics(
        kind,
        len(graph),
        graph.arcs,
        round(8 * graph.forward.bytes / arcs, 3),
        round(8 * back / arcs, 3),
        int(np.count_nonzero(out)),
        int(np.count_nonzero(into)),
        int(out.max(initial=0)),
        _name(graph, out),
        int(into.max(initial=0)),
        _name(graph, into),
    )


def _name(graph: Graph, degrees: "np.typing.NDArray[np.int64]") -> str:
    """The node that has the most, if any has some."""
    if not degrees.any():
        return ""
    node = int(degrees.argmax())
    return graph.url(node) if graph.known is not None else str(node)
