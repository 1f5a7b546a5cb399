"""The web that a crawl has found: its graph both ways, and the URLs of its pages."""

from collections.abc import Callable, Iterable
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from gossamer.harvest.graph.rank.arcs import Arcs, Nodes
from gossamer.harvest.graph.rank.folding import Folded, fold_by_domain, fold_by_host


class LinkedWeb:
    """What rankings are made from. `urls` gives those of all pages in the order of their numbers, in batches.

    >>> from gossamer.harvest.graph.rank.arcs import arcs_of
    >>> arcs = arcs_of([0], [1], nodes=2)
    >>> web = LinkedWeb(arcs, arcs.transposed(), lambda: [pa.array(["http://a.test/", "http://b.test/x"])])
    >>> web.find(["http://b.test/x", "a.test", "c.test"]).tolist()
    [0, 1]
    """

    def __init__(self, arcs: Arcs, back: Arcs, urls: "Callable[[], Iterable[pa.Array]]") -> None:
        self.arcs = arcs
        self.back = back
        self.urls = urls

    def __len__(self) -> int:
        return len(self.arcs)

    @cached_property
    def hosts(self) -> Folded:
        return fold_by_host(self.arcs, self.urls())

    @cached_property
    def domains(self) -> Folded:
        return fold_by_domain(self.hosts)

    def find(self, names: Iterable[str]) -> Nodes:
        """The pages with these URLs, and all pages of hosts and pay-level domains with these names."""
        wanted = set(names)
        is_found = np.zeros(len(self), np.bool_)
        for folded in (self.hosts, self.domains):
            is_named = np.array([name in wanted for name in folded.names], np.bool_)
            is_found |= is_named[folded.groups]
        first, values = 0, pa.array(sorted(wanted), pa.string())
        for some in self.urls():
            is_found[first : first + len(some)] |= pc.is_in(some, values).to_numpy(False)
            first += len(some)
        return np.flatnonzero(is_found).astype(np.uint32)
