"""Random order: the yardstick that every other one is held against."""

import numpy as np

from gossamer.policy.order.order_protocol import Policy
from gossamer.policy.order.policy_batches import Keys, Scores, Waiting
from gossamer.policy.order.scales import Fixed

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


class Random(Policy):
    """A number from 0 to 1 for every page, drawn by its key and a seed: nothing to remember."""

    scale = Fixed(best=1.0, worst=0.0)

    def __init__(self, seed: int = 0) -> None:
        self._shift = np.uint64(seed * int(_GOLDEN) % (1 << 64))

    def score(self, waiting: Waiting) -> Scores:
        return mix(waiting.keys + self._shift) / 2.0**64


def mix(keys: Keys) -> Keys:
    """Spread keys over all 64 bits (SplitMix64)."""
    keys = keys + _GOLDEN
    keys = (keys ^ (keys >> np.uint64(30))) * _FIRST
    keys = (keys ^ (keys >> np.uint64(27))) * _SECOND
    return keys ^ (keys >> np.uint64(31))
