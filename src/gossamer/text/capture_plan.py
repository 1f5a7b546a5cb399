"""Find captures that have no row yet."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct

from gossamer.core.whole_files import text_files
from gossamer.engine.earlier_crawls import EarlierResponse, print_of
from gossamer.output.parquet_batches import read_batches

_MOST_PAGES = 1000
_MOST_BYTES = 32 << 20
"""Bodies of one chunk, decoded."""
_FRESH = 1 << 20
WANTED = (
    "url", "outcome", "digest", "status", "fetched_at", "media_type", "charset", "is_indexable", "body_bytes",
    "warc_file", "warc_offset", "warc_length", "duplicate_of", "is_unchanged", "refers_to",
    "is_retired",
)  # fmt: skip
"""Columns of the pages table."""


class Capture(Struct, frozen=True, gc=False):
    """A page of the archive that is to be read."""

    url: str
    digest: str
    fetched_at: int
    """Microseconds since 1970."""
    media_type: str
    charset: str
    is_indexable: bool
    body_bytes: int
    file: str
    """Its name in the crawl's archive, or the path to that of an earlier crawl."""
    offset: int
    length: int


class Prints:
    """64-bit prints of digests, 8 bytes each.

    >>> prints = Prints(["a"])
    >>> prints.add("a"), prints.add("b"), prints.add("b")
    (False, True, False)
    """

    def __init__(self, digests: Iterable[str] = ()) -> None:
        found = np.fromiter(map(print_of, digests), np.uint64)
        self._known = np.unique(found)
        self.repeated = len(found) - len(self._known)
        """Digests that were there more than once at the beginning."""
        self._fresh: set[int] = set()

    def __len__(self) -> int:
        return len(self._known) + len(self._fresh)

    def __contains__(self, digest: str) -> bool:
        one = print_of(digest)
        if one in self._fresh:
            return True
        place = int(np.searchsorted(self._known, np.uint64(one)))
        return place < len(self._known) and int(self._known[place]) == one

    def add(self, digest: str) -> bool:
        """Is it new? From now on it is not."""
        if digest in self:
            return False
        self._fresh.add(print_of(digest))
        if len(self._fresh) >= _FRESH:
            fresh = np.fromiter(self._fresh, np.uint64, len(self._fresh))
            self._known, self._fresh = np.union1d(self._known, fresh), set()
        return True


def captures(rows: list[dict[str, Any]], prints: Prints) -> Iterator[Capture]:
    """Answers that were kept, and whose content is new."""
    for row in rows:
        is_kept = row["warc_file"] and row["digest"] and 200 <= (row["status"] or 0) < 300
        if is_kept and row["body_bytes"] and prints.add(row["digest"]):
            place = row["warc_file"], row["warc_offset"], row["warc_length"]
            yield _capture(row, row["body_bytes"], *place)


def is_pointer(row: dict[str, Any]) -> bool:
    """Is the content of a page elsewhere, maybe in an earlier crawl?"""
    is_page = row["is_unchanged"] or 200 <= (row["status"] or 0) < 300
    is_kept = is_page and row["digest"] and not row["is_retired"]
    return bool(is_kept and row["refers_to"] is not None)


def capture_at(row: dict[str, Any], there: EarlierResponse) -> Capture:
    """A page whose content is somewhere else."""
    return _capture(row, there.body_bytes, str(there.file.absolute()), there.offset, there.length)


def _capture(row: dict[str, Any], size: int, file: str, offset: int, length: int) -> Capture:
    return Capture(
        row["url"],
        row["digest"],
        row["fetched_at"],
        row["media_type"] or "",
        row["charset"] or "",
        bool(row["is_indexable"]),
        size,
        file,
        offset,
        length,
    )


def chunks(found: Iterable[Capture]) -> Iterator[list[Capture]]:
    """Captures some at a time, so that a chunk is neither long nor large."""
    chunk, size = list[Capture](), 0
    for capture in found:
        if chunk and (len(chunk) >= _MOST_PAGES or size + capture.body_bytes > _MOST_BYTES):
            yield chunk
            chunk, size = [], 0
        chunk.append(capture)
        size += capture.body_bytes
    if chunk:
        yield chunk


def read_digests(folder: Path) -> Iterator[str]:
    """The digests that have a row."""
    for file in text_files(folder.parent):
        for batch in read_batches(file, ["digest"]):
            yield from batch.column(0).to_pylist()
