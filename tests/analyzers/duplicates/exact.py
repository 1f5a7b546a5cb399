"""The same judgement without haste, in plain Python and NumPy: what the fast version is measured against.

Exact Jaccard coefficients of sets of shingles, and the classical min-hash: as many independent
permutations as there are values (Broder, 1997).
"""

import re
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

_WORD = re.compile(rb"[0-9a-z\x80-\xff]+")
_PRIME = (1 << 61) - 1
_VALUES = 200

Signature = npt.NDArray[np.uint64]


def shingles(text: bytes, length: int = 4) -> set[tuple[bytes, ...]]:
    """All runs of so many words.

    >>> sorted(shingles(b"A rose is a rose is a rose", 4))[0]
    (b'a', b'rose', b'is', b'a')
    >>> len(shingles(b"A rose is a rose is a rose", 4))
    3
    """
    words = _WORD.findall(text.lower())
    return {tuple(words[place : place + length]) for place in range(len(words) - length + 1)}


def jaccard(one: set[tuple[bytes, ...]], other: set[tuple[bytes, ...]]) -> float:
    """The part of all shingles that both have; of two empty sets, none."""
    either = len(one | other)
    return len(one & other) / either if either else 0.0


def signature(text: bytes, length: int = 4, values: int = _VALUES) -> Signature:
    """For each of so many permutations, the least number that a shingle has in it."""
    numbers = [_number(shingle) for shingle in shingles(text, length)]
    factors, offsets = _permutations(values)
    least = [
        min((factor * number + offset) % _PRIME for number in numbers) if numbers else _PRIME
        for factor, offset in zip(factors, offsets, strict=True)
    ]
    return np.array(least, np.uint64)


def similarity(one: Signature, other: Signature) -> float:
    """The part of permutations in which both have the same least: an estimate of Jaccard."""
    return float(np.mean(one == other))


def _number(shingle: tuple[bytes, ...]) -> int:
    return int.from_bytes(blake2b(b" ".join(shingle), digest_size=7).digest())


def _permutations(values: int) -> tuple[list[int], list[int]]:
    random = np.random.default_rng(1997)
    draws = random.integers(1, _PRIME, (2, values))
    return draws[0].tolist(), draws[1].tolist()
