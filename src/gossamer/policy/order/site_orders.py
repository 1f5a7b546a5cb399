"""Orders by site: one after the other, or the largest first."""

import numpy as np

from gossamer.policy.order.array_packing import pack, pack_parts, unpack, unpack_parts
from gossamer.policy.order.order_protocol import OrderStatistics, Policy
from gossamer.policy.order.policy_batches import Crawled, Needs, Numbers, Revised, Scores, Waiting
from gossamer.policy.order.policy_pages import Pages
from gossamer.policy.order.roster import Roster, stretch


class SiteFirst(Policy):
    """All of the first host met before the second, and so on."""

    needs = Needs.SITES

    def __init__(self) -> None:
        self._hosts = Roster()

    def score(self, waiting: Waiting) -> Scores:
        return -self._hosts.number(waiting.hosts).astype(float)

    def dump(self) -> bytes:
        return pack(self._hosts.keys)

    def load(self, state: bytes) -> None:
        self._hosts.number(unpack(state)[0])


class LargestSites(Policy):
    """Hosts with many waiting pages first (Baeza-Yates et al. 2005).

    So no crawl is left with a few large hosts in the end, which politeness lets through drop by drop.
    When the crawl has grown by `growth`, all waiting pages learn how large their hosts are by now.
    """

    needs = Needs.LINKS | Needs.SITES
    travels = True  # there is nothing to send: a host has one owner

    def __init__(self, growth: float = 0.05) -> None:
        self._growth = growth
        self._pages = Pages()
        self._hosts = Roster()
        self._host_of: Numbers = np.zeros(0, np.int64)
        self._sizes: Scores = np.zeros(0)
        """Waiting pages of each host."""
        self._next = 16

    def learn(self, crawled: Crawled) -> None:
        numbers = self._pages.find(crawled.pages)
        numbers = numbers[(numbers >= 0) & ~self._pages.are_fetched(crawled.pages)]
        np.subtract.at(self._sizes, self._host_of[numbers], 1.0)
        fetched = Crawled(crawled.pages, np.zeros(len(crawled) + 1, np.int64), crawled.targets[:0])
        self._pages.take(fetched)
        self._host_of = stretch(self._host_of, len(self._pages))
        if self._pages.fetched >= self._next:
            self._next = int(self._pages.fetched * (1 + self._growth)) + 16
            self._pages.touch_all()

    def score(self, waiting: Waiting) -> Scores:
        numbers = self._pages.await_turn(waiting.keys)
        hosts = self._hosts.number(waiting.hosts)
        self._host_of = stretch(self._host_of, len(self._pages))
        self._sizes = stretch(self._sizes, len(self._hosts))
        self._host_of[numbers] = hosts
        np.add.at(self._sizes, hosts, 1.0)
        scores: Scores = self._sizes[hosts]
        self._pages.mark_reported(numbers, scores)
        return scores

    def revised(self) -> Revised:
        numbers = self._pages.take_touched()
        return self._pages.revise(numbers, self._sizes[self._host_of[numbers]])

    def statistics(self) -> OrderStatistics:
        return OrderStatistics(pages=len(self._pages))

    def dump(self) -> bytes:
        hosts = len(self._hosts)
        columns = pack(
            self._hosts.keys,
            self._host_of[: len(self._pages)],
            self._sizes[:hosts],
            np.array([self._next]),
        )
        return pack_parts(self._pages.dump(), columns)

    def load(self, state: bytes) -> None:
        pages, columns = unpack_parts(state)
        self._pages.load(pages)
        hosts, self._host_of, self._sizes, following = unpack(columns)
        self._hosts.number(hosts)
        self._next = int(following[0])
