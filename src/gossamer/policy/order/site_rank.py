"""PageRank of sites: what a page may be worth before anything is known about itself."""

import numpy as np

from gossamer.policy.order.array_packing import pack, pack_parts, unpack, unpack_parts
from gossamer.policy.order.order_protocol import OrderStatistics, Policy
from gossamer.policy.order.policy_batches import Crawled, Needs, Numbers, Revised, Scores, Waiting
from gossamer.policy.order.policy_pages import Pages
from gossamer.policy.order.random_surfer import rank_pages
from gossamer.policy.order.roster import Roster, stretch

_HALF = np.uint64(32)


class SiteRank(Policy):
    """Pages of the host with the highest rank come first.

    Hosts that link to each other are a graph of their own, much smaller than that of pages; an edge
    counts once. Its ranks are a first guess for pages that are new, added to another order with a
    weight: `pagerank + 0.1 * site-rank` (Olston and Najork 2010, section 4.3).
    """

    needs = Needs.LINKS | Needs.SITES

    def __init__(self, damping: float = 0.9, growth: float = 0.1) -> None:
        self._damping = damping
        self._growth = growth
        self._pages = Pages()
        self._hosts = Roster()
        self._edges = Roster()
        """Two host numbers in one key."""
        self._host_of: Numbers = np.zeros(0, np.int64)
        self._ranks: Scores = np.ones(0)
        self._next = 1

    def learn(self, crawled: Crawled) -> None:
        fetched = Crawled(crawled.pages, np.zeros(len(crawled) + 1, np.int64), crawled.targets[:0])
        self._pages.take(fetched)
        self._host_of = stretch(self._host_of, len(self._pages))
        hosts = self._hosts.number(np.repeat(crawled.hosts, np.diff(crawled.offsets)))
        targets = self._hosts.number(crawled.target_hosts)
        is_edge = hosts != targets
        sources = hosts[is_edge].astype(np.uint64) << _HALF
        self._edges.number(sources | targets[is_edge].astype(np.uint64))
        self._ranks = stretch(self._ranks, len(self._hosts), fill=1)
        if len(self._edges) >= self._next:
            self.compute()

    def score(self, waiting: Waiting) -> Scores:
        numbers = self._pages.await_turn(waiting.keys)
        hosts = self._hosts.number(waiting.hosts)
        self._host_of = stretch(self._host_of, len(self._pages))
        self._ranks = stretch(self._ranks, len(self._hosts), fill=1)
        self._host_of[numbers] = hosts
        scores: Scores = self._ranks[hosts]
        self._pages.mark_reported(numbers, scores)
        return scores

    def revised(self) -> Revised:
        numbers = self._pages.take_touched()
        return self._pages.revise(numbers, self._ranks[self._host_of[numbers]])

    def compute(self) -> None:
        """Rank the hosts."""
        count = len(self._hosts)
        edges = np.sort(self._edges.keys)
        sources = (edges >> _HALF).astype(np.int64)
        targets = (edges & np.uint64(0xFFFFFFFF)).astype(np.int32)
        offsets = np.concatenate(([0], np.cumsum(np.bincount(sources, minlength=count))))
        ranks, floor = rank_pages(
            np.arange(count, dtype=np.int32), offsets, targets, np.ones(count), self._damping
        )
        self._ranks[:count] = ranks
        self._ranks[count:] = floor
        self._pages.touch_all()
        self._next = int(len(self._edges) * (1 + self._growth)) + 1

    def statistics(self) -> OrderStatistics:
        return OrderStatistics(len(self._pages), len(self._edges))

    def dump(self) -> bytes:
        columns = pack(
            self._hosts.keys,
            self._edges.keys,
            self._host_of[: len(self._pages)],
            self._ranks,
            np.array([self._next]),
        )
        return pack_parts(self._pages.dump(), columns)

    def load(self, state: bytes) -> None:
        pages, columns = unpack_parts(state)
        self._pages.load(pages)
        hosts, edges, self._host_of, self._ranks, following = unpack(columns)
        self._hosts.number(hosts)
        self._edges.number(edges)
        self._next = int(following[0])
