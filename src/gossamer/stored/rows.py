"""Which files, rows and lines of a crawl were on record when somebody looked."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gossamer.base.directory import Directory
from gossamer.base.errors import DamageError
from gossamer.base.url import owner_of
from gossamer.crawl.ledger import Ledger
from gossamer.harvest.store import Store, StoreState, read_store_state
from gossamer.harvest.store.cdxj import run_name
from gossamer.harvest.store.files import serial_of
from gossamer.harvest.store.spool import read_spool
from gossamer.harvest.store.table import TableState

_TABLES = ("pages", "links", "items")
_LOOKS = 5
"""A crawl that is running may tidy up in the midst of a look, which is taken again then."""


class OnRecord:
    """The harvest of all partitions, as their last commits have it."""

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
        """The finished files of a table; of a host, those of the partition that it belongs to."""
        found: list[Path] = []
        owner = owner_of(host, max(1, len(self._stores))) if host else None
        for state, store in self._stores:
            if owner not in (None, int(state.name)):
                continue
            files = sorted((self._path / table).glob(f"{state.name}-*.parquet"))
            found += [file for file in files if serial_of(file) < _table(store, table).serial]
        return found

    def spooled(self, table: str) -> list[Any]:
        """What is in no file yet, as it was put into the spool."""
        return self._spooled[table]

    def index_lines(self) -> Iterator[bytes]:
        """The lines of the index, in no order; some may come twice."""
        warc = self._path / "warc"
        files = [warc / "index.cdxj"]
        for state, store in self._stores:
            index, number = store.archive.index, int(state.name)
            files += [warc / run_name(number, serial) for serial in (*index.runs, *index.merged)]
        for file in filter(Path.exists, files):
            with file.open("rb") as lines:
                yield from lines
        for state, store in self._stores:
            yield from read_spool(state / "harvest", "index", store.archive.index.spool)

    def _read_spools(self, table: str) -> list[Any]:
        return [
            item
            for state, store in self._stores
            for item in read_spool(state / "harvest", table, _table(store, table).spool)
        ]


def _read_store(state: Path) -> StoreState:
    return read_store_state(Ledger.read(state).latest(Store.name))


def _table(store: StoreState, name: str) -> TableState:
    tables = {"pages": store.pages, "links": store.links, "items": store.items}
    return tables[name]
