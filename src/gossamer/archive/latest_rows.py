"""Select rows of the pages table that are versions of a page, and the latest version of each."""

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from gossamer.archive.committed_rows import CommittedRows
from gossamer.archive.page_rows import CommittedPages, Row
from gossamer.core.latest_versions import LatestRows, VisitFinding, found_by

_COLUMNS = ("url", "outcome", "status", "is_unchanged", "fetched_at")


def found_in(row: Row) -> VisitFinding:
    """Classify a row: a version of the page, no change, gone, or a failure."""
    return found_by(row["outcome"], row["status"], row["is_unchanged"])


def versions_among(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows of one URL that are versions; the first may be that of an earlier crawl, unchanged."""
    is_first = True
    for row in rows:
        found = found_in(row)
        if found is VisitFinding.VERSION or (found is VisitFinding.SAME and is_first):
            yield row
            is_first = False


def latest_places(record: CommittedRows) -> NDArray[np.int64]:
    """The numbers of the rows with the latest version of each URL that is not gone, ascending."""
    latest = LatestRows()
    for rows in CommittedPages(record, _COLUMNS).batches():
        keys = [xxh3_64_intdigest(row["url"].encode()) for row in rows]
        latest.add(keys, [found_in(row) for row in rows])
    return latest.places()
