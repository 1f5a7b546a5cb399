"""Dense numbers for 64-bit keys, so that all else about a page is an entry in an array."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gossamer.core.kernel import kernel
from gossamer.policy.order.policy_batches import Keys, Numbers

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""2⁶⁴ divided by the golden ratio: multiplying by it spreads keys that are no hashes (Knuth 6.4)."""
_SMALLEST = 1024

Kind = TypeVar("Kind", bound=np.generic)


class Roster:
    """Numbers keys from 0 on, in the order they are met; 16 to 32 bytes for each, as arrays double.

    >>> roster = Roster()
    >>> roster.number(np.array([70, 50, 70], np.uint64)).tolist()
    [0, 1, 0]
    >>> roster.find(np.array([50, 60], np.uint64)).tolist(), len(roster)
    ([1, -1], 2)
    """

    def __init__(self) -> None:
        self._keys: Keys = np.zeros(_SMALLEST, np.uint64)
        self._slots: NDArray[np.int32] = np.full(4 * _SMALLEST, -1, np.int32)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    @property
    def keys(self) -> Keys:
        """All keys, by their numbers."""
        return self._keys[: self._size]

    def number(self, keys: Keys) -> Numbers:
        """The number of each key; a key that is new gets the next one."""
        self._grow(len(keys))
        numbers = np.empty(len(keys), np.int64)
        self._size = _number(self._slots, self._keys, self._size, keys, numbers)
        return numbers

    def find(self, keys: Keys) -> Numbers:
        """The number of each key; -1 for those that were never met."""
        numbers = np.empty(len(keys), np.int64)
        _find(self._slots, self._keys, keys, numbers)
        return numbers

    def _grow(self, more: int) -> None:
        wanted = self._size + more
        self._keys = stretch(self._keys, wanted)
        if 2 * wanted > len(self._slots):
            self._slots = np.full(1 << (2 * wanted).bit_length(), -1, np.int32)
            _refill(self._slots, self.keys)


def stretch(array: NDArray[Kind], size: int, fill: float = 0) -> NDArray[Kind]:
    """The same array with room for `size` entries; it doubles, so that growing costs little.

    >>> len(stretch(np.zeros(4), 5)), stretch(np.zeros(1), 2, fill=-1).tolist()
    (8, [0.0, -1.0])
    """
    if size <= len(array):
        return array
    longer = np.full(max(size, 2 * len(array)), fill, array.dtype)
    longer[: len(array)] = array
    return longer


@kernel
def _place(slots: NDArray[np.int32], known: Keys, key: np.uint64) -> np.int64:
    """The place of a key, or the place to insert it."""
    mask = len(slots) - 1
    at = np.int64((key * _GOLDEN) >> np.uint64(32)) & mask
    while slots[at] >= 0 and known[slots[at]] != key:
        at = (at + 1) & mask
    return at


@kernel
def _number(slots: NDArray[np.int32], known: Keys, size: int, keys: Keys, numbers: Numbers) -> int:
    for i in range(len(keys)):
        at = _place(slots, known, keys[i])
        if slots[at] < 0:
            slots[at] = size
            known[size] = keys[i]
            size += 1
        numbers[i] = slots[at]
    return size


@kernel
def _find(slots: NDArray[np.int32], known: Keys, keys: Keys, numbers: Numbers) -> None:
    for i in range(len(keys)):
        numbers[i] = slots[_place(slots, known, keys[i])]


@kernel
def _refill(slots: NDArray[np.int32], keys: Keys) -> None:
    for number in range(len(keys)):
        slots[_place(slots, keys, keys[number])] = number
