"""The similarity-based crawler with a hot queue (Cho et al. 1998, algorithms 5.2 and 5.3)."""

import numpy as np
from numpy.typing import NDArray

from gossamer.core.errors import SettingsError
from gossamer.core.kernel import kernel
from gossamer.policy.order.around import Around
from gossamer.policy.order.array_packing import pack, pack_parts, unpack, unpack_parts
from gossamer.policy.order.backlinks import look_up
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
from gossamer.policy.order.roster import stretch
from gossamer.policy.order.squash import in_classes
from gossamer.policy.order.word_similarity import OrderVocabulary

_FAR = np.int16(1 << 14)


class TwoQueues(Around):
    """A hot queue before all others; within both, another policy's order.

    Hot are URLs with one of the words in them or in the text of a link to them, and those within `reach`
    links of a hot page. A page is hot when one of the words is in its title or stands `often` times
    in its text. `reach=0` is algorithm 5.2, without distances. The paper's text says within 3 links, its
    algorithm 5.3 fewer than 3; this is the text's. A waiting page that turns out to be hot moves to the
    hot queue, which the paper's algorithms do not do.
    """

    def __init__(
        self, inner: Policy, words: tuple[str, ...], reach: int = 3, often: int = 10
    ) -> None:
        if not words:
            raise SettingsError("the order two-queues needs a topic: two-queues:words=…")
        super().__init__(inner)
        self.travels = False  # a distance is no sum
        self.needs = inner.needs | Needs.LINKS | Needs.WORDS | Needs.TEXT
        self._vocabulary = OrderVocabulary(words)
        self._reach = reach
        self._often = often
        self._distance: NDArray[np.int16] = np.zeros(0, np.int16)
        """Links from the nearest hot page, as far as is known."""
        self._is_named: NDArray[np.bool_] = np.zeros(0, np.bool_)

    def learn(self, crawled: Crawled) -> None:
        if Needs.LINKS in self._inner.needs:
            self._inner.learn(crawled)
        sources, offsets, targets = self._pages.take(crawled)
        self._grow()
        hot = np.array(list(map(self._is_about, crawled.titles, crawled.texts)), np.bool_)
        self._distance[sources[hot]] = 0
        _approach(sources, offsets, targets, self._distance)
        self._is_named[self._pages.find(crawled.targets)] |= self._are_named(crawled)
        self._pages.touch(targets)

    def score(self, waiting: Waiting) -> Scores:
        numbers = self._pages.await_turn(waiting.keys)
        self._grow()
        self._is_named[numbers] |= np.array([self._names(url) for url in waiting.urls], np.bool_)
        self._scores[numbers] = self._inner.score(waiting)
        scores = self._classed(numbers)
        self._pages.mark_reported(numbers, scores)
        return scores

    def revised(self) -> Revised:
        self._take_over()
        touched = self._pages.take_touched()
        return self._pages.revise(touched, self._classed(touched))

    def worth(self, keys: Keys) -> Scores:
        near = look_up(1.0 / (1.0 + self._distance.astype(float)), self._pages.find(keys))
        return in_classes(near >= 1.0, near)

    def dump(self) -> bytes:
        count = len(self._pages)
        columns = (self._scores[:count], self._distance[:count], self._is_named[:count])
        return pack_parts(self._inner.dump(), self._pages.dump(), pack(*columns))

    def load(self, state: bytes) -> None:
        inner, pages, columns = unpack_parts(state)
        self._inner.load(inner)
        self._pages.load(pages)
        self._scores, self._distance, self._is_named = unpack(columns)

    def _is_about(self, title: str, text: str) -> bool:
        return self._vocabulary.total(title) > 0 or self._vocabulary.total(text) >= self._often

    def _are_named(self, crawled: Crawled) -> NDArray[np.bool_]:
        total = self._vocabulary.total
        return np.array([total(anchor) > 0 for anchor in crawled.anchors], np.bool_)

    def _names(self, url: str) -> bool:
        return any(self._vocabulary.count_url(url))

    def _classed(self, numbers: Numbers) -> Scores:
        is_near = (self._distance[numbers] <= self._reach) & (self._reach > 0)
        return in_classes(is_near | self._is_named[numbers], self._scores[numbers])

    def _grow(self) -> None:
        count = len(self._pages)
        self._scores = stretch(self._scores, count)
        self._distance = stretch(self._distance, count, fill=int(_FAR))
        self._is_named = stretch(self._is_named, count)


@kernel
def _approach(
    sources: Numbers, offsets: Numbers, targets: Numbers, distance: NDArray[np.int16]
) -> None:
    """A page that is linked to is one link further than the page that links to it, or closer."""
    for row in range(len(sources)):
        step = distance[sources[row]] + 1
        for at in range(offsets[row], offsets[row + 1]):
            if step < distance[targets[at]]:
                distance[targets[at]] = step
