"""A Parquet table that grows file by file."""

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Generic, NamedTuple, TypeVar

import numpy as np
from msgspec import Struct

from gossamer.base.disk.files import write_whole
from gossamer.harvest.store.files import delete_from
from gossamer.harvest.store.spool import Spool, SpoolState
from gossamer.harvest.store.text import well_formed

if TYPE_CHECKING:
    import pyarrow


class Repeated(NamedTuple):
    """A column in which each value stands several times in a row."""

    values: Sequence[str]
    counts: Sequence[int]


Columns = Sequence[Sequence[Any] | Repeated]
Row = TypeVar("Row")
"""An item that becomes a row, or several."""


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
    """Takes items apart into those columns."""
    pack: Callable[[Row], Any]
    """Makes something plain of an item, for the spool, and back."""
    unpack: Callable[[Any], Row]
    size: Callable[[Row], int] = lambda item: 1
    """How many rows an item becomes."""


class Table(Generic[Row]):
    """Collects items, and writes their rows as a numbered file when there are enough of them."""

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
        self.folder = folder
        self._limit = limit
        self._partition = partition
        self._serial = self.files = state.serial
        self._written = state.written
        self.bytes = state.bytes
        delete_from(folder, f"{partition:05}-*.parquet", lambda serial: serial >= state.serial)
        self._spool = Spool(work, description.name, state.spool)
        self._items: list[Row] = self._spool.load(description.unpack)
        self._spooled = len(self._items)
        self._rows = sum(map(description.size, self._items))

    @property
    def total(self) -> int:
        """Rows collected and written."""
        return self._written + self._rows

    @property
    def items(self) -> Sequence[Row]:
        """What is in no file yet."""
        return self._items

    def add(self, items: Sequence[Row]) -> None:
        """Take in items; a file is written when there are enough rows for it."""
        self._items += items
        self._rows += sum(map(self._description.size, items))
        if self._rows >= self._limit:
            self._write_file()

    def commit(self) -> TableState:
        """Make all rows durable, in files or in the spool."""
        pack = self._description.pack
        self._spool.append([pack(item) for item in self._items[self._spooled :]])
        self._spooled = len(self._items)
        return TableState(self._serial, self._written, self.bytes, self._spool.commit())

    def tidy(self) -> None:
        self._spool.tidy()

    def finish(self) -> None:
        """Write what is left; a table without any row still gets a file, so that it can be read."""
        if self._rows or self._serial == 0:
            self._write_file()

    def close(self) -> None:
        self._spool.close()

    def _write_file(self) -> None:
        path = self.folder / f"{self._partition:05}-{self._serial:05}.parquet"
        write_whole(path, self._fill)
        self._spool.renew()
        self._serial += 1
        self._written += self._rows
        self._items, self._spooled, self._rows = [], 0, 0
        self.files += 1
        self.bytes += path.stat().st_size

    def _fill(self, file: BinaryIO) -> None:
        from pyarrow import parquet, table  # not at the top: the command line is to start at once

        schema = self._schema
        columns = self._description.columns(self._items) or [[] for _ in schema]
        arrays = [_array(values, field.type) for values, field in zip(columns, schema, strict=True)]
        parquet.write_table(table(arrays, schema=schema), file, compression="zstd")


def _array(values: Sequence[Any] | Repeated, kind: "pyarrow.DataType") -> "pyarrow.Array":
    from pyarrow import DictionaryArray, array

    if isinstance(values, Repeated):
        places = np.repeat(np.arange(len(values.values), dtype=np.int32), values.counts)
        return DictionaryArray.from_arrays(array(places), _array(values.values, kind.value_type))
    try:
        return array(values, kind)
    except UnicodeEncodeError:  # rare, so that text is not checked before
        return array([value and well_formed(value) for value in list(values)], kind)
