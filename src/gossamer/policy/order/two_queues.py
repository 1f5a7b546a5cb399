"""The similarity-based crawler with a hot queue (Cho et al. 1998, algorithms 5.2 and 5.3)."""

import numpy as np
from msgspec.structs import replace
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
from gossamer.policy.order.rank_updates import RankUpdate
from gossamer.policy.order.roster import stretch
from gossamer.policy.order.squash import in_classes
from gossamer.policy.order.word_similarity import OrderVocabulary

_FAR = np.int16(1 << 14)
_NEVER = 2.0 * (1 << 14)
"""What stands for a page of which there is nothing to send: far from all hot pages, and not named."""
_INNER, _OWN = 0, 1


class TwoQueues(Around):
    """A hot queue before all others; within both, another policy's order.

    Hot are URLs with one of the words in them or in the text of a link to them, and those within `reach`
    links of a hot page. A page is hot when one of the words is in its title or stands `often` times
    in its text. `reach=0` is algorithm 5.2, without distances. The paper's text says within 3 links, its
    algorithm 5.3 fewer than 3; this is the text's. A waiting page that turns out to be hot moves to the
    hot queue, which the paper's algorithms do not do.

    In several partitions the least distance, and whether a link names a page, go to its owner when they have
    become better. To hear the same twice changes nothing.
    """

    def __init__(
        self, inner: Policy, words: tuple[str, ...], reach: int = 3, often: int = 10
    ) -> None:
        if not words:
            raise SettingsError("the order two-queues needs a topic: two-queues:words=…")
        super().__init__(inner)
        self.needs = inner.needs | Needs.LINKS | Needs.WORDS | Needs.TEXT
        self._vocabulary = OrderVocabulary(words)
        self._reach = reach
        self._often = often
        self._distance: NDArray[np.int16] = np.zeros(0, np.int16)
        """Links from the nearest hot page, as far as is known."""
        self._is_named: NDArray[np.bool_] = np.zeros(0, np.bool_)
        self._sent: Scores = np.zeros(0)
        """The last that the owner of a page abroad was sent, as a number (`_code`)."""

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

    @property
    def has_rank_updates(self) -> bool:
        return self._pages.has_due or self._inner.has_rank_updates

    def rank_updates(self) -> list[RankUpdate]:
        """Those of the inner order have a path that begins with 0."""
        found = [
            replace(update, path=(_INNER, *update.path)) for update in self._inner.rank_updates()
        ]
        for partition, numbers in self._pages.take_due():
            codes = self._code(numbers)
            is_news = codes != self._sent[numbers]
            numbers, codes = numbers[is_news], codes[is_news]
            if len(numbers):
                self._sent[numbers] = codes
                keys = self._pages.keys[numbers]
                found.append(RankUpdate(partition, keys, codes, path=(_OWN,)))
        return found

    def receive(self, rank_update: RankUpdate) -> None:
        which, *path = rank_update.path
        if which == _INNER:
            self._inner.receive(replace(rank_update, path=tuple(path)))
            return
        numbers = self._pages.meet(rank_update.keys)
        self._grow()
        codes = rank_update.amounts.astype(np.int64)
        distance = (codes >> 1).astype(np.int16)
        self._distance[numbers] = np.minimum(self._distance[numbers], distance)
        self._is_named[numbers] |= (codes & 1).astype(np.bool_)
        self._pages.touch(numbers)

    def was_sent(self, rank_update: RankUpdate) -> None:
        which, *path = rank_update.path
        if which == _INNER:
            self._inner.was_sent(replace(rank_update, path=tuple(path)))
            return
        self._sent[self._pages.find(rank_update.keys)] = rank_update.amounts

    def _code(self, numbers: Numbers) -> Scores:
        """Distance and name of pages as one number each."""
        code: Scores = self._distance[numbers].astype(np.float64) * 2.0 + self._is_named[numbers]
        return code

    def dump(self) -> bytes:
        count = len(self._pages)
        columns = (self._scores[:count], self._distance[:count], self._is_named[:count])
        sent = (self._sent[:count],) if (self._sent != _NEVER).any() else ()
        return pack_parts(self._inner.dump(), self._pages.dump(), pack(*columns, *sent))

    def load(self, state: bytes) -> None:
        inner, pages, columns = unpack_parts(state)
        self._inner.load(inner)
        self._pages.load(pages)
        self._scores, self._distance, self._is_named, *sent = unpack(columns)
        self._sent = sent[0] if sent else np.zeros(0)
        self._grow()

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
        self._sent = stretch(self._sent, count, fill=int(_NEVER))


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
