"""Which rows of the pages table are versions of a page, and which of these are the newest."""

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from gossamer.base.newest import NewestRows, VisitFinding, found_by
from gossamer.stored.pages import PagesOnRecord, Row
from gossamer.stored.rows import OnRecord

_COLUMNS = ("url", "outcome", "status", "is_unchanged", "fetched_at")


def found_in(row: Row) -> VisitFinding:
    """What the visit of a row found."""
    return found_by(row["outcome"], row["status"], row["is_unchanged"])


def versions_among(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows of one URL that are versions; the first may be that of an earlier crawl, unchanged."""
    is_first = True
    for row in rows:
        found = found_in(row)
        if found is VisitFinding.VERSION or (found is VisitFinding.SAME and is_first):
            yield row
            is_first = False


def newest_places(record: OnRecord) -> NDArray[np.int64]:
    """The numbers of the rows with the newest version of each URL that is not gone, ascending."""
    newest = NewestRows()
    for rows in PagesOnRecord(record, _COLUMNS).batches():
        keys = [xxh3_64_intdigest(row["url"].encode()) for row in rows]
        newest.add(keys, [found_in(row) for row in rows])
    return newest.places()
