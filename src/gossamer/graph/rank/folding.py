"""Graphs of hosts and of pay-level domains, from that of pages."""

from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from msgspec import Struct

from gossamer.core.url import pay_level_domain
from gossamer.graph.rank.arcs import NO_WEIGHTS, Arcs, Nodes, Offsets, add_up

_HALF = np.uint64(32)
_HOST = r"^[^/]*//(?:[^/?#]*@)?(\[[^\]]*\]|[^/:?#]*).*$"


class Folded(Struct, frozen=True):
    """A graph of groups of pages; a link weighs as many links of pages as it stands for."""

    names: Sequence[str]
    groups: Nodes
    """The group of each page."""
    arcs: Arcs
    """Without links of a group to itself, …"""
    internal: Offsets
    """… which are counted here."""

    def sizes(self) -> Offsets:
        """The number of pages in each group."""
        return np.bincount(self.groups, minlength=len(self.names)).astype(np.int64)


def fold_by_host(arcs: Arcs, urls: "Iterable[pa.Array]") -> Folded:
    """The graph of hosts, whose names are without ports; `urls` are those of all pages, some at a time.

    >>> from gossamer.graph.rank.arcs import arcs_of
    >>> urls = [pa.array(["http://a.test/", "http://a.test:80/x"]), pa.array(["http://b.test/"])]
    >>> hosts = fold_by_host(arcs_of([0, 0, 1], [1, 2, 2], nodes=3), urls)
    >>> hosts.names, hosts.arcs.targets.tolist(), hosts.arcs.weights.tolist(), hosts.internal.tolist()
    (['a.test', 'b.test'], [1], [2.0], [1, 0])
    """
    numbers: dict[str, int] = {}
    groups = [np.zeros(0, np.uint32)]
    for some in urls:
        encoded = pc.replace_substring_regex(some, _HOST, r"\1").dictionary_encode()
        names = encoded.dictionary.to_pylist()
        known = np.array([numbers.setdefault(name, len(numbers)) for name in names], np.uint32)
        groups.append(known[encoded.indices.to_numpy()])
    return fold(arcs, np.concatenate(groups), list(numbers))


def fold_by_domain(hosts: Folded) -> Folded:
    """The graph of pay-level domains, from that of hosts.

    >>> from gossamer.graph.rank.arcs import arcs_of
    >>> urls = pa.array(["http://x.a.com/", "http://y.a.com/", "http://b.com/"])
    >>> domains = fold_by_domain(fold_by_host(arcs_of([0, 0, 1], [1, 2, 2], nodes=3), [urls]))
    >>> domains.names, domains.arcs.weights.tolist(), domains.internal.tolist()
    (['a.com', 'b.com'], [2.0], [1, 0])
    """
    names = [pay_level_domain(host) for host in hosts.names]
    order = {name: number for number, name in enumerate(dict.fromkeys(names))}
    groups = np.array([order[name] for name in names], np.uint32)
    found = fold(hosts.arcs, groups, list(order))
    inside = add_up(groups, hosts.internal.astype(np.float64), len(order)).astype(np.int64)
    return Folded(found.names, groups[hosts.groups], found.arcs, found.internal + inside)


def fold(arcs: Arcs, groups: Nodes, names: Sequence[str], block: int = 1 << 22) -> Folded:
    """The graph of groups, counted `block` links at a time."""
    pairs, counts = np.zeros(0, np.uint64), NO_WEIGHTS
    for first, last in arcs.blocks(block):
        begin, end = arcs.offsets[first], arcs.offsets[last]
        owners = np.repeat(groups[first:last], np.diff(arcs.offsets[first : last + 1]))
        targets = groups[arcs.targets[begin:end]]
        some = (owners.astype(np.uint64) << _HALF) | targets
        weights = arcs.weights[begin:end] if len(arcs.weights) else np.ones(len(some))
        pairs, places = np.unique(np.concatenate((pairs, some)), return_inverse=True)
        counts = add_up(places, np.concatenate((counts, weights)), len(pairs))
        arcs.release()
    sources, targets = (pairs >> _HALF).astype(np.int64), pairs.astype(np.uint32)
    is_internal = sources == targets
    internal = np.zeros(len(names), np.int64)
    internal[sources[is_internal]] = counts[is_internal]
    kept = ~is_internal
    offsets = np.searchsorted(sources[kept], np.arange(len(names) + 1))
    return Folded(names, groups, Arcs(offsets, targets[kept], counts[kept]), internal)
