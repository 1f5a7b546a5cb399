"""The pages a policy knows of: which of them wait, and which score was told last of each."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gossamer.core.kernel import kernel
from gossamer.policy.order.array_packing import pack, unpack
from gossamer.policy.order.policy_batches import (
    HERE,
    NO_NUMBERS,
    Crawled,
    Keys,
    Numbers,
    Revised,
    Scores,
)
from gossamer.policy.order.roster import Roster, stretch

DISCOVERED, WAITING, FETCHED, ABROAD = np.uint8(0), np.uint8(1), np.uint8(2), np.uint8(3)

Marks = NDArray[np.uint8]


class Pages:
    """Pages by number, and what became of them.

    A page is *heard of* when a link names it, *waiting* once it was scored, then *fetched*. One that
    belongs to another partition is *abroad*, and stays so. A change of score is told when it is larger
    than `grain`, as a part of the score told before.
    """

    def __init__(self, grain: float = 0.0) -> None:
        self._grain = grain
        self._roster = Roster()
        self._state: Marks = np.zeros(0, np.uint8)
        self._reported: Scores = np.zeros(0)
        self._stamp: Numbers = np.zeros(0, np.int64)
        """The last page that was seen to link here, so that a page counts once for each target."""
        self._is_touched: Marks = np.zeros(0, np.uint8)
        self._touched: list[Numbers] = []
        self._owner: NDArray[np.int16] = np.zeros(0, np.int16)
        """Of pages abroad, the partition; empty when there are none."""
        self._due: list[Numbers] = []
        """Pages abroad that were touched."""
        self._learned = 0

    def __len__(self) -> int:
        return len(self._roster)

    @property
    def keys(self) -> Keys:
        return self._roster.keys

    @property
    def state(self) -> Marks:
        return self._state[: len(self)]

    @property
    def fetched(self) -> int:
        """The number of fetches, repeated ones counted again."""
        return self._learned

    def meet(self, keys: Keys) -> Numbers:
        """The numbers of pages; those that were never met get the next ones."""
        numbers = self._roster.number(keys)
        self._grow()
        return numbers

    def find(self, keys: Keys) -> Numbers:
        return self._roster.find(keys)

    def are_fetched(self, keys: Keys) -> NDArray[np.bool_]:
        """Mark the pages that were fetched before."""
        numbers = self._roster.find(keys)
        if not len(self._state):
            return np.zeros(len(keys), np.bool_)
        are_fetched: NDArray[np.bool_] = (numbers >= 0) & (self._state[numbers] == FETCHED)
        return are_fetched

    def take(self, crawled: Crawled) -> tuple[Numbers, Numbers, Numbers]:
        """Pages were fetched: their numbers, where the links of each begin, and the links.

        A page counts once for each target, however often it names it, and not for itself.
        """
        sources = self.meet(crawled.pages)
        targets = self.meet(crawled.targets)
        self._state[sources] = FETCHED
        if len(crawled.owners):
            self._place_abroad(targets, crawled.owners)
        offsets, distinct = self._distinct(sources, crawled.offsets, targets)
        self._learned += len(sources)
        return sources, offsets, distinct

    def await_turn(self, keys: Keys) -> Numbers:
        """Pages are new and begin to wait; returns their numbers."""
        numbers = self.meet(keys)
        new = numbers[self._state[numbers] == DISCOVERED]
        self._state[new] = WAITING
        return numbers

    def mark_reported(self, numbers: Numbers, scores: Scores) -> None:
        """These scores are known outside."""
        self._reported[numbers] = scores

    def touch(self, numbers: Numbers) -> None:
        """The scores of these may have changed."""
        changed = np.empty(len(numbers), np.int64)
        count = _touch(numbers, self._state, self._is_touched, changed)
        if count:
            self._touched.append(changed[:count])
        if len(self._owner):
            self._owe(numbers[self._state[numbers] == ABROAD])

    def touch_all(self) -> None:
        """The scores of all that wait, and of all abroad, may have changed."""
        self._is_touched[: len(self)] = 0
        waiting = np.flatnonzero(self.state == WAITING)
        self._is_touched[waiting] = 1
        self._touched = [waiting]
        if len(self._owner):
            self._owe(np.flatnonzero(self.state == ABROAD))

    def take_touched(self) -> Numbers:
        """The pages touched since the last call that still wait."""
        if not self._touched:
            return NO_NUMBERS
        touched = np.concatenate(self._touched)
        self._touched = []
        self._is_touched[touched] = 0
        waiting: Numbers = touched[self._state[touched] == WAITING]
        return waiting

    @property
    def has_due(self) -> bool:
        """Were pages abroad touched?"""
        return bool(self._due)

    def take_due(self) -> Iterator[tuple[int, Numbers]]:
        """The pages abroad touched since the last call, for each partition."""
        numbers = np.unique(np.concatenate([NO_NUMBERS, *self._due]))
        self._due = []
        owners = self._owner[numbers]
        for owner in np.unique(owners).tolist():
            yield owner, numbers[owners == owner]

    def revise(self, numbers: Numbers, scores: Scores) -> Revised:
        """Of these pages, those with another score than was told, which is told from now on."""
        old = self._reported[numbers]
        is_changed = np.abs(scores - old) > self._grain * np.abs(old)
        numbers, scores = numbers[is_changed], scores[is_changed]
        self._reported[numbers] = scores
        return Revised(self.keys[numbers], scores)

    def dump(self) -> bytes:
        columns: list[NDArray[Any]] = [self.keys, self.state, self._reported[: len(self)]]
        if len(self._owner):
            columns.append(stretch(self._owner, len(self))[: len(self)])
        return pack(*columns)

    def load(self, state: bytes) -> None:
        keys, self._state, self._reported, *owner = unpack(state)
        self._roster.number(keys)
        self._learned = int(np.count_nonzero(self._state == FETCHED))
        self._grow()
        if owner:
            (self._owner,) = owner
            self._owe(np.flatnonzero(self.state == ABROAD))

    def _place_abroad(self, targets: Numbers, owners: Numbers) -> None:
        is_abroad = owners != HERE
        abroad = targets[is_abroad]
        if len(abroad):
            self._owner = stretch(self._owner, len(self))
            self._owner[abroad] = owners[is_abroad]
            self._state[abroad] = ABROAD

    def _owe(self, numbers: Numbers) -> None:
        if len(numbers):
            self._due.append(numbers)

    def _grow(self) -> None:
        count = len(self)
        self._state = stretch(self._state, count)
        self._reported = stretch(self._reported, count)
        self._is_touched = stretch(self._is_touched, count)
        self._stamp = stretch(self._stamp, count, fill=-1)

    def _distinct(
        self, sources: Numbers, offsets: Numbers, targets: Numbers
    ) -> tuple[Numbers, Numbers]:
        fewer, distinct = np.empty_like(offsets), np.empty_like(targets)
        count = _distinct(sources, offsets, targets, self._stamp, self._learned, fewer, distinct)
        return fewer, distinct[:count]


@kernel
def _touch(numbers: Numbers, state: Marks, is_touched: Marks, out: Numbers) -> int:
    count = 0
    for number in numbers:
        if state[number] == 1 and not is_touched[number]:
            is_touched[number] = 1
            out[count] = number
            count += 1
    return count


@kernel
def _distinct(
    sources: Numbers,
    offsets: Numbers,
    targets: Numbers,
    stamp: Numbers,
    first: int,
    fewer: Numbers,
    out: Numbers,
) -> int:
    """Leave out a page's second link to the same target, and links to itself."""
    count = 0
    fewer[0] = 0
    for row in range(len(offsets) - 1):
        for at in range(offsets[row], offsets[row + 1]):
            target = targets[at]
            if stamp[target] != first + row and target != sources[row]:
                stamp[target] = first + row
                out[count] = target
                count += 1
        fewer[row + 1] = count
    return count
