"""Chance for many pages at once: every draw is a hash of the seed, of a purpose and of the page's number."""

import numpy as np
from numpy.typing import NDArray

from gossamer.lab.seeded_chance import draw_text

Draws = NDArray[np.uint64]
_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def draws(seed: int, purpose: str, numbers: NDArray[np.int64]) -> Draws:
    """A number of 64 bits for each of the numbers (the finaliser of SplitMix64).

    >>> draws(7, "born", np.arange(3)).tolist() == draws(7, "born", np.arange(4))[:3].tolist()
    True
    """
    salt = np.uint64(draw_text(seed, purpose))
    mixed = numbers.astype(np.uint64) * _STEP + salt
    mixed = (mixed ^ (mixed >> np.uint64(30))) * _FIRST
    mixed = (mixed ^ (mixed >> np.uint64(27))) * _SECOND
    return mixed ^ (mixed >> np.uint64(31))


def uniforms(seed: int, purpose: str, numbers: NDArray[np.int64]) -> NDArray[np.float64]:
    """A number between 0 and 1, never one of them, for each of the numbers."""
    return ((draws(seed, purpose, numbers) >> np.uint64(11)).astype(np.float64) + 0.5) / 2.0**53
