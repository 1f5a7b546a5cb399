"""Ways through a graph: the shortest path between two nodes, and what is around one."""

import numpy as np

from gossamer.graph.bv.decoding import Nodes
from gossamer.graph.crawl_graph import Graph

_NOBODY = -1


def shortest_path(graph: Graph, start: int, end: int) -> list[int] | None:
    """Nodes from `start` to `end`, both included, over as few arcs as possible; None when there is no way.

    Whole levels are read at a time. Of several shortest paths, it is one.
    """
    came_from = np.full(len(graph), _NOBODY, np.int64)
    came_from[start] = start
    level = np.array([start], np.uint32)
    while len(level) and came_from[end] == _NOBODY:
        offsets, targets = graph.successors_of(level)
        sources = np.repeat(level, np.diff(offsets))
        is_new = came_from[targets] == _NOBODY
        came_from[targets[is_new]] = sources[is_new]
        level = np.unique(targets[is_new])
    return None if came_from[end] == _NOBODY else _walk_back(came_from, start, end)


def _walk_back(came_from: "np.typing.NDArray[np.int64]", start: int, end: int) -> list[int]:
    path = [end]
    while path[-1] != start:
        path.append(int(came_from[path[-1]]))
    return path[::-1]


def neighbourhood(graph: Graph, node: int, steps: int, most: int) -> Nodes:
    """The nodes that this many arcs lead to, in either direction, the nearest first; at most this many."""
    found = level = np.array([node], np.uint32)
    for _ in range(steps):
        around = np.concatenate([graph.successors_of(level)[1], graph.predecessors_of(level)[1]])
        level = np.setdiff1d(around, found)
        found = np.concatenate([found, level])[:most]
    return found


def arcs_among(graph: Graph, nodes: Nodes) -> "np.typing.NDArray[np.int64]":
    """The arcs between these nodes, a pair each."""
    offsets, targets = graph.successors_of(nodes)
    sources = np.repeat(nodes, np.diff(offsets))
    is_inside = np.isin(targets, nodes)
    return np.stack([sources[is_inside], targets[is_inside]], axis=1).astype(np.int64)
