"""Backlink counts on disk: links go to a DRUM and are counted in batches.

While all counts fit into memory a DRUM answers at once, and this is `backlink.py`. Later an answer comes with
the next merge: a new page waits with a count of 0 until then, and a page that was linked to meanwhile is
revised. It may have been fetched by then, which does no harm: what does not wait cannot move.
"""

from itertools import pairwise
from pathlib import Path

import numpy as np

from gossamer.policy.order.batches import NO_KEYS, Crawled, Keys, Needs, Revised, Scores, Waiting
from gossamer.policy.order.drum_accounts import FETCHED, HEARD_OF, WAITING, DrumAccounts

_NEW, _LINKED = b"n", b"l"
"""What an answer is about: a page that is new, or one that got a link."""


class DrumBacklinks(DrumAccounts):
    """The `Backlinks` order for crawls of any size."""

    needs = Needs.LINKS
    account = np.dtype([("count", "<u4"), ("state", "<u1")])

    def __init__(self, folder: Path, memory: int = 64 << 20) -> None:
        super().__init__(folder, memory)
        self._counts: dict[int, int] = {}
        """Waiting pages whose count has become known, and is not yet told."""

    def learn(self, crawled: Crawled) -> None:
        self._update(crawled.pages, FETCHED, b"")
        targets = _distinct_targets(crawled)
        self._update(targets, HEARD_OF, _LINKED, count=1)
        self._settle()

    def score(self, waiting: Waiting) -> Scores:
        """The counts, as far as they are known at once; the others come with `revised`."""
        self._update(waiting.keys, WAITING, _NEW)
        self._settle()
        return np.array([self._counts.pop(key, 0) for key in waiting.keys.tolist()], np.float64)

    def revised(self) -> Revised:
        self._settle()
        if not self._counts:
            return Revised()
        keys = np.fromiter(self._counts.keys(), np.uint64)
        scores = np.fromiter(self._counts.values(), np.float64)
        self._counts = {}
        return Revised(keys, scores)

    def dump(self) -> bytes:
        return self._accounts.checkpoint()

    def load(self, state: bytes) -> None:
        self._accounts = self._open(state)

    # Inside.

    def _update(self, keys: Keys, state: int, about: bytes, count: int = 0) -> None:
        for part in self._parts(len(keys)):
            some = keys[part]
            changes = self._changes(len(some), count=count, state=state)
            if about:
                self._accounts.check_update(some, changes, [about] * len(some))
            else:
                self._accounts.update(some, changes)

    def _settle(self) -> None:
        for answers in self._accounts.answers():
            if not len(answers):
                continue
            before = answers.values
            assert before is not None
            data = answers.aux.select(np.ones(len(answers), np.bool_))
            is_linked = np.array([one == _LINKED for one in data], np.bool_)
            counts = before["count"] + is_linked
            is_told = np.where(is_linked, before["state"] == WAITING, before["state"] != FETCHED)
            is_told &= counts > 0
            self._counts.update(
                zip(answers.keys[is_told].tolist(), counts[is_told].tolist(), strict=True)
            )


def _distinct_targets(crawled: Crawled) -> Keys:
    """The targets of all pages; a page counts once for each, and not for itself."""
    rows = [
        np.unique(crawled.targets[first:end][crawled.targets[first:end] != page])
        for page, (first, end) in zip(
            crawled.pages, pairwise(crawled.offsets.tolist()), strict=True
        )
    ]
    return np.concatenate([NO_KEYS, *rows])
