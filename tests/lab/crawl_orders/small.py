"""Small graphs."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from gossamer.lab.crawl_orders.known_web import LabGraph


def graph_of(links: Mapping[int, Sequence[int]], hosts: Sequence[int] = ()) -> LabGraph:
    rows = [links.get(node, ()) for node in range(max(links) + 1)]
    targets = [target for row in rows for target in row]
    places = np.array(hosts or [0] * len(rows), np.uint64)
    return LabGraph(np.cumsum([0, *map(len, rows)]), np.array(targets, np.int64), places, places)


def random_graph(nodes: int, seed: int = 0, degree: int = 8) -> LabGraph:
    """Links with a preference for low numbers; every page can be reached from the first."""
    random = np.random.default_rng(seed)
    links = {}
    for node in range(nodes):
        drawn = (nodes * random.random(int(random.integers(1, degree))) ** 3).astype(int)
        tree = [child for child in (2 * node + 1, 2 * node + 2) if child < nodes]
        links[node] = [*dict.fromkeys([*drawn.tolist(), *tree])]
    return graph_of(links, [int(node % 7) for node in range(nodes)])


def write_graph(path: Path, nodes: int) -> Path:
    """A random graph as a file, as `gossamer lab order` reads it."""
    graph = random_graph(nodes)
    lines = (
        " ".join(map(str, graph.targets[begin:end].tolist()))
        for begin, end in zip(graph.offsets[:-1], graph.offsets[1:], strict=True)
    )
    path.write_text(f"{nodes}\n" + "\n".join(lines) + "\n")
    return path
