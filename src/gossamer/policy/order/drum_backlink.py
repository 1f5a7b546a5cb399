"""Backlink counts on disk: links go to a DRUM and are counted in batches.

While all counts fit into memory a DRUM answers at once, and this is `backlinks.py`. Later an answer comes
with the next merge: a new page waits with a count of 0 until then, and a page that was linked to meanwhile is
revised. It may have been fetched by then, which does no harm: what does not wait cannot move.
"""

from itertools import pairwise
from pathlib import Path

import numpy as np

from gossamer.policy.order.array_packing import pack_parts, unpack_parts
from gossamer.policy.order.drum_accounts import DISCOVERED, FETCHED, WAITING, DrumAccounts
from gossamer.policy.order.pending_updates import Pile
from gossamer.policy.order.policy_batches import (
    HERE,
    NO_NUMBERS,
    Crawled,
    Keys,
    Needs,
    Numbers,
    Revised,
    Scores,
    Waiting,
)
from gossamer.policy.order.rank_updates import RankUpdate

_NEW, _LINKED = b"n", b"l"
"""What an answer is about: a page that is new, a new link, or this many (then a number follows)."""


class DrumBacklinks(DrumAccounts):
    """The `Backlinks` order for crawls of any size."""

    needs = Needs.LINKS
    travels = True
    account = np.dtype([("count", "<u4"), ("state", "<u1")])

    def __init__(self, folder: Path, memory: int = 64 << 20) -> None:
        super().__init__(folder, memory)
        self._counts: dict[int, int] = {}
        """Waiting pages whose count has become known, and is not yet told."""
        self._pile: Pile | None = None
        """Counts for pages of other partitions, if there are any."""

    def learn(self, crawled: Crawled) -> None:
        self._update(crawled.pages, FETCHED, b"")
        places = _distinct_targets(crawled)
        if self._pile is not None and len(crawled.owners):
            is_abroad = crawled.owners[places] != HERE
            abroad, places = places[is_abroad], places[~is_abroad]
            self._pile.add(crawled.owners[abroad], crawled.targets[abroad], np.ones(len(abroad)))
        self._update(crawled.targets[places], DISCOVERED, _LINKED, count=1)
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

    # In one of several partitions.

    def join(self, partition: int, partitions: int) -> None:
        self._pile = Pile()

    @property
    def has_rank_updates(self) -> bool:
        return self._pile is not None and self._pile.has_news

    def rank_updates(self) -> list[RankUpdate]:
        return self._pile.take() if self._pile is not None else []

    def receive(self, rank_update: RankUpdate) -> None:
        counts = rank_update.amounts.astype(np.uint32)
        abouts = [_LINKED + count.tobytes() for count in counts]
        for part in self._parts(len(counts)):
            changes = self._changes(len(counts[part]), count=counts[part])
            self._accounts.check_update(rank_update.keys[part], changes, abouts[part])
        self._settle()

    def was_sent(self, rank_update: RankUpdate) -> None:
        assert self._pile is not None
        self._pile.was_sent(rank_update)

    # Recorded.

    def dump(self) -> bytes:
        accounts = self._accounts.checkpoint()
        return accounts if self._pile is None else pack_parts(accounts, self._pile.dump())

    def load(self, state: bytes) -> None:
        if self._pile is not None:
            state, pile = unpack_parts(state)
            self._pile.load(pile)
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
            links = np.array([_links_in(one) for one in data])
            is_linked = links > 0
            counts = before["count"] + links
            is_reported = np.where(
                is_linked, before["state"] == WAITING, before["state"] != FETCHED
            )
            is_reported &= counts > 0
            self._counts.update(
                zip(answers.keys[is_reported].tolist(), counts[is_reported].tolist(), strict=True)
            )


def _links_in(about: bytes) -> int:
    """The number of links that an answer is about."""
    if about[:1] != _LINKED:
        return 0
    return int.from_bytes(about[1:], "little") or 1


def _distinct_targets(crawled: Crawled) -> Numbers:
    """The targets of all pages; a page counts once for each, and not for itself."""
    places = [NO_NUMBERS]
    for page, (first, end) in zip(crawled.pages, pairwise(crawled.offsets.tolist()), strict=True):
        row, where = np.unique(crawled.targets[first:end], return_index=True)
        places.append(first + where[row != page])
    return np.concatenate(places)
