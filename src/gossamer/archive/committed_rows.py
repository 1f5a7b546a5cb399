"""Files, rows and index lines of a crawl that were committed when it was opened."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gossamer.core.directory import Directory
from gossamer.core.disk.disk_files import check_length
from gossamer.core.disk.disk_manifest import sum_file
from gossamer.core.errors import DamageError
from gossamer.core.url import owner_of
from gossamer.core.whole_files import INDEX, check_index, check_output
from gossamer.engine.ledger import Ledger
from gossamer.output import Store, StoreState, read_store_state
from gossamer.output.cdxj import run_name
from gossamer.output.numbered_files import check_numbered, serial_of
from gossamer.output.offloaded_files import serials_elsewhere
from gossamer.output.parquet_table import TableState
from gossamer.output.spool import read_spool
from gossamer.output.warc_file import WarcState

_TABLES = ("pages", "links", "items", "copies")
_LOOKS = 5
"""A crawl that is running may tidy up in the midst of a look, which is taken again then."""


class CommittedRows:
    """The output of all partitions, as their last commits have it."""

    def __init__(self, directory: Directory) -> None:
        self._path = directory.path
        folders = sorted(directory.state.parent.glob("[0-9]*"))
        for _ in range(_LOOKS):
            try:
                self._stores = [(state, _read_store(state)) for state in folders]
                self._spooled = {name: self._read_spools(name) for name in _TABLES}
                return
            except (FileNotFoundError, DamageError):
                continue
        self._stores = [(state, _read_store(state)) for state in folders]
        self._spooled = {name: self._read_spools(name) for name in _TABLES}

    def files(self, table: str, host: str = "") -> list[Path]:
        """The finished files of a table; of a host, those of the partition that it belongs to.

        `DamageError` if one is not there, or not as it was made.
        """
        check_output(self._path, table)
        found: list[Path] = []
        owner = owner_of(host, max(1, len(self._stores))) if host else None
        for state, store in self._stores:
            if owner not in (None, int(state.name)):
                continue
            count, pattern = _table(store, table).serial, f"{state.name}-*.parquet"
            if (self._path / table).is_dir() or count:
                elsewhere = serials_elsewhere(self._path / table, int(state.name))
                check_numbered(self._path / table, pattern, count, elsewhere)
            files = sorted((self._path / table).glob(pattern))
            found += [file for file in files if serial_of(file) < count]
        return found

    def spooled(self, table: str) -> list[Any]:
        """Read rows that are in no file yet, from the spool."""
        return self._spooled[table]

    def check_archive(self) -> None:
        """Raise `DamageError` if a WARC file or the index is not there, or not as it was made."""
        warc = self._path / "warc"
        check_output(self._path, "warc")
        for state, store in self._stores:
            number, last = int(state.name), store.archive.warc
            pattern = f"gossamer-*-{state.name}-*.warc.gz"
            check_numbered(warc, pattern, last.serial, serials_elsewhere(warc, number))
            if last.name:
                _check_last(warc / last.name, last)
        if any(store.archive.index.is_published for _, store in self._stores):
            check_length(warc / INDEX, 0)
        check_index(warc)

    def index_lines(self) -> Iterator[bytes]:
        """The lines of the index, in no order; some may come twice."""
        warc = self._path / "warc"
        check_index(warc)
        files = [warc / INDEX]
        for state, store in self._stores:
            index, number = store.archive.index, int(state.name)
            files += [warc / run_name(number, serial) for serial in (*index.runs, *index.merged)]
        for file in filter(Path.exists, files):
            with file.open("rb") as lines:
                yield from lines
        for state, store in self._stores:
            yield from read_spool(state / "output", "index", store.archive.index.spool)

    def _read_spools(self, table: str) -> list[Any]:
        return [
            item
            for state, store in self._stores
            for item in read_spool(state / "output", table, _table(store, table).spool)
        ]


def _check_last(path: Path, last: WarcState) -> None:
    """Is the file that was being filled as it was at the last commit? More may have come since."""
    check_length(path, last.length)
    is_known = last.check >= 0
    if is_known and sum_file(path, "", last.length).crc32 != last.check:
        raise DamageError(path, "is damaged: its checksum is wrong")


def _read_store(state: Path) -> StoreState:
    return read_store_state(Ledger.read(state).latest(Store.name))


def _table(store: StoreState, name: str) -> TableState:
    return store.tables[name]
