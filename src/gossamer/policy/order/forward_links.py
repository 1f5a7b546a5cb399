"""Forward link count IF: pages that are likely to have many links (Cho et al. 1998, section 2)."""

import numpy as np

from gossamer.base.kernel import kernel
from gossamer.policy.order.backlinks import look_up
from gossamer.policy.order.batches import Crawled, Keys, Needs, Numbers, Revised, Scores, Waiting
from gossamer.policy.order.packing import pack, pack_parts, unpack, unpack_parts
from gossamer.policy.order.pages import Pages
from gossamer.policy.order.protocol import OrderStatistics, Policy
from gossamer.policy.order.roster import stretch


class ForwardLinks(Policy):
    """Directories first.

    The links of a page are known when it was fetched, which is too late. Pages are like those that
    name them; so a waiting page is scored by the mean number of links of the pages that link to it.
    """

    needs = Needs.LINKS

    def __init__(self, grain: float = 0.0) -> None:
        self._pages = Pages(grain)
        self._links: Scores = np.zeros(0)
        """Of a fetched page its own links."""
        self._sums: Scores = np.zeros(0)
        self._counts: Scores = np.zeros(0)

    def learn(self, crawled: Crawled) -> None:
        sources, offsets, targets = self._pages.take(crawled)
        self._make_room()
        _spread(sources, offsets, targets, self._links, self._sums, self._counts)
        self._pages.touch(targets)

    def score(self, waiting: Waiting) -> Scores:
        numbers = self._pages.await_turn(waiting.keys)
        self._make_room()
        scores = self._estimates(numbers)
        self._pages.tell(numbers, scores)
        return scores

    def revised(self) -> Revised:
        numbers = self._pages.take_touched()
        return self._pages.revise(numbers, self._estimates(numbers))

    def worth(self, keys: Keys) -> Scores:
        return look_up(self._links, self._pages.find(keys))

    def statistics(self) -> OrderStatistics:
        return OrderStatistics(pages=len(self._pages))

    def dump(self) -> bytes:
        count = len(self._pages)
        columns = pack(self._links[:count], self._sums[:count], self._counts[:count])
        return pack_parts(self._pages.dump(), columns)

    def load(self, state: bytes) -> None:
        pages, columns = unpack_parts(state)
        self._pages.load(pages)
        self._links, self._sums, self._counts = unpack(columns)

    def _estimates(self, numbers: Numbers) -> Scores:
        estimates: Scores = self._sums[numbers] / np.maximum(self._counts[numbers], 1.0)
        return estimates

    def _make_room(self) -> None:
        count = len(self._pages)
        self._links = stretch(self._links, count)
        self._sums = stretch(self._sums, count)
        self._counts = stretch(self._counts, count)


@kernel
def _spread(
    sources: Numbers,
    offsets: Numbers,
    targets: Numbers,
    links: Scores,
    sums: Scores,
    counts: Scores,
) -> None:
    for row in range(len(sources)):
        degree = float(offsets[row + 1] - offsets[row])
        links[sources[row]] = degree
        for at in range(offsets[row], offsets[row + 1]):
            sums[targets[at]] += degree
            counts[targets[at]] += 1.0
