"""From scores to front queues."""

from typing import Protocol

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from gossamer.policy.order.policy_batches import NO_SCORES, Numbers, Scores
from gossamer.policy.order.scales import Adaptive, Climb, Fixed, Scale, Steps

_HAIR = 1e-9
"""1.0 - 0.9 is a hair less than 0.1."""
_SAMPLE = 8192
"""Recent scores that are remembered."""
_GROWTH = 1.25
"""Levels are drawn again whenever this many times more scores were seen, or the sample is another one."""


class Levels(Protocol):
    """Spreads scores over levels: 0 is the best."""

    def place(self, scores: Scores) -> Numbers:
        """The level of each score."""

    def dump(self) -> bytes: ...

    def load(self, state: bytes) -> None: ...


def make_levels(scale: Scale, count: int) -> Levels:
    """The levels that a policy asks for.

    >>> make_levels(Fixed(), 4).place(np.array([1.0, 0.75, 0.3, 0.0])).tolist()
    [0, 1, 2, 3]
    >>> make_levels(Steps(), 4).place(np.array([0.0, -1.0, -7.0])).tolist()
    [0, 1, 3]
    >>> make_levels(Climb(), 4).place(np.array([0.0, 1.0, 7.0])).tolist()
    [3, 2, 0]
    """
    match scale:
        case Adaptive(power=power):
            return AdaptiveLevels(count, power)
        case Steps(best=best):
            return StraightLevels(count, best, 1.0)
        case Climb(worst=worst):
            return StraightLevels(count, worst + count - 1, 1.0)
        case Fixed(best=best, worst=worst):
            return StraightLevels(count, best, (best - worst) / count)


class StraightLevels:
    """Levels of equal width, from the best score down."""

    def __init__(self, count: int, best: float, width: float) -> None:
        self._last = count - 1
        self._best = best
        self._width = width

    def place(self, scores: Scores) -> Numbers:
        steps = (self._best - scores) / self._width + _HAIR
        # What is not a number is last, since fmin does not see it.
        levels: Numbers = np.fmax(np.fmin(steps, self._last), 0).astype(int)
        return levels

    def dump(self) -> bytes:
        return b""

    def load(self, state: bytes) -> None:
        """There is nothing to remember."""


class _State(Struct, array_like=True):
    seen: int
    drawn: int
    sample: bytes
    bounds: bytes


class AdaptiveLevels:
    """Levels by rank among recent scores.

    Where many scores are equal, several bounds are: such a score goes to the middle of the levels
    between them, so that there is room for better and worse ones.

    >>> levels = AdaptiveLevels(4, power=1.0)
    >>> levels.place(np.arange(100.0))[[0, 30, 60, 90]].tolist()
    [3, 2, 1, 0]
    >>> levels.place(np.array([np.nan, 99.0])).tolist()
    [3, 0]
    """

    def __init__(self, count: int, power: float) -> None:
        self._last = count - 1
        self._shares = (np.arange(1, count) / count) ** power
        self._sample: NDArray[np.float64] = np.zeros(_SAMPLE)
        self._bounds: Scores = NO_SCORES
        """The lowest score of each level but the last, in ascending order."""
        self._seen = 0
        self._drawn = 0
        """Scores that had been seen when the bounds were drawn."""

    def place(self, scores: Scores) -> Numbers:
        is_number = ~np.isnan(scores)
        if not is_number.all():  # what is not a number is last, and tells nothing of the others
            levels = np.full(len(scores), self._last)
            levels[is_number] = self.place(scores[is_number])
            return levels
        self._remember(scores[-_SAMPLE:])
        self._seen += len(scores)
        if len(scores) and self._seen >= min(self._drawn * _GROWTH, self._drawn + _SAMPLE):
            self._draw_bounds()
        lower = np.searchsorted(self._bounds, scores, side="left")
        upper = np.searchsorted(self._bounds, scores, side="right")
        return self._last - (lower + upper + 1) // 2

    def dump(self) -> bytes:
        state = _State(self._seen, self._drawn, self._sample.tobytes(), self._bounds.tobytes())
        return msgspec.msgpack.encode(state)

    def load(self, state: bytes) -> None:
        before = msgspec.msgpack.decode(state, type=_State)
        self._seen, self._drawn = before.seen, before.drawn
        self._sample = np.frombuffer(before.sample).copy()
        self._bounds = np.frombuffer(before.bounds)

    def _remember(self, scores: Scores) -> None:
        places = (self._seen + np.arange(len(scores))) % _SAMPLE
        self._sample[places] = scores

    def _draw_bounds(self) -> None:
        known = self._sample[: min(self._seen, _SAMPLE)]
        self._bounds = np.quantile(known, 1.0 - self._shares[::-1])
        self._drawn = self._seen
