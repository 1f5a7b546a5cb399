"""Similarity IS′ to a driving query, by tf-idf (Cho et al. 1998, section 2)."""

from collections.abc import Sequence

import numpy as np

from gossamer.core.errors import SettingsError
from gossamer.policy.order.array_packing import pack, pack_parts, unpack, unpack_parts
from gossamer.policy.order.order_protocol import OrderStatistics, Policy
from gossamer.policy.order.policy_batches import (
    Crawled,
    Keys,
    Needs,
    Numbers,
    Revised,
    Scores,
    Waiting,
)
from gossamer.policy.order.policy_pages import Pages
from gossamer.policy.order.roster import stretch
from gossamer.policy.order.word_similarity import OrderVocabulary


class Similarity(Policy):
    """Pages whose URL and anchors have most of the query's words, the rarer the better.

    A page is a vector of its words, each weighed by how often it stands there times its idf: one
    divided by how often it stands in the whole collection, here in the pages fetched so far. The
    score is the inner product with the query. Idfs are scaled to a sum of 1, so that scores do not
    shrink as the collection grows. Before a page is fetched, the text of the links to it and its URL
    stand for it; `worth` of a fetched page is by its own text.
    """

    needs = Needs.LINKS | Needs.WORDS | Needs.TEXT

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

    def learn(self, crawled: Crawled) -> None:
        sources, _, _ = self._pages.take(crawled)
        targets = self._pages.find(crawled.targets)
        self._grow()
        for source, title, text in zip(sources, crawled.titles, crawled.texts, strict=True):
            counts = self._vocabulary.count(f"{title}\n{text}")
            self._collection += counts
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

    def statistics(self) -> OrderStatistics:
        return OrderStatistics(pages=len(self._pages))

    def dump(self) -> bytes:
        size = len(self._pages) * self._width
        columns = pack(self._hints[:size], self._own[:size], self._collection)
        return pack_parts(self._pages.dump(), columns)

    def load(self, state: bytes) -> None:
        pages, columns = unpack_parts(state)
        self._pages.load(pages)
        self._hints, self._own, self._collection = unpack(columns)

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
