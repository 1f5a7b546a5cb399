"""Links of the pages that were fetched: rows of compact numbers that only grow."""

import numpy as np

from gossamer.policy.order.array_packing import pack, unpack
from gossamer.policy.order.policy_batches import NO_NUMBERS, Numbers
from gossamer.policy.order.random_surfer import Compact
from gossamer.policy.order.roster import stretch


class LinkRows:
    """One row for each fetched page, four bytes a link; a page fetched again gets its new row only.

    >>> rows = LinkRows()
    >>> rows.append(np.array([0, 1]), np.array([0, 2, 3]), np.array([1, 2, 0]))
    >>> rows.append(np.array([0]), np.array([0, 1]), np.array([2]))
    >>> [part.tolist() for part in rows.latest()]
    [[1, 0], [0, 1, 2], [0, 2]]
    """

    def __init__(self) -> None:
        self._sources: Compact = np.zeros(1024, np.int32)
        self._ends: Numbers = np.zeros(1025, np.int64)
        self._targets: Compact = np.zeros(8192, np.int32)
        self._rows = 0
        self._is_doubled = False
        """Does some page have several rows?"""
        self._row_of: Numbers = np.zeros(0, np.int64)

    def __len__(self) -> int:
        return self._rows

    @property
    def links(self) -> int:
        return int(self._ends[self._rows])

    def append(self, sources: Numbers, offsets: Numbers, targets: Numbers) -> None:
        before, rows = self.links, self._rows + len(sources)
        self._sources = stretch(self._sources, rows)
        self._ends = stretch(self._ends, rows + 1)
        self._targets = stretch(self._targets, before + len(targets))
        self._sources[self._rows : rows] = sources
        self._ends[self._rows + 1 : rows + 1] = before + offsets[1:]
        self._targets[before : before + len(targets)] = targets
        self._note(sources, np.arange(self._rows, rows))
        self._rows = rows

    def targets_of(self, sources: Numbers) -> Numbers:
        """The targets of pages, by their last rows; pages without a row have none."""
        known = sources[(sources >= 0) & (sources < len(self._row_of))]
        rows = self._row_of[known]
        pairs = [(self._ends[row], self._ends[row + 1]) for row in rows[rows >= 0].tolist()]
        found = [self._targets[first:end].astype(np.int64) for first, end in pairs]
        return np.concatenate([NO_NUMBERS, *found])

    def latest(self) -> tuple[Compact, Numbers, Compact]:
        """Sources, where the row of each begins, and targets: one row for each page."""
        if self._is_doubled:
            self._drop_old_rows()
        rows = self._rows
        return self._sources[:rows], self._ends[: rows + 1], self._targets[: self.links]

    def dump(self) -> bytes:
        return pack(*self.latest())

    def load(self, state: bytes) -> None:
        sources, offsets, targets = unpack(state)
        self.append(sources.astype(np.int64), offsets, targets)

    def _note(self, sources: Numbers, rows: Numbers) -> None:
        if not len(sources):
            return
        self._row_of = stretch(self._row_of, int(sources.max()) + 1, fill=-1)
        is_again = bool((self._row_of[sources] >= 0).any())
        self._row_of[sources] = rows
        self._is_doubled |= is_again or len(np.unique(sources)) < len(sources)

    def _drop_old_rows(self) -> None:
        sources, ends = self._sources[: self._rows], self._ends[: self._rows + 1]
        is_latest = self._row_of[sources] == np.arange(self._rows)
        lengths = np.diff(ends)
        targets = self._targets[: self.links][np.repeat(is_latest, lengths)].copy()
        offsets = np.concatenate(([0], np.cumsum(lengths[is_latest])))
        fresh = LinkRows()
        fresh.append(sources[is_latest].astype(np.int64), offsets, targets)
        self.__dict__.update(fresh.__dict__)
