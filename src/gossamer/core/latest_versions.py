"""Find the visits that found a version of a page, and the latest of these.

Visits come in the order in which they were made, as numbered rows. A visit that found the page unchanged has
no content of its own: it stands for the version that was there.
"""

from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

_ROW = np.dtype([("key", "u8"), ("place", "i8"), ("found", "i1")])
_Rows = NDArray[Any]

_AT_ONCE = 1 << 20
"""Rows that come together before those are left out that no longer count."""


class VisitFinding(IntEnum):
    """The result of a visit: a version, no change, gone, or nothing."""

    NOTHING = 0
    """It failed, or the server had no time for it: the page may be as it was."""
    GONE = 1
    """The page is not there any more, or is somewhere else."""
    SAME = 2
    """The page is as it was at the visit before, or in an earlier crawl."""
    VERSION = 3
    """A page, or another version of it."""


def found_by(outcome: str, status: int | None, is_unchanged: bool | None) -> VisitFinding:
    """Classify a visit by its row in the pages table.

    >>> found_by("fetched", 200, False).name, found_by("fetched", 304, True).name
    ('VERSION', 'SAME')
    >>> found_by("fetched", 410, False).name, found_by("timeout", None, False).name
    ('GONE', 'NOTHING')
    """
    status = status or 0
    if outcome != "fetched":
        return VisitFinding.NOTHING
    if 200 <= status < 300:
        return VisitFinding.SAME if is_unchanged else VisitFinding.VERSION
    if status == 304:
        return VisitFinding.SAME if is_unchanged else VisitFinding.NOTHING
    return (
        VisitFinding.GONE if 300 <= status < 400 or status in (404, 410) else VisitFinding.NOTHING
    )


class LatestRows:
    """Finds the row of the latest version of each page: 17 bytes for each, and for a million rows.

    >>> latest = LatestRows()
    >>> latest.add([7, 8, 9], [VisitFinding.VERSION, VisitFinding.VERSION, VisitFinding.SAME])
    >>> latest.add([7, 7, 8], [VisitFinding.VERSION, VisitFinding.SAME, VisitFinding.GONE])
    >>> latest.places().tolist()
    [2, 3]
    """

    def __init__(self) -> None:
        self._count = self._fresh_count = 0
        self._latest: _Rows = np.zeros(0, _ROW)
        self._fresh: list[_Rows] = []

    def add(self, keys: list[int], found: list[VisitFinding]) -> None:
        """The next rows: the key of each URL, and what the visit found."""
        rows = np.zeros(len(keys), _ROW)
        rows["key"], rows["found"] = keys, found
        rows["place"] = np.arange(self._count, self._count + len(keys))
        self._fresh.append(rows)
        self._count += len(keys)
        self._fresh_count += len(keys)
        if self._fresh_count > max(_AT_ONCE, len(self._latest)):
            self._tidy()

    def places(self) -> NDArray[np.int64]:
        """The numbers of the rows with the latest version of each page that is not gone, ascending."""
        self._tidy()
        latest = self._latest
        gone = latest["key"][latest["found"] == VisitFinding.GONE]
        places: NDArray[np.int64] = latest["place"][~np.isin(latest["key"], gone)]
        return places

    def _tidy(self) -> None:
        self._latest = _that_count(np.concatenate((self._latest, *self._fresh)))
        self._fresh, self._fresh_count = [], 0


def _that_count(rows: _Rows) -> _Rows:
    """Without rows that say nothing of the last state of a page, in the order in which they were.

    Its latest version counts, or that of an earlier crawl; and the last visit, if that found it gone.
    """
    rows = rows[rows["found"] != VisitFinding.NOTHING]
    if not len(rows):
        return rows
    order = np.argsort(rows["key"], kind="stable")
    keys, found = rows["key"][order], rows["found"][order]
    starts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    ends = np.append(starts[1:], len(rows)) - 1
    kept = np.append(_last_version(found, starts), ends[found[ends] == VisitFinding.GONE])
    that_count: _Rows = rows[np.sort(order[kept])]
    return that_count


def _last_version(found: NDArray[np.int8], starts: NDArray[np.intp]) -> NDArray[Any]:
    """For each group the place of its last version; if it has none, of the first row that is the same."""
    places = np.arange(len(found))
    last = np.maximum.reduceat(np.where(found == VisitFinding.VERSION, places, -1), starts)
    first = np.minimum.reduceat(np.where(found == VisitFinding.SAME, places, len(found)), starts)
    chosen = np.where(last >= 0, last, first)
    return chosen[chosen < len(found)]
