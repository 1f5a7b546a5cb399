"""An order around another: it changes what that one says, and leaves all else to it."""

import numpy as np

from gossamer.policy.order.batches import Crawled, Scores
from gossamer.policy.order.pages import Pages
from gossamer.policy.order.parcels import Parcel
from gossamer.policy.order.protocol import OrderStatistics, Policy, can_travel


class Around(Policy):
    """Hands on what concerns the inner policy alone."""

    def __init__(self, inner: Policy) -> None:
        self._inner = inner
        self.travels = can_travel(inner)
        self._pages = Pages()
        self._scores: Scores = np.zeros(0)
        """By the inner policy."""

    def _take_over(self) -> None:
        """Take in the scores that the inner policy has changed; their pages are looked at again."""
        changed = self._inner.revised()
        numbers = self._pages.find(changed.keys)
        self._scores[numbers] = changed.scores
        self._pages.touch(numbers)

    def learn_again(self, crawled: Crawled) -> None:
        self._inner.learn_again(crawled)

    def expect_returns(self) -> None:
        self._inner.expect_returns()

    def join(self, partition: int, partitions: int) -> None:
        self._inner.join(partition, partitions)

    @property
    def has_parcels(self) -> bool:
        return self._inner.has_parcels

    def parcels(self) -> list[Parcel]:
        return self._inner.parcels()

    def receive(self, parcel: Parcel) -> None:
        self._inner.receive(parcel)

    def was_sent(self, parcel: Parcel) -> None:
        self._inner.was_sent(parcel)

    def statistics(self) -> OrderStatistics:
        return self._inner.statistics()

    def checkpoint_published(self) -> None:
        self._inner.checkpoint_published()

    @property
    def disk_bytes(self) -> int:
        return self._inner.disk_bytes

    def verify(self) -> None:
        self._inner.verify()

    def close(self) -> None:
        self._inner.close()
