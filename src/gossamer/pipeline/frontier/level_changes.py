"""Changes of level: URLs that wait, by their key, and the level that each is to have.

They are collected until there are many, compared with what waits; then they are sorted by key, and
all that waits is looked through once (`level_moves.py`). So a change costs a bounded number of
looks, however much waits: the same idea as DRUM's (Lee, Leonard, Wang and Loguinov 2008). A change is
ten bytes; at a checkpoint they go to a side file.
"""

from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gossamer.core.disk.block import pack, unpack
from gossamer.core.disk.disk_files import read_whole, write_whole

_CHANGE = np.dtype([("key", "<u8"), ("level", "<i2")])

STAYS = -1
"""In the place of a level: the URL stays where it is."""

Table = NDArray[np.void]
Levels = NDArray[np.int16]


class Changes:
    """Changes that nobody has begun with, and those that are being carried out.

    >>> changes = Changes()
    >>> changes.add([7, 5, 7], [2, 0, 1])
    >>> changes.begin()
    >>> changes.find(np.array([5, 6, 7], np.uint64)).tolist()
    [0, -1, 1]
    """

    def __init__(self) -> None:
        self._waiting: list[Table] = []
        self._keys: NDArray[np.uint64] = np.empty(0, np.uint64)
        """Those that are being carried out, sorted …"""
        self._levels: Levels = np.empty(0, np.int16)
        """… and their levels; columns of their own, since searching a column of a table copies it."""
        self._order: NDArray[np.int64] = np.empty(0, np.int64)
        """When each of the sorted changes was told, from 0 on."""
        self.is_under_way = False
        self.waiting = 0
        """Changes that nobody has begun with."""

    def add(self, keys: ArrayLike, levels: ArrayLike) -> None:
        """Collect changes; of several for one URL the last counts."""
        batch = _make(np.asarray(keys, np.uint64), np.asarray(levels, np.int16))
        self._waiting.append(batch)
        self.waiting += len(batch)

    def begin(self) -> None:
        """All that were collected are carried out now."""
        changes = np.concatenate([_make(self._keys[:0], self._levels[:0]), *self._waiting])
        order = np.argsort(changes["key"], kind="stable")
        keys = changes["key"][order]
        is_last = np.append(keys[1:] != keys[:-1], True)[: len(keys)]
        self._order = order[is_last]
        self._keys, self._levels = keys[is_last], changes["level"][self._order]
        self._waiting, self.waiting = [], 0
        self.is_under_way = True

    def find(self, keys: NDArray[np.uint64]) -> Levels:
        """The level that each URL is to have, or STAYS."""
        if not len(self._keys):
            return np.full(len(keys), STAYS, np.int16)
        places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        found: Levels = np.where(self._keys[places] == keys, self._levels[places], STAYS)
        return found

    def first(self, keys: NDArray[np.uint64]) -> int:
        """The place of the first of these changes among others; -1 when none of them was made."""
        known = keys[self.find(keys) != STAYS]
        return int(self._order[np.searchsorted(self._keys, known)].min()) if len(known) else -1

    def end(self) -> None:
        """All URLs were looked at."""
        self._keys, self._levels, self.is_under_way = self._keys[:0], self._levels[:0], False

    def save(self, path: Path) -> bool:
        """Write all changes to a side file; is there any?

        Those under way too: after a crash they are carried out again, which changes nothing for a URL
        that was moved before.
        """
        changes = np.concatenate([_make(self._keys, self._levels), *self._waiting])
        if len(changes):
            write_whole(path, lambda file: file.write(pack([changes.tobytes()])))
        return len(changes) > 0

    def load(self, path: Path) -> None:
        changes = np.frombuffer(unpack(read_whole(path), path)[0], _CHANGE)
        self._waiting.append(changes)
        self.waiting += len(changes)


def _make(keys: NDArray[np.uint64], levels: Levels) -> Table:
    batch = np.empty(len(keys), _CHANGE)
    batch["key"], batch["level"] = keys, levels
    return batch
