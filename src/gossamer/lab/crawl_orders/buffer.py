"""A crawl that can keep only this many pages: the limited buffer (Cho et al. 1998, section 3)."""

import numpy as np

from gossamer.lab.crawl_orders.known_web import Nodes
from gossamer.policy.order.order_protocol import Policy


class Buffer:
    """The most valuable pages so far, by what the policy believes at the time.

    Of pages of equal worth those that came first stay.
    """

    def __init__(self, policy: Policy, size: int) -> None:
        self._policy = policy
        self._size = size
        self.pages: Nodes = np.zeros(0, np.int64)

    def take(self, nodes: Nodes) -> None:
        self.pages = np.concatenate((self.pages, nodes))
        if len(self.pages) > self._size:
            worth = self._policy.worth(self.pages.astype(np.uint64))
            best = np.argsort(-worth, kind="stable")[: self._size]
            self.pages = self.pages[np.sort(best)]
