"""IC: any weighted sum of other orders (Cho et al. 1998, section 2)."""

from collections.abc import Sequence
from functools import reduce
from operator import or_

import numpy as np
from msgspec.structs import replace

from gossamer.policy.order.array_packing import pack, pack_parts, unpack, unpack_parts
from gossamer.policy.order.order_protocol import OrderStatistics, Policy, can_travel
from gossamer.policy.order.policy_batches import (
    Crawled,
    Keys,
    Needs,
    Numbers,
    Revised,
    Scores,
    Waiting,
)
from gossamer.policy.order.rank_updates import RankUpdate
from gossamer.policy.order.roster import Roster, stretch


class Combination(Policy):
    """k1·O1 + k2·O2 + …; each part keeps its own scale, so the weights have to fit these."""

    def __init__(self, parts: Sequence[tuple[float, Policy]]) -> None:
        self._weights = [weight for weight, _ in parts]
        self._parts = [policy for _, policy in parts]
        self.needs = reduce(or_, (part.needs for part in self._parts), Needs.NOTHING)
        self.travels = all(map(can_travel, self._parts))
        self._roster = Roster()
        self._columns: list[Scores] = [np.zeros(0) for _ in parts]

    def learn(self, crawled: Crawled) -> None:
        for part in self._parts:
            if Needs.LINKS in part.needs:
                part.learn(crawled)

    def learn_again(self, crawled: Crawled) -> None:
        for part in self._parts:
            part.learn_again(crawled)

    def expect_returns(self) -> None:
        for part in self._parts:
            part.expect_returns()

    def score(self, waiting: Waiting) -> Scores:
        numbers = self._number(waiting.keys)
        for column, part in zip(self._columns, self._parts, strict=True):
            column[numbers] = part.score(waiting)
        return self._total(numbers)

    def revised(self) -> Revised:
        changed = [self._take(place, part.revised()) for place, part in enumerate(self._parts)]
        numbers = np.unique(np.concatenate(changed))
        return Revised(self._roster.keys[numbers], self._total(numbers))

    def worth(self, keys: Keys) -> Scores:
        worths = [part.worth(keys) for part in self._parts]
        return np.asarray(self._weights) @ np.array(worths)

    def join(self, partition: int, partitions: int) -> None:
        for part in self._parts:
            part.join(partition, partitions)

    @property
    def has_rank_updates(self) -> bool:
        return any(part.has_rank_updates for part in self._parts)

    def rank_updates(self) -> list[RankUpdate]:
        return [
            replace(rank_update, path=(place, *rank_update.path))
            for place, part in enumerate(self._parts)
            for rank_update in part.rank_updates()
        ]

    def receive(self, rank_update: RankUpdate) -> None:
        place, *path = rank_update.path
        self._parts[place].receive(replace(rank_update, path=tuple(path)))

    def was_sent(self, rank_update: RankUpdate) -> None:
        place, *path = rank_update.path
        self._parts[place].was_sent(replace(rank_update, path=tuple(path)))

    def statistics(self) -> OrderStatistics:
        parts = [part.statistics() for part in self._parts]
        return OrderStatistics(
            max(part.pages for part in parts),
            max(part.links for part in parts),
            max(part.computed for part in parts),
            sum(part.disk_bytes for part in parts),
        )

    def dump(self) -> bytes:
        columns = pack(
            self._roster.keys, *(column[: len(self._roster)] for column in self._columns)
        )
        return pack_parts(columns, *(part.dump() for part in self._parts))

    def load(self, state: bytes) -> None:
        columns, *parts = unpack_parts(state)
        keys, *self._columns = unpack(columns)
        self._roster.number(keys)
        for part, its_state in zip(self._parts, parts, strict=True):
            part.load(its_state)

    def checkpoint_published(self) -> None:
        for part in self._parts:
            part.checkpoint_published()

    @property
    def disk_bytes(self) -> int:
        return sum(part.disk_bytes for part in self._parts)

    def verify(self) -> None:
        for part in self._parts:
            part.verify()

    def close(self) -> None:
        for part in self._parts:
            part.close()

    def _number(self, keys: Keys) -> Numbers:
        numbers = self._roster.number(keys)
        self._columns = [stretch(column, len(self._roster)) for column in self._columns]
        return numbers

    def _take(self, place: int, revised: Revised) -> Numbers:
        numbers = self._roster.find(revised.keys)
        self._columns[place][numbers] = revised.scores
        return numbers

    def _total(self, numbers: Numbers) -> Scores:
        total = np.zeros(len(numbers))
        for weight, column in zip(self._weights, self._columns, strict=True):
            total += weight * column[numbers]
        return total
