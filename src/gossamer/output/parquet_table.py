"""A Parquet table that grows file by file.

Rows wait in memory and in the spool until there are enough for a file. So that readers of a running
crawl need not wait for that, the rows recorded are *published* now and then: the file that comes next is
there already, with fewer rows, and is replaced under its name each time, at last by the finished one. To a
reader there is one file after the other, each row once; on disk there are never more files than without it.
"""

from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Generic, NamedTuple, TypeVar, cast

from msgspec import Struct

from gossamer.core.disk.disk_manifest import FileEntry, ManifestWriter, write_summed
from gossamer.output.numbered_files import check_numbered, delete_from, serial_of
from gossamer.output.offloaded_files import serials_elsewhere
from gossamer.output.spool import Spool, SpoolState
from gossamer.output.utf8_text import well_formed

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
    """The columns and file layout of a table."""

    name: str
    schema: Callable[[], "pyarrow.Schema"]
    """Names and types of the columns."""
    columns: Callable[[Sequence[Item], int], Columns]
    """Takes items that make this many rows apart into those columns."""
    pack: Callable[[Item], bytes]
    """Makes msgpack of an item, for the spool, and back."""
    unpack: Callable[[bytes], Item]
    count: Callable[[Sequence[Item]], int] = len
    """How many rows items become."""
    weigh: Callable[[Item], int] = lambda item: 0
    """The bytes of an item, if it is packed."""
    repeated: Sequence[str] = ()
    """Columns of text in which the same stands again and again."""


class StoredTable(Generic[Item]):
    """Collects items, and writes their rows as a numbered file when there are enough of them.

    A file that was published and is not finished counts for nothing: its rows are those of the spool.
    """

    def __init__(
        self,
        description: Description[Item],
        folder: Path,
        work: Path,
        limit: int,
        partition: int,
        state: TableState,
        manifest: ManifestWriter,
    ) -> None:
        """The manifest takes in each file that is finished."""
        self._manifest = manifest
        folder.mkdir(parents=True, exist_ok=True)
        self._description = description
        self._schema = description.schema()
        self.folder = folder
        self._limit = limit
        self._partition = partition
        self._serial = self.files = state.serial
        self._written = state.written
        self._finished_bytes = state.bytes
        elsewhere = serials_elsewhere(folder, partition)
        check_numbered(folder, f"{partition:05}-*.parquet", state.serial, elsewhere)
        self._spool = Spool(work, description.name, state.spool)
        self._items: list[Item] = list(map(description.unpack, self._spool.load()))
        self._spooled = len(self._items)
        self._published = -1
        """Items in the file that is not finished; -1 when that is not known."""
        self._published_bytes = 0
        self._rows = description.count(self._items)
        self._delete_unfinished()
        self._bytes = sum(map(description.weigh, self._items))
        self._fill(
            [], 0, BytesIO()
        )  # the first time is slow, so before the crawl and not in its midst
        if self._items:  # a file that a crash left behind may have rows that are not recorded
            self.publish()

    @property
    def total(self) -> int:
        """Rows collected and written."""
        return self._written + self._rows

    @property
    def items(self) -> Sequence[Item]:
        """The rows that are in no finished file yet."""
        return self._items

    @property
    def bytes(self) -> int:
        """The size of all files, the unfinished one included."""
        return self._finished_bytes + self._published_bytes

    def finished_files(self) -> list[Path]:
        """The recorded files; all others in the folder do not count."""
        found = sorted(self.folder.glob(self._pattern))
        return [path for path in found if serial_of(path) < self._serial]

    def add(self, items: Sequence[Item], rows: int) -> None:
        """Take in items that make this many rows; a file is written when there are enough for it."""
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
        return TableState(self._serial, self._written, self._finished_bytes, self._spool.commit())

    def tidy(self) -> None:
        self._spool.tidy()

    def publish(self) -> None:
        """Let readers see what is recorded; to be called when a commit is, before anything is added.

        A table without any row has a file from the beginning, so that it can be read.
        """
        assert self._spooled == len(self._items), "only what is recorded may be seen"
        if self._spooled != self._published and (self._items or self._serial == 0):
            self._published_bytes = self._write(self._next_file).bytes
            self._published = self._spooled

    def finish(self) -> None:
        """Write what is left; a table without any row still gets a file, so that it can be read."""
        if self._rows or self._serial == 0:
            self._write_file()

    def close(self) -> None:
        self._spool.close()

    def _write_file(self) -> None:
        entry = self._write(self._next_file)
        self._published = -1  # should the next step fail, more is to be seen than is recorded
        self._spool.renew()
        self._serial += 1
        self._written += self._rows
        self._items, self._spooled, self._rows, self._bytes = [], 0, 0, 0
        self._published = self._published_bytes = 0
        self.files += 1
        self._finished_bytes += entry.bytes
        self._manifest.add(entry)
        self._manifest.write_out()  # so that `verify` finds it should no commit follow

    def _write(self, path: Path) -> FileEntry:
        name = f"{self.folder.name}/{path.name}"
        return write_summed(
            path, name, lambda file: self._fill(self._items, self._rows, cast(BinaryIO, file))
        )

    @property
    def _pattern(self) -> str:
        return f"{self._partition:05}-*.parquet"

    @property
    def _next_file(self) -> Path:
        return self.folder / f"{self._partition:05}-{self._serial:05}.parquet"

    def _delete_unfinished(self) -> None:
        """Delete what a crash left behind; rows of the spool stay to be seen until they are written again."""
        first = self._serial + bool(self._items)
        delete_from(self.folder, self._pattern, lambda serial: serial >= first)

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
        write_page_checksum=True,
    )


def _array(values: "Sequence[Any] | pyarrow.Array", kind: "pyarrow.DataType") -> "pyarrow.Array":
    from pyarrow import Array, array

    if isinstance(values, Array):
        return values
    try:
        return array(values, kind)
    except UnicodeEncodeError:  # rare, so that text is not checked before
        return array([value and well_formed(value) for value in list(values)], kind)
