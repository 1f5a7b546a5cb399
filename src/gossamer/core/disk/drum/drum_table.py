"""A hash table of 64-bit keys that works on whole arrays at a time."""

from typing import Any

import numpy as np

from gossamer.core.disk.drum.drum_batch import empty_values, sorted_order
from gossamer.core.disk.drum.key_entry import EMPTY, FULL, GONE, enter_each
from gossamer.core.disk.drum.operations import Flags, Indices, Keys, Values

_SMALLEST = 1024
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""2⁶⁴ divided by the golden ratio: multiplying by it spreads keys that are no hashes (Knuth 6.4)."""
_EMPTY, _FULL, _GONE = np.uint8(EMPTY), np.uint8(FULL), np.uint8(GONE)


class DrumTable:
    """Open addressing with linear probing, at most half full.

    A probe is made for all keys together; then again for those that met another key, and so on. They
    are few, and get fewer each time.

    >>> table = DrumTable(None)
    >>> keys = np.array([7, 5], np.uint64)
    >>> table.make_room(2)
    >>> table.enter(keys, table.find(keys)[0], None)
    >>> table.find(np.array([5, 6], np.uint64))[1].tolist(), len(table)
    ([True, False], 2)
    """

    def __init__(self, value: np.dtype[Any] | None, expected: int = 0) -> None:
        self._value = value
        self._count = 0
        self._lay_out(expected)

    def __len__(self) -> int:
        return self._count

    def make_room(self, count: int) -> None:
        """Prepare for this many new keys; places that were found before are void."""
        if 2 * (self._used + count) > len(self._keys):
            self._rebuild(count)

    def find(self, keys: Keys) -> tuple[Indices, Flags]:
        """The place of each key and whether it is there; if not, the place where it would go."""
        places: Indices = ((keys * _GOLDEN) >> self._shift).astype(np.intp)
        state = self._state[places]
        known = (self._keys[places] == keys) & (state == _FULL)
        open_ = np.flatnonzero(~known & (state != _EMPTY))
        while len(open_):
            at = (places[open_] + 1) & self._mask
            places[open_] = at
            state = self._state[at]
            hit = (self._keys[at] == keys[open_]) & (state == _FULL)
            known[open_[hit]] = True
            open_ = open_[~hit & (state != _EMPTY)]
        return places, known

    def values_at(self, places: Indices, known: Flags) -> Values | None:
        """The values at places that were found; zero for keys that are not there."""
        if self._values is None:
            return None
        values: Values = self._values[places]
        values[~known] = np.zeros((), values.dtype)
        return values

    def enter(self, keys: Keys, places: Indices, values: Values | None) -> None:
        """Enter different keys that are not there, at the places that `find` has just named."""
        places = self._claim(keys, places)
        if self._values is not None:
            self._values[places] = values
        self._count += len(keys)
        self._used += len(keys)

    def enter_each(self, keys: Keys) -> Flags:
        """Enter keys one after the other, without values; which of them were known at their turn?"""
        known = np.empty(len(keys), np.bool_)
        homes = ((keys * _GOLDEN) >> self._shift).astype(np.intp)
        entered = enter_each(keys, homes, self._keys, self._state, self._mask, known)
        self._count += entered
        self._used += entered
        return known

    def change(self, places: Indices, values: Values) -> None:
        """Give the keys at these places other values."""
        assert self._values is not None
        self._values[places] = values

    def remove(self, places: Indices) -> None:
        """Take out the keys at these places."""
        self._state[places] = _GONE
        self._count -= len(places)

    def items(self) -> tuple[Keys, Values | None]:
        """All keys in order, and their values."""
        full = np.flatnonzero(self._state == _FULL)
        keys = self._keys[full]
        if self._values is None:
            keys.sort()
            return keys, None
        order = sorted_order(keys)
        return keys[order], self._values[full[order]]

    @property
    def nbytes(self) -> int:
        values = 0 if self._values is None else self._values.nbytes
        return self._keys.nbytes + self._state.nbytes + values

    def _claim(self, keys: Keys, places: Indices) -> Indices:
        """A place for each key. When several want the same, one gets it, and the others look further."""
        self._keys[places] = keys
        self._state[places] = _FULL
        lost = np.flatnonzero(self._keys[places] != keys)
        if len(lost):
            places = places.copy()
        while len(lost):
            at = places[lost] = (places[lost] + 1) & self._mask
            free = self._state[at] != _FULL
            claimed = at[free]
            self._keys[claimed] = keys[lost[free]]
            self._state[claimed] = _FULL
            lost = lost[self._keys[at] != keys[lost]]
        return places

    def _rebuild(self, more: int) -> None:
        """Grow, and clear away what was removed."""
        full = np.flatnonzero(self._state == _FULL)
        keys = self._keys[full]
        values = self._values[full] if self._values is not None else None
        self._lay_out(len(keys) + more)
        self._count = 0
        self.enter(keys, self.find(keys)[0], values)

    def _lay_out(self, expected: int) -> None:
        size = max(_SMALLEST, 1 << (5 * expected // 2).bit_length())
        self._keys = np.zeros(size, np.uint64)
        self._state = np.zeros(size, np.uint8)
        self._values = empty_values(size, self._value)
        self._used = 0
        """Places taken, those of removed keys included."""
        self._mask = size - 1
        self._shift = np.uint64(64 - self._mask.bit_length())
