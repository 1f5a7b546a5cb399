"""Shingles, runs of words, as kernels see them: numbers of words in, numbers of shingles out."""

import numpy as np
import numpy.typing as npt

from gossamer.core.kernel import kernel

Octets = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.uint64]

_BASE = np.uint64(0xD6E8FEB86659FD93)


@kernel
def mix(number: np.uint64) -> np.uint64:
    """Spread a number over all its bits (the last steps of MurmurHash3)."""
    number ^= number >> np.uint64(33)
    number *= np.uint64(0xFF51AFD7ED558CCD)
    number ^= number >> np.uint64(33)
    number *= np.uint64(0xC4CEB9FE1A85EC53)
    return number ^ (number >> np.uint64(33))


@kernel
def hash_shingles(words: Numbers, length: int, out: Numbers) -> int:
    """Write a number for each run of this many words; returns how many there are.

    The sum of the words' numbers, each times a power of its distance, is carried along from run to run.
    """
    power = np.uint64(1)
    for _ in range(length):
        power *= _BASE
    total = np.uint64(0)
    for place in range(len(words)):
        total = total * _BASE + words[place]
        if place >= length:
            total -= words[place - length] * power
        if place >= length - 1:
            out[place - length + 1] = mix(total)
    return max(0, len(words) - length + 1)
