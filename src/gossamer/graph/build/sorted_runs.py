"""Sorted runs on disk, and how they are merged: in pieces that end where the first piece in hand ends.

What is merged comes in sorted pieces, from any number of places. All pieces in hand are looked at together:
up to the least of their last elements, nothing can come any more that belongs before. That much of each is
taken, sorted and rid of repetitions. So one piece for each place is in memory, and no more.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Arcs = npt.NDArray[np.uint64]
"""A source in the upper half of each, a target in the lower."""

_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_LEAST_PIECE = 1 << 12
_COPIES = 8
"""How often what is in hand is in memory, while it is merged, resolved and turned."""


def arcs_from(sources: Any, targets: Any) -> Arcs:
    joined: Arcs = (np.asarray(sources).astype(np.uint64) << _HALF) | np.asarray(targets).astype(
        np.uint64
    )
    return joined


def ends_of(arcs: Arcs) -> tuple["npt.NDArray[np.int64]", "npt.NDArray[np.uint32]"]:
    """Sources and targets."""
    return (arcs >> _HALF).astype(np.int64), (arcs & _LOW).astype(np.uint32)


def distinct(arcs: Arcs) -> Arcs:
    """Sorted, in place where possible, and each once."""
    arcs.sort()
    if len(arcs) < 2:
        return arcs
    is_first = np.empty(len(arcs), np.bool_)
    is_first[0] = True
    np.not_equal(arcs[1:], arcs[:-1], out=is_first[1:])
    return arcs if is_first.all() else arcs[is_first]


class ArcRuns:
    """Collects arcs in any order; those that fill the memory go to disk, sorted."""

    def __init__(self, name: Path, most: int) -> None:
        """At most this many are in memory; runs of before, which nobody finished, go."""
        delete_runs(name)
        self._name = name
        self._buffer = np.empty(max(1, most), np.uint64)
        self._count = self._runs = 0

    def add(self, arcs: Arcs) -> None:
        while len(arcs):
            part = arcs[: len(self._buffer) - self._count]
            self._buffer[self._count : self._count + len(part)] = part
            self._count += len(part)
            arcs = arcs[len(part) :]
            if self._count == len(self._buffer):
                self._spill()

    def _spill(self) -> None:
        distinct(self._buffer[: self._count]).tofile(f"{self._name}.{self._runs:05}")
        self._count = 0
        self._runs += 1

    def finish(self) -> None:
        """Everything is on disk, and the memory is free."""
        if self._count:
            self._spill()
        self._buffer = np.empty(0, np.uint64)


def read_runs(name: Path, piece: int) -> list[Iterator[Arcs]]:
    """All runs of a name, each in pieces."""
    return [_pieces(path, piece) for path in _runs(name)]


def piece_for(name: Path, memory: int, others: int = 0) -> int:
    """The length of pieces when all runs of a name, with some other places, are merged in this memory."""
    places = len(_runs(name)) + others
    return max(_LEAST_PIECE, memory // (_COPIES * 8 * max(1, places)))


def _runs(name: Path) -> list[Path]:
    return sorted(name.parent.glob(f"{name.name}.[0-9]*"))


def delete_runs(name: Path) -> None:
    for path in _runs(name):
        path.unlink()


def _pieces(path: Path, piece: int) -> Iterator[Arcs]:
    with open(path, "rb") as file:
        while len(found := np.fromfile(file, np.uint64, piece)):
            yield found


def merge_arcs(places: Iterable[Iterator[Arcs]]) -> Iterator[Arcs]:
    """All arcs in ascending order, each once.

    >>> one, other = iter([np.array([1, 5], np.uint64)]), iter([np.array([2, 5, 9], np.uint64)])
    >>> np.concatenate([*merge_arcs([one, other])]).tolist()
    [1, 2, 5, 9]
    """
    hands = [(head, place) for place in places if (head := _next(place)) is not None]
    while hands:
        bound = min(head[-1] for head, _ in hands)
        ends = [int(np.searchsorted(head, bound, "right")) for head, _ in hands]
        taken = [head[:end] for (head, _), end in zip(hands, ends, strict=True)]
        yield distinct(np.concatenate(taken)) if len(taken) > 1 else taken[0]
        left = [(head[end:], place) for (head, place), end in zip(hands, ends, strict=True)]
        refilled = [(head if len(head) else _next(place), place) for head, place in left]
        hands = [(head, place) for head, place in refilled if head is not None]


def _next(place: Iterator[Arcs]) -> Arcs | None:
    """The next piece that has something in it."""
    return next((piece for piece in place if len(piece)), None)
