"""Which rows of the pages table are versions of a page, and which of these is the newest."""

from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from gossamer.stored.pages import PagesOnRecord, Row
from gossamer.stored.rows import OnRecord

_COLUMNS = ("url", "status", "outcome", "fetched_at", "is_unchanged")
_ROW = np.dtype([("key", "u8"), ("place", "i8"), ("found", "i1")])
Rows = NDArray[Any]
"""Such rows, in the order of the table."""
_AT_ONCE = 1 << 20
"""Rows that come together before those are left out that no longer count."""


class Found(IntEnum):
    """What a visit found."""

    NOTHING = 0
    """It failed, or the server had no time for it: the page may be as it was."""
    GONE = 1
    """The page is not there any more, or is somewhere else."""
    SAME = 2
    """The page is as it was at the visit before, or in an earlier crawl."""
    VERSION = 3
    """A page, or another version of it."""


def found_by(row: Row) -> Found:
    """What the visit of a row found.

    >>> found_by({"outcome": "fetched", "status": 410, "is_unchanged": False}).name
    'GONE'
    """
    status = row["status"] or 0
    if row["outcome"] != "fetched":
        return Found.NOTHING
    if 200 <= status < 300:
        return Found.SAME if row["is_unchanged"] else Found.VERSION
    if status == 304:
        return Found.SAME if row["is_unchanged"] else Found.NOTHING
    return Found.GONE if 300 <= status < 400 or status in (404, 410) else Found.NOTHING


def versions_among(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows of one URL that are versions; the first may be that of an earlier crawl, unchanged."""
    is_first = True
    for row in rows:
        found = found_by(row)
        if found is Found.VERSION or (found is Found.SAME and is_first):
            yield row
            is_first = False


def newest_places(record: OnRecord) -> NDArray[np.int64]:
    """The numbers of the rows with the newest version of each URL that is not gone, in ascending order.

    In memory are 17 bytes for each URL, and as many for each of a million rows.
    """
    newest = np.zeros(0, _ROW)
    fresh: list[Rows] = []
    waiting = 0
    for rows in _numbered(PagesOnRecord(record, _COLUMNS)):
        fresh.append(rows)
        waiting += len(rows)
        if waiting > max(_AT_ONCE, len(newest)):
            newest, fresh, waiting = _that_count(np.concatenate((newest, *fresh))), [], 0
    newest = _that_count(np.concatenate((newest, *fresh)))
    gone = newest["key"][newest["found"] == Found.GONE]
    return newest["place"][~np.isin(newest["key"], gone)]


def _numbered(pages: PagesOnRecord) -> Iterator[Rows]:
    begin = 0
    for rows in pages.batches():
        numbered = enumerate(rows, begin)
        yield np.array([_packed(place, row) for place, row in numbered], _ROW)
        begin += len(rows)


def _packed(place: int, row: Row) -> tuple[int, int, int]:
    return xxh3_64_intdigest(row["url"].encode()), place, found_by(row)


def _that_count(rows: Rows) -> Rows:
    """Without rows that say nothing of the last state of a URL, in the order in which they were.

    Its newest version counts, or that of an earlier crawl; and the last visit, if that found it gone.
    """
    rows = rows[rows["found"] != Found.NOTHING]
    if not len(rows):
        return rows
    order = np.argsort(rows["key"], kind="stable")
    keys, found = rows["key"][order], rows["found"][order]
    starts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    ends = np.append(starts[1:], len(rows)) - 1
    kept = np.append(_last_version(found, starts), ends[found[ends] == Found.GONE])
    that_count: Rows = rows[np.sort(order[kept])]
    return that_count


def _last_version(found: NDArray[np.int8], starts: NDArray[np.intp]) -> NDArray[Any]:
    """For each group the place of its last version; if it has none, of the first row that is the same."""
    places = np.arange(len(found))
    last = np.maximum.reduceat(np.where(found == Found.VERSION, places, -1), starts)
    first = np.minimum.reduceat(np.where(found == Found.SAME, places, len(found)), starts)
    chosen = np.where(last >= 0, last, first)
    return chosen[chosen < len(found)]
