"""All pairs in memory: answers at once."""

from typing import Any, overload

import numpy as np
import numpy.typing as npt

from gossamer.core.disk.drum.drum_batch import sort
from gossamer.core.disk.drum.drum_table import DrumTable
from gossamer.core.disk.drum.operations import (
    ASKS_AND_PUTS,
    Flags,
    Indices,
    Keys,
    Operations,
    Records,
    Values,
)
from gossamer.core.disk.drum.resolve import Resolution, resolve
from gossamer.core.disk.drum.update_rules import Folding


class Resident:
    """The pairs of a DRUM while they are few."""

    def __init__(self, value: np.dtype[Any] | None, folding: Folding) -> None:
        self.table = DrumTable(value)
        self.is_changed = False
        """Since the last checkpoint."""
        self._folding = folding

    def load(self, entries: Records) -> None:
        """Take in what a checkpoint has kept."""
        keys: Keys = np.ascontiguousarray(entries["key"])
        values = entries["value"] if "value" in (entries.dtype.names or ()) else None
        self.table = DrumTable(values.dtype if values is not None else None, len(keys))
        self.table.enter(keys, self.table.find(keys)[0], values)

    def carry_out(
        self, keys: Keys, operations: Operations, values: Values | None
    ) -> tuple[Flags, Values | None]:
        """Do a batch; returns for each operation whether its key was known, and the value it met."""
        if values is None and bool((operations == ASKS_AND_PUTS).all()):
            return self._enter_each(keys), None
        batch = sort(keys, operations, values)
        distinct = batch.distinct
        self.table.make_room(len(distinct))
        places, known = self.table.find(distinct)
        outcome = resolve(batch, known, self.table.values_at(places, known), self._folding)
        self._change(places, known, outcome)
        self._enter(distinct, places, known, outcome)
        return _unsorted(outcome.is_known, batch.order), _unsorted(outcome.met, batch.order)

    def _enter_each(self, keys: Keys) -> Flags:
        """The seen set's case: only the first of equals can meet an unknown key, and all keys stay."""
        self.table.make_room(len(keys))
        known = self.table.enter_each(keys)
        self.is_changed = self.is_changed or not known.all()
        return known

    def _change(self, places: Indices, known: Flags, outcome: Resolution) -> None:
        """Delete known keys, or give them other values."""
        if outcome.is_pure_entry:
            return
        gone = known & ~outcome.remains
        self.table.remove(places[gone])
        self.is_changed = self.is_changed or bool(gone.any())
        if outcome.values is not None:
            stays = known & outcome.remains & outcome.is_touched
            self.table.change(places[stays], outcome.values[stays])
            self.is_changed = self.is_changed or bool(stays.any())

    def _enter(self, distinct: Keys, places: Indices, known: Flags, outcome: Resolution) -> None:
        new = (outcome.remains > known).nonzero()[0]
        if len(new):
            values = outcome.values[new] if outcome.values is not None else None
            self.table.enter(distinct.take(new), places.take(new), values)
            self.is_changed = True


@overload
def _unsorted(sorted_: None, order: Indices) -> None: ...
@overload
def _unsorted(sorted_: npt.NDArray[Any], order: Indices) -> npt.NDArray[Any]: ...
def _unsorted(sorted_: npt.NDArray[Any] | None, order: Indices) -> npt.NDArray[Any] | None:
    """Bring outcomes back into the order of arrival."""
    if sorted_ is None:
        return None
    unsorted = np.empty_like(sorted_)
    unsorted[order] = sorted_
    return unsorted
