"""Looks through a crawl directory and says what is in order and what is not.

In comes a crawl directory that nobody else uses; out come findings, one per line of `gossamer verify`.

    manifest  what it says of each file is compared with all of the file's bytes
    archive   every gzip member is whole, every block digest is right
    index     sorted; every line leads to a capture and says what its record says; every capture has a line
    tables    they can be read; each page's place in the archive is a capture
    state     the checkpoint, the journal and every structure can be opened as they would be to resume
    status    the figures that are shown are those that were written
    inbox     what was announced can be read, as far as partitions have read it and beyond
    text      every file can be read, and is as it was made; each page has one row
    index     every file of the text index is as it was made
    graph     every file is as it was when the graph was published, if one was built
    earlier   the content of unchanged pages is where they lead to, in the crawls before this one

While pages are being retired, places in the archive change: after a crash in the middle of that, each
file is only checked by itself, and a resumed crawl completes the work.

All of it is compared with what is recorded: is there as much as at the last commit? After a crash
there may be more. What came after the last commit is in order: a resumed crawl cuts it off.

Invariants:
- Nothing that is looked at is changed.
- An error in a check is a finding, never an exception. One damage is one problem, as far as it can be known
  apart from its consequences.
"""

from collections.abc import Iterator
from pathlib import Path

from gossamer.cluster.consistency import check_reach, read_reach
from gossamer.core.directory import Directory
from gossamer.core.disk.disk_manifest import FileManifest
from gossamer.core.neighbour_protocol import Neighbours
from gossamer.core.settings import Settings
from gossamer.engine.control.command_journal import count_commands
from gossamer.engine.ledger import Record
from gossamer.engine.status_file import read_summary
from gossamer.output import Store, StoreState, read_store_state
from gossamer.output.cdxj import CdxjState
from gossamer.output.page_limit import is_retiring
from gossamer.output.parquet_table import TableState
from gossamer.verify.check_archive import ArchiveLook, Archives
from gossamer.verify.check_earlier import find_content
from gossamer.verify.check_graph import inspect_graph
from gossamer.verify.check_inbox import inspect_inbox
from gossamer.verify.check_index import IndexLook
from gossamer.verify.check_listed import inspect_text_index, inspect_texts, read_listed
from gossamer.verify.check_numbered import find_strangers
from gossamer.verify.check_state import COPIED, inspect_state, read_record
from gossamer.verify.check_table import TableLook
from gossamer.verify.finding import Finding, attempt, problem
from gossamer.verify.half_retired import HalfwayLook
from gossamer.verify.repeated_texts import inspect_repeated

__all__ = ["Finding", "inspect"]


def inspect(path: Path, copied: int = COPIED) -> Iterator[Finding]:
    """Everything that was looked at, one finding each.

    To look into the state it is copied, within the directory, if it has no more bytes than `copied`.
    """
    with Directory(path) as directory:
        settings = directory.open()
        count = max(directory.partitions, settings.crawl.partitions)
        yield from Inspection(path, settings, count, copied).findings()


