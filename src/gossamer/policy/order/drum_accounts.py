"""The common part of orders on disk: an account for each page, in a DRUM.

Changes are added up: a merge sums all that was noted of a page, and keeps its furthest state. While all
accounts fit into memory a DRUM answers at once, later with the next merge.
"""

from abc import abstractmethod
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gossamer.core.disk.drum import BYTES, Drum
from gossamer.policy.order.order_protocol import OrderStatistics, Policy

DISCOVERED, WAITING, FETCHED = 0, 1, 2
"""An account's `state`, as in `policy_pages.py`."""


class DrumAccounts(Policy):
    """A policy whose knowledge is accounts on disk; those that derive from it say of what kind."""

    account: np.dtype[Any]
    """Columns that are summed, and `state`, of which the largest counts."""

    def __init__(self, folder: Path, memory: int) -> None:
        self._folder, self._memory = folder, memory

    def merge(self) -> None:
        """Carry out all that waits, now."""
        self._accounts.merge()
        self._settle()

    def checkpoint_published(self) -> None:
        self._accounts.checkpoint_published()

    def statistics(self) -> OrderStatistics:
        found = self._accounts.statistics()
        return OrderStatistics(pages=found.known, disk_bytes=found.disk)

    @property
    def disk_bytes(self) -> int:
        return self._accounts.statistics().disk

    def verify(self) -> None:
        if "_accounts" in self.__dict__:
            self._accounts.verify()

    def close(self) -> None:
        if "_accounts" in self.__dict__:
            self._accounts.close()

    @abstractmethod
    def _settle(self) -> None:
        """Take in what the accounts answered."""

    @cached_property
    def _accounts(self) -> Drum[bytes]:
        """Opened when it is first used: opening it as new would delete what `load` is to go back to."""
        return self._open(None)

    def _open(self, manifest: bytes | None) -> Drum[bytes]:
        return Drum(
            self._folder, self.account, _add, codec=BYTES, memory=self._memory, manifest=manifest
        )

    def _changes(self, count: int, /, **columns: Any) -> NDArray[np.void]:
        """This many changes, of these columns; the others stay as they are."""
        changes = np.zeros(count, self.account)
        for name, values in columns.items():
            changes[name] = values
        return changes

    def _parts(self, count: int) -> Iterator[slice]:
        """Parts that a DRUM takes at a time."""
        size = self._accounts.plan.stage
        return (slice(at, at + size) for at in range(0, count, size))


def _add(old: NDArray[Any], new: NDArray[Any]) -> NDArray[Any]:
    """DRUM's rule: sums, and the furthest state."""
    total = np.empty_like(old)
    for name in old.dtype.names or ():
        combine = np.maximum if name == "state" else np.add
        total[name] = combine(old[name], new[name])
    return total
