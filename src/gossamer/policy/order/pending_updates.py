"""Rank updates for pages of other partitions, until they are sent."""

import numpy as np

from gossamer.policy.order.array_packing import pack, unpack
from gossamer.policy.order.policy_batches import (
    NO_KEYS,
    NO_NUMBERS,
    NO_SCORES,
    Keys,
    Numbers,
    Scores,
)
from gossamer.policy.order.policy_pages import Pages
from gossamer.policy.order.rank_updates import RankUpdate

DUST = 1e-14
"""What rounding leaves of a sum; nobody is sent so little."""


def empty_accounts(pages: Pages, column: Scores) -> list[RankUpdate]:
    """Take what is in the accounts of pages that belong elsewhere.

    Such a page has an entry in the column like any other: here it is what is due to it.
    """
    found = []
    for partition, numbers in pages.take_due():
        numbers = numbers[np.abs(column[numbers]) > DUST]
        if len(numbers):
            found.append(RankUpdate(partition, pages.keys[numbers], column[numbers]))
            column[numbers] = 0.0
    return found


class Pile:
    """Updates for pages of other partitions, for policies whose accounts are on disk.

    >>> pile = Pile()
    >>> pile.add(np.array([1, 1, 2]), np.array([7, 7, 8], np.uint64), np.array([1.0, 2.0, 1.0]))
    >>> [(one.partition, one.keys.tolist(), one.amounts.tolist()) for one in pile.take()]
    [(1, [7], [3.0]), (2, [8], [1.0])]
    """

    def __init__(self) -> None:
        self._owners: list[Numbers] = []
        self._keys: list[Keys] = []
        self._amounts: list[Scores] = []
        self.has_news = False
        """Was something added since it was last taken?"""

    def add(self, owners: Numbers, keys: Keys, amounts: Scores) -> None:
        if len(keys):
            self._owners.append(owners)
            self._keys.append(keys)
            self._amounts.append(amounts)
            self.has_news = True

    def was_sent(self, rank_update: RankUpdate) -> None:
        """This was taken before; it is less than nothing until it is added again."""
        owners = np.full(len(rank_update.keys), rank_update.partition, np.int64)
        self.add(owners, rank_update.keys, -rank_update.amounts)

    def take(self) -> list[RankUpdate]:
        owners, keys, sums = self._sum_up()
        is_due = sums > DUST
        self._owners, self._keys, self._amounts = [], [], []
        is_debt = sums < -DUST
        self.add(owners[is_debt], keys[is_debt], sums[is_debt])
        self.has_news = False
        return [
            RankUpdate(partition, keys[which], sums[which])
            for partition in np.unique(owners[is_due]).tolist()
            if len(which := np.flatnonzero(is_due & (owners == partition)))
        ]

    def dump(self) -> bytes:
        return pack(*self._sum_up())

    def load(self, state: bytes) -> None:
        self.add(*unpack(state))

    def total(self) -> float:
        return float(sum(amounts.sum() for amounts in self._amounts))

    def _sum_up(self) -> tuple[Numbers, Keys, Scores]:
        every = np.concatenate([NO_KEYS, *self._keys])
        keys, first, places = np.unique(every, return_index=True, return_inverse=True)
        owners = np.concatenate([NO_NUMBERS, *self._owners])[first]
        sums = np.zeros(len(keys))
        np.add.at(sums, places, np.concatenate([NO_SCORES, *self._amounts]))
        return owners, keys, sums
