"""Rules for the value of a key that is updated."""

from collections.abc import Callable
from typing import Literal

import numpy as np

from gossamer.core.disk.drum.operations import Flags, Values

Rule = Literal["replace", "add", "max"] | Callable[[Values, Values], Values]
"""A name, or a function from old and new values to those that are kept, element by element.

An own function must be associative, f(f(a, b), c) = f(a, f(b, c)), so that many updates of one key can be
folded in few steps. Sums, extremes, unions of bits and "the first" or "the last" all are.
"""


class Folding:
    """A rule at work on many keys at once."""

    def __init__(self, rule: Rule) -> None:
        self._combine = _combine(rule)

    def fold(self, values: Values, is_first: Flags, base: Values, has_base: Flags) -> Values:
        """The value after each of a row of updates.

        The row consists of runs, each a chain of updates to one key; `is_first` marks where a run
        begins. Where `has_base` is set too, the run goes on from the value in `base`.
        """
        if self._combine is None or not len(values):
            return values
        folded = values.copy()
        folded[has_base] = self._combine(base[has_base], values[has_base])
        return self._scan(folded, is_first)

    def _scan(self, values: Values, is_first: Flags) -> Values:
        """Fold each run from its beginning, in as many steps as the longest run has binary digits."""
        assert self._combine is not None
        places = np.arange(len(values))
        depth = places - np.maximum.accumulate(np.where(is_first, places, 0))
        reach = 1
        while len(later := np.flatnonzero(depth >= reach)):
            values[later] = self._combine(values[later - reach], values[later])
            reach *= 2
        return values


def _combine(rule: Rule) -> Callable[[Values, Values], Values] | None:
    if callable(rule):
        return rule
    named: dict[str, Callable[[Values, Values], Values] | None]
    named = {"replace": None, "add": np.add, "max": np.maximum}
    if rule not in named:
        raise ValueError(f"{rule!r} is not a rule; there are {', '.join(named)} and own functions")
    return named[rule]
