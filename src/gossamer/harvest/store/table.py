"""A Parquet table that grows file by file."""

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Generic, NamedTuple, TypeVar

from msgspec import Struct

from gossamer.base.disk.files import write_whole
from gossamer.harvest.store.files import delete_from
from gossamer.harvest.store.spool import Spool, SpoolState
from gossamer.harvest.store.text import well_formed

if TYPE_CHECKING:
    import pyarrow

Columns = Sequence[Sequence[Any]]
Row = TypeVar("Row")


class TableState(Struct, frozen=True, array_like=True):
    serial: int = 0
    """The number of the next file."""
    written: int = 0
    bytes: int = 0
    spool: SpoolState = SpoolState()


class Description(NamedTuple, Generic[Row]):
    """What a table is made of."""

    name: str
    schema: Callable[[], "pyarrow.Schema"]
    """Names and types of the columns."""
    columns: Callable[[list[Row]], Columns]
    """Takes rows apart into those columns."""
    pack: Callable[[Row], Any]
    """Makes something plain of a row, for the spool, and back."""
    unpack: Callable[[Any], Row]


class Table(Generic[Row]):
    """Collects rows, and writes them as a numbered file when there are enough of them.

    Appending to `rows` is the fast path, so it is left to the owner, who calls `settle` after each
    batch.
    """

    def __init__(
        self,
        description: Description[Row],
        folder: Path,
        work: Path,
        limit: int,
        partition: int,
        state: TableState,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._description = description
        self._schema = description.schema()
        import_module("pyarrow.parquet")  # slow, so before the crawl and not in its midst
        self._folder = folder
        self._limit = limit
        self._partition = partition
        self._serial = self.files = state.serial
        self._written = state.written
        self.bytes = state.bytes
        delete_from(folder, f"{partition:05}-*.parquet", lambda serial: serial >= state.serial)
        self._spool = Spool(work, description.name, state.spool)
        self.rows: list[Row] = self._spool.load(description.unpack)
        self._spooled = len(self.rows)

    @property
    def total(self) -> int:
        """Rows collected and written."""
        return self._written + len(self.rows)

    def settle(self) -> None:
        """Write a file if there are enough rows for it."""
        if len(self.rows) >= self._limit:
            self._write_file()

    def commit(self) -> TableState:
        """Make all rows durable, in files or in the spool."""
        pack = self._description.pack
        self._spool.append([pack(row) for row in self.rows[self._spooled :]])
        self._spooled = len(self.rows)
        return TableState(self._serial, self._written, self.bytes, self._spool.commit())

    def tidy(self) -> None:
        self._spool.tidy()

    def finish(self) -> None:
        """Write what is left; a table without any row still gets a file, so that it can be read."""
        if self.rows or self._serial == 0:
            self._write_file()

    def close(self) -> None:
        self._spool.close()

    def _write_file(self) -> None:
        path = self._folder / f"{self._partition:05}-{self._serial:05}.parquet"
        write_whole(path, self._fill)
        self._spool.renew()
        self._serial += 1
        self._written += len(self.rows)
        self.rows, self._spooled = [], 0
        self.files += 1
        self.bytes += path.stat().st_size

    def _fill(self, file: BinaryIO) -> None:
        from pyarrow import parquet, table  # not at the top: the command line is to start at once

        schema = self._schema
        columns = self._description.columns(self.rows) or [[] for _ in schema]
        arrays = [_array(values, field.type) for values, field in zip(columns, schema, strict=True)]
        parquet.write_table(table(arrays, schema=schema), file, compression="zstd")


def _array(values: Sequence[Any], kind: "pyarrow.DataType") -> "pyarrow.Array":
    from pyarrow import array

    try:
        return array(values, kind)
    except UnicodeEncodeError:  # rare, so that text is not checked before
        return array([value and well_formed(value) for value in values], kind)
