"""Backlink count IB′: how many of the pages fetched so far link to a page (Cho et al. 1998)."""

import numpy as np

from gossamer.base.kernel import kernel
from gossamer.policy.order.batches import Crawled, Keys, Needs, Numbers, Revised, Scores, Waiting
from gossamer.policy.order.dues import empty_accounts
from gossamer.policy.order.packing import pack, pack_parts, unpack, unpack_parts
from gossamer.policy.order.pages import Pages
from gossamer.policy.order.parcels import Parcel
from gossamer.policy.order.protocol import OrderStatistics, Policy
from gossamer.policy.order.roster import stretch


class Backlinks(Policy):
    """The page that most pages link to comes first; a page counts once, however often it links."""

    needs = Needs.LINKS
    travels = True

    def __init__(self, grain: float = 0.0) -> None:
        self._pages = Pages(grain)
        self._counts: Scores = np.zeros(0)

    def learn(self, crawled: Crawled) -> None:
        _, _, targets = self._pages.take(crawled)
        self._counts = stretch(self._counts, len(self._pages))
        _count(targets, self._counts)
        self._pages.touch(targets)

    def score(self, waiting: Waiting) -> Scores:
        numbers = self._pages.await_turn(waiting.keys)
        self._counts = stretch(self._counts, len(self._pages))
        scores = self._counts[numbers]
        self._pages.tell(numbers, scores)
        return scores

    def revised(self) -> Revised:
        numbers = self._pages.take_touched()
        return self._pages.revise(numbers, self._counts[numbers])

    def worth(self, keys: Keys) -> Scores:
        return look_up(self._counts, self._pages.find(keys))

    @property
    def has_parcels(self) -> bool:
        return self._pages.has_due

    def parcels(self) -> list[Parcel]:
        return empty_accounts(self._pages, self._counts)

    def receive(self, parcel: Parcel) -> None:
        numbers = self._pages.meet(parcel.keys)
        self._counts = stretch(self._counts, len(self._pages))
        self._counts[numbers] += parcel.amounts
        self._pages.touch(numbers)

    def was_sent(self, parcel: Parcel) -> None:
        self._counts[self._pages.find(parcel.keys)] -= parcel.amounts

    def statistics(self) -> OrderStatistics:
        return OrderStatistics(pages=len(self._pages))

    def dump(self) -> bytes:
        return pack_parts(self._pages.dump(), pack(self._counts[: len(self._pages)]))

    def load(self, state: bytes) -> None:
        pages, columns = unpack_parts(state)
        self._pages.load(pages)
        (self._counts,) = unpack(columns)


def look_up(column: Scores, numbers: Numbers) -> Scores:
    """Entries of a column; 0 for pages that were never met.

    >>> look_up(np.array([5.0]), np.array([0, -1])).tolist()
    [5.0, 0.0]
    """
    if not len(column):
        return np.zeros(len(numbers))
    return np.where(numbers >= 0, column[numbers], 0.0)


@kernel
def _count(targets: Numbers, counts: Scores) -> None:
    for target in targets:
        counts[target] += 1.0
