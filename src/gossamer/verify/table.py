"""A Parquet table: its files, and the rows that wait for the next one."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gossamer.base.directory import Directory, partition_name
from gossamer.base.disk.manifest import FileManifest
from gossamer.harvest.store.links import count_links
from gossamer.harvest.store.spool import read_spool
from gossamer.harvest.store.table import TableState
from gossamer.verify.archive import Archives
from gossamer.verify.finding import Finding, attempt, problem
from gossamer.verify.listed import check_listed
from gossamer.verify.numbered import NumberedFiles

_UNFINISHED = (
    "not finished; its rows on record are in the spool, and a resumed crawl writes it again"
)
_COUNTS: dict[str, Callable[[list[Any]], int]] = {
    "pages": len,
    "links": count_links,
    "items": len,
}
"""How many rows the items of a spool are."""

if TYPE_CHECKING:
    import pyarrow


class TableLook:
    """Reads every file that is on record, and counts rows."""

    def __init__(
        self,
        directory: Directory,
        name: str,
        state: TableState | None,
        manifest: FileManifest | None = None,
    ) -> None:
        self._manifest = manifest
        self._name = name
        self._harvest = directory.state / "harvest"
        self._state = state
        own = f"{partition_name(directory.partition)}-*.parquet"
        self.files = NumberedFiles(
            directory.path / name, own, state.serial if state else None, _UNFINISHED
        )
        self.rows = 0
        """Those in the spool too."""
        self.is_whole = not self.files.missing

    def findings(self, archive: Archives) -> Iterator[Finding]:
        yield from self.files.findings()
        for file in self.files.known.values():
            name = f"{self._name}/{file.name}"
            finding, seen = attempt(name, self._read, file, archive)
            self.is_whole &= seen is not None
            yield finding
        if self._state is not None:
            if self.is_whole and self.rows != self._state.written:
                yield problem(
                    self._name,
                    f"{self.rows} rows were found, but {self._state.written} are on record",
                )
            yield from self.inspect_spool(self._state)

    def inspect_spool(self, state: TableState) -> Iterator[Finding]:
        name = f"{self._name} spool"
        finding, rows = attempt(name, read_spool, self._harvest, self._name, state.spool)
        if rows is None:
            yield finding
        elif rows:
            count = _COUNTS[self._name](rows)
            self.rows += count
            yield Finding(name, f"{count} rows wait in it")

    def _read(self, file: Path, archive: Archives) -> str:
        table = read_table(file)
        self.rows += table.num_rows
        if "warc_file" in table.column_names:
            names, offsets = (table.column(x).to_pylist() for x in ("warc_file", "warc_offset"))
            for name, offset in zip(names, offsets, strict=True):
                if name is not None and not archive.has_capture(name, offset):
                    raise ValueError(f"a row names byte {offset} of {name}, but no page is there")
            archive.doubts.settle(table)
        check_listed(self._manifest, f"{self._name}/{file.name}", file)
        return f"{table.num_rows} rows"


def read_table(file: Path) -> "pyarrow.Table":
    """Read a file, whatever is on record of it."""
    from pyarrow import ArrowException, parquet

    try:
        return parquet.read_table(file, page_checksum_verification=True)
    except (ArrowException, OSError, ValueError) as error:
        raise ValueError(f"is not a Parquet file: {error}") from None
