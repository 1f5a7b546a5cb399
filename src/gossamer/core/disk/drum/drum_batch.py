"""Operations in the order of their keys."""

from typing import Any

import numpy as np

from gossamer.core.disk.drum.operations import Indices, Keys, Operations, Values

_FEW = 4096


class DrumBatch:
    """Operations sorted by key, those of one key in the order they came."""

    __slots__ = ("first", "keys", "operations", "order", "values")

    def __init__(
        self,
        order: Indices,
        keys: Keys,
        operations: Operations,
        values: Values | None,
        first: Indices,
    ) -> None:
        self.order = order
        """Which of the unsorted operations came to each place."""
        self.keys, self.operations, self.values = keys, operations, values
        self.first = first
        """Where each different key begins."""

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def distinct(self) -> Keys:
        """The different keys."""
        return self.keys.take(self.first)

    def groups(self) -> Indices:
        """For each operation, which of the different keys it is about."""
        return np.repeat(np.arange(len(self.first)), np.diff(self.first, append=len(self.keys)))

    def up_to(self, start: int, key: np.uint64 | None) -> slice:
        """The places from `start` on whose keys are not above `key`; all that are left if it is None."""
        if key is None:
            return slice(start, len(self.keys))
        return slice(start, start + int(np.searchsorted(self.keys[start:], key, "right")))

    def part(self, places: slice) -> "DrumBatch":
        """Some neighbouring operations; they must be all that there are of their keys."""
        low, high = np.searchsorted(self.first, (places.start, places.stop)).tolist()
        return DrumBatch(
            self.order[places],
            self.keys[places],
            self.operations[places],
            self.values[places] if self.values is not None else None,
            self.first[low:high] - places.start,
        )


def sort(keys: Keys, operations: Operations, values: Values | None, shift: int = 0) -> DrumBatch:
    """Put operations into the order of their keys; the keys have `shift` leading bits in common."""
    order = sorted_order(keys, shift)
    keys = keys.take(order)
    values = values.take(order) if values is not None else None
    return DrumBatch(order, keys, operations.take(order), values, first_of_equals(keys))


def sorted_order(keys: Keys, shift: int = 0) -> Indices:
    """The places that the sorted keys come from; equal keys keep their order.

    NumPy sorts 16-bit numbers by radix. Going by the first 16 bits that differ leaves little to
    do for the comparison sort, which then takes half its time.
    """
    if len(keys) < _FEW:
        return np.argsort(keys, kind="stable")
    leading = ((keys << np.uint64(shift)) >> np.uint64(48)).astype(np.uint16)
    roughly = np.argsort(leading, kind="stable")
    return roughly[np.argsort(keys[roughly], kind="stable")]


def first_of_equals(keys: Keys) -> Indices:
    """The place where each different key begins in a sorted row."""
    is_first = np.empty(len(keys), np.bool_)
    is_first[:1] = True
    np.not_equal(keys[1:], keys[:-1], out=is_first[1:])
    return is_first.nonzero()[0]


def empty_values(count: int, value: np.dtype[Any] | None) -> Values | None:
    return np.zeros(count, value) if value is not None else None
