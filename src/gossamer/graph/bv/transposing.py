"""A graph in memory, with its arcs turned round."""

import numpy as np

from gossamer.core.kernel import kernel
from gossamer.graph.bv.decoding import Nodes, Places


def transpose(offsets: Places, targets: Nodes) -> tuple[Places, Nodes]:
    """The rows of all arcs turned round, in ascending order.

    >>> offsets, targets = transpose(np.array([0, 2, 2, 3]), np.array([1, 2, 1], np.uint32))
    >>> offsets.tolist(), targets.tolist()
    ([0, 0, 2, 3], [0, 2, 0])
    """
    back = np.zeros(len(offsets), np.int64)
    np.cumsum(np.bincount(targets, minlength=len(offsets) - 1), out=back[1:])
    sources = np.empty(len(targets), np.uint32)
    _turn(offsets, targets, back[:-1].copy(), sources)
    return back, sources


@kernel
def _turn(offsets: Places, targets: Nodes, places: Places, sources: Nodes) -> None:
    for node in range(len(offsets) - 1):
        for at in range(offsets[node], offsets[node + 1]):
            target = targets[at]
            sources[places[target]] = node
            places[target] += 1
