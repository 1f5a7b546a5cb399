"""Small webs for rankings, and the same as matrices of SciPy."""

import numpy as np
import scipy.sparse as sparse

from gossamer.graph.rank.arcs import NO_WEIGHTS, Arcs, arcs_of


def web(seed: int, nodes: int, links: int, *, is_weighted: bool = False) -> Arcs:
    """A random web with popular pages, pages without links, and pages that link to themselves."""
    chance = np.random.default_rng(seed)
    sources = chance.integers(0, max(nodes * 3 // 4, 1), links)
    targets = (chance.random(links) ** 2 * nodes).astype(np.int64)
    targets[::10] = sources[::10]
    pairs = np.unique(sources * nodes + targets)
    weights = chance.integers(1, 9, len(pairs)).astype(np.float64) if is_weighted else NO_WEIGHTS
    return arcs_of(pairs // nodes, pairs % nodes, nodes, weights)


def matrix(arcs: Arcs) -> "sparse.csr_matrix":
    weights = arcs.weights if len(arcs.weights) else np.ones(arcs.links)
    return sparse.csr_matrix((weights, arcs.targets, arcs.offsets), shape=(len(arcs), len(arcs)))
