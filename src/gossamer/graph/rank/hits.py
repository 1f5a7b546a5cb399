"""HITS (Kleinberg 1999): hubs and authorities among the pages around a query.

Pages that match a query are the root set. With the pages they link to, and some that link to them, they
are the base set. A good hub links to good authorities, which good hubs link to. Links within a host say
little, and are left out.
"""

import numpy as np
from msgspec import Struct

from gossamer.core.kernel import kernel
from gossamer.graph.rank.arcs import Arcs, Flags, Nodes, Offsets, Values, add_up

_OUTSIDE = np.uint32(0xFFFFFFFF)
"""The number of a node that is not looked at."""


class HubsAndAuthorities(Struct, frozen=True):
    """Two numbers for each page of a base set; each has a sum of 1, or is 0 everywhere without links."""

    nodes: Nodes
    hubs: Values
    authorities: Values
    steps: int


def base_set(arcs: Arcs, back: Arcs, root: Nodes, most_in: int = 50) -> Nodes:
    """The root set, all that it links to, and of the pages that link to each of its pages at most this many.

    >>> from gossamer.graph.rank.arcs import arcs_of
    >>> web = arcs_of([0, 2, 3, 4], [1, 0, 0, 4], nodes=5)
    >>> base_set(web, web.transposed(), np.array([0], np.uint32), most_in=1).tolist()
    [0, 1, 2]
    """
    ahead = arcs.targets[arcs.rows(root)[0]]
    behind, owners = back.rows(root)
    rank = np.arange(len(owners)) - np.searchsorted(owners, owners)
    lengths = np.bincount(owners, minlength=len(root))[owners]
    return np.union1d(
        np.union1d(root, ahead), back.targets[behind[_is_chosen(rank, lengths, most_in)]]
    )


def _is_chosen(rank: Offsets, lengths: Offsets, most: int) -> Flags:
    """Of each row, at most this many, spread evenly: neighbours in the order of URLs are much alike."""
    return (rank * most) // lengths != ((rank - 1) * most) // lengths if most else rank < 0


def hits(
    arcs: Arcs,
    nodes: Nodes,
    groups: Nodes | None = None,
    *,
    tolerance: float = 1e-9,
    most_steps: int = 1000,
) -> HubsAndAuthorities:
    """Hubs and authorities among some nodes; links within one of the `groups`, such as hosts, do not count.

    It ends when a step moves the authorities by less than `tolerance` in all.

    >>> from gossamer.graph.rank.arcs import arcs_of
    >>> web = arcs_of([0, 0, 1], [2, 3, 2], nodes=4)
    >>> found = hits(web, np.arange(4, dtype=np.uint32))
    >>> found.hubs.round(3).tolist(), found.authorities.round(3).tolist()
    ([0.618, 0.382, 0.0, 0.0], [0.0, 0.0, 0.618, 0.382])
    """
    part = _links(arcs, nodes, groups)
    hubs = np.zeros(len(nodes))
    if not part.links:
        return HubsAndAuthorities(nodes, hubs, hubs.copy(), 0)
    authorities = _shares(add_up(part.targets, _weights(part), len(nodes)))
    moved, steps = np.inf, 1
    while moved > tolerance and steps < most_steps:
        found = np.zeros(len(nodes))
        _step(*part.arrays(), authorities, hubs, found)
        before, authorities = authorities, _shares(found)
        moved, steps = float(np.abs(authorities - before).sum()), steps + 1
    _step(*part.arrays(), authorities, hubs, np.zeros(len(nodes)))
    return HubsAndAuthorities(nodes, _shares(hubs), authorities, steps)


def _links(arcs: Arcs, nodes: Nodes, groups: Nodes | None) -> Arcs:
    """The links that count."""
    numbers = np.full(len(arcs), _OUTSIDE, np.uint32)
    numbers[nodes] = np.arange(len(nodes), dtype=np.uint32)
    offsets, targets, weights = arcs.arrays()
    most = int((offsets[nodes.astype(np.int64) + 1] - offsets[nodes]).sum())
    kept, places = np.empty(most, np.uint32), np.zeros(len(nodes) + 1, np.int64)
    heavy = np.empty(most if len(weights) else 0)
    its = np.empty(0, np.uint32) if groups is None else groups
    count = _keep(offsets, targets, weights, nodes, numbers, its, places, kept, heavy)
    return Arcs(places, kept[:count], heavy[:count])


def _weights(arcs: Arcs) -> Values:
    return arcs.weights if len(arcs.weights) else np.ones(arcs.links)


def _shares(values: Values) -> Values:
    values /= values.sum()
    return values


@kernel
def _keep(
    offsets: Offsets,
    targets: Nodes,
    weights: Values,
    nodes: Nodes,
    numbers: Nodes,
    groups: Nodes,
    places: Offsets,
    kept: Nodes,
    heavy: Values,
) -> int:
    """Keep the links among some nodes, but for those within a group; returns how many they are."""
    count = 0
    for row in range(len(nodes)):
        node = nodes[row]
        for at in range(offsets[node], offsets[node + 1]):
            target = targets[at]
            number = numbers[target]
            if number == _OUTSIDE or (len(groups) and groups[node] == groups[target]):
                continue
            kept[count] = number
            if len(weights):
                heavy[count] = weights[at]
            count += 1
        places[row + 1] = count
    return count


@kernel
def _step(
    offsets: Offsets,
    targets: Nodes,
    weights: Values,
    authorities: Values,
    hubs: Values,
    found: Values,
) -> None:
    """Hubs of authorities, and at once authorities of these hubs: a row is read while it is at hand."""
    is_weighted = len(weights) > 0
    for node in range(len(offsets) - 1):
        begin, end, total = offsets[node], offsets[node + 1], 0.0
        for at in range(begin, end):
            total += authorities[targets[at]] * (weights[at] if is_weighted else 1.0)
        hubs[node] = total
        if total > 0:
            for at in range(begin, end):
                found[targets[at]] += total * (weights[at] if is_weighted else 1.0)
