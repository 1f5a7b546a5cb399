"""Graphs that do not fit into memory, unpacked into files that are mapped."""

from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from gossamer.graph.rank.arcs import Arcs, Nodes, Offsets

Row = tuple[int, Offsets, Nodes]
"""Some rows: the first node; where each row begins, from 0 on, and where the last one ends; all targets."""


def unpack_mapped(rows: Iterable[Row], folder: Path) -> Arcs:
    """Write rows, which come in order and without gaps, to files that vanish when they are let go.

    >>> parts = [(0, np.array([0, 2]), np.array([1, 2])), (1, np.array([0, 0, 1]), np.array([1]))]
    >>> arcs = unpack_mapped(parts, Path("/tmp"))
    >>> arcs.offsets.tolist(), arcs.targets.tolist()
    ([0, 2, 2, 3], [1, 2, 1])
    """
    links = 0
    with TemporaryFile(dir=folder) as offsets, TemporaryFile(dir=folder) as targets:
        offsets.write(np.zeros(1, np.int64).tobytes())
        for _, ends, some in rows:
            offsets.write((ends[1:].astype(np.int64) + links).tobytes())
            targets.write(some.astype(np.uint32).tobytes())
            links += len(some)
        return Arcs(_map(offsets, np.int64), _map(targets, np.uint32))


def _map(file: IO[bytes], kind: "type[np.generic]") -> NDArray[Any]:
    """The numbers in a file; private, for kernels are compiled for arrays that can be written to."""
    file.flush()
    if not file.tell():
        return np.zeros(0, kind)
    return np.memmap(file, kind, "c")
