"""Targets of redirects, as of the last visit: `redirects.parquet` in a graph's folder.

A URL that redirected once may be a page by now. So for each URL that ever was a redirect, it is kept when it
was visited last, and where it led then. Rows that come twice, and in any order, change nothing.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gossamer.core.disk.disk_files import write_whole
from gossamer.graph.bv.decoding import Nodes

Numbers = npt.NDArray[np.int64]
_JUMPS = 6
"""Each doubles how far a chain is followed: more than a crawl follows."""
NOWHERE = -1


class Moves(NamedTuple):
    """Visits to URLs that are or were redirects, by number; `targets` has `NOWHERE` for a page."""

    nodes: Numbers
    targets: Numbers
    times: Numbers


def no_moves() -> Moves:
    return Moves(*(np.empty(0, np.int64) for _ in range(3)))


def latest(moves: Moves) -> Moves:
    """The last visit to each URL. All of them were redirects once, even if no visit here says so.

    >>> moves = Moves(np.array([7, 7, 8]), np.array([3, -1, -1]), np.array([10, 20, 30]))
    >>> [column.tolist() for column in latest(moves)]
    [[7, 8], [-1, -1], [20, 30]]
    """
    order = np.lexsort((moves.targets, moves.times, moves.nodes))
    nodes, targets, times = (column[order] for column in moves)
    is_last = np.append(nodes[1:] != nodes[:-1], [True] * bool(len(nodes))).astype(np.bool_)
    return Moves(nodes[is_last], targets[is_last], times[is_last])


def join_moves(parts: list[Moves]) -> Moves:
    return Moves(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def final_targets(moves: Moves, nodes: int) -> Nodes | None:
    """For each node the one that its redirects lead to in the end, itself if none do or they go in circles.

    None when nothing redirects.
    """
    is_move = moves.targets >= 0
    if not is_move.any():
        return None
    ends = np.arange(nodes, dtype=np.uint32)
    ends[moves.nodes[is_move]] = moves.targets[is_move]
    for _ in range(_JUMPS):
        ends = ends[ends]
    lost = np.flatnonzero(ends[ends] != ends)
    ends[lost] = lost
    return ends


def write_moves(path: Path, moves: Moves) -> None:
    from pyarrow import parquet, table

    columns = dict(zip(("node", "target", "time"), moves, strict=True))
    write_whole(path, lambda file: parquet.write_table(table(columns), file, compression="zstd"))


def read_moves(path: Path) -> Moves:
    from pyarrow import parquet

    rows = parquet.read_table(path)
    return Moves(*(rows.column(name).to_numpy() for name in ("node", "target", "time")))
