"""A Parquet table that grows file by file."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Generic, TypeVar

from gossamer.harvest.store.files import next_serial, write_whole
from gossamer.harvest.store.text import well_formed

if TYPE_CHECKING:
    import pyarrow

Columns = Sequence[Sequence[Any]]
Row = TypeVar("Row")


class Table(Generic[Row]):
    """Collects rows, and writes them as a numbered file when there are enough of them.

    `schema` and `columns` describe the table: its columns' names and types, and how to take
    rows apart into those columns. Appending to `rows` is the fast path, so it is left to the owner,
    who calls `settle` after each batch.
    """

    def __init__(
        self,
        folder: Path,
        limit: int,
        partition: int,
        schema: Callable[[], "pyarrow.Schema"],
        columns: Callable[[list[Row]], Columns],
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._limit = limit
        self._partition = partition
        self._schema = schema
        self._columns = columns
        self._serial = next_serial(folder, f"{partition:05}-*.parquet")
        self._written = 0
        self.rows: list[Row] = []
        self.files = 0
        self.bytes = 0

    @property
    def total(self) -> int:
        """Rows collected and written."""
        return self._written + len(self.rows)

    def settle(self) -> None:
        """Write a file if there are enough rows for it."""
        if len(self.rows) >= self._limit:
            self._write_file()

    def close(self) -> None:
        """Write what is left; a table without any row still gets a file, so that it can be read."""
        if self.rows or self._serial == 0:
            self._write_file()

    def _write_file(self) -> None:
        path = self._folder / f"{self._partition:05}-{self._serial:05}.parquet"
        write_whole(path, self._fill)
        self._serial += 1
        self._written += len(self.rows)
        self.rows = []
        self.files += 1
        self.bytes += path.stat().st_size

    def _fill(self, file: BinaryIO) -> None:
        from pyarrow import parquet, table  # slow to import, and not needed until here

        schema = self._schema()
        columns = self._columns(self.rows) or [[] for _ in schema]
        arrays = [_array(values, field.type) for values, field in zip(columns, schema, strict=True)]
        parquet.write_table(table(arrays, schema=schema), file, compression="zstd")


def _array(values: Sequence[Any], kind: "pyarrow.DataType") -> "pyarrow.Array":
    from pyarrow import array

    try:
        return array(values, kind)
    except UnicodeEncodeError:  # rare, so that text is not checked before
        return array([value and well_formed(value) for value in values], kind)
