"""Enter keys into a hash table one by one: the seen set's case, for batches of any size.

A batch of a crawl's turn is a few dozen URLs, for which whole-array operations cost more than the work.
"""

from gossamer.core.disk.drum.operations import Flags, Indices, Keys, States
from gossamer.core.kernel import kernel

EMPTY, FULL, GONE = 0, 1, 2
"""The states of a place."""


@kernel
def enter_each(
    keys: Keys, homes: Indices, table: Keys, states: States, mask: int, known: Flags
) -> int:
    """Say of each key whether it was known when its turn came, and enter it; returns how many were not.

    `homes` are the places where they belong, if nobody else is there.
    """
    entered = 0
    for number in range(len(keys)):
        key, place = keys[number], homes[number]
        while states[place] == GONE or (states[place] == FULL and table[place] != key):
            place = (place + 1) & mask
        known[number] = states[place] == FULL
        if not known[number]:
            table[place], states[place] = key, FULL
            entered += 1
    return entered
