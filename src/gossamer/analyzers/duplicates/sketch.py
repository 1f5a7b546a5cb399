"""Sketches: what a page says, in a few hundred bytes that can be compared.

One-permutation hashing (Li, Owen, Zhang, NIPS 2012): every shingle falls into one bin by some bits of its
number, and each bin keeps the least of the rest. Of two pages, the part of bins with the same least among
those that are not empty in both is an unbiased estimate of their Jaccard coefficient. One pass does it,
where the classical min-hash takes as many passes as it has values.

Of each least four bits are kept, as in b-bit min-hashing (Li, König, WWW 2010): 1 to 15, and 0 for an empty
bin. That two different ones agree by chance once in fifteen times is reckoned out again.

For the bands there is a second, coarser set of bins. Its empty ones are filled from others that a hash
chooses (optimal densification: Shrivastava, ICML 2017), so that short pages have bands as well. `ROWS` bins
make one band; two pages are compared when one of their bands agrees.
"""

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from gossamer.analyzers.duplicates.shingles import Numbers, Octets, hash_shingles, mix
from gossamer.core.kernel import kernel

Bands = npt.NDArray[np.uint32]

ROWS = 7
BANDS = 16
"""Two pages with a Jaccard coefficient of 0.8 share a band with a probability of 0.977, 0.9: 0.9999,
0.5: 0.12, 0.3: 0.003."""
_EMPTY = np.uint32(0xFFFFFFFF)
_CODES = 15


class Sketch(Struct, frozen=True, eq=False):
    """The values kept of a text, and the bands in which it is looked up."""

    words: int
    values: Octets
    """Four bits for each bin."""
    bands: Bands
    keys: Numbers
    """What the bands are entered under."""


class Sketcher:
    """Makes sketches of this many values, from shingles of this many words.

    >>> sketcher = Sketcher(shingle=2, size=64)
    >>> one, other = (sketcher.sketch(np.array(words, np.uint64)) for words in ([7, 8, 9], [7, 8, 9]))
    >>> one.words, estimate(one.values, other.values)
    (3, 1.0)
    """

    def __init__(self, shingle: int = 4, size: int = 1024) -> None:
        self.shingle, self.size = shingle, size
        self._bins = np.empty(size, np.uint32)
        self._rows = np.empty(ROWS * BANDS, np.uint32)
        self._shingles = np.empty(0, np.uint64)

    def sketch(self, words: Numbers) -> Sketch:
        """Sketch a text, by the numbers of its words. Fewer than a shingle has leave all bins empty."""
        self._make_room(len(words))
        values = np.empty(self.size // 2, np.uint8)
        bands, keys = np.zeros(BANDS, np.uint32), np.empty(BANDS, np.uint64)
        _sketch(words, self.shingle, self._shingles, self._bins, self._rows, values, bands, keys)
        return Sketch(len(words), values, bands, keys)

    def _make_room(self, words: int) -> None:
        if not words <= len(self._shingles) <= max(_MOST_KEPT, words):
            self._shingles = np.empty(max(words, _LEAST_KEPT), np.uint64)


_LEAST_KEPT, _MOST_KEPT = 1 << 12, 1 << 17
"""Shingles for which there is room from one text to the next."""


def estimate(one: Octets, other: Octets) -> float:
    """The Jaccard coefficient of two pages, by their values: 0 to 1."""
    return _estimate(one, other)


def band_keys(bands: Bands) -> Numbers:
    """The keys of the bands of some sketches, one after the other."""
    keys = np.empty(bands.size, np.uint64)
    _spread(bands.reshape(-1), keys)
    return keys


@kernel
def _spread(bands: Bands, keys: Numbers) -> None:
    """A number for each band, its place included, so that equal rows of different bands differ."""
    for place in range(len(bands)):
        keys[place] = mix(np.uint64(bands[place]) | (np.uint64(place % BANDS + 1) << np.uint64(32)))


@kernel
def _sketch(
    words: Numbers,
    length: int,
    shingles: Numbers,
    bins: Bands,
    rows: Bands,
    values: Octets,
    bands: Bands,
    keys: Numbers,
) -> None:
    found = hash_shingles(words, length, shingles)
    bins[:], rows[:] = _EMPTY, _EMPTY
    for shingle in shingles[:found]:
        high, low = shingle >> np.uint64(32), shingle & np.uint64(0xFFFFFFFF)
        _take(bins, high, low)
        _take(rows, low, high)
    _pack(bins, values)
    if found:
        _densify(rows)
        _fold(rows, bands)
    _spread(bands, keys)


@kernel
def _take(bins: Bands, where: np.uint64, what: np.uint64) -> None:
    """Let a shingle into its bin, by one half of its number; the other half is what is compared."""
    place = (where * np.uint64(len(bins))) >> np.uint64(32)
    bins[place] = min(bins[place], np.uint32(what))


@kernel
def _pack(bins: Bands, values: Octets) -> None:
    for place in range(len(values)):
        low, high = _code(bins[2 * place]), _code(bins[2 * place + 1])
        values[place] = np.uint8(low | (high << np.uint32(4)))


@kernel
def _code(value: np.uint32) -> np.uint32:
    return np.uint32(0) if value == _EMPTY else np.uint32(value % np.uint32(_CODES) + np.uint32(1))


@kernel
def _densify(rows: Bands) -> None:
    """Fill each empty bin from one that is not: the first that a row of hashes leads to."""
    is_full = rows != _EMPTY
    size = np.uint64(len(rows))
    for place in range(len(rows)):
        attempt = np.uint64(1)
        source = np.int64(place)
        while not is_full[source]:
            source = np.int64(mix(np.uint64(place) + (attempt << np.uint64(32))) % size)
            attempt += np.uint64(1)
        rows[place] = rows[source]


@kernel
def _fold(rows: Bands, bands: Bands) -> None:
    for band in range(len(bands)):
        number = np.uint64(band)
        for place in range(band * ROWS, (band + 1) * ROWS):
            number = mix(number ^ np.uint64(rows[place]))
        bands[band] = np.uint32(number & np.uint64(0xFFFFFFFF))


@kernel
def _estimate(one: Octets, other: Octets) -> float:
    same, both, either = 0, 0, 0
    for place in range(len(one)):
        a, b = one[place], other[place]
        for shift in (0, 4):
            low, high = (a >> shift) & 15, (b >> shift) & 15
            either += (low | high) != 0
            is_both = (low != 0) & (high != 0)
            both += is_both
            same += is_both & (low == high)
    if not either:
        return 0.0
    # Of bins that differ, one in fifteen has the same code by chance.
    return max(0.0, (_CODES * same - both) / ((_CODES - 1) * either))
