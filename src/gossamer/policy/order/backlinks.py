"""Backlink count IB′: how many of the pages fetched so far link to a page (Cho et al. 1998)."""

import numpy as np

from gossamer.core.kernel import kernel
from gossamer.policy.order.array_packing import pack, pack_parts, unpack, unpack_parts
from gossamer.policy.order.linkrows import LinkRows
from gossamer.policy.order.order_protocol import OrderStatistics, Policy
from gossamer.policy.order.pending_updates import empty_accounts
from gossamer.policy.order.policy_batches import (
    Crawled,
    Keys,
    Needs,
    Numbers,
    Revised,
    Scores,
    Waiting,
)
from gossamer.policy.order.policy_pages import Pages
from gossamer.policy.order.rank_updates import RankUpdate
from gossamer.policy.order.roster import stretch


class Backlinks(Policy):
    """The page that most pages link to comes first; a page counts once, however often it links."""

    needs = Needs.LINKS
    travels = True

    def __init__(self, grain: float = 0.0) -> None:
        self._pages = Pages(grain)
        self._counts: Scores = np.zeros(0)
        self._rows: LinkRows | None = None
        """Who links to whom, if pages are visited again."""

    def expect_returns(self) -> None:
        self._rows = LinkRows()

    def learn(self, crawled: Crawled) -> None:
        sources, offsets, targets = self._pages.take(crawled)
        self._counts = stretch(self._counts, len(self._pages))
        _count(targets, self._counts, 1.0)
        self._pages.touch(targets)
        if self._rows is not None:
            self._rows.append(sources, offsets, targets)

    def learn_again(self, crawled: Crawled) -> None:
        if self._rows is not None:
            before = self._rows.targets_of(self._pages.find(crawled.pages))
            _count(before, self._counts, -1.0)
            self._pages.touch(before)
            self.learn(crawled)

    def score(self, waiting: Waiting) -> Scores:
        numbers = self._pages.await_turn(waiting.keys)
        self._counts = stretch(self._counts, len(self._pages))
        scores = self._counts[numbers]
        self._pages.mark_reported(numbers, scores)
        return scores

    def revised(self) -> Revised:
        numbers = self._pages.take_touched()
        return self._pages.revise(numbers, self._counts[numbers])

    def worth(self, keys: Keys) -> Scores:
        return look_up(self._counts, self._pages.find(keys))

    @property
    def has_rank_updates(self) -> bool:
        return self._pages.has_due

    def rank_updates(self) -> list[RankUpdate]:
        return empty_accounts(self._pages, self._counts)

    def receive(self, rank_update: RankUpdate) -> None:
        numbers = self._pages.meet(rank_update.keys)
        self._counts = stretch(self._counts, len(self._pages))
        self._counts[numbers] += rank_update.amounts
        self._pages.touch(numbers)

    def was_sent(self, rank_update: RankUpdate) -> None:
        self._counts[self._pages.find(rank_update.keys)] -= rank_update.amounts

    def statistics(self) -> OrderStatistics:
        return OrderStatistics(pages=len(self._pages))

    def dump(self) -> bytes:
        rows = [] if self._rows is None else [self._rows.dump()]
        return pack_parts(self._pages.dump(), pack(self._counts[: len(self._pages)]), *rows)

    def load(self, state: bytes) -> None:
        pages, columns, *rows = unpack_parts(state)
        self._pages.load(pages)
        (self._counts,) = unpack(columns)
        if self._rows is not None and rows:
            self._rows.load(rows[0])


def look_up(column: Scores, numbers: Numbers) -> Scores:
    """Entries of a column; 0 for pages that were never met.

    >>> look_up(np.array([5.0]), np.array([0, -1])).tolist()
    [5.0, 0.0]
    """
    if not len(column):
        return np.zeros(len(numbers))
    return np.where(numbers >= 0, column[numbers], 0.0)


@kernel
def _count(targets: Numbers, counts: Scores, step: float) -> None:
    for target in targets:
        counts[target] += step
