"""An order around another: it changes what that one says, and leaves all else to it."""

import numpy as np

from gossamer.policy.order.order_protocol import OrderStatistics, Policy, can_travel
from gossamer.policy.order.policy_batches import Crawled, Scores
from gossamer.policy.order.policy_pages import Pages
from gossamer.policy.order.rank_updates import RankUpdate


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
    def has_rank_updates(self) -> bool:
        return self._inner.has_rank_updates

    def rank_updates(self) -> list[RankUpdate]:
        return self._inner.rank_updates()

    def receive(self, rank_update: RankUpdate) -> None:
        self._inner.receive(rank_update)

    def was_sent(self, rank_update: RankUpdate) -> None:
        self._inner.was_sent(rank_update)

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
