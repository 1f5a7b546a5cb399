"""Store every finished visit."""

import os
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import msgspec
from msgspec import Struct

from gossamer.core.analyzer_protocol import PageColumn
from gossamer.core.clock import Clock
from gossamer.core.copies import FoundCopy
from gossamer.core.disk.disk_files import sync_folder
from gossamer.core.disk.disk_manifest import MANIFEST, ManifestState, ManifestWriter
from gossamer.core.durable import Durable
from gossamer.core.page_batch import PageBatch
from gossamer.core.page_links import as_links
from gossamer.core.records import Followed, Judged, Via
from gossamer.core.settings import StoreSettings
from gossamer.output.copies_table import COPIES, CopyRow, copy_row
from gossamer.output.digest import payload_digest
from gossamer.output.items_table import ITEMS, ItemRow, item_rows
from gossamer.output.kept_pages import Worth
from gossamer.output.links_table import LINKS, pack_links
from gossamer.output.page_limit import Keeper, RetiredState
from gossamer.output.pages_table import Row, describe_pages, own_row, page_rows
from gossamer.output.parquet_table import StoredTable, TableState
from gossamer.output.warc_archive import Archive, ArchiveState
from gossamer.output.warc_record import Draw
from gossamer.output.warcinfo import describe_crawl


class StoreStatistics(Struct, frozen=True):
    records: int
    """WARC records, the introductions of files included."""
    revisits: int
    """Captures kept as a pointer to an earlier one."""
    warc_files: int
    warc_bytes: int
    """Compressed, as on disk."""
    raw_bytes: int
    """The same records before compression."""
    pages: int
    """Rows of the pages table."""
    links: int
    """Rows of the links table."""
    table_files: int
    table_bytes: int
    retired: int = 0
    """Pages that were kept and then retired."""


class StoreState(Struct, frozen=True, array_like=True):
    """The state to continue from a commit: file numbers and lengths."""

    archive: ArchiveState = ArchiveState()
    pages: TableState = TableState()
    links: TableState = TableState()
    unarchived_until: float = 0.0
    """Visits up to this time, in seconds since 1970, may have passed by without being archived."""
    retired: RetiredState = RetiredState()
    items: TableState = TableState()
    manifest: ManifestState | None = None
    """None in crawls of a version that kept no manifest."""
    copies: TableState = TableState()

    @property
    def tables(self) -> dict[str, TableState]:
        """Its tables, by the names of their folders."""
        return {
            "pages": self.pages,
            "links": self.links,
            "items": self.items,
            "copies": self.copies,
        }


NEW = StoreState()


def read_store_state(data: bytes) -> StoreState:
    """Decode the noted state; empty for a new crawl."""
    return msgspec.msgpack.decode(data, type=StoreState) if data else NEW


_FOLLOWED = Followed()

_LINKS_PER_PAGE = 4
"""Rows of the pages table are this many times as large as those of the links table."""


_Table = StoredTable[Row] | StoredTable[bytes] | StoredTable[ItemRow] | StoredTable[CopyRow]


