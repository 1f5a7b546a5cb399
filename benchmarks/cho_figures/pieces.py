"""Small pieces of a large web."""

import numpy as np

from gossamer.lab.crawl_orders.known_web import LabGraph, Nodes


def closed_piece(graph: LabGraph, size: int, step: int = 100) -> tuple[LabGraph, int]:
    """The stretch of so many consecutive nodes whose links lead outside least; and its best seed.

    In a graph whose nodes are in the order of their URLs, a stretch is (a part of) one or a few sites. Only
    what can be reached from the seed within the piece is kept.
    """
    starts = np.arange(0, max(len(graph) - size, 0) + 1, step)
    best = max(starts.tolist(), key=lambda start: _closeness(graph, start, size))
    piece = graph.part(np.arange(best, min(best + size, len(graph))))
    seed = piece.best_seed()
    nodes: Nodes = piece.reach(np.array([seed]))
    return piece.part(nodes), 0


def _closeness(graph: LabGraph, start: int, size: int) -> float:
    """The part of a stretch's links that stays within, times the part of it that its best seed reaches."""
    end = min(start + size, len(graph))
    targets = graph.targets[graph.offsets[start] : graph.offsets[end]]
    if len(targets) < 3 * size:  # few links are no site to crawl
        return 0.0
    inside = float(np.mean((targets >= start) & (targets < end)))
    if inside < 0.5:
        return 0.0
    piece = graph.part(np.arange(start, end))
    return inside * len(piece.reach(np.array([piece.best_seed(5)]))) / size
