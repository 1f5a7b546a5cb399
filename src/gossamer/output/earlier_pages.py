"""The pages of an earlier crawl whose content it has, found by URL."""

from array import array
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from gossamer.core.analyzer_protocol import PageColumn
from gossamer.core.errors import DirectoryError
from gossamer.core.whole_files import table_files
from gossamer.output.mapped_rows import MappedRows
from gossamer.output.parquet_batches import read_batches

if TYPE_CHECKING:
    import pyarrow

Keys = NDArray[np.uint64]
Rows = NDArray[np.int64]

_KINDS = {
    "url": "string", "etag": "string", "last_modified": "string", "digest": "string",
    "fetched_at": "int64", "refers_to": "string", "refers_at": "int64", "media_type": "string",
    "charset": "string", "title": "string", "truncated": "string", "text_print": "uint64",
    "is_indexable": "bool", "is_followable": "bool", "warc_file": "string", "links": "int32",
}  # fmt: skip
_ASKED = ("host", "status", "is_retired", "is_unchanged", "duplicate_of", "request_key")
"""What is asked for besides, to see which rows count."""


class KnownPages:
    """Rows of the pages table, by the keys of their URLs.

    Were a page visited several times, the last row counts. One that says no more than that nothing had
    changed (304) stands for the row that has the content.
    """

    def __init__(
        self,
        directory: Path,
        file: Path,
        needs_records: bool,
        is_own: Callable[[str], bool],
        annotated: Sequence[PageColumn] = (),
    ) -> None:
        """`annotated` are columns of analyzers that hold for a page as long as it does not change."""
        import pyarrow as pa

        self.annotated = [column.name for column in annotated]
        kinds = {
            **_KINDS,
            **{
                page_column.name: page_column.kind.replace("few", "string")
                for page_column in annotated
            },
        }
        self._names = [*kinds]
        self._places = {name: place for place, name in enumerate(kinds)}

        self._needs_records = needs_records
        keys, own, bare = array("Q"), array("b"), array("b")
        schema = pa.schema([(name, pa.type_for_alias(kind)) for name, kind in kinds.items()])
        batches = self._read(directory, keys, own, bare, is_own)
        self._rows = MappedRows(file, schema, batches)
        self._keys, self._order = _that_count(np.array(keys, np.uint64), np.array(bare, np.bool_))
        self._are_own = np.array(own, np.bool_)

    def __len__(self) -> int:
        return len(self._rows)

    def find(self, key: int, url: str) -> int | None:
        """The number of a page's row."""
        place = int(np.searchsorted(self._keys, np.uint64(key), side="right")) - 1
        if place < 0 or int(self._keys[place]) != key:
            return None
        row = int(self._order[place])
        return row if self.value(row, "url") == url else None

    def find_own(self, keys: Keys) -> Rows:
        """The numbers of the rows of own pages; -1 for all others."""
        if not len(self):
            return np.full(len(keys), -1)
        places = np.searchsorted(self._keys, keys, side="right") - 1
        rows = self._order[places]
        return np.where((self._keys[places] == keys) & self._are_own[rows], rows, -1)

    def value(self, row: int, name: str) -> Any:
        return self._rows.value(row, self._places[name])

    def row(self, row: int) -> dict[str, Any]:
        """All that is known of a page."""
        return {name: self.value(row, name) for name in _KINDS}

    def close(self) -> None:
        self._rows.close()

    def _read(
        self,
        directory: Path,
        keys: "array[int]",
        own: "array[int]",
        bare: "array[int]",
        is_own: Callable[[str], bool],
    ) -> Iterator["pyarrow.RecordBatch"]:
        for batch in read_known(directory, "pages", [*dict.fromkeys((*self._names, *_ASKED))]):
            there = batch.filter(_has_content(batch, self._needs_records))
            keys.extend(xxh3_64_intdigest(url.encode()) for url in there.column("url").to_pylist())
            own.extend(map(is_own, there.column("host").to_pylist()))
            bare.extend(status == 304 for status in there.column("status").to_pylist())
            yield there.select(self._names)


def _that_count(keys: Keys, are_bare: NDArray[np.bool_]) -> tuple[Keys, Rows]:
    """The keys in ascending order, each once, and for each the row that counts.

    A 304 has the content of the row before it. A first one has what a crawl before this one knew.
    """
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    is_first = np.concatenate(([True], ordered[1:] != ordered[:-1])) if len(keys) else are_bare
    has_content = is_first | ~are_bare[order]
    places = np.maximum.accumulate(np.where(has_content, np.arange(len(keys)), 0))
    is_last = np.append(is_first[1:], True) if len(keys) else are_bare
    return ordered[is_last], order[places[is_last]]


def read_known(
    directory: Path, table: str, columns: Sequence[str]
) -> Iterator["pyarrow.RecordBatch"]:
    """The rows of an earlier crawl's table, some at a time."""
    files = table_files(directory, table)
    for file in files:
        yield from read_batches(file, columns)
    if not files:
        fault = f"has no {table} table" if directory.exists() else "is not there"
        raise DirectoryError(
            f"{directory} {fault}; --known names the directory of an earlier crawl that is not running "
            "(where it is now: --set crawl.known=DIR)"
        )


def _has_content(batch: "pyarrow.RecordBatch", needs_records: bool) -> "pyarrow.Array":
    """Which pages an earlier crawl can vouch for.

    What was retired is not there any more. A copy of another page, of which an older version does not say
    where its content is, is not known either.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    column = batch.column
    unchanged = pc.fill_null(column("is_unchanged").cast(pa.bool_()), False)
    retired = pc.fill_null(column("is_retired").cast(pa.bool_()), False)
    status = pc.fill_null(column("status"), 0)
    found = pc.or_(pc.equal(status, 200), pc.and_(pc.equal(status, 304), unchanged))
    found = pc.and_(found, pc.and_(pc.invert(retired), column("digest").is_valid()))
    found = pc.and_(found, column("request_key").is_null())  # these are made once
    if pa.types.is_null(column("refers_to").type):
        found = pc.and_(found, column("duplicate_of").is_null())
    if needs_records:
        is_archived = pc.or_(column("warc_file").is_valid(), column("refers_to").is_valid())
        found = pc.and_(found, is_archived)
    return found
