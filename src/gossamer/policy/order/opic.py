"""OPIC: online page importance computation (Abiteboul, Preda, Cobena 2003).

There is a fixed sum of cash. A page that is fetched notes the cash it had in its history, and gives
it to the pages it links to. The page with the most cash is fetched next: cash shows where
importance flows to. A page's share in all cash that ever changed hands estimates its importance.

A part of `1 - damping` of what a page gives, and all that a page without links gives, goes to a bank
that pays everybody the same (the virtual page of Abiteboul et al.); so the estimate goes to the PageRank
with that damping as pages are fetched again and again.
"""

import numpy as np
from numpy.typing import NDArray

from gossamer.core.kernel import kernel
from gossamer.policy.order.array_packing import pack, pack_parts, unpack, unpack_parts
from gossamer.policy.order.backlinks import look_up
from gossamer.policy.order.bank import DIVIDEND, ELSEWHERE, Bank, pay
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


class Opic(Policy):
    """The page with the most cash comes first; everything is in memory and exact.

    A seed brings cash of 1 along. The bank pays by a *dividend* that every page has a right to from when it
    began to wait. Cash is written down without the dividends of all time: a page joins with as much
    less as others had got before. So paying costs nothing, and scores stay comparable.
    """

    needs = Needs.LINKS
    travels = True

    def __init__(self, damping: float = 0.9, grain: float = 0.0) -> None:
        self._damping = damping
        self._pages = Pages(grain)
        self._cash: Scores = np.zeros(0)
        self._history: Scores = np.zeros(0)
        self._is_member: NDArray[np.bool_] = np.zeros(0, np.bool_)
        """Has it a right to dividends?"""
        self._bank = Bank()

    def learn(self, crawled: Crawled) -> None:
        sources, offsets, targets = self._pages.take(crawled)
        self._grow()
        accounts = (self._cash, self._history, self._is_member, self._bank.sums)
        _flow(sources, offsets, targets, *accounts, self._damping)
        self._pages.touch(targets)

    def learn_again(self, crawled: Crawled) -> None:
        """Share the cash that a page got since among its present links; the cash given before is spent."""
        self.learn(crawled)

    def score(self, waiting: Waiting) -> Scores:
        numbers = self._pages.await_turn(waiting.keys)
        self._grow()
        new = np.unique(numbers[~self._is_member[numbers]])
        self._is_member[new] = True
        self._cash[new] -= self._bank.dividend
        self._bank.enrol(len(new))
        self._cash[numbers[waiting.depths == 0]] += 1.0
        scores = self._cash[numbers]
        self._pages.mark_reported(numbers, scores)
        return scores

    def revised(self) -> Revised:
        numbers = self._pages.take_touched()
        return self._pages.revise(numbers, self._cash[numbers])

    def worth(self, keys: Keys) -> Scores:
        return look_up(self._totals(), self._pages.find(keys))

    def importance(self) -> tuple[Keys, Scores]:
        """The estimate for every page known: its part of all cash that changed hands; the sum is 1."""
        totals = self._totals()
        return self._pages.keys, totals / totals.sum()

    def cash(self) -> float:
        """All the cash there is, that which is due to other partitions included."""
        count = len(self._pages)
        paid = self._bank.dividend * np.count_nonzero(self._is_member[:count])
        return float(self._cash[:count].sum() + paid + self._bank.due)

    def join(self, partition: int, partitions: int) -> None:
        self._bank.join(partition, partitions)

    @property
    def has_rank_updates(self) -> bool:
        return self._pages.has_due or self._bank.has_news

    def rank_updates(self) -> list[RankUpdate]:
        return self._bank.enclose(empty_accounts(self._pages, self._cash))

    def receive(self, rank_update: RankUpdate) -> None:
        numbers = self._pages.meet(rank_update.keys)
        self._grow()
        self._cash[numbers] += rank_update.amounts
        self._bank.receive(rank_update)
        self._pages.touch(numbers)

    def was_sent(self, rank_update: RankUpdate) -> None:
        self._cash[self._pages.find(rank_update.keys)] -= rank_update.amounts
        self._bank.was_sent(rank_update)

    def statistics(self) -> OrderStatistics:
        return OrderStatistics(pages=len(self._pages))

    def dump(self) -> bytes:
        count = len(self._pages)
        columns = (self._cash[:count], self._history[:count], self._is_member[:count])
        here = pack(*columns, self._bank.sums[:ELSEWHERE])
        elsewhere = self._bank.dump()
        return pack_parts(self._pages.dump(), here, *([elsewhere] if elsewhere else []))

    def load(self, state: bytes) -> None:
        pages, columns, *elsewhere = unpack_parts(state)
        self._pages.load(pages)
        self._cash, self._history, self._is_member, here = unpack(columns)
        self._bank.sums[:ELSEWHERE] = here
        self._bank.load(b"".join(elsewhere))

    def _totals(self) -> Scores:
        """All that each page ever had, its dividends included."""
        count = len(self._pages)
        due = self._bank.dividend * self._is_member[:count]
        totals: Scores = self._history[:count] + self._cash[:count] + due
        return totals

    def _grow(self) -> None:
        count = len(self._pages)
        self._cash = stretch(self._cash, count)
        self._history = stretch(self._history, count)
        self._is_member = stretch(self._is_member, count)


@kernel
def _flow(
    sources: Numbers,
    offsets: Numbers,
    targets: Numbers,
    cash: Scores,
    history: Scores,
    is_member: NDArray[np.bool_],
    bank: Scores,
    damping: float,
) -> None:
    """Each page notes what it has and gives it away."""
    for row in range(len(sources)):
        source, first, end = sources[row], offsets[row], offsets[row + 1]
        dividend = bank[DIVIDEND] if is_member[source] else 0.0
        given = cash[source] + dividend
        history[source] += given
        cash[source] = -dividend
        kept_back = given
        if first < end:
            share = damping * given / (end - first)
            for at in range(first, end):
                cash[targets[at]] += share
            kept_back = (1.0 - damping) * given
        pay(bank, kept_back)
