"""HITS (Kleinberg 1999): hubs and authorities among the pages around a query.

Pages that match a query are the root set. With the pages they link to, and some that link to them, they
are the base set. A good hub links to good authorities, which good hubs link to. Links within a host say
little, and are left out.
"""

import numpy as np
from msgspec import Struct

from gossamer.harvest.graph.rank.arcs import Arcs, Flags, Nodes, Offsets, Values, add_up


class HubsAndAuthorities(Struct, frozen=True):
    """Two numbers for each page of a base set; each has a sum of 1, or is 0 everywhere without links."""

    nodes: Nodes
    hubs: Values
    authorities: Values
    steps: int


def base_set(arcs: Arcs, back: Arcs, root: Nodes, most_in: int = 50) -> Nodes:
    """The root set, all that it links to, and of the pages that link to each of its pages at most so many.

    >>> from gossamer.harvest.graph.rank.arcs import arcs_of
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
    """Of each row, at most so many, spread evenly: neighbours in the order of URLs are much alike."""
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

    >>> from gossamer.harvest.graph.rank.arcs import arcs_of
    >>> web = arcs_of([0, 0, 1], [2, 3, 2], nodes=4)
    >>> found = hits(web, np.arange(4, dtype=np.uint32))
    >>> found.hubs.round(3).tolist(), found.authorities.round(3).tolist()
    ([0.618, 0.382, 0.0, 0.0], [0.0, 0.0, 0.618, 0.382])
    """
    sources, targets, weights = _links(arcs, nodes, groups)
    hubs, authorities = np.zeros(len(nodes)), np.zeros(len(nodes))
    moved, steps = np.inf, 0
    if len(sources):
        hubs += 1.0 / len(nodes)
    while moved > tolerance and steps < most_steps and len(sources):
        before, authorities = authorities, _flow(sources, targets, weights, hubs)
        hubs = _flow(targets, sources, weights, authorities)
        moved, steps = float(np.abs(authorities - before).sum()), steps + 1
    return HubsAndAuthorities(nodes, hubs, authorities, steps)


def _links(arcs: Arcs, nodes: Nodes, groups: Nodes | None) -> tuple[Nodes, Nodes, Values]:
    """The links that count: from where, to where, and how much."""
    part = arcs.part(nodes)
    sources, targets = part.sources(), part.targets
    weights = part.weights if len(part.weights) else np.ones(part.links)
    if groups is None:
        return sources, targets, weights
    its = groups[nodes]
    is_between = its[sources] != its[targets]
    return sources[is_between], targets[is_between], weights[is_between]


def _flow(sources: Nodes, targets: Nodes, weights: Values, values: Values) -> Values:
    found = add_up(targets, weights * values[sources], len(values))
    found /= found.sum()
    return found
