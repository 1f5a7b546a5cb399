"""Similarity IS′ to a driving query, by tf-idf (Cho et al. 1998, section 2)."""

from collections.abc import Sequence

import numpy as np

from gossamer.core.errors import SettingsError
from gossamer.policy.order.array_packing import pack, pack_parts, unpack, unpack_parts
from gossamer.policy.order.order_protocol import OrderStatistics, Policy
from gossamer.policy.order.pending_updates import DUST
from gossamer.policy.order.policy_batches import (
    NO_KEYS,
    NO_SCORES,
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
from gossamer.policy.order.word_similarity import OrderVocabulary

_COLLECTION = -1.0
"""In place of a word's number: counts of words in fetched pages, and not in the anchors of one word."""
_TOGETHER = 4096
"""Pages in one rank update, so that it stays whole: each says which word it is about."""


class Similarity(Policy):
    """Pages whose URL and anchors have most of the query's words, the rarer the better.

    A page is a vector of its words, each weighed by how often it stands there times its idf: one
    divided by how often it stands in the whole collection, here in the pages fetched so far. The
    score is the inner product with the query. Idfs are scaled to a sum of 1, so that scores do not
    shrink as the collection grows. Before a page is fetched, the text of the links to it and its URL
    stand for it; `worth` of a fetched page is by its own text.

    In several partitions the counts of words in anchors go to the owners of the pages, word by word, and
    those in fetched pages to all others, so that there is one collection. Both are sums.
    """

    needs = Needs.LINKS | Needs.WORDS | Needs.TEXT
    travels = True

    def __init__(self, words: tuple[str, ...], grain: float = 0.0) -> None:
        if not words:
            raise SettingsError("the order 'similarity' needs a query; write similarity:words=…")
        self._vocabulary = OrderVocabulary(words)
        self._width = len(self._vocabulary.words)
        self._pages = Pages(grain)
        self._hints: Scores = np.zeros(0)
        """Counts of the query's words in anchors and URL, page by page."""
        self._own: Scores = np.zeros(0)
        """The same in the text of fetched pages."""
        self._collection: Scores = np.zeros(self._width)
        self._due = np.zeros((1, self._width))
        """For each other partition, the counts in pages fetched here that it was not sent yet."""
        self._others: list[int] = []

    def learn(self, crawled: Crawled) -> None:
        sources, _, _ = self._pages.take(crawled)
        targets = self._pages.find(crawled.targets)
        self._grow()
        for source, title, text in zip(sources, crawled.titles, crawled.texts, strict=True):
            counts = self._vocabulary.count(f"{title}\n{text}")
            self._collection += counts
            self._due[self._others] += counts
            self._row(self._own, int(source))[:] = counts
        self._take_anchors(targets, crawled.anchors)

    def score(self, waiting: Waiting) -> Scores:
        numbers = self._pages.await_turn(waiting.keys)
        self._grow()
        for number, url in zip(numbers, waiting.urls, strict=True):
            self._row(self._hints, int(number))[:] += self._vocabulary.count_url(url)
        scores = self._similar(self._hints, numbers)
        self._pages.mark_reported(numbers, scores)
        return scores

    def revised(self) -> Revised:
        numbers = self._pages.take_touched()
        return self._pages.revise(numbers, self._similar(self._hints, numbers))

    def worth(self, keys: Keys) -> Scores:
        numbers = self._pages.find(keys)
        known = np.maximum(numbers, 0)
        return np.where(numbers >= 0, self._similar(self._own, known), 0.0)

    def join(self, partition: int, partitions: int) -> None:
        self._others = [other for other in range(partitions) if other != partition]
        self._due = np.zeros((partitions, self._width))

    @property
    def has_rank_updates(self) -> bool:
        return self._pages.has_due or bool((self._due > DUST).any())

    def rank_updates(self) -> list[RankUpdate]:
        found = [
            update
            for partition, numbers in self._pages.take_due()
            for word in range(self._width)
            for update in self._take_hints(partition, numbers, word)
        ]
        for other in np.flatnonzero((self._due > DUST).any(axis=1)).tolist():
            aside = np.concatenate([[_COLLECTION], self._due[other]])
            found.append(RankUpdate(other, NO_KEYS, NO_SCORES, aside))
            self._due[other] = 0.0
        return found

    def _take_hints(self, partition: int, numbers: Numbers, word: int) -> list[RankUpdate]:
        """Take the counts of a word in anchors of links to pages of another partition."""
        places = numbers * self._width + word
        has_some = np.abs(self._hints[places]) > DUST
        numbers, places = numbers[has_some], places[has_some]
        keys, counts = self._pages.keys[numbers], self._hints[places]
        self._hints[places] = 0.0
        return [
            RankUpdate(partition, keys[part], counts[part], np.array([float(word)]))
            for part in (slice(at, at + _TOGETHER) for at in range(0, len(keys), _TOGETHER))
        ]

    def receive(self, rank_update: RankUpdate) -> None:
        which = rank_update.aside[0]
        if which == _COLLECTION:
            self._collection += rank_update.aside[1:]
            return
        numbers = self._pages.meet(rank_update.keys)
        self._grow()
        self._hints[numbers * self._width + int(which)] += rank_update.amounts
        self._pages.touch(numbers)

    def was_sent(self, rank_update: RankUpdate) -> None:
        which = rank_update.aside[0]
        if which == _COLLECTION:
            self._due[rank_update.partition] -= rank_update.aside[1:]
            return
        numbers = self._pages.find(rank_update.keys)
        self._hints[numbers * self._width + int(which)] -= rank_update.amounts

    def statistics(self) -> OrderStatistics:
        return OrderStatistics(pages=len(self._pages))

    def dump(self) -> bytes:
        size = len(self._pages) * self._width
        due = (self._due.reshape(-1),) if self._others else ()
        columns = pack(self._hints[:size], self._own[:size], self._collection, *due)
        return pack_parts(self._pages.dump(), columns)

    def load(self, state: bytes) -> None:
        pages, columns = unpack_parts(state)
        self._pages.load(pages)
        self._hints, self._own, self._collection, *due = unpack(columns)
        if due:
            self._due = due[0].reshape(self._due.shape)

    def _take_anchors(self, targets: Numbers, anchors: Sequence[str]) -> None:
        for number, anchor in zip(targets.tolist(), anchors, strict=True):
            counts = self._vocabulary.count(anchor)
            if any(counts):
                self._row(self._hints, number)[:] += counts
                self._pages.touch(np.array([number]))

    def _similar(self, counts: Scores, numbers: Numbers) -> Scores:
        idf = 1.0 / (1.0 + self._collection)
        idf /= idf.sum()
        similar: Scores = counts[: len(self._pages) * self._width].reshape(-1, self._width)[
            numbers
        ] @ (idf * idf)
        return similar

    def _row(self, counts: Scores, number: int) -> Scores:
        return counts[number * self._width : (number + 1) * self._width]

    def _grow(self) -> None:
        size = len(self._pages) * self._width
        self._hints = stretch(self._hints, size)
        self._own = stretch(self._own, size)
