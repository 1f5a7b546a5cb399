"""A graph that is stored as a BVGraph: rows in any order, or all of them one after the other."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt

from gossamer.core.errors import DirectoryError
from gossamer.graph.bv.bit_codes import BEYOND
from gossamer.graph.bv.bit_mapping import map_bytes
from gossamer.graph.bv.block_checks import (
    REBUILD,
    BlockChecks,
    BlockSums,
    CheckedFile,
    Notes,
)
from gossamer.graph.bv.bv_properties import read_properties
from gossamer.graph.bv.decoding import (
    Nodes,
    Octets,
    Places,
    count_rows,
    read_rows,
    read_some,
)
from gossamer.graph.bv.offset_search import find_offsets
from gossamer.graph.bv.starts import Words, place_in, read_starts, starts_from_offsets

_LINKS, _ROWS = 1 << 20, 1 << 17
"""Links and rows of a chunk."""
_SPARE = 1 << 12
_BITS_FILE = 1
"""Which of the checked files has the rows."""


class GraphRows(NamedTuple):
    """Some rows in a row: that of `node + r` has the targets from `offsets[r]` to `offsets[r + 1]`."""

    node: int
    offsets: Places
    targets: Nodes


class BVGraph:
    """The files `NAME.graph` and `NAME.properties`, with `NAME.starts` or `NAME.offsets`.

    With `NAME.starts` it opens at once; without both, the bits are read once to find where rows begin.

    Nothing is changed, and nothing is kept between two calls: any number of threads and processes may read.
    """

    def __init__(self, name: str | Path, sums: BlockSums | None = None) -> None:
        """With `sums`, blocks of the files are compared when they are first read."""
        self.path = Path(name)
        self.properties = read_properties(_with(self.path, ".properties"))
        self._bits, self._size = map_bytes(_with(self.path, ".graph"))
        self._starts = self._open_starts()
        starts = self._starts.view(np.uint8)
        self._checks = BlockChecks(
            sums,
            CheckedFile(_with(self.path, ".starts"), starts, len(starts)),
            CheckedFile(_with(self.path, ".graph"), self._bits, self._size),
        )
        self._checks.check_bytes(0, 0, 0)  # the head, which all rows are found by
        if self._place(len(self)) > 8 * self._size:
            raise DirectoryError(f"{_with(self.path, '.graph')} is cut short; {REBUILD}")

    def __len__(self) -> int:
        """The number of nodes."""
        return self.properties.nodes

    @property
    def arcs(self) -> int:
        return self.properties.arcs

    @property
    def bytes(self) -> int:
        """The size of its links."""
        return self._size

    def outdegrees(self, nodes: npt.ArrayLike | None = None) -> Places:
        """The lengths of rows; of all rows if none are named."""
        return np.diff(self._count(self._checked(nodes), self._checks.notes()))

    def outdegree(self, node: int) -> int:
        return int(self.outdegrees([node])[0])

    def successors(self, node: int) -> Nodes:
        """The targets of a node's arcs, in ascending order."""
        return self.successors_of([node])[1]

    def successors_of(self, nodes: npt.ArrayLike) -> tuple[Places, Nodes]:
        """Rows laid end to end in the order of `nodes`: where each begins, and all targets."""
        wanted = self._checked(nodes)
        notes = self._checks.notes()
        offsets = self._count(wanted, notes)
        targets = np.empty(int(offsets[-1]), np.uint32)
        window, least = self.properties.window, self.properties.least
        left, places = wanted, offsets
        while True:
            done = read_some(
                self._bits, self._size, self._starts, self._checks.seen, notes, window, least,
                left, places, targets,
            )  # fmt: skip
            if self._is_read(notes, left, done):
                return offsets, targets
            left, places = left[done:], places[done:]

    def unpack(self) -> tuple[Places, Nodes]:
        """The whole graph as `offsets` and `targets`."""
        offsets, targets = np.zeros(len(self) + 1, np.int64), np.empty(self.arcs, np.uint32)
        row, _ = self._fill(0, 0, 0, offsets, targets)
        if row < len(self) or offsets[-1] != self.arcs:
            self._complain(row)
        return offsets, targets

    def rows(
        self, begin: int = 0, end: int | None = None, links: int = _LINKS
    ) -> Iterator[GraphRows]:
        """Rows one after the other, some at a time: of about so many links, or of one row that has more."""
        end = len(self) if end is None else end
        kept = self._rows_before(begin)
        while begin < end:
            first = len(kept.offsets) - 1
            offsets = np.zeros(first + min(_ROWS, end - begin) + 1, np.int64)
            offsets[: first + 1] = kept.offsets
            targets = np.empty(max(links, self.outdegree(begin)) + len(kept.targets), np.uint32)
            targets[: len(kept.targets)] = kept.targets
            row, _ = self._fill(kept.node, first, self._place(begin), offsets, targets)
            count = row - first
            here = offsets[first : row + 1]
            yield GraphRows(begin, here - here[0], targets[here[0] : here[-1]])
            begin += count
            kept = self._last(kept.node, offsets[: row + 1], targets)

    def _rows_before(self, node: int) -> GraphRows:
        """The rows that the row of a node may refer to."""
        first = max(0, node - self.properties.window)
        return GraphRows(first, *self.successors_of(np.arange(first, node, dtype=np.uint32)))

    def _last(self, node: int, offsets: Places, targets: Nodes) -> GraphRows:
        first = max(0, len(offsets) - 1 - self.properties.window)
        last = offsets[first:]
        return GraphRows(node + first, last - last[0], targets[last[0] : last[-1]])

    def _fill(
        self, node: int, first: int, place: int, offsets: Places, targets: Nodes
    ) -> tuple[int, int]:
        """Read rows as long as there is room for them; returns the first that was not, and its place."""
        row, spare = first, _SPARE
        while True:
            before, begin = row, place
            row, place = read_rows(
                self._bits, self._size, place, node, len(self), self.properties.window,
                self.properties.least, row, offsets, targets, np.empty(spare, np.uint32),
            )  # fmt: skip
            self._checks.check_bytes(_BITS_FILE, begin >> 3, min(place >> 3, self._size))
            if place == BEYOND:
                self._complain(node + row)
            is_full = row == before and spare > len(targets) - offsets[row]
            if row == len(offsets) - 1 or is_full:
                return row, place
            spare *= 4

    def _count(self, nodes: Nodes, notes: Notes) -> Places:
        offsets = np.empty(len(nodes) + 1, np.int64)
        offsets[0] = 0
        left, places = nodes, offsets
        while True:
            done = count_rows(
                self._bits, self._size, self._starts, self._checks.seen, notes, left, places
            )
            if self._is_read(notes, left, done):
                return offsets
            left, places = left[done:], places[done:]

    def _is_read(self, notes: Notes, nodes: Nodes, done: int) -> bool:
        """Compare blocks that were read for the first time; are the rows of all nodes there?"""
        if notes[0] == 0 and done == len(nodes):
            return True
        if not self._checks.settle(notes) and done < len(nodes):
            self._complain(int(nodes[done]))
        return done == len(nodes)

    def _place(self, node: int) -> int:
        """The place of a row, in bits."""
        notes = self._checks.notes()
        place = place_in(self._starts, self._checks.seen, notes, node)
        self._checks.settle(notes)
        return place

    def _checked(self, nodes: npt.ArrayLike | None) -> Nodes:
        if nodes is None:
            return np.arange(len(self), dtype=np.uint32)
        wanted = np.atleast_1d(np.asarray(nodes))
        if len(wanted) and not (wanted.min() >= 0 and wanted.max() < len(self)):
            raise IndexError(f"{self.path} has nodes from 0 to {len(self) - 1} only")
        return np.array(wanted, np.uint32)

    def _complain(self, node: int) -> NoReturn:
        raise DirectoryError(
            f"{_with(self.path, '.graph')} is damaged at the row of node {node}; {REBUILD}"
        )

    def find_offsets(self) -> Octets:
        """Compute `NAME.offsets` from the bits, with a few zeros behind it."""
        found = find_offsets(self._bits, self._size, self.properties)
        if found is None:
            raise DirectoryError(
                f"{_with(self.path, '.graph')} is damaged or does not belong to "
                f"{self.path.name}.properties; download it again"
            )
        return found

    def _open_starts(self) -> Words:
        """Open the places of rows, in bits: from `NAME.starts`, from `NAME.offsets`, or from the bits."""
        path, offsets, count = (
            _with(self.path, ".starts"),
            _with(self.path, ".offsets"),
            len(self) + 1,
        )
        if path.exists():
            starts = read_starts(path, count)
        else:
            gaps = None if offsets.exists() else self.find_offsets()
            starts = starts_from_offsets(offsets, count, 8 * self._size, gaps)
        return starts


def _with(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)
