"""The pages that share a budget, as columns; and the same in buckets, so that millions are solved quickly.

A bucket is a range of rates and weights (with the same kind of observation, and about the same part of
content that lasts). It is described by its means, so that what is left of the error is of second order in
its width. The WebFountain crawler solves for buckets, too (Edwards, McCurley, Tomlin, WWW 2001).
"""

from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from gossamer.core.kernel import inner_kernel, kernel

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Given = npt.ArrayLike
_Kind = TypeVar("_Kind", np.float64, np.bool_)

_FRACTION = 23
"""Bits of the fraction of a float32: the bits above are its exponent."""
_RATE_BITS, _WEIGHT_BITS = 3, 3
"""A doubling of the rate, or of the weight, is cut into eight buckets."""
_RATES, _WEIGHTS = 40 << _RATE_BITS, 64 << _WEIGHT_BITS
_LASTING = 4
_LOWEST_RATE, _LOWEST_WEIGHT = 127 - 24, 127 - 48
"""The exponents that buckets begin with: 2^−24, and 2^−48. What is less is in the first bucket."""


class Population(NamedTuple):
    """Pages, or groups of pages that are alike: a row for each."""

    rates: Floats
    """Changes per day."""
    weights: Floats
    """How much a page matters."""
    counts: Floats
    """How many pages the row stands for."""
    complete: Flags
    """Whether each change is heard of at once (a push, a sitemap that is right)."""
    lasting: Floats
    """The part of what changes bring that is still there after the next change."""

    def only(self, rows: Flags | npt.NDArray[np.int64]) -> "Population":
        """Some of the rows."""
        numbers = (self.rates[rows], self.weights[rows], self.counts[rows])
        return Population(*numbers, self.complete[rows], self.lasting[rows])


def describe(
    rates: Given,
    weights: Given = 1.0,
    counts: Given = 1.0,
    complete: Given = False,
    lasting: Given = 0.0,
) -> Population:
    """Columns of the same length; what is one number holds for all pages.

    >>> describe([1.0, 2.0], weights=3.0).weights.tolist()
    [3.0, 3.0]
    """
    rows = np.atleast_1d(np.ascontiguousarray(rates, np.float64))
    return Population(
        rows,
        _spread(np.asarray(weights, np.float64), rows),
        _spread(np.asarray(counts, np.float64), rows),
        _spread(np.asarray(complete, np.bool_), rows),
        _spread(np.asarray(lasting, np.float64), rows),
    )


def _spread(given: npt.NDArray[_Kind], rows: Floats) -> npt.NDArray[_Kind]:
    if given.ndim == 0:  # most are one number, and a crawl describes a few pages again and again
        return np.full(len(rows), given)
    return np.ascontiguousarray(np.broadcast_to(given, rows.shape))


class PageBuckets:
    """Pages by the bucket; they may come in parts, so that no array has to hold all of them.

    >>> buckets = PageBuckets()
    >>> buckets.add(describe([1.0, 50.0]))
    >>> buckets.add(describe([1.01]))
    >>> buckets.population().counts.tolist()
    [2.0, 1.0]
    """

    def __init__(self) -> None:
        self._sums = np.zeros((_RATES * _WEIGHTS * 2, 4))
        self._used = np.empty(0, np.int64)
        """Buckets that have had pages, some of them twice: so nobody has to look at all of them."""

    def add(self, pages: Population) -> None:
        if len(self._sums) < _LASTING * _RATES * _WEIGHTS * 2 and pages.lasting.any():
            more = np.zeros(
                (_LASTING * _RATES * _WEIGHTS * 2, 4)
            )  # what is not used takes no memory
            more[: len(self._sums)] = self._sums
            self._sums = more
        used = _add(*pages, self._sums)
        if len(used):
            self._used = np.concatenate((self._used, used))

    def population(self) -> Population:
        """A row for each bucket that has pages."""
        used = np.unique(self._used)
        used = self._used = used[self._sums[used, 0] != 0]
        counts, rates, weights, lasting = self._sums[used].T
        complete = used % 2 == 1
        return Population(rates / counts, weights / counts, counts, complete, lasting / counts)


def gather(pages: Population) -> Population:
    """The same pages in buckets."""
    buckets = PageBuckets()
    buckets.add(pages)
    return buckets.population()


@inner_kernel
def _place(value: float, bits: int, lowest: int, size: int) -> int:
    """The bucket of a number: the exponent and the first bits of the fraction."""
    found = int(np.float32(value).view(np.int32)) >> (_FRACTION - bits)
    return min(max(found - (lowest << bits), 0), size - 1)


@kernel
def _add(
    rates: Floats,
    weights: Floats,
    counts: Floats,
    complete: Flags,
    lasting: Floats,
    sums: Floats,
) -> npt.NDArray[np.int64]:
    """Add pages to the sums of their buckets; returns the buckets that were empty."""
    used, found = np.empty(len(rates), np.int64), 0
    for row in range(len(rates)):
        cell = min(max(int(lasting[row] * _LASTING), 0), _LASTING - 1) * _RATES
        cell = (cell + _place(rates[row], _RATE_BITS, _LOWEST_RATE, _RATES)) * _WEIGHTS
        cell = cell + _place(weights[row], _WEIGHT_BITS, _LOWEST_WEIGHT, _WEIGHTS)
        cell = cell * 2 + complete[row]
        if sums[cell, 0] == 0:
            used[found] = cell
            found += 1
        sums[cell, 0] += counts[row]
        sums[cell, 1] += counts[row] * rates[row]
        sums[cell, 2] += counts[row] * weights[row]
        sums[cell, 3] += counts[row] * lasting[row]
    return used[:found].copy()
