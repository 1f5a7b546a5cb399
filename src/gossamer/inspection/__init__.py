"""Looks through a crawl directory and says what is in order and what is not.

In comes a crawl directory that nobody else uses; out come findings, one per line of `gossamer verify`.

    archive   every gzip member is whole, every block digest is right
    index     sorted; every line leads to a capture, and every capture has its line
    tables    they can be read; each page's place in the archive is a capture
    state     the checkpoint, the journal and every structure can be opened as they would be to resume

All of it is compared with what is on record: is there as much as at the last commit? After a crash
there may be more. What came after the last commit is in order: a resumed crawl cuts it off.

Invariants:
- Nothing that is looked at is changed.
- Whatever a look stumbles over is a finding, never an exception; one damage is one problem, as far as
  it can be told from what follows from it.
"""

from collections.abc import Iterator
from pathlib import Path

from gossamer.directory import Directory
from gossamer.inspection.archive import ArchiveLook
from gossamer.inspection.finding import Finding, attempt
from gossamer.inspection.index import IndexLook
from gossamer.inspection.state import COPIED, inspect_state, read_record
from gossamer.inspection.table import TableLook

__all__ = ["Finding", "inspect"]


def inspect(path: Path, copied: int = COPIED) -> Iterator[Finding]:
    """Everything that was looked at, one finding each.

    To look into the state it is copied, within the directory, if it has no more bytes than `copied`.
    """
    with Directory(path) as directory:
        settings = directory.open()
        failure, record = attempt("state", lambda: read_record(directory))
        if record is None:
            yield failure
        harvest = directory.state / "harvest"
        store = record.replay.progress.store if record else None
        archive = ArchiveLook(path / "warc", store.archive.warc if store else None)
        yield from archive.findings()
        index = IndexLook(path / "warc", harvest, store.archive.index if store else None)
        yield from index.findings(archive)
        pages = TableLook(path / "pages", harvest, store.pages if store else None)
        yield from pages.findings(archive)
        links = TableLook(path / "links", harvest, store.links if store else None)
        yield from links.findings(archive)
        if record is not None:
            yield inspect_state(directory, settings, record, pages.rows, copied)