class Inspection:
    """A look at all partitions of a crawl."""

    def __init__(self, path: Path, settings: Settings, count: int, copied: int) -> None:
        self._path = path
        self._settings = settings
        self._copied = copied
        self._directories = [Directory(path, number) for number in range(count)]
        self._records: list[Record | None] = []
        self._manifests: dict[int, FileManifest | None] = {}

    def findings(self) -> Iterator[Finding]:
        for directory in self._directories:
            failure, record = attempt(_name("state", directory), read_record, directory)
            self._records.append(record)
            if record is None:
                yield failure
        yield from self._compare_partitions()
        for directory, store in self._stores():
            if _retires(directory, store):
                yield Finding(
                    "warc",
                    "the removal of less valuable pages was interrupted; a "
                    "resumed crawl completes it",
                )
                yield from self._inspect_halfway()
                return
        warc = self._path / "warc"
        yield from self._read_manifests()
        looks = [
            ArchiveLook(
                *(warc, directory.partition, store.archive.warc if store else None),
                manifest=self._manifests.get(directory.partition),
            )
            for directory, store in self._stores()
        ]
        for archive in looks:
            yield from archive.findings()
        archives = Archives(looks)
        yield from find_strangers(warc, "*.warc.gz", [look.files for look in looks])
        yield from IndexLook(warc, self._index_states()).findings(archives)
        yield from self._inspect_tables(archives)
        yield from self._inspect_settings()
        yield from self._inspect_status()
        yield from self._inspect_inbox()
        yield from self._inspect_commands()
        yield from inspect_texts(self._path)
        yield from inspect_repeated(self._path)
        yield from inspect_text_index(self._path)
        yield from inspect_graph(self._path)
        if self._settings.crawl.known:
            finding, _ = attempt("earlier crawls", find_content, self._path)
            yield finding

    def _inspect_halfway(self) -> Iterator[Finding]:
        """While pages are retired nothing leads where it will, but every file can be read by itself."""
        own = [
            directory.partition for directory, store in self._stores() if _retires(directory, store)
        ]
        warc, lengths = self._path / "warc", dict[Path, int]()
        for directory, store in self._stores():
            if store is not None:
                look = ArchiveLook(warc, directory.partition, store.archive.warc)
                lengths |= {warc / store.archive.warc.name: store.archive.warc.length}
                lengths |= dict.fromkeys(look.files.later, 0)
                yield from look.files.findings()
                tables = store.tables
                for name, table in tables.items():
                    rows = TableLook(directory, name, table)
                    yield from rows.files.findings()
                    yield from rows.inspect_spool(table)
        index = IndexLook(warc, self._index_states())
        yield from HalfwayLook(self._path, index, own, lengths).findings()
        for directory, record in zip(self._directories, self._records, strict=True):
            if record is not None:
                what = _name("state", directory)
                yield inspect_state(directory, self._settings, record, 0, self._copied, what)

    def _read_manifests(self) -> Iterator[Finding]:
        for directory, store in self._stores():
            finding, manifest = read_listed(directory, store, _name("manifest", directory))
            self._manifests[directory.partition] = manifest
            if finding is not None:
                yield finding

    def _inspect_settings(self) -> Iterator[Finding]:
        if self._directories[0].is_changed_by_hand:
            yield Finding("crawl.toml", "changed since Gossamer wrote it: by hand, or damaged")

    def _inspect_status(self) -> Iterator[Finding]:
        if not self._directories[0].status.exists():
            yield Finding(
                "status",
                "none: it was deleted, or the crawl has just begun; the next run writes it",
            )
            return
        finding, _ = attempt("status", _read_status, self._path)
        yield finding

    def _inspect_inbox(self) -> Iterator[Finding]:
        inbox = self._directories[0].inbox
        if inbox.is_dir():
            records = [record for record in self._records if record is not None]
            finding, _ = attempt("inbox", inspect_inbox, inbox, records)
            yield finding

    def _inspect_commands(self) -> Iterator[Finding]:
        control = self._directories[0].control
        if control.exists():
            finding, _ = attempt("commands", lambda: f"{count_commands(control)} recorded")
            yield finding

    def _compare_partitions(self) -> Iterator[Finding]:
        """Compare the messages that each partition has sent and received."""
        reaches = {
            number: read_reach(record.state(Neighbours.name), record.notes(Neighbours.name))
            for number, record in enumerate(self._records)
            if record is not None
        }
        if said := check_reach(reaches):
            yield problem("state", f"{said}; restore all from the same copy of the crawl directory")

    def _inspect_tables(self, archives: Archives) -> Iterator[Finding]:
        stores = self._stores()
        pages = [self._look(one, "pages", store.pages if store else None) for one, store in stores]
        links = [self._look(one, "links", store.links if store else None) for one, store in stores]
        items = [self._look(one, "items", store.items if store else None) for one, store in stores]
        copies = [
            self._look(one, "copies", store.copies if store else None) for one, store in stores
        ]
        tables = (("pages", pages), ("links", links), ("items", items), ("copies", copies))
        for _, table in tables:
            for look in table:
                yield from look.findings(archives)
        for name, table in tables:
            files = [look.files for look in table]
            yield from find_strangers(self._path / name, "*.parquet", files)
        if all(look.is_whole for look in pages):
            yield from archives.doubts.findings(self._path / "warc")
        for directory, record, look in zip(self._directories, self._records, pages, strict=True):
            if record is not None:
                what = _name("state", directory)
                yield inspect_state(
                    directory, self._settings, record, look.brought, self._copied, what
                )

    def _look(self, directory: Directory, name: str, state: TableState | None) -> TableLook:
        return TableLook(directory, name, state, self._manifests.get(directory.partition))

    def _index_states(self) -> list[tuple[Directory, CdxjState | None]]:
        return [
            (directory, store.archive.index if store else None)
            for directory, store in self._stores()
        ]

    def _stores(self) -> list[tuple[Directory, StoreState | None]]:
        return [
            (directory, read_store_state(record.latest(Store.name)) if record else None)
            for directory, record in zip(self._directories, self._records, strict=True)
        ]


def _read_status(path: Path) -> str:
    return f"{read_summary(path).pages} pages"


def _retires(directory: Directory, store: StoreState | None) -> bool:
    return store is not None and is_retiring(directory.state / "output", store.retired)


def _name(what: str, directory: Directory) -> str:
    """Only those partitions are named that are not the first, which may be the only one."""
    return f"{what} of partition {directory.partition}" if directory.partition else what
