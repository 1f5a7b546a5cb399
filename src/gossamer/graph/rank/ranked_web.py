"""The web that a crawl has found: its graph both ways, and the URLs of its pages."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from gossamer.core.errors import SettingsError
from gossamer.graph.rank.arcs import Arcs, Nodes
from gossamer.graph.rank.folding import Folded, fold_by_domain, fold_by_host


class LinkedWeb:
    """The links that rankings are made from. `urls` gives those of all pages in the order of their
    numbers, in batches.

    >>> from gossamer.graph.rank.arcs import arcs_of
    >>> arcs = arcs_of([0], [1], nodes=2)
    >>> web = LinkedWeb(arcs, arcs.transposed(), lambda: [pa.array(["http://a.test/", "http://b.test/x"])])
    >>> web.find(["http://b.test/x", "a.test", "c.test"]).tolist()
    [0, 1]
    """

    def __init__(
        self,
        arcs: Arcs,
        back: Arcs,
        urls: "Callable[[], Iterable[pa.Array]]",
        *,
        has_urls: bool = True,
    ) -> None:
        self.arcs = arcs
        self.back = back
        self.urls = urls
        self.has_urls = has_urls
        """False for a graph of numbers: it has no hosts."""

    def __len__(self) -> int:
        return len(self.arcs)

    @cached_property
    def hosts(self) -> Folded:
        if not self.has_urls:
            raise SettingsError("this graph has numbers and no URLs, so its hosts are unknown")
        return fold_by_host(self.arcs, self.urls())

    @cached_property
    def domains(self) -> Folded:
        return fold_by_domain(self.hosts)

    def urls_of(self, numbers: Sequence[int]) -> list[str]:
        """The URLs of some pages."""
        first, found = 0, dict[int, str]()
        for some in self.urls():
            inside = [number for number in numbers if first <= number < first + len(some)]
            found |= {number: str(some[number - first]) for number in inside}
            first += len(some)
        return [found[number] for number in numbers]

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
