"""Some rows of many, by their rank: the rows of one page of a long list, whatever it is sorted by."""

import heapq
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

Run = tuple[pa.LargeStringArray, NDArray[Any]]
"""Texts of a file, and the rows that are wanted, sorted by their texts."""


def pick_numbers(
    values: list[NDArray[Any]], is_falling: bool, begin: int, most: int
) -> list[tuple[int, int]]:
    """The places of the values of these ranks: which array, and where in it."""
    if not values:
        return []
    keys = np.concatenate(values)
    if begin >= len(keys):
        return []
    keys = -keys.astype(np.int64 if keys.dtype.kind in "iu" else keys.dtype) if is_falling else keys
    ranked = _ranked(keys, begin, min(begin + most, len(keys)))
    starts = np.cumsum([0, *map(len, values)])
    which = np.searchsorted(starts, ranked, side="right") - 1
    return [(int(p), int(r - starts[p])) for p, r in zip(which, ranked, strict=True)]


def _ranked(keys: NDArray[Any], begin: int, end: int) -> NDArray[np.int64]:
    """The places of the keys of these ranks; of equal keys, the earlier place is less."""
    cut = np.partition(keys, (begin, end - 1))
    least, greatest = cut[begin], cut[end - 1]
    skipped = begin - np.count_nonzero(keys < least)
    if least == greatest:
        return np.flatnonzero(keys == least)[skipped : skipped + end - begin]
    first = np.flatnonzero(keys == least)[skipped:]
    between = np.flatnonzero((keys > least) & (keys < greatest))
    between = between[np.lexsort((between, keys[between]))]
    last = np.flatnonzero(keys == greatest)[: end - begin - len(first) - len(between)]
    return np.concatenate([first, between, last])


def pick_texts(
    runs: Sequence[Run], is_falling: bool, begin: int, most: int
) -> list[tuple[int, int]]:
    """The rows of these ranks by their texts: which run, and the row.

    >>> one = pa.array(["b", "d", "a"], pa.large_string()), np.array([2, 0, 1])
    >>> other = pa.array(["c"], pa.large_string()), np.array([0])
    >>> pick_texts([one, other], False, 1, 2), pick_texts([one, other], True, 0, 1)
    ([(0, 0), (1, 0)], [(0, 1)])
    """
    total = sum(len(rows) for _, rows in runs)
    count = max(0, min(most, total - begin))
    if not count:
        return []
    places = _split(runs, total - begin - count if is_falling else begin)
    merged = heapq.merge(
        *(
            _texts_from(run, which, at)
            for which, (run, at) in enumerate(zip(runs, places, strict=True))
        )
    )
    found = [(which, row) for _, which, _, row in islice(merged, count)]
    return found[::-1] if is_falling else found


def _texts_from(run: Run, which: int, begin: int) -> Iterator[tuple[str, int, int, int]]:
    texts, rows = run
    for place in range(begin, len(rows)):
        yield texts[int(rows[place])].as_py(), which, place, int(rows[place])


def _split(runs: Sequence[Run], rank: int) -> list[int]:
    """For each run, how many of its texts are among the first this many of all.

    The weighted median of the middles of all runs is compared with each of them by bisection: at least a
    quarter of what is left falls away each time. The same text in two runs: that of the first run is less.
    """
    low, high = [0] * len(runs), [len(rows) for _, rows in runs]

    def text(which: int, place: int) -> str:
        texts, rows = runs[which]
        found: str = texts[int(rows[place])].as_py()
        return found

    while sum(high) > sum(low):
        pivot, own = _median(
            (text(which, (a + b) // 2), which, b - a)
            for which, (a, b) in enumerate(zip(low, high, strict=True))
            if a < b
        )
        middle = (low[own] + high[own]) // 2
        before = [
            middle
            if which == own
            else _place(runs[which], pivot, low[which], high[which], which < own)
            for which in range(len(runs))
        ]
        if sum(before) > rank:
            high = before
        else:
            low = before
            if sum(before) == rank:
                return low
            low[own] += 1
    return low


def _place(run: Run, text: str, low: int, high: int, is_after: bool) -> int:
    """The place of a text in a sorted run, between two places; after the same text, if that counts as
    less."""
    texts, rows = run

    def at(place: int) -> str:
        found: str = texts[int(rows[place])].as_py()
        return found

    side = bisect_right if is_after else bisect_left
    return low + side(range(low, high), text, key=at)


def _median(some: Iterable[tuple[str, int, int]]) -> tuple[str, int]:
    """The text in the middle, by weight, and its run."""
    ordered = sorted(some)
    weights = np.cumsum([weight for *_, weight in ordered])
    text, run, _ = ordered[int(np.searchsorted(weights, weights[-1] / 2))]
    return text, run
