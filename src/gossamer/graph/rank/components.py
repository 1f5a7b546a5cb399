"""Strongly and weakly connected components."""

import numpy as np
from numpy.typing import NDArray

from gossamer.core.kernel import kernel
from gossamer.graph.rank.arcs import Arcs, Nodes, Offsets

_NONE = np.uint32(0xFFFFFFFF)


def strong_components(arcs: Arcs) -> Nodes:
    """For each node the number of its component: nodes that can reach each other have the same.

    Links between components lead from higher to lower numbers. (Tarjan 1972, without recursion.)

    >>> from gossamer.graph.rank.arcs import arcs_of
    >>> strong_components(arcs_of([0, 1, 2, 2], [1, 0, 1, 3], nodes=4)).tolist()
    [0, 0, 2, 1]
    """
    component = np.full(len(arcs), _NONE, np.uint32)
    _find_strong(*arcs.arrays()[:2], component)
    return component


def weak_components(arcs: Arcs) -> Nodes:
    """The same for nodes that are connected when links may be followed backwards too.

    >>> from gossamer.graph.rank.arcs import arcs_of
    >>> weak_components(arcs_of([0, 3], [2, 1], nodes=4)).tolist()
    [0, 1, 0, 1]
    """
    leaders = np.arange(len(arcs), dtype=np.uint32)
    _join(*arcs.arrays()[:2], leaders)
    found: Nodes = np.unique(leaders, return_inverse=True)[1].astype(np.uint32)
    return found


def sizes_of(component: Nodes) -> Offsets:
    """The number of nodes in each component."""
    return np.bincount(component).astype(np.int64)


@kernel
def _find_strong(offsets: Offsets, targets: Nodes, component: Nodes) -> None:
    count = len(component)
    order, low = np.zeros(count, np.uint32), np.zeros(count, np.uint32)
    at = offsets[:-1].copy()
    path, waiting = np.empty(count, np.uint32), np.empty(count, np.uint32)
    met, found, waits = 0, 0, 0
    for root in range(count):
        if order[root]:
            continue
        path[0], depth = root, 1
        while depth:
            node = path[depth - 1]
            if not order[node]:
                met += 1
                order[node] = low[node] = met
                waiting[waits] = node
                waits += 1
            lowest, end, place, is_deeper = low[node], offsets[node + 1], at[node], False
            while place < end:
                target = targets[place]
                if not order[target]:  # look at this link again when its node is done
                    path[depth] = target
                    depth, is_deeper = depth + 1, True
                    break
                if component[target] == _NONE and low[target] < lowest:
                    lowest = low[target]
                place += 1
            low[node], at[node] = lowest, place
            if is_deeper:
                continue
            depth -= 1
            if lowest == order[node]:
                last = count
                while last != node:
                    waits -= 1
                    last = waiting[waits]
                    component[last] = found
                found += 1


@kernel
def _join(offsets: Offsets, targets: Nodes, leaders: NDArray[np.uint32]) -> None:
    """Union and find: the leader of a set is its smallest node."""
    for node in range(len(leaders)):
        for at in range(offsets[node], offsets[node + 1]):
            one, other = node, np.int64(targets[at])
            while leaders[one] != one:
                leaders[one] = leaders[leaders[one]]
                one = leaders[one]
            while leaders[other] != other:
                leaders[other] = leaders[leaders[other]]
                other = leaders[other]
            if one < other:
                leaders[other] = one
            else:
                leaders[one] = other
    for node in range(len(leaders)):
        leaders[node] = leaders[leaders[node]]
