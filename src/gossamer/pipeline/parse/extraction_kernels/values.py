"""The names of elements, each different one once: pages have few of them, many times."""

import numpy as np
from numpy.typing import NDArray

from gossamer.core.kernel import Numbers, inner_kernel, kernel, pointer_to
from gossamer.pipeline.parse.extraction_kernels.element_kinds import Role
from gossamer.pipeline.parse.extraction_kernels.element_tree import COLUMNS, Column

ATTRIBUTES = 3
"""Class, id and role: those that are names."""
_JUDGED = int(Role.JUDGED)
_NAME, _CLASS = int(Column.NAME), int(Column.CLASS)
MIX = 0x9E3779B97F4A7C15 - (1 << 64)
MOST_PROBES = 64
"""Slots that are looked at for one name: a page may be made so that all its names fall into one."""


@kernel
def number_values(
    page: NDArray[np.uint8],
    table: NDArray[np.int32],
    role_of: NDArray[np.int32],
    start: int,
    numbers: NDArray[np.int32],
    places: NDArray[np.int32],
    key_of: NDArray[np.int64],
    slot_of: NDArray[np.int32],
) -> int:
    """Number the different names of the elements that are judged.

    `numbers` gets the number of each element's names, 0 for none; `places` where each begins and ends,
    `key_of` the key of each. `slot_of` are zeros, a power of two of them, more than there can be names.
    Keys begin with `start`: no page can be made for one that it cannot know. A name that finds no place
    has another number each time, which says the same.
    """
    data, cells, roles, slots = (
        pointer_to(page),
        pointer_to(table),
        pointer_to(role_of),
        pointer_to(slot_of),
    )
    found, where, keys = pointer_to(numbers), pointer_to(places), pointer_to(key_of)
    count = 0
    for element in range(len(table) // COLUMNS):
        row = element * COLUMNS
        is_judged = roles[cells[row + _NAME]] & _JUDGED
        for one in range(ATTRIBUTES):
            begin, end = cells[row + _CLASS + 2 * one], cells[row + _CLASS + 2 * one + 1]
            number = 0
            if is_judged and end > begin:
                key = _mix(data, begin, end, start)
                number = _number_of(
                    data, begin, end, key, slots, len(slot_of) - 1, where, keys, count
                )
                if number > count:
                    count = number
                    keys[count] = key
                    where[2 * count], where[2 * count + 1] = begin, end
            found[element * ATTRIBUTES + one] = number
    return count


@inner_kernel
def _number_of(
    data: Numbers,
    begin: int,
    end: int,
    key: int,
    slots: Numbers,
    last_slot: int,
    places: Numbers,
    keys: Numbers,
    count: int,
) -> int:
    """The number of a name; the next one if it is new, or if its place is too far away."""
    slot = key & last_slot
    for _ in range(MOST_PROBES):
        number = slots[slot]
        if not number:
            slots[slot] = count + 1
            break
        if keys[number] == key and is_same(
            data, begin, end, places[2 * number], places[2 * number + 1]
        ):
            return number
        slot = (slot + 1) & last_slot
    return count + 1


@inner_kernel
def _mix(data: Numbers, begin: int, end: int, start: int) -> int:
    key = np.int64(start)
    for i in range(begin, end):
        key = (key ^ np.int64(data[i])) * np.int64(MIX)
        key ^= key >> 29
    return int(key)


@inner_kernel
def is_same(data: Numbers, begin: int, end: int, other: int, other_end: int) -> bool:
    """Do the same bytes stand in two places?"""
    if end - begin != other_end - other:
        return False
    i = 0
    while i < end - begin and data[begin + i] == data[other + i]:
        i += 1
    return i == end - begin
