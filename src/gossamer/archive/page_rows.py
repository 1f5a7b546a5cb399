"""Rows of the pages table, one after the other or by URL."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from gossamer.archive.committed_rows import CommittedRows
from gossamer.core.parquet import count_rows, read_columns
from gossamer.core.url import Url
from gossamer.output.pages_table import name_values, page_columns
from gossamer.output.parquet_batches import find_rows, read_batches

if TYPE_CHECKING:
    import pyarrow

Row = dict[str, Any]

_ROWS_AT_ONCE = 8192


def host_of(row: Row) -> str:
    """The host of a row's URL, and its port."""
    host: str = urlsplit(row["url"]).netloc
    return host


class CommittedPages:
    """The rows of the pages table that a commit speaks of, in files and in the spool."""

    def __init__(self, record: CommittedRows, columns: Sequence[str] = ()) -> None:
        """Rows have these columns, or all of them; those in the spool always have all."""
        self._columns = list(columns) or [column.name for column in page_columns()]
        self._record = record
        self._files = record.files("pages")
        self._spooled = record.spooled("pages")
        self._last: tuple[Path, pyarrow.Table] | None = None

    def __len__(self) -> int:
        return sum(self._counts) + len(self._spooled)

    @cached_property
    def _counts(self) -> list[int]:
        return [count_rows(file) for file in self._files]

    def batches(self) -> Iterator[list[Row]]:
        """Rows, some at a time; times are in microseconds."""
        for file in self._files:
            for batch in read_batches(file, self._columns):
                yield _in_microseconds(batch).to_pylist()
        for start in range(0, len(self._spooled), _ROWS_AT_ONCE):
            yield [name_values(row) for row in self._spooled[start : start + _ROWS_AT_ONCE]]

    def some(self, places: NDArray[np.int64]) -> Iterator[list[Row]]:
        """Some rows by their numbers, which ascend."""
        begin = 0
        for rows in self.batches():
            first, last = np.searchsorted(places, (begin, begin + len(rows)))
            if found := [rows[place - begin] for place in places[first:last].tolist()]:
                yield found
            begin += len(rows)

    def of(self, url: Url, request_key: int | None = None) -> Iterator[Row]:
        """All rows of a URL, one visit after the other: its partition writes them in this order.

        Those of a request to it have their key; those of the plain URL have none.
        """
        for file in self._record.files("pages", url.host):
            for batch in find_rows(file, self._columns, "url", url.text):
                rows = _in_microseconds(batch).to_pylist()
                yield from (row for row in rows if row["request_key"] == request_key)
        spooled = (name_values(row) for row in self._spooled if row[0] == url.text)
        yield from (row for row in spooled if row["request_key"] == request_key)

    def find(self, url: str) -> Row | None:
        """The row of a plain URL; of several, the last."""
        keys, places = self._index
        key = np.uint64(_key_of(url))
        found = places[np.searchsorted(keys, key) : np.searchsorted(keys, key, side="right")]
        return self._row(int(found.max())) if len(found) else None

    @cached_property
    def _index(self) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """The keys of all URLs in ascending order, and the row of each: 16 bytes for a row."""
        keys = np.fromiter(self._keys(), np.uint64)
        places = np.argsort(keys, kind="stable")
        return keys[places], places

    def _keys(self) -> Iterator[int]:
        """The key of each row: of a plain URL, that of its text."""
        for file in self._files:
            for batch in read_batches(file, ["url", "request_key"]):
                urls, keys = (column.to_pylist() for column in batch.columns)
                yield from (key or _key_of(url) for url, key in zip(urls, keys, strict=True))
        for row in map(name_values, self._spooled):
            yield row["request_key"] or _key_of(row["url"])

    def _row(self, place: int) -> Row:
        for file, count in zip(self._files, self._counts, strict=True):
            if place < count:
                row: Row = self._read(file).slice(place, 1).to_pylist()[0]
                return row
            place -= count
        return name_values(self._spooled[place])

    def _read(self, file: Path) -> "pyarrow.Table":
        """A file, remembered until another one is wanted."""
        if self._last is None or self._last[0] != file:
            self._last = file, _in_microseconds(read_columns(file))
        return self._last[1]


def _key_of(url: str) -> int:
    return xxh3_64_intdigest(url.encode())


def _in_microseconds(rows: Any) -> Any:
    """A batch or a table, its times as numbers."""
    place = rows.schema.get_field_index("fetched_at")
    return rows.set_column(place, "fetched_at", rows.column(place).cast("int64"))
