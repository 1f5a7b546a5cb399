"""A graph as two arrays, and what is the same for everything that is computed from them."""

from mmap import MADV_DONTNEED

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Offsets = NDArray[np.int64]
Nodes = NDArray[np.uint32]
Values = NDArray[np.float64]
Flags = NDArray[np.bool_]

NO_WEIGHTS: Values = np.zeros(0)


class Arcs(Struct, frozen=True):
    """Node `i` links to the nodes from `offsets[i]` to `offsets[i + 1]` in `targets`.

    The arrays may be mapped files. With `weights`, a link counts as often as its weight says.

    >>> arcs = arcs_of([0, 0, 1], [1, 2, 2], nodes=3)
    >>> len(arcs), arcs.links, arcs.degrees().tolist(), arcs.transposed().degrees().tolist()
    (3, 3, [2, 1, 0], [0, 1, 2])
    """

    offsets: Offsets
    targets: Nodes
    weights: Values = NO_WEIGHTS

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def links(self) -> int:
        return len(self.targets)

    def degrees(self) -> Offsets:
        return np.diff(self.offsets)

    def sources(self) -> Nodes:
        """The node that each link comes from."""
        return np.repeat(np.arange(len(self), dtype=np.uint32), self.degrees())

    def transposed(self) -> "Arcs":
        """The same arcs, by target."""
        return arcs_of(self.targets, self.sources(), len(self), self.weights)

    def part(self, nodes: Nodes) -> "Arcs":
        """The links among some nodes, which get numbers in the order they are given."""
        numbers = np.full(len(self), -1, np.int64)
        numbers[nodes] = np.arange(len(nodes))
        places, sources = self.rows(nodes)
        targets = numbers[self.targets[places]]
        is_inside = targets >= 0
        weights = self.weights[places[is_inside]] if len(self.weights) else NO_WEIGHTS
        return arcs_of(sources[is_inside], targets[is_inside], len(nodes), weights)

    def rows(self, nodes: Nodes) -> tuple[Offsets, Offsets]:
        """The places of all links of some nodes, and for each of them which of the nodes it is of."""
        lengths = self.offsets[nodes.astype(np.int64) + 1] - self.offsets[nodes]
        begins = self.offsets[nodes] - np.cumsum(lengths) + lengths
        places = np.repeat(begins, lengths) + np.arange(lengths.sum())
        return places, np.repeat(np.arange(len(nodes)), lengths)

    def blocks(self, most: int) -> list[tuple[int, int]]:
        """Ranges of nodes with about this many links each.

        >>> arcs_of([0, 0, 1], [1, 2, 2], nodes=3).blocks(2)
        [(0, 1), (1, 3)]
        """
        cuts = np.searchsorted(self.offsets, np.arange(most, self.links, most))
        ends = np.unique(np.concatenate((cuts, [len(self)])))
        return [
            (int(a), int(b))
            for a, b in zip(np.concatenate(([0], ends[:-1])), ends, strict=True)
            if a < b
        ]

    def arrays(self) -> tuple[Offsets, Nodes, Values]:
        """The arrays for kernels."""
        return np.asarray(self.offsets), np.asarray(self.targets), np.asarray(self.weights)

    def release(self) -> None:
        """Let go of what was read of mapped files; it is read again when it is needed."""
        for array in (self.offsets, self.targets, self.weights):
            if isinstance(array, np.memmap):
                array._mmap.madvise(MADV_DONTNEED)  # type: ignore[attr-defined]


def add_up(places: "NDArray[np.integer]", values: Values, count: int) -> Values:
    """The sum of the values of each place.

    >>> add_up(np.array([0, 2, 0]), np.array([1.0, 2.0, 3.0]), 3).tolist()
    [4.0, 0.0, 2.0]
    """
    return np.bincount(places, values, minlength=count).astype(np.float64, copy=False)


def arcs_of(
    sources: "NDArray[np.integer] | list[int]",
    targets: "NDArray[np.integer] | list[int]",
    nodes: int,
    weights: Values = NO_WEIGHTS,
) -> Arcs:
    """A graph of pairs of nodes; links of a node stay in the order they have."""
    sources, targets = np.asarray(sources), np.asarray(targets)
    order = np.argsort(sources, kind="stable")
    counts = np.bincount(sources.astype(np.int64), minlength=nodes)
    offsets = np.concatenate((np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)))
    kept = weights[order] if len(weights) else NO_WEIGHTS
    return Arcs(offsets, targets[order].astype(np.uint32), kept)
