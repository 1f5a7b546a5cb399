"""Where every finished visit ends up."""

import random
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from msgspec import Struct

from gossamer.base.clock import Clock
from gossamer.base.records import Kept, Link, Via
from gossamer.base.settings import StoreSettings
from gossamer.harvest.store.archive import Archive
from gossamer.harvest.store.digest import payload_digest
from gossamer.harvest.store.links import link_columns, links_schema
from gossamer.harvest.store.pages import Row, page_columns, page_row, pages_schema
from gossamer.harvest.store.table import Table
from gossamer.harvest.store.warcinfo import describe_crawl


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


class Store:
    """Writes visits into the archive and the tables, as the settings ask.

    Errors of the disk come through as `OSError`.
    """

    def __init__(
        self,
        out: Path,
        settings: StoreSettings,
        clock: Clock,
        *,
        crawl_toml: str,
        user_agent: str,
        operator: str,
        random: random.Random,
        partition: int = 0,
    ) -> None:
        description = describe_crawl(crawl_toml, user_agent, operator)
        self._archive = (
            Archive(out / "warc", settings, clock, random, description, partition)
            if settings.warc
            else None
        )
        rows = settings.rows
        self._pages: Table[Row] = Table(out / "pages", rows, partition, pages_schema, page_columns)
        self._links: Table[Link] | None = (
            Table(out / "links", rows, partition, links_schema, link_columns)
            if settings.links
            else None
        )

    def write(self, batch: Sequence[Kept]) -> None:
        """Take in finished visits, failures included."""
        for kept in batch:
            self._write(kept)
        for table in self._tables():
            table.settle()

    def flush(self) -> None:
        """Group commit: every WARC record written so far is durable when this returns."""
        if self._archive is not None:
            self._archive.flush()

    def close(self) -> None:
        """Finish all files. If one cannot be finished, the others still are."""
        with ExitStack() as stack:
            for table in self._tables():
                stack.callback(table.close)
            if self._archive is not None:
                stack.callback(self._archive.close)

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
        )

    def _write(self, kept: Kept) -> None:
        digest = payload_digest(kept)
        place = self._archive.keep(kept, digest) if self._archive is not None else None
        # A robots.txt is asked for on behalf of pages; it is no page itself.
        if kept.document.page.visit.via is not Via.ROBOTS:
            self._pages.rows.append(page_row(kept, digest, place))
            if self._links is not None:
                self._links.rows.extend(kept.document.links)

    def _tables(self) -> list[Table[Row] | Table[Link]]:
        return [self._pages] if self._links is None else [self._pages, self._links]
