"""This many pages of a domain first, the rest of it last (Fetterly, Craswell, Vinay 2009)."""

import numpy as np
from numpy.typing import NDArray

from gossamer.policy.order.around import Around
from gossamer.policy.order.array_packing import pack, pack_parts, unpack, unpack_parts
from gossamer.policy.order.order_protocol import Policy
from gossamer.policy.order.policy_batches import (
    Crawled,
    Keys,
    Needs,
    Numbers,
    Revised,
    Scores,
    Waiting,
)
from gossamer.policy.order.roster import Roster, stretch
from gossamer.policy.order.squash import in_classes


class DomainCaps(Around):
    """Another policy's order, with at most `limit` pages of each pay-level domain before all others.

    All pages of a domain are in one partition, so that a cap needs no word of others.
    """

    def __init__(self, inner: Policy, limit: int = 1000) -> None:
        super().__init__(inner)
        self.needs = inner.needs | Needs.LINKS | Needs.SITES
        self._limit = limit
        self._domains = Roster()
        self._domain_of: Numbers = np.zeros(0, np.int64)
        self._fetched: Numbers = np.zeros(0, np.int64)
        """Pages fetched of each domain."""
        self._is_new_full = False

    def learn(self, crawled: Crawled) -> None:
        if Needs.LINKS in self._inner.needs:
            self._inner.learn(crawled)
        numbers = self._pages.find(crawled.pages)
        numbers = numbers[(numbers >= 0) & ~self._pages.are_fetched(crawled.pages)]
        domains = self._domain_of[numbers]
        before = self._fetched[domains] < self._limit
        np.add.at(self._fetched, domains, 1)
        self._is_new_full |= bool((before & (self._fetched[domains] >= self._limit)).any())
        fetched = Crawled(crawled.pages, np.zeros(len(crawled) + 1, np.int64), crawled.targets[:0])
        self._pages.take(fetched)
        self._grow()

    def score(self, waiting: Waiting) -> Scores:
        numbers = self._pages.await_turn(waiting.keys)
        domains = self._domains.number(waiting.domains)
        self._grow()
        self._domain_of[numbers] = domains
        self._scores[numbers] = self._inner.score(waiting)
        scores = self._capped(numbers)
        self._pages.mark_reported(numbers, scores)
        return scores

    def revised(self) -> Revised:
        self._take_over()
        if self._is_new_full:
            self._is_new_full = False
            self._pages.touch(np.flatnonzero(self._are_over(np.arange(len(self._pages)))))
        touched = self._pages.take_touched()
        return self._pages.revise(touched, self._capped(touched))

    def worth(self, keys: Keys) -> Scores:
        return self._inner.worth(keys)

    def dump(self) -> bytes:
        count, domains = len(self._pages), len(self._domains)
        columns = pack(
            self._domains.keys,
            self._domain_of[:count],
            self._scores[:count],
            self._fetched[:domains],
        )
        return pack_parts(self._inner.dump(), self._pages.dump(), columns)

    def load(self, state: bytes) -> None:
        inner, pages, columns = unpack_parts(state)
        self._inner.load(inner)
        self._pages.load(pages)
        domains, self._domain_of, self._scores, self._fetched = unpack(columns)
        self._domains.number(domains)

    def _are_over(self, numbers: Numbers) -> NDArray[np.bool_]:
        are_over: NDArray[np.bool_] = self._fetched[self._domain_of[numbers]] >= self._limit
        return are_over

    def _capped(self, numbers: Numbers) -> Scores:
        return in_classes(~self._are_over(numbers), self._scores[numbers])

    def _grow(self) -> None:
        count = len(self._pages)
        self._domain_of = stretch(self._domain_of, count)
        self._scores = stretch(self._scores, count)
        self._fetched = stretch(self._fetched, len(self._domains))
