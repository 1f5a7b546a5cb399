"""Choose which row each row refers to, so that few bits are written and no chain is too long.

A reader of a row has to read the row that it refers to, and so on; so chains are bounded. WebGraph takes
for each row the best reference that the rows before leave open. A row that refers to the one before it takes
room from those that come after, so that is not the best for all together. There are two better ways, one
for each kind of bound.

**A beam**, for short chains and small windows. What a choice leaves open are the depths of the last rows,
one byte each. The few most promising of these states are carried on from row to row.

**By turns**, for long chains or wide windows. Each row takes the best of those before it, where each step of
the chain that it would make has a price in bits. With a price, a row refers to one that stands high rather
than to one that saves a bit more: chains grow like trees and not like lists, and few come to their bound.
Without one, the choice is WebGraph's. Which price saves most depends on the rows and on the bound, so some
are tried on each chunk. Where chains have no bound, no choice takes room from another: the price is 0. What
cannot be the best is not measured to its end.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from gossamer.core.kernel import inner_kernel, kernel, pointer_to
from gossamer.graph.bv.bit_codes import signed
from gossamer.graph.bv.decoding import Nodes, Places
from gossamer.graph.bv.encoding import NO_LIMIT, Backs, bits_of_row

Savings = npt.NDArray[np.int32]
States = npt.NDArray[np.uint64]
Sums = npt.NDArray[np.int64]
Rows = tuple[Places, Nodes, int, int, int, int]
"""Offsets, targets, the node of the first, the first that is new, the window, the shortest interval."""

WIDEST_BEAM_WINDOW, DEEPEST_BEAM_CHAIN = 8, 15
"""A state is a word: eight depths of a byte. Longer chains leave little to be gained by it."""
_KEPT = 4
"""States that are carried on; with four times as many, 1.6 % fewer bits, and seven times the time."""
_PRICES = (0, 2, 6)
"""Bits that a step of a chain must save; see decision 28."""
_BYTE, _ALL = np.uint64(8), np.uint64(0xFFFFFFFFFFFFFFFF)


def is_for_beam(window: int, most: int) -> bool:
    """Is this for `choose_by_beam`, and not for `choose_by_turns`?"""
    return window <= WIDEST_BEAM_WINDOW and 0 <= most <= DEEPEST_BEAM_CHAIN


def choose_by_beam(saved: Savings, before: Backs, most: int) -> tuple[Backs, Backs]:
    """The reference of each row, 0 for none, and how deep it stands.

    `saved[r, b - 1]` is what row r saves with reference b; `before[-b]` is how deep the row b before the
    first stands; `most` is the length of the longest chain.
    """
    rows, window = saved.shape
    backs, depths = np.zeros(rows, np.int32), np.zeros(rows, np.int32)
    if most and window:
        _choose_by_beam(saved, before, most, backs, depths)
    return backs, depths


@kernel
def _choose_by_beam(saved: Savings, before: Backs, most: int, backs: Backs, depths: Backs) -> None:
    rows, window = saved.shape
    mask = _ALL >> np.uint64(64 - 8 * window)
    states, sums = np.zeros(_KEPT, np.uint64), np.zeros(_KEPT, np.int64)
    fresh, fresh_sums = np.zeros(_KEPT, np.uint64), np.zeros(_KEPT, np.int64)
    origins, choices = np.zeros((rows, _KEPT), np.int8), np.zeros((rows, _KEPT), np.int8)
    best, best_back = np.zeros(most + 1, np.int64), np.zeros(most + 1, np.int64)
    for back in range(window, 0, -1):
        states[0] = (states[0] << _BYTE) | np.uint64(before[len(before) - back])
    count = 1
    for row in range(rows):
        found = 0
        for origin in range(count):
            _best_by_depth(saved, row, states[origin], most, best, best_back)
            for depth in range(most + 1):
                if depth and best[depth] == 0:
                    continue
                state = ((states[origin] << _BYTE) | np.uint64(depth)) & mask
                total = sums[origin] + best[depth]
                at = _place_in_beam(fresh, fresh_sums, found, state, total)
                if at >= 0:
                    found += at == found
                    fresh[at], fresh_sums[at] = state, total
                    origins[row, at], choices[row, at] = origin, best_back[depth]
        count = found
        states[:], sums[:] = fresh, fresh_sums
    at = signed(np.argmax(sums[:count]))
    for row in range(rows - 1, -1, -1):
        backs[row] = choices[row, at]
        at = signed(origins[row, at])
    _sound_depths(before, backs, depths)


@inner_kernel
def _best_by_depth(
    saved: Savings, row: int, state: np.uint64, most: int, best: Sums, best_back: Sums
) -> None:
    """For each depth that a row may come to stand at: what it saves at most, and by which reference."""
    for depth in range(most + 1):
        best[depth] = best_back[depth] = 0
    for back in range(saved.shape[1]):
        depth = signed(state & np.uint64(255)) + 1
        state >>= _BYTE
        if depth <= most and saved[row, back] > best[depth]:
            best[depth], best_back[depth] = saved[row, back], back + 1


@inner_kernel
def _place_in_beam(states: States, sums: Sums, found: int, state: np.uint64, total: int) -> int:
    """The slot for a state: its own, at the end, or that of the worst; -1 for none."""
    worst = 0
    for at in range(found):
        if states[at] == state:
            return at if sums[at] < total else -1
        if sums[at] < sums[worst]:
            worst = at
    if found < len(states):
        return found
    return worst if sums[worst] < total else -1


@inner_kernel
def _sound_depths(before: Backs, backs: Backs, depths: Backs) -> None:
    for row in range(len(backs)):
        depths[row] = 1 + _depth_of(before, depths, row - backs[row]) if backs[row] else 0


@inner_kernel
def _depth_of(before: Backs, depths: Backs, row: int) -> Any:
    """The depth of a row; rows before the first have negative numbers."""
    return signed(depths[row] if row >= 0 else before[len(before) + row])


def choose_by_turns(rows: Rows, before: Backs, most: int) -> tuple[Places, Backs, Backs]:
    """Choose references row by row: bits of each row alone, the row it refers to, and its depth then.

    `before` is as in `choose_by_beam`; `most` is the length of the longest chain, -1 for any.
    """
    prices = _PRICES if most >= 0 else _PRICES[:1]
    return max((_choose_at(rows, before, most, price) for price in prices), key=lambda one: one[0])[
        1
    ]


def _choose_at(
    rows: Rows, before: Backs, most: int, price: int
) -> tuple[int, tuple[Places, Backs, Backs]]:
    count = len(rows[0]) - 1 - rows[3]
    plain = np.empty(count, np.int64)
    backs, depths = np.empty(count, np.int32), np.empty(count, np.int32)
    saved = _choose_by_turns(*rows, before, most, price, plain, backs, depths)
    return saved, (plain, backs, depths)


@kernel
def _choose_by_turns(
    offsets: Places,
    targets: Nodes,
    node: int,
    first: int,
    window: int,
    least: int,
    before: Backs,
    most: int,
    price: int,
    plain: Places,
    backs: Backs,
    depths: Backs,
) -> int:
    """Measure rows from `first` on, and choose for each as soon as it is measured; returns the bits saved.

    Row 0 is that of `node`. `plain` gets how many bits each takes up alone.
    """
    nodes, saved = pointer_to(targets), 0
    for row in range(first, len(offsets) - 1):
        begin, end, at = offsets[row], offsets[row + 1], row - first
        alone = 1 + bits_of_row(nodes, begin, end, 0, 0, False, node + row, least, NO_LIMIT)
        plain[at], backs[at], depths[at] = alone, 0, 0
        best = 0
        for back in range(1, min(window, row) + 1 if end > begin else 1):
            depth = 1 + _depth_of(before, depths, at - back)
            start, stop = offsets[row - back], offsets[row - back + 1]
            limit = alone - back - 1 - price * depth - best
            if limit <= 1 or start == stop or depth > most >= 0:
                continue
            bits = bits_of_row(nodes, begin, end, start, stop, True, node + row, least, limit)
            if bits < limit:
                best += limit - bits
                backs[at], depths[at] = back, depth
        if backs[at]:
            saved += best + price * depths[at]
    return saved
