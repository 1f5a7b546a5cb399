"""HyperBall (Boldi and Vigna 2013): how many pages are within a distance of each page, for all pages at once.

Each page has a HyperLogLog counter of the pages around it. In round t it is united with those of the pages it
links to, and counts the pages at distance t or less then. A counter that did not change is not looked at
again, so late rounds are cheap. Sizes are estimated without tables of corrections (Ertl 2017).

Memory is two counters for each page. The pages of a round are shared out to threads: counters are read as
they were before, so it does not matter who is first, and the same comes out each time.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import log

import numpy as np
from numpy.typing import NDArray

from gossamer.core.errors import SettingsError
from gossamer.core.kernel import kernel
from gossamer.graph.rank.arcs import Arcs, Flags, Nodes, Offsets, Values
from gossamer.graph.rank.distances import Distances

Registers = NDArray[np.uint8]

_PIECES = 64
"""Shares of a round's work, for pages are not all alike."""
_MOST = 47
"""The highest number in a register: 2^47 pages are more than there are."""


def hyperball(
    arcs: Arcs,
    *,
    precision: int = 7,
    seed: int = 0,
    supporters: Sequence[int] = (),
    most_rounds: int = 100_000,
    threads: int = 0,
) -> Distances:
    """Distances in a graph, by counters of 2^`precision` bytes; 0 threads are one per core.

    A size is off by a share of 1.04 / √(2^precision), 9 % with 7: one standard deviation. Another `seed`
    gives another estimate.
    """
    if not 4 <= precision <= 16:
        raise SettingsError(f"a precision of {precision} is not between 4 and 16")
    balls = _Balls(arcs, precision, seed)
    harmonic, sizes = np.zeros(len(arcs)), balls.sizes.copy()
    within, found = [float(sizes.sum())], {}
    with ThreadPoolExecutor(threads or len(os.sched_getaffinity(0))) as pool:
        for distance in range(1, most_rounds + 1):
            if not balls.grow(pool.map):
                break
            harmonic += np.maximum(balls.sizes - sizes, 0.0) / distance
            sizes[:] = np.maximum(balls.sizes, sizes)
            within.append(float(sizes.sum()))
            if distance in supporters:
                found[distance] = sizes - 1.0
    rest = {far: found.get(far, sizes - 1.0) for far in supporters}
    return Distances(harmonic, tuple(within), rest)


class _Balls:
    """The counters of all pages, and which of them have just changed."""

    def __init__(self, arcs: Arcs, precision: int, seed: int) -> None:
        self._arrays = arcs.arrays()[:2]
        self._pieces = arcs.blocks(max(arcs.links // _PIECES, 1 << 14))
        self._old = _first_counters(len(arcs), precision, seed)
        self._new = self._old.copy()
        self._was_changed = np.ones(len(arcs), np.bool_)
        self._is_changed = np.zeros(len(arcs), np.bool_)
        self._empty = _empty(1 << precision)
        self.sizes: Values = np.ones(len(arcs))

    def grow(self, run: Callable[..., object]) -> bool:
        """One round; returns whether any counter has changed."""
        list(run(self._unite, self._pieces))  # type: ignore[call-overload]
        self._old, self._new = self._new, self._old
        self._was_changed, self._is_changed = self._is_changed, self._was_changed
        return bool(self._was_changed.any())

    def _unite(self, piece: tuple[int, int]) -> None:
        flags = (self._was_changed, self._is_changed)
        _unite(*piece, *self._arrays, self._old, self._new, *flags, self._empty, self.sizes)


def _first_counters(count: int, precision: int, seed: int) -> Registers:
    """Each page alone in its counter: the place of its first 1 in one register, by its hash (SplitMix64)."""
    registers = np.zeros((count, 1 << precision), np.uint8)
    mixed = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed += np.uint64((seed * 0xD1342543DE82EF95 + 0x632BE59BD9B4E019) & (2**64 - 1))
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    mixed ^= mixed >> np.uint64(31)
    register = (mixed & np.uint64((1 << precision) - 1)).astype(np.int64)
    rest = (mixed >> np.uint64(precision)) | np.uint64(1 << (64 - precision))
    lowest = rest & (~rest + np.uint64(1))
    first = 1 + np.log2(lowest.astype(np.float64)).astype(np.uint8)
    registers[np.arange(count), register] = np.minimum(first, _MOST)
    return registers


def _empty(registers: int) -> Values:
    """The term of Ertl's estimate for this many registers that are 0."""
    shares = np.arange(registers + 1) / registers
    total, powers, factor = shares.copy(), shares.copy(), 1.0
    with np.errstate(under="ignore"):
        for _ in range(
            60
        ):  # the squares of shares below 1 soon vanish; all of them 0 is no size at all
            powers = powers * powers
            total += powers * factor
            factor *= 2
    return registers * total


@kernel
def _unite(
    first: int,
    last: int,
    offsets: Offsets,
    targets: Nodes,
    old: Registers,
    new: Registers,
    was_changed: Flags,
    is_changed: Flags,
    empty: Values,
    sizes: Values,
) -> None:
    """The counters of these nodes, united with those that they link to, as far as these have changed."""
    width = old.shape[1]
    for node in range(first, last):
        mine, before = new[node], old[node]
        if was_changed[node]:  # else it is what it was two rounds ago
            mine[:] = before
        is_touched = False
        for at in range(offsets[node], offsets[node + 1]):
            target = targets[at]
            if was_changed[target]:
                is_touched = True
                theirs = old[target]
                for place in range(width):
                    mine[place] = max(mine[place], theirs[place])
        is_changed[node] = False
        if is_touched:
            differing, zeros, total = 0, 0, np.int64(0)
            for place in range(width):
                differing |= mine[place] ^ before[place]
            if differing:
                for place in range(width):
                    zeros += mine[place] == 0
                    total += np.int64(1) << np.int64(_MOST - mine[place])
                is_changed[node] = True
                rest = total / 2.0**_MOST - zeros
                sizes[node] = width * width / (2 * log(2.0)) / (rest + empty[zeros])
