"""A Bloom filter: most questions about unknown keys need not touch a bucket at all.

Two bits are set for each key. Their number is a power of two that grows with the number of keys, until memory
is used up; from there on the sieve lets ever more through, and no answer is wrong.
"""

import numpy as np
import numpy.typing as npt

from gossamer.core.kernel import kernel

Numbers = npt.NDArray[np.uint64]

_LEAST = 1 << 10
_BITS_PER_KEY = 16

OPEN: Numbers = np.full(1, 2**64 - 1, np.uint64)
"""Lets everything through."""


def make_sieve(keys: int, memory: int) -> Numbers:
    """A sieve without keys, large enough for twice as many as these, if memory allows it."""
    words = max(_LEAST, 2 * keys * _BITS_PER_KEY // 64)
    most = max(_LEAST, memory // 8)
    return np.zeros(1 << min(words.bit_length(), most.bit_length() - 1), np.uint64)


def is_crowded(sieve: Numbers, keys: int, memory: int) -> bool:
    """Would a larger one be better, and is there memory for it?"""
    return keys * _BITS_PER_KEY > 64 * len(sieve) and 16 * len(sieve) <= memory


@kernel
def mark(sieve: Numbers, key: np.uint64) -> None:
    """Let a key through from now on."""
    last = np.uint64(len(sieve) * 64 - 1)
    for place in (key & last, (key >> np.uint64(31)) * np.uint64(0x9E3779B1) & last):
        sieve[place >> np.uint64(6)] |= np.uint64(1) << (place & np.uint64(63))


@kernel
def may_have(sieve: Numbers, key: np.uint64) -> bool:
    """Was the key marked, for all we know?"""
    last = np.uint64(len(sieve) * 64 - 1)
    for place in (key & last, (key >> np.uint64(31)) * np.uint64(0x9E3779B1) & last):
        if not (sieve[place >> np.uint64(6)] >> (place & np.uint64(63))) & np.uint64(1):
            return False
    return True
