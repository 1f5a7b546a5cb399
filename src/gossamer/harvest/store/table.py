"""A Parquet table that grows file by file."""

from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Generic, NamedTuple, TypeVar

from msgspec import Struct

from gossamer.base.disk.files import write_whole
from gossamer.harvest.store.files import delete_from
from gossamer.harvest.store.spool import Spool, SpoolState
from gossamer.harvest.store.text import well_formed

if TYPE_CHECKING:
    import pyarrow


Columns = Sequence["Sequence[Any] | pyarrow.Array"]
Item = TypeVar("Item")
"""What becomes a row, or several."""

_MOST_BYTES = 1 << 30
"""A file is written when packed items take up so much: Arrow counts a column's bytes in 31 bits."""


class TableState(Struct, frozen=True, array_like=True):
    serial: int = 0
    """The number of the next file."""
    written: int = 0
    bytes: int = 0
    spool: SpoolState = SpoolState()


class Description(NamedTuple, Generic[Item]):
    """What a table is made of."""

    name: str
    schema: Callable[[], "pyarrow.Schema"]
    """Names and types of the columns."""
    columns: Callable[[Sequence[Item], int], Columns]
    """Takes items that make so many rows apart into those columns."""
    pack: Callable[[Item], bytes]
    """Makes msgpack of an item, for the spool, and back."""
    unpack: Callable[[bytes], Item]
    count: Callable[[Sequence[Item]], int] = len
    """How many rows items become."""
    weigh: Callable[[Item], int] = lambda item: 0
    """The bytes of an item, if it is packed."""
    repeated: Sequence[str] = ()
    """Columns of text in which the same stands again and again."""


class Table(Generic[Item]):
    """Collects items, and writes their rows as a numbered file when there are enough of them."""

    def __init__(
        self,
        description: Description[Item],
        folder: Path,
        work: Path,
        limit: int,
        partition: int,
        state: TableState,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._description = description
        self._schema = description.schema()
        self.folder = folder
        self._limit = limit
        self._partition = partition
        self._serial = self.files = state.serial
        self._written = state.written
        self.bytes = state.bytes
        delete_from(folder, f"{partition:05}-*.parquet", lambda serial: serial >= state.serial)
        self._spool = Spool(work, description.name, state.spool)
        self._items: list[Item] = list(map(description.unpack, self._spool.load()))
        self._spooled = len(self._items)
        self._rows = description.count(self._items)
        self._bytes = sum(map(description.weigh, self._items))
        self._fill(
            [], 0, BytesIO()
        )  # the first time is slow, so before the crawl and not in its midst

    @property
    def total(self) -> int:
        """Rows collected and written."""
        return self._written + self._rows

    @property
    def items(self) -> Sequence[Item]:
        """What is in no file yet."""
        return self._items

    def add(self, items: Sequence[Item], rows: int) -> None:
        """Take in items that make so many rows; a file is written when there are enough for it."""
        self._items += items
        self._rows += rows
        self._bytes += sum(map(self._description.weigh, items))
        if self._rows >= self._limit or self._bytes >= _MOST_BYTES:
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
        write_whole(path, lambda file: self._fill(self._items, self._rows, file))
        self._spool.renew()
        self._serial += 1
        self._written += self._rows
        self._items, self._spooled, self._rows, self._bytes = [], 0, 0, 0
        self.files += 1
        self.bytes += path.stat().st_size

    def _fill(self, items: Sequence[Item], rows: int, file: BinaryIO) -> None:
        table = _rows_of(self._description, self._schema, items, rows)
        write_rows(table, file, self._description.repeated)


def rows_of(description: Description[Item], items: Sequence[Item]) -> "pyarrow.Table":
    """Items as the rows that they become."""
    return _rows_of(description, description.schema(), items, description.count(items))


def _rows_of(
    description: Description[Item], schema: "pyarrow.Schema", items: Sequence[Item], rows: int
) -> "pyarrow.Table":
    from pyarrow import table  # not at the top: the command line is to start at once

    columns = description.columns(items, rows) or [[] for _ in schema]
    arrays = [_array(values, field.type) for values, field in zip(columns, schema, strict=True)]
    return table(arrays, schema=schema)


def write_rows(rows: "pyarrow.Table", file: BinaryIO, repeated: Sequence[str] = ()) -> None:
    """Fill a Parquet file. Columns of text in which the same stands again and again are `repeated`.

    Looking for repetitions where there are none takes time and room; and of text that is in no order,
    the least and the greatest help nobody to skip rows.
    """
    from pyarrow import parquet, types

    few = [field.name for field in rows.schema if types.is_dictionary(field.type)]
    texts = {field.name for field in rows.schema if types.is_string(field.type)}
    numbers = [name for name in rows.schema.names if name not in texts and name not in few]
    parquet.write_table(
        rows,
        file,
        compression="zstd",
        use_dictionary=[*few, *repeated],
        write_statistics=numbers,
    )


def _array(values: "Sequence[Any] | pyarrow.Array", kind: "pyarrow.DataType") -> "pyarrow.Array":
    from pyarrow import Array, array

    if isinstance(values, Array):
        return values
    try:
        return array(values, kind)
    except UnicodeEncodeError:  # rare, so that text is not checked before
        return array([value and well_formed(value) for value in list(values)], kind)
