"""Apply each operation to the value that it meets."""

from typing import Any

import numpy as np

from gossamer.core.disk.drum.drum_batch import DrumBatch
from gossamer.core.disk.drum.operations import (
    ASKS_AND_PUTS,
    CHANGES,
    PUTS,
    Flags,
    Indices,
    Values,
)
from gossamer.core.disk.drum.update_rules import Folding


class Resolution:
    """The outcome of sorted operations on what was known of their keys."""

    __slots__ = ("is_known", "is_touched", "met", "remains", "values")

    def __init__(
        self,
        is_known: Flags,
        met: Values | None,
        is_touched: Flags,
        remains: Flags,
        values: Values | None,
    ) -> None:
        self.is_known = is_known
        """For each operation: was its key known when its turn came?"""
        self.met = met
        """For each operation: the value it met; zero when the key was not known."""
        self.is_touched = is_touched
        """For each different key: was it updated or deleted at all?"""
        self.remains = remains
        """For each different key: is it known in the end?"""
        self.values = values
        """For each different key: its value in the end."""

    @property
    def is_pure_entry(self) -> bool:
        """Do all different keys remain, without values to change?"""
        return self.values is None and bool(self.remains.all())


def resolve(batch: DrumBatch, known: Flags, values: Values | None, folding: Folding) -> Resolution:
    """Carry out the operations of a batch, one after the other as it were.

    `known` and `values` tell for each different key of the batch what was there before.
    """
    if values is None and bool((batch.operations == ASKS_AND_PUTS).all()):
        return _enter_all(batch, known)
    return _General(batch, known).resolve(values, folding)


def _enter_all(batch: DrumBatch, known: Flags) -> Resolution:
    """The seen set's case: only the first of equals can meet an unknown key, and all keys stay."""
    is_known = np.ones(len(batch), np.bool_)
    is_known[batch.first] = known
    everywhere = np.ones(len(known), np.bool_)
    return Resolution(is_known, None, everywhere, everywhere, None)


class _General:
    """Any mix of operations. A *change* is an update or a deletion."""

    def __init__(self, batch: DrumBatch, known: Flags) -> None:
        self._batch, self._known = batch, known
        self._groups = groups = batch.groups()
        self._is_put = (batch.operations & PUTS) != 0
        last = _last_change(batch)
        self._before = np.concatenate(([-1], last[:-1]))
        """The place of the last change before each operation, of whatever key."""
        self._is_changed = self._before >= batch.first[groups]
        """Was the operation's own key changed before it?"""
        self._is_known = np.where(self._is_changed, self._is_put[self._before], known[groups])
        self._final = last[np.append(batch.first[1:], len(batch)) - 1]
        self._is_touched = self._final >= batch.first

    def resolve(self, values: Values | None, folding: Folding) -> Resolution:
        remains = np.where(self._is_touched, self._is_put[self._final], self._known)
        if values is None:
            return Resolution(self._is_known, None, self._is_touched, remains, None)
        after = self._after(values, folding)
        met, end = self._met(values, after), self._end(values, after)
        return Resolution(self._is_known, met, self._is_touched, remains, end)

    def _after(self, values: Values, folding: Folding) -> Values:
        """The value after each update."""
        batch, puts = self._batch, np.flatnonzero(self._is_put)
        assert batch.values is not None
        is_changed, is_known = self._is_changed[puts], self._is_known[puts]
        after = batch.values.copy()
        after[puts] = folding.fold(
            batch.values[puts],
            is_first=~(is_changed & is_known),
            base=values[self._groups[puts]],
            has_base=~is_changed & is_known,
        )
        return after

    def _met(self, values: Values, after: Values) -> Values:
        met = values[self._groups]
        met[self._is_changed] = after[self._before[self._is_changed]]
        met[~self._is_known] = np.zeros((), met.dtype)
        return met

    def _end(self, values: Values, after: Values) -> Values:
        end: Values = values.copy()
        end[self._is_touched] = after[self._final[self._is_touched]]
        return end


def _last_change(batch: DrumBatch) -> Indices:
    """The place of the last change up to and including each operation; -1 when there is none."""
    places: np.ndarray[Any, np.dtype[np.intp]] = np.arange(len(batch))
    return np.maximum.accumulate(np.where((batch.operations & CHANGES) != 0, places, -1))
