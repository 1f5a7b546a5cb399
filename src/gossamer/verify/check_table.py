"""A Parquet table: its files, and the rows that wait for the next one."""

from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

from gossamer.core.directory import Directory, partition_name
from gossamer.core.disk.disk_manifest import FileManifest
from gossamer.output.copies_table import COPIES
from gossamer.output.items_table import ITEMS
from gossamer.output.links_table import LINKS
from gossamer.output.pages_table import PAGES
from gossamer.output.parquet_table import Description, TableState
from gossamer.output.spool import pack, read_spool
from gossamer.verify.check_archive import Archives
from gossamer.verify.check_listed import check_listed
from gossamer.verify.check_numbered import NumberedFiles, inspect_place, read_serial
from gossamer.verify.finding import Finding, attempt, problem
from gossamer.verify.table_file import read_table
from gossamer.verify.unfinished import inspect_unfinished

_TABLES: dict[str, Description[Any]] = {
    "pages": PAGES,
    "links": LINKS,
    "items": ITEMS,
    "copies": COPIES,
}


_STATUS = 2
"""The place of the status in a row of the spool."""


class TableLook:
    """Reads every file that is recorded, and counts rows."""

    def __init__(
        self,
        directory: Directory,
        name: str,
        state: TableState | None,
        manifest: FileManifest | None = None,
    ) -> None:
        self._manifest = manifest
        self._name = name
        self._output = directory.state / "output"
        self._state = state
        own = f"{partition_name(directory.partition)}-*.parquet"
        self.files = NumberedFiles(directory.path / name, own, state.serial if state else None)
        self.rows = 0
        """Those in the spool too."""
        self.brought = 0
        """Rows of pages that brought something; for what failed, a resumed crawl may have asked again."""
        self.is_whole = not self.files.missing
        self._waiting: list[Any] = []
        """What is in the spool."""

    def findings(self, archive: Archives) -> Iterator[Finding]:
        yield from self.files.find_missing()
        for file in self.files.known.values():
            name = f"{self._name}/{file.name}"
            finding, seen = attempt(name, self._read, file, archive)
            self.is_whole &= seen is not None
            yield finding
        if self._state is not None:
            if self.is_whole and self.rows != self._state.written:
                yield problem(
                    self._name,
                    f"{self.rows} rows were found, but {self._state.written} are recorded",
                )
            yield from self.inspect_spool(self._state)
            yield from self._inspect_unfinished(self._state)

    def inspect_spool(self, state: TableState) -> Iterator[Finding]:
        name = f"{self._name} spool"
        finding, rows = attempt(name, read_spool, self._output, self._name, state.spool)
        if rows is None:
            yield finding
        elif rows:
            description = _TABLES[self._name]
            self._waiting = [description.unpack(pack(row)) for row in rows]
            count = description.count(self._waiting)
            self.rows += count
            if self._name == "pages":
                self.brought += sum(_has_brought(row[_STATUS]) for row in self._waiting)
            yield Finding(name, f"{count} rows are not in a table yet")

    def _inspect_unfinished(self, state: TableState) -> Iterator[Finding]:
        for file in self.files.later:
            items = self._waiting if read_serial(file) == state.serial else []
            finding = inspect_place(file)
            if finding is None:
                arguments = (file, self._output, _TABLES[self._name], items)
                finding, _ = attempt(f"{self._name}/{file.name}", inspect_unfinished, *arguments)
            yield finding

    def _read(self, file: Path, archive: Archives) -> str:
        table = read_table(file)
        self.rows += table.num_rows
        if "status" in table.column_names:
            self.brought += sum(map(_has_brought, table.column("status").to_pylist()))
        if "warc_file" in table.column_names:
            names, offsets = (table.column(x).to_pylist() for x in ("warc_file", "warc_offset"))
            for name, offset in zip(names, offsets, strict=True):
                if name is not None and not archive.has_capture(name, offset):
                    raise ValueError(f"a row names byte {offset} of {name}, but no page is there")
            archive.doubts.settle(table)
        check_listed(self._manifest, f"{self._name}/{file.name}", file)
        return f"{table.num_rows} rows"


def _has_brought(status: int | None) -> bool:
    return status is not None and status < HTTPStatus.BAD_REQUEST
