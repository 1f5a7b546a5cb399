"""A graph is written row by row, in chunks: `NAME.graph`, `.offsets`, `.starts` and `.properties`."""

from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from gossamer.graph.bv.bit_file import BitFile
from gossamer.graph.bv.bv_properties import Properties, write_properties
from gossamer.graph.bv.choosing import Rows, choose_by_beam, choose_by_turns, is_for_beam
from gossamer.graph.bv.decoding import Nodes, Places
from gossamer.graph.bv.encoding import Backs, measure, write_offsets, write_rows
from gossamer.graph.bv.starts import write_starts

_ROWS, _LINKS = 1 << 14, 1 << 19
"""Rows and links of a chunk: references are chosen for all of them together."""

_WIDEST = 1000
"""Rows of a window: each costs time for all rows."""
_LONGEST = (1 << 31) - 1
"""Rows of a chain: a number of Java's, which WebGraph also writes where there is no bound."""


class BVWriter:
    """Takes the rows of a graph from the first to the last, each in ascending order without repetitions.

    >>> from tempfile import TemporaryDirectory
    >>> from gossamer.graph.bv import BVGraph
    >>> with TemporaryDirectory() as folder:
    ...     with BVWriter(Path(folder) / "small") as writer:
    ...         writer.add(np.array([0, 2, 2, 3]), np.array([1, 2, 0], np.uint32))
    ...     BVGraph(Path(folder) / "small").successors(0).tolist()
    [1, 2]
    """

    def __init__(self, name: str | Path, window: int = 7, chain: int = 3, least: int = 4) -> None:
        """`chain` is -1 where a chain may be of any length.

        WebGraph reads rows of such a graph at random with a large stack only (`java -Xss1g`).
        """
        if not (0 <= window <= _WIDEST and -1 <= chain <= _LONGEST and least >= 0):
            raise ValueError(f"a window has 0 to {_WIDEST} rows, a chain -1 to {_LONGEST}")
        chain = -1 if chain == _LONGEST else chain
        self._name = Path(name)
        self._window, self._chain, self._least = window, chain, least
        self._graph, self._offsets = self._file(".graph"), self._file(".offsets")
        self._last = self._nodes = self._arcs = 0
        self._depths = np.zeros(window, np.int32)
        self._kept = np.zeros(1, np.int64), np.empty(0, np.uint32)
        """The last rows, which the next may refer to."""
        self._waiting: list[tuple[Places, Nodes]] = []
        self._waiting_rows = self._waiting_links = 0

    def _with(self, suffix: str) -> Path:
        return self._name.with_name(self._name.name + suffix)

    def _file(self, suffix: str) -> BitFile:
        return BitFile(open(self._with(suffix), "wb"))

    @property
    def bits(self) -> int:
        """The size of the rows that were written."""
        return self._graph.bits

    def add(self, offsets: Places, targets: Nodes) -> None:
        """Take some more rows: row r has the targets from `offsets[r]` to `offsets[r + 1]`."""
        first, rows = 0, len(offsets) - 1
        while first < rows:
            most = np.searchsorted(offsets, offsets[first] + _LINKS - self._waiting_links, "right")
            end = min(rows, first + _ROWS - self._waiting_rows, max(first + 1, int(most) - 1))
            part = np.array(offsets[first : end + 1], np.int64)
            self._waiting.append((part - part[0], targets[part[0] : part[-1]]))
            self._waiting_rows += end - first
            self._waiting_links += int(part[-1] - part[0])
            if self._waiting_rows >= _ROWS or self._waiting_links >= _LINKS or end < rows:
                self._write_out()
            first = end

    def _write_out(self) -> None:
        offsets, targets = _join([self._kept, *self._waiting])
        first, rows = len(self._kept[0]) - 1, self._waiting_rows
        node = self._nodes - first
        shape = offsets, targets, node, first, self._window, self._least
        plain, backs, depths = self._choose(shape, rows)
        longest = int(np.diff(offsets).max(initial=0)) + 1
        buffer_, place = self._graph.buffer(int(plain.sum()) + 64 * rows)
        places = np.empty(rows + 1, np.int64)
        places[rows] = write_rows(
            *shape, backs, buffer_, place, places, np.empty(2 * longest + 2, np.int64),
            np.empty(longest, np.uint32),
        )  # fmt: skip
        self._note_places(places[:rows] + (self._graph.bits - place))
        self._graph.add(buffer_, int(places[rows]))
        self._nodes, self._arcs = self._nodes + rows, self._arcs + self._waiting_links
        self._keep(offsets, targets, depths)

    def _choose(self, shape: Rows, rows: int) -> tuple[Places, Backs, Backs]:
        """Choose references: bits of each row alone, the row it refers to, and its depth then."""
        if not is_for_beam(self._window, self._chain):
            return choose_by_turns(shape, self._depths, self._chain)
        plain = np.empty(rows, np.int64)
        saved = np.empty((rows, self._window), np.int32)
        measure(*shape, plain, saved)
        return plain, *choose_by_beam(saved, self._depths, self._chain)

    def _keep(self, offsets: Places, targets: Nodes, depths: Any) -> None:
        """Keep the rows that the next may refer to, and nothing else."""
        self._depths = np.concatenate((self._depths, depths))[len(depths) :]
        last = offsets[max(0, len(offsets) - 1 - self._window) :]
        self._kept = last - last[0], targets[last[0] :].copy()
        self._waiting, self._waiting_rows, self._waiting_links = [], 0, 0

    def _note_places(self, places: Places) -> None:
        buffer_, place = self._offsets.buffer(128 * len(places))
        self._offsets.add(buffer_, write_offsets(places, self._last, buffer_, place))
        self._last = int(places[-1]) if len(places) else self._last

    def close(self, is_whole: bool = True) -> None:
        """Write what is left; the graph is whole, and durable."""
        if is_whole:
            if self._waiting_rows:
                self._write_out()
            self._note_places(np.array([self._graph.bits], np.int64))
        for file in (self._graph, self._offsets):
            file.close(is_whole)
        if is_whole:
            count, bits = self._nodes + 1, self._graph.bits
            write_starts(self._with(".starts"), self._with(".offsets"), count, bits)
            said = Properties(self._nodes, self._arcs, self._window, self._chain, self._least)
            write_properties(self._with(".properties"), said, self._graph.bits)

    def __enter__(self) -> "BVWriter":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close(kind is None)


def _join(parts: list[tuple[Places, Nodes]]) -> tuple[Places, Nodes]:
    """Rows laid end to end."""
    starts = np.cumsum([0, *(len(targets) for _, targets in parts)])
    offsets = [part[:-1] + start for (part, _), start in zip(parts, starts, strict=False)]
    joined = np.concatenate([*offsets, starts[-1:]]), np.concatenate([part[1] for part in parts])
    return joined[0].astype(np.int64), joined[1].astype(np.uint32, copy=False)
