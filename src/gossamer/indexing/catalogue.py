"""Which pages an index shall have: each once, with the URLs of its copies."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gossamer.base.finished_ranks import RANKS_FILE
from gossamer.crawl.earlier_crawls import print_of
from gossamer.harvest.index.fields import key_of
from gossamer.harvest.store.batches import read_batches
from gossamer.stored.newest import newest_places
from gossamer.stored.pages import PagesOnRecord, Row
from gossamer.stored.rows import OnRecord

Keys = NDArray[np.uint64]

_COLUMNS = (
    "url", "fetched_at", "status", "digest", "duplicate_of", "same_text_as", "near_of", "is_indexable",
    "is_soft_error", "redirect_to",
)  # fmt: skip
_MOST_COPIES = 50
"""URLs of copies that a page remembers."""
_STEPS = 5
"""From a copy to its original, from a redirect to its end: more are not followed."""
_GRADES = 32
"""Ranks change a little each time. Only if a page comes into another grade, it is written anew."""


class Catalogue:
    """The pages of an index, by number; in ascending order of their keys."""

    def __init__(self, record: OnRecord, path: Path) -> None:
        rows = [*_wanted(record)]
        urls = np.array([key_of(row["url"]) for row in rows], np.uint64)
        leads = np.array([_lead(row) for row in rows], np.uint64)
        is_copy = _are_copies(urls, leads)
        own = [row for row, copy in zip(rows, is_copy.tolist(), strict=True) if not copy]
        own.sort(key=lambda row: key_of(row["url"]))
        self.urls = [row["url"] for row in own]
        self.keys = np.array([key_of(url) for url in self.urls], np.uint64)
        self.prints = np.array([print_of(row["digest"]) for row in own], np.uint64)
        self.groups = np.array([key_of(row["near_of"] or row["url"]) for row in own], np.uint64)
        self._same = _Links([*_steps(urls[is_copy], leads[is_copy]), *_redirects(record)])
        self.copies = self._copies(
            [row["url"] for row, one in zip(rows, is_copy.tolist(), strict=True) if one]
        )
        self.grades = _grades(path / RANKS_FILE, self.keys)

    def __len__(self) -> int:
        return len(self.keys)

    def find(self, keys: Keys) -> NDArray[np.int64]:
        """The numbers of pages by the keys of URLs, also of copies and redirects; -1 for others."""
        return _places(self.keys, self._same.follow(keys))

    def _copies(self, urls: list[str]) -> dict[int, list[str]]:
        found = defaultdict[int, list[str]](list)
        numbers = self.find(np.array([key_of(url) for url in urls], np.uint64))
        for url, number in zip(urls, numbers.tolist(), strict=True):
            if number >= 0 and len(found[number]) < _MOST_COPIES:
                found[number].append(url)
        return found


def _wanted(record: OnRecord) -> Iterator[Row]:
    """The newest version of each page that may be found."""
    pages = PagesOnRecord(record, _COLUMNS)
    for rows in pages.some(newest_places(record)):
        for row in rows:
            if row["digest"] and row["is_indexable"] is not False and not row["is_soft_error"]:
                yield row


def _lead(row: Row) -> int:
    return key_of(row["duplicate_of"] or row["same_text_as"] or row["url"])


def _are_copies(urls: Keys, leads: Keys) -> NDArray[np.bool_]:
    """Those whose original is there too, and that are not the original of their original."""
    there = np.isin(leads, urls) & (leads != urls)
    ends = _Links([*_steps(urls[there], leads[there])]).follow(urls)
    return np.asarray(there & (ends != urls))


def _steps(one: Keys, other: Keys) -> Iterator[tuple[int, int]]:
    return zip(one.tolist(), other.tolist(), strict=True)


def _redirects(record: OnRecord) -> Iterator[tuple[int, int]]:
    for rows in PagesOnRecord(record, ("url", "fetched_at", "redirect_to")).batches():
        for row in rows:
            if row["redirect_to"]:
                yield key_of(row["url"]), key_of(row["redirect_to"])


class _Links:
    """From keys to others, some steps far."""

    def __init__(self, steps: Iterable[tuple[int, int]]) -> None:
        found = np.array(sorted(dict(steps).items()), np.uint64).reshape(-1, 2)
        self._from, self._to = found[:, 0].copy(), found[:, 1].copy()

    def follow(self, keys: Keys) -> Keys:
        keys = keys.copy()
        for _ in range(_STEPS if len(self._from) else 0):
            places = _places(self._from, keys)
            is_known = places >= 0
            if not is_known.any():
                break
            keys[is_known] = self._to[places[is_known]]
        return keys


def _places(known: Keys, keys: Keys) -> NDArray[np.int64]:
    """Where keys stand in others, which ascend; -1 for those that do not."""
    if not len(known):
        return np.full(len(keys), -1, np.int64)
    places = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    return np.where(known[places] == keys, places, -1)


def _grades(path: Path, keys: Keys) -> NDArray[np.int64]:
    """What pages are worth, from 0 to 32 on a logarithmic scale; nothing without ranks."""
    ranks = np.zeros(len(keys))
    if path.is_file():
        for batch in read_batches(path, ("url", "pagerank")):
            found = _places(keys, np.array([*map(key_of, batch.column(0).to_pylist())], np.uint64))
            values = np.array(batch.column(1).to_pylist(), float)
            ranks[found[found >= 0]] = values[found >= 0]
    there = ranks[ranks > 0]
    if not len(there) or there.max() == there.min():
        return np.zeros(len(keys), np.int64)
    scale = np.log(there.max() / there.min())
    grades = np.log(np.maximum(ranks, there.min()) / there.min()) / scale * _GRADES
    return np.asarray(np.rint(grades), np.int64)
