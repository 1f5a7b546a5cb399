"""OPIC's virtual page: a bank that pays all pages the same, in whatever partition they are.

It pays by a *dividend* that every member has a right to from when it joined. Each partition has a branch,
which pays its own members. Of what it takes in, the other branches get as much as they have members, by
what they last told; a branch that is told of a sum pays it to its members by then. So every
page gets about the same, and what is paid is always what was taken in.
"""

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from gossamer.core.kernel import kernel
from gossamer.policy.order.array_packing import pack, unpack
from gossamer.policy.order.pending_updates import DUST
from gossamer.policy.order.policy_batches import NO_SCORES, Scores
from gossamer.policy.order.rank_updates import RankUpdate

DIVIDEND, MEMBERS, ELSEWHERE, DUE = range(4)
"""The dividend of all time, members here and elsewhere, and what is due to those."""


class Bank:
    """One branch.

    >>> bank = Bank()
    >>> bank.join(0, 2)
    >>> bank.receive(RankUpdate(1, aside=np.array([0.0, 30.0])))
    >>> bank.enrol(10)
    >>> pay(bank.sums, 1.0)
    >>> bank.dividend, [rank_update.aside.tolist() for rank_update in bank.enclose([])]
    (0.025, [[0.75, 10.0]])
    """

    def __init__(self) -> None:
        self.sums: Scores = np.zeros(4)
        self._others: list[int] = []
        self._members: Scores = NO_SCORES
        """Members of each partition, as far as it has told; here 0."""
        self._reported: Scores = NO_SCORES
        """How many of our members each partition knows of."""

    def join(self, partition: int, partitions: int) -> None:
        """It is a branch among others."""
        self._others = [other for other in range(partitions) if other != partition]
        self._members, self._reported = np.zeros(partitions), np.zeros(partitions)

    @property
    def dividend(self) -> float:
        return float(self.sums[DIVIDEND])

    @property
    def members(self) -> float:
        return float(self.sums[MEMBERS])

    @property
    def due(self) -> float:
        """Cash that was taken in and belongs to members elsewhere."""
        return float(self.sums[DUE])

    def enrol(self, count: int) -> None:
        """This many pages join; they have no right to what was paid before."""
        self.sums[MEMBERS] += count

    @property
    def has_news(self) -> bool:
        """Is there something to tell the other branches?"""
        return self._has_due or bool((self._reported[self._others] != self.members).any())

    def enclose(self, rank_updates: Sequence[RankUpdate]) -> list[RankUpdate]:
        """Rank updates with what the other branches get: their shares, and how many members there are
        more."""
        found = {rank_update.partition: rank_update for rank_update in rank_updates}
        if self.has_news:
            due = self.due if self._has_due else 0.0
            for one in self._others:
                share = due * self._members[one] / max(self.sums[ELSEWHERE], 1.0)
                aside = np.array([share, self.members - self._reported[one]])
                found[one] = replace(found.get(one, RankUpdate(one)), aside=aside)
                self.was_sent(found[one])
        return list(found.values())

    def receive(self, rank_update: RankUpdate) -> None:
        """Another branch has something for our members, and more members itself."""
        for cash, more in rank_update.aside.reshape(-1, 2).tolist():
            self._members[rank_update.partition] += more
            self.sums[ELSEWHERE] += more
            if self.members:
                self.sums[DIVIDEND] += cash / self.members
            else:  # after a crash pages may not wait again yet; then others get it
                self.sums[DUE] += cash

    def was_sent(self, rank_update: RankUpdate) -> None:
        for cash, more in rank_update.aside.reshape(-1, 2).tolist():
            self.sums[DUE] -= cash
            self._reported[rank_update.partition] += more

    def dump(self) -> bytes:
        """The state that concerns other branches; empty when there are none."""
        return pack(self.sums[ELSEWHERE:], self._members, self._reported) if self._others else b""

    def load(self, state: bytes) -> None:
        if state:
            self.sums[ELSEWHERE:], self._members, self._reported = unpack(state)

    @property
    def _has_due(self) -> bool:
        return self.due > DUST and self.sums[ELSEWHERE] > 0


@kernel
def pay(sums: Scores, cash: float) -> None:
    """Pay cash to all members, those elsewhere included."""
    share = cash / max(sums[MEMBERS] + sums[ELSEWHERE], 1.0)
    sums[DIVIDEND] += share
    sums[DUE] += share * sums[ELSEWHERE]