class Store(Durable):
    """Writes visits into the archive and the tables, as the settings ask.

    What the settings switch off stays as it is, on disk and in the state, and can be switched on
    again later.

    Errors of the disk come through as `OSError`.
    """

    name = "output"

    def __init__(
        self,
        out: Path,
        settings: StoreSettings,
        clock: Clock,
        *,
        crawl_toml: str,
        user_agent: str,
        operator: str,
        partition: int = 0,
        crawl: str = "",
        state: StoreState = NEW,
        draw: Draw = os.urandom,
        optional: Sequence[PageColumn] = (),
    ) -> None:
        """Open the store in a crawl directory: empty, or as it was at a commit.

        `crawl` is its identity. Names of records are made of what `draw` gives. `optional` are columns of
        analyzers that are switched on.
        """
        self._clock = clock
        self._came_with = state
        self._noted = msgspec.msgpack.encode(state)
        work = out / "state" / f"{partition:05}" / "output"
        self._manifest = ManifestWriter(work / MANIFEST, state.manifest or ManifestState(), crawl)
        description = describe_crawl(crawl_toml, user_agent, operator)
        self._archive = (
            Archive(
                out / "warc",
                settings,
                clock,
                description,
                work,
                partition,
                state.archive,
                self._manifest,
                state.unarchived_until,
                draw,
            )
            if settings.warc
            else None
        )
        rows = settings.rows
        self._secret_fields = settings.secret_names
        few = max(1, rows // _LINKS_PER_PAGE)
        self._optional = optional
        self._pages = StoredTable(
            describe_pages(optional),
            out / "pages",
            work,
            few,
            partition,
            state.pages,
            self._manifest,
        )
        self._links = (
            StoredTable(LINKS, out / "links", work, rows, partition, state.links, self._manifest)
            if settings.links
            else None
        )
        self._open_items = partial(
            StoredTable,
            *(ITEMS, out / "items", work, rows, partition, state.items, self._manifest),
        )
        has_items = state.items != TableState()
        self._items: StoredTable[ItemRow] | None = self._open_items() if has_items else None
        """Most crawls have none, and no table for them."""
        self._open_copies = partial(
            StoredTable,
            *(COPIES, out / "copies", work, rows, partition, state.copies, self._manifest),
        )
        has_copies = state.copies != TableState()
        self._copies: StoredTable[CopyRow] | None = self._open_copies() if has_copies else None
        self._out = out
        self._keeper = (
            Keeper(
                settings.max_stored_pages,
                self._archive,
                self._pages,
                work,
                partition,
                state.retired,
                self._manifest,
            )
            if self._archive is not None and settings.max_stored_pages
            else None
        )
        for folder in (out, work.parent.parent, work.parent):  # the names of the folders themselves
            sync_folder(folder)

    def write(self, batch: PageBatch, followed: Sequence[Followed] = ()) -> None:
        """Take in finished visits, failures included, and what became of the links of each."""
        if not batch.pages:
            return
        both = [*zip(batch.pages, followed or [_FOLLOWED] * len(batch.pages), strict=True)]
        own = [self._write(judged, way) for judged, way in both]
        rows = page_rows(batch, own, self._optional)
        self._pages.add(rows, len(rows))
        if self._links is not None:
            pages = [(one.document, way) for one, way in both if _is_page(one)]
            packed = [
                pack_links(as_links(document.links), way.refused, document.page.started)
                for document, way in pages
            ]
            self._links.add(packed, sum(len(document.links) for document, _ in pages))
        self._write_items([row for page in batch.pages for row in item_rows(page.document)])

    def _write_items(self, rows: list[ItemRow]) -> None:
        if rows and self._items is None:
            self._items = self._open_items()
            sync_folder(self._out)
        if rows and self._items is not None:
            self._items.add(rows, len(rows))

    def write_copy(self, copy: FoundCopy) -> None:
        """A page of which the row was written is like one of another partition."""
        if self._copies is None:
            self._copies = self._open_copies()
            sync_folder(self._out)
        self._copies.add([copy_row(copy)], 1)

    def commit(self) -> StoreState:
        """Group commit: all that was written so far is durable when this returns.

        The state that is returned leads back to it, for as long as `tidy` is not called.
        """
        before = self._came_with
        has_archive = self._archive is not None
        return StoreState(
            self._archive.commit() if self._archive is not None else before.archive,
            self._pages.commit(),
            self._links.commit() if self._links is not None else before.links,
            before.unarchived_until if has_archive else self._clock.now(),
            self._keeper.commit() if self._keeper is not None else before.retired,
            self._items.commit() if self._items is not None else before.items,
            self._manifest.commit(),
            self._copies.commit() if self._copies is not None else before.copies,
        )

    def note(self) -> bytes:
        self._noted = msgspec.msgpack.encode(self.commit())
        return self._noted

    def noted(self) -> None:
        self.tidy()

    def checkpoint(self) -> bytes:
        """As it was at the commit just before."""
        return self._noted

    def tidy(self) -> None:
        """The last commit is recorded: delete what only those before it need."""
        for part in self._parts():
            part.tidy()
        if self._keeper is not None:
            self._keeper.tidy()

    def publish(self) -> None:
        """Let readers of the tables see all that the last commit has, now that it is recorded."""
        for table in self._tables():
            table.publish()

    def finish(self) -> None:
        """Bring tables and index up to date. The index can be read after the next commit and `tidy`."""
        for part in self._parts():
            part.finish()

    def choose_retired(self, worth: Worth, *, is_last: bool) -> bool:
        """Are more pages stored than there may be, and is it time to retire some?

        If so, `retire` may be called after the next commit and `tidy`, before anything is written.
        """
        if self._keeper is None or not self._keeper.choose(worth, is_last=is_last):
            return False
        self.finish()
        return True

    def retire(self) -> None:
        """Retire the pages that were chosen; the next commit makes it final."""
        assert self._keeper is not None, "nothing was chosen"
        self._keeper.retire()

    def close(self) -> None:
        """Close all files. If one cannot be closed, the others still are."""
        with ExitStack() as stack:
            stack.callback(
                self._manifest.close
            )  # the last, as others add to it when they are closed
            for part in self._parts():
                stack.callback(part.close)

    def statistics(self) -> StoreStatistics:
        warc = self._archive and self._archive.warc
        return StoreStatistics(
            records=warc.records if warc else 0,
            revisits=self._archive.revisits if self._archive else 0,
            warc_files=warc.files if warc else 0,
            warc_bytes=warc.bytes if warc else 0,
            raw_bytes=warc.raw_bytes if warc else 0,
            pages=self._pages.total,
            links=self._links.total if self._links else 0,
            table_files=sum(table.files for table in self._tables()),
            table_bytes=sum(table.bytes for table in self._tables()),
            retired=self._keeper.retired if self._keeper is not None else 0,
        )

    def _write(self, judged: Judged, followed: Followed) -> Row | None:
        """Keep what a visit brought; returns its own columns, if it is one of a page."""
        digest = payload_digest(judged)
        place = self._archive.keep(judged, digest) if self._archive is not None else None
        if not _is_page(judged):
            return None
        if self._keeper is not None and place is not None:
            page = judged.document.page
            is_good = 200 <= page.status < 300 or judged.is_unchanged
            leans = place.original is not None and bool(
                judged.change
            )  # a first visit has no change
            self._keeper.stored.add(page.visit.url.key, place, is_good=is_good, leans=leans)
        return own_row(judged, digest, place, followed, self._secret_fields)

    def _tables(self) -> list[_Table]:
        tables = (self._pages, self._links, self._items, self._copies)
        return [table for table in tables if table is not None]

    def _parts(self) -> list[_Table | Archive]:
        return [*self._tables(), *([self._archive] if self._archive is not None else [])]


def _is_page(judged: Judged) -> bool:
    """A robots.txt is asked for on behalf of pages; it is no page itself."""
    return judged.document.page.visit.via is not Via.ROBOTS
