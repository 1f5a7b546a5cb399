"""Sorted arcs become rows of a graph."""

from collections.abc import Iterable, Iterator

import numpy as np

from gossamer.graph.build.sorted_runs import Arcs, ends_of
from gossamer.graph.bv import BVWriter

_ROWS = 1 << 18
"""Rows that are written at a time."""
_HALF = np.uint64(32)


def whole_rows(pieces: Iterable[Arcs]) -> Iterator[Arcs]:
    """The same arcs, in pieces that end where a row does.

    >>> arcs = np.array([1, 2, 3], np.uint64) | np.array([0, 1, 1], np.uint64) << _HALF
    >>> [len(piece) for piece in whole_rows([arcs[:2], arcs[2:]])]
    [1, 2]
    """
    held: list[Arcs] = []
    for piece in pieces:
        last = piece[-1:] >> _HALF
        begin = int(np.searchsorted(piece, last[0] << _HALF)) if len(last) else 0
        if held and (begin or held[0][0] >> _HALF != piece[0] >> _HALF):
            yield np.concatenate([*held, piece[:begin]])
            held = []
        elif begin:
            yield piece[:begin]
        held += [piece[begin:].copy()] * bool(len(last))
    if held:
        yield np.concatenate(held)


class RowFeeder:
    """Takes whole rows, in ascending order, and writes those without arcs too."""

    def __init__(self, writer: BVWriter, nodes: int) -> None:
        self._writer, self._nodes = writer, nodes
        self._next = 0
        """The first node whose row was not written."""

    def add(self, arcs: Arcs) -> None:
        if len(arcs):
            self._write(arcs, int(arcs[-1] >> _HALF) + 1)

    def finish(self) -> None:
        """Write the rows that are left, which have no arcs."""
        self._write(np.empty(0, np.uint64), self._nodes)
        self._writer.close()

    def _write(self, arcs: Arcs, end: int) -> None:
        """Write all rows before that of node `end`."""
        sources, targets = ends_of(arcs)
        while self._next < end:
            stop = min(end, self._next + _ROWS)
            offsets = np.searchsorted(sources, np.arange(self._next, stop + 1)).astype(np.int64)
            self._writer.add(offsets - offsets[0], targets[offsets[0] : offsets[-1]])
            self._next = stop
