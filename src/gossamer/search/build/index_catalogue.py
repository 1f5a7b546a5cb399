"""The pages that an index shall have: each once, with the URLs of its copies."""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gossamer.archive.committed_rows import CommittedRows
from gossamer.archive.latest_rows import latest_places
from gossamer.archive.page_rows import CommittedPages, Row
from gossamer.core.finished_ranks import RANKS_FILE, check_is_current
from gossamer.engine.earlier_crawls import print_of
from gossamer.output.parquet_batches import read_batches
from gossamer.search.fields import key_of

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
"""Ranks change a little each time. Only if a page comes into another grade, it is written again."""


class Catalogue:
    """The pages of an index, by number; in ascending order of their keys."""

    def __init__(self, record: CommittedRows, path: Path) -> None:
        rows = _Rows(record)
        is_copy = _are_copies(rows.keys, rows.leads)
        own = np.flatnonzero(~is_copy)
        own = own[np.argsort(rows.keys[own], kind="stable")]
        self._urls, self._places = rows.urls, own
        self.keys, self.prints, self.groups = rows.keys[own], rows.prints[own], rows.groups[own]
        steps = [*_redirects(record), *_steps(rows.keys[is_copy], rows.leads[is_copy])]
        self._same = _Links(steps, self.keys)
        self.copies = self._copies([rows.urls[at] for at in np.flatnonzero(is_copy).tolist()])
        self.grades = _grades(path / RANKS_FILE, self.keys)
        self._sources, self._seen = rows.sources, rows.seen

    def __len__(self) -> int:
        return len(self.keys)

    def url(self, number: int) -> str:
        return self._urls[int(self._places[number])]

    def find(self, keys: Keys) -> NDArray[np.int64]:
        """The numbers of pages by the keys of URLs, also of copies and redirects; -1 for others."""
        return places_in(self.keys, self._same.follow(keys))

    def are_current(self, sources: Keys, times: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Is a link, by the key of its page and its time, one that the latest version of the page has?

        Links of pages that are gone, and of old versions, are no longer there. A time of 0 is not known.
        """
        places = places_in(self._sources, sources)
        seen = self._seen[places] if len(self._seen) else np.zeros(len(places), np.int64)
        return np.asarray((places >= 0) & ((times == 0) | (times >= seen)))

    def _copies(self, urls: list[str]) -> dict[int, list[str]]:
        found = defaultdict[int, list[str]](list)
        numbers = self.find(np.array([key_of(url) for url in urls], np.uint64))
        for url, number in zip(urls, numbers.tolist(), strict=True):
            if number >= 0 and len(found[number]) < _MOST_COPIES:
                found[number].append(url)
        return found


class _Texts:
    """Many texts, one after the other in memory."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._ends = array("Q")

    def append(self, text: str) -> None:
        self._bytes += text.encode()
        self._ends.append(len(self._bytes))

    def __getitem__(self, number: int) -> str:
        begin = self._ends[number - 1] if number else 0
        return self._bytes[begin : self._ends[number]].decode()


class _Rows:
    """The latest versions of pages: those that may be found, and when each page was read last."""

    def __init__(self, record: CommittedRows) -> None:
        self.urls = _Texts()
        columns = [array("Q") for _ in range(4)]
        sources, seen = array("Q"), array("q")
        pages = CommittedPages(record, _COLUMNS)
        for rows in pages.some(latest_places(record)):
            for row in rows:
                key = key_of(row["url"])
                sources.append(key)
                seen.append(row["fetched_at"])
                if row["digest"] and row["is_indexable"] is not False and not row["is_soft_error"]:
                    self.urls.append(row["url"])
                    near = key_of(row["near_of"] or row["url"])
                    for column, value in zip(
                        columns, (key, _lead(row), print_of(row["digest"]), near), strict=True
                    ):
                        column.append(value)
        self.keys, self.leads, self.prints, self.groups = (
            np.array(column, np.uint64) for column in columns
        )
        order = np.argsort(np.array(sources, np.uint64), kind="stable")
        self.sources = np.array(sources, np.uint64)[order]
        self.seen = np.array(seen, np.int64)[order]


def _lead(row: Row) -> int:
    return key_of(row["duplicate_of"] or row["same_text_as"] or row["url"])


def _are_copies(urls: Keys, leads: Keys) -> NDArray[np.bool_]:
    """Mark copies whose original is in the index too, and that are not the original of their original."""
    there = np.isin(leads, urls) & (leads != urls)
    ends = _Links(_steps(urls[there], leads[there])).follow(urls)
    return np.asarray(there & (ends != urls))


def _steps(one: Keys, other: Keys) -> Iterator[tuple[int, int]]:
    return zip(one.tolist(), other.tolist(), strict=True)


def _redirects(record: CommittedRows) -> Iterator[tuple[int, int]]:
    for rows in CommittedPages(record, ("url", "fetched_at", "redirect_to")).batches():
        for row in rows:
            if row["redirect_to"]:
                yield key_of(row["url"]), key_of(row["redirect_to"])


class _Links:
    """From keys to others, some steps far."""

    def __init__(self, steps: Iterable[tuple[int, int]], ends: Keys | None = None) -> None:
        """From `ends` nothing leads on: what moved once may be a page again."""
        found = np.array(sorted(dict(steps).items()), np.uint64).reshape(-1, 2)
        if ends is not None:
            found = found[~np.isin(found[:, 0], ends)]
        self._from, self._to = found[:, 0].copy(), found[:, 1].copy()

    def follow(self, keys: Keys) -> Keys:
        keys = keys.copy()
        for _ in range(_STEPS if len(self._from) else 0):
            places = places_in(self._from, keys)
            is_known = places >= 0
            if not is_known.any():
                break
            keys[is_known] = self._to[places[is_known]]
        return keys


def places_in(known: Keys, keys: Keys) -> NDArray[np.int64]:
    """The places of keys among others, which ascend; -1 for missing ones."""
    if not len(known):
        return np.full(len(keys), -1, np.int64)
    places = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    return np.where(known[places] == keys, places, -1)


def _grades(path: Path, keys: Keys) -> NDArray[np.int64]:
    """Grades of pages by rank, from 0 to 32 on a logarithmic scale; all 0 without ranks."""
    ranks = np.zeros(len(keys))
    check_is_current(path)
    if path.is_file():
        for batch in read_batches(path, ("url", "pagerank")):
            found = places_in(
                keys, np.array([*map(key_of, batch.column(0).to_pylist())], np.uint64)
            )
            values = np.array(batch.column(1).to_pylist(), float)
            ranks[found[found >= 0]] = values[found >= 0]
    there = ranks[ranks > 0]
    if not len(there) or there.max() == there.min():
        return np.zeros(len(keys), np.int64)
    scale = np.log(there.max() / there.min())
    grades = np.log(np.maximum(ranks, there.min()) / there.min()) / scale * _GRADES
    return np.asarray(np.rint(grades), np.int64)
