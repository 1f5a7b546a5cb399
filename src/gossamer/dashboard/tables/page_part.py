"""One file of the pages table, as much of it as lists and figures need."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from msgspec import Struct
from numpy.typing import NDArray

from gossamer.core.analyzer_registry import error_columns
from gossamer.dashboard.tables.mapped_arrays import Mapped
from gossamer.dashboard.tables.url_numbers import Keys, in_order, keys_of, rows_with
from gossamer.dashboard.tables.word_numbers import WordNumbers
from gossamer.output.parquet_batches import read_batches

_LONGEST = 200
"""Characters of a title or a detail that are kept."""
_WORDS = (
    "outcome",
    "media_type",
    "via",
    "change",
    "truncated",
    "parse_failure",
    "redirect_refused",
)
"""Columns of few words; there are never as many as 65,536 in one, but media types are made up by servers."""
_ONE_LIKE = ("redirect_to", "duplicate_of", "same_text_as", "near_of")
"""Columns that name another page."""
_FLAGS = (*error_columns(), "is_retired", "is_unchanged")
_COLUMNS = (
    *("url", "title", "detail", "host", "status", "fetched_at", "bytes", "seconds", "depth"),
    *("warc_file", *_WORDS, *_ONE_LIKE, *_FLAGS),
)
MARKS = {
    "soft_error": 1,
    "retired": 2,
    "unchanged": 4,
    "duplicate": 8,
    "same_text": 16,
    "near_duplicate": 32,
    "redirect": 64,
    "stored": 128,
}
"""What a row may be marked as, by bit."""


class PageWords:
    """The words of all files."""

    def __init__(self) -> None:
        self.hosts = WordNumbers()
        self.columns = {name: WordNumbers() for name in _WORDS}


class PagePart(Struct, frozen=True):
    """A file of the pages table."""

    path: Path
    rows: int
    arrays: dict[str, Any]

    def column(self, name: str) -> NDArray[Any]:
        found: NDArray[Any] = self.arrays[name]
        return found

    def texts(self, name: str) -> pa.LargeStringArray:
        return self.arrays[name]

    def by_url(self, rows: NDArray[np.int64]) -> NDArray[np.uint32]:
        """Some rows, sorted by their URLs."""
        order: NDArray[np.uint32] = self.arrays["by_url"]
        if len(rows) == self.rows:
            return order
        is_wanted = np.zeros(self.rows, np.bool_)
        is_wanted[rows] = True
        return order[is_wanted[order]]

    def rows_of(self, key: int) -> NDArray[np.uint32]:
        """The rows of a URL."""
        return rows_with(key, self.arrays["keys"], self.arrays["key_rows"])

    def rows_that_name(self, column: str, key: int) -> NDArray[np.uint32]:
        """The rows that name a URL in a column: as where they lead, or as what they are like."""
        return rows_with(key, self.arrays[f"{column}.keys"], self.arrays[f"{column}.rows"])


def take_pages(path: Path, words: PageWords) -> PagePart:
    """Read a file."""
    batches = [*read_batches(path, _COLUMNS)]  # a running crawl may replace the file meanwhile
    table = pa.Table.from_batches(batches, None if batches else _schema_of(path))
    kept = Mapped()
    urls = _texts(table["url"])
    kept.add_texts("url", urls)
    kept.add("by_url", pc.sort_indices(urls).to_numpy(zero_copy_only=False).astype(np.uint32))
    for name in ("title", "detail"):
        kept.add_texts(name, pc.utf8_slice_codeunits(_texts(table[name]), 0, _LONGEST))
    keys, rows = in_order(keys_of(urls))
    kept.add("keys", keys)
    kept.add("key_rows", rows)
    kept.add("host", words.hosts.numbers(table["host"]).astype(np.uint32))
    for name in _WORDS:
        kept.add(name, words.columns[name].numbers(table[name]).astype(np.uint32))
    for name, kind in _NUMBERS.items():
        kept.add(name, _numbers(table[name], kind))
    kept.add("marks", _marks(table))
    for name in _ONE_LIKE:
        named, where = _named(table[name])
        kept.add(f"{name}.keys", named)
        kept.add(f"{name}.rows", where)
    return PagePart(path, table.num_rows, kept.close())


_NUMBERS = {
    "status": np.int16,
    "fetched_at": np.int64,
    "bytes": np.int64,
    "seconds": np.float32,
    "depth": np.int32,
}


def _schema_of(path: Path) -> pa.Schema | None:
    """None, so that the first batch says; a file without rows has none."""
    for batch in read_batches(path, _COLUMNS):
        return batch.schema
    return pa.schema([(name, pa.null()) for name in _COLUMNS])


def _texts(column: pa.ChunkedArray) -> pa.LargeStringArray:
    found = column.cast(pa.large_string()).fill_null("").combine_chunks()
    return pa.array([], pa.large_string()) if isinstance(found, pa.ChunkedArray) else found


def _numbers(column: pa.ChunkedArray, kind: Any) -> NDArray[Any]:
    if pa.types.is_timestamp(column.type):
        column = column.cast(pa.int64())
    filled = column.cast(pa.from_numpy_dtype(kind)).fill_null(0)
    found: NDArray[Any] = filled.to_numpy().astype(kind)
    return found


def _marks(table: pa.Table) -> NDArray[np.uint8]:
    marks = np.zeros(table.num_rows, np.uint8)
    for name in _FLAGS:
        is_so = table[name].cast(pa.bool_()).fill_null(False).to_numpy()
        marks |= is_so.astype(np.uint8) * np.uint8(MARKS[name.removeprefix("is_")])
    said = {
        "duplicate_of": "duplicate",
        "same_text_as": "same_text",
        "near_of": "near_duplicate",
        "redirect_to": "redirect",
        "warc_file": "stored",
    }
    for column, mark in said.items():
        marks |= table[column].is_valid().to_numpy().astype(np.uint8) * np.uint8(MARKS[mark])
    return marks


def _named(column: pa.ChunkedArray) -> tuple[Keys, NDArray[np.uint32]]:
    """The URLs in a column where most rows have none, and the rows of each."""
    is_there = column.is_valid().to_numpy()
    keys, places = in_order(keys_of(_texts(column.filter(pa.array(is_there)))))
    return keys, np.flatnonzero(is_there).astype(np.uint32)[places]
