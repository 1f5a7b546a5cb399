"""Rows and records become the documents that the crawl yielded."""

import logging
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from gossamer.archive.committed_rows import CommittedRows
from gossamer.archive.latest_rows import latest_places, versions_among
from gossamer.archive.original_responses import find_originals
from gossamer.archive.page_history import PageHistory, PastVisit
from gossamer.archive.page_rows import CommittedPages, Row, host_of
from gossamer.archive.page_schema import optional_columns, read_page_schema
from gossamer.archive.stored_message import StoredMessage, read_message
from gossamer.core.directory import Directory
from gossamer.core.errors import DirectoryError
from gossamer.core.extracted_page import Reading
from gossamer.core.outcomes import Outcome, ParseFailure, Truncation
from gossamer.core.parquet import checked_parquet
from gossamer.core.records import Document, Headers, Page, Via, Visit
from gossamer.core.request import RequestUrl, parse
from gossamer.core.settings import Settings
from gossamer.core.url import Spelling
from gossamer.core.whole_files import text_files
from gossamer.engine.earlier_crawls import Responses
from gossamer.engine.status_file import read_summary
from gossamer.engine.summary import Summary
from gossamer.output.copies_table import COPIES
from gossamer.output.items_table import ITEMS
from gossamer.output.links_table import LINKS
from gossamer.output.pages_table import describe_pages
from gossamer.output.parquet_table import rows_of
from gossamer.output.spool import pack
from gossamer.pipeline.parse import Isolated, Parsers, find_installed
from gossamer.pipeline.parse.extraction import compare_readings, read_page

if TYPE_CHECKING:
    from pyarrow import dataset

ParsersByType = Mapping[str, Callable[[Page], Document] | Isolated]

TABLES = ("pages", "links", "items", "copies", "text")
"""Those that a crawl may have."""

_TOGETHER = 16
"""Pages that are read together, so that processes beside this one have something to do."""

_LOST = "its content is not in the archive"

_log = logging.getLogger("gossamer")


def open_crawl(directory: str | Path) -> "StoredCrawl":
    """Read a crawl again, finished, killed or running: its pages as documents, and its tables.

    >>> import gossamer
    >>> gossamer.open("nowhere")
    Traceback (most recent call last):
    gossamer.core.errors.DirectoryError: nowhere holds no crawl; give the directory that was named with -o
    """
    return StoredCrawl(directory)


def make_parsers(settings: Settings, own: ParsersByType | None = None) -> Parsers:
    """The parsers of a crawl, which wait for those that run apart."""
    installed = find_installed() if settings.parse.installed else {}
    spelling = Spelling(settings.url.rules)
    return Parsers(spelling, settings.agent.product, {**installed, **(own or {})}, settings.parse)


class StoredCrawl:
    """A stored crawl, as it was committed when this was made; `gossamer.open` makes it.

    Iterate over it for its documents. `crawl["https://example.org/"]` is the document of one URL. Nothing is
    changed, so it may be running; open it again to see what has come since.

    >>> import gossamer
    >>> summary = gossamer.Crawl("http://127.0.0.1:1/", out="example").run()
    >>> crawl = gossamer.open("example")
    >>> [document.page.outcome.value for document in crawl]
    ['private_address']
    >>> len(crawl), "http://127.0.0.1:1/" in crawl, crawl.pages.count_rows()
    (1, True, 1)
    """

    def __init__(self, directory: str | Path) -> None:
        self.path = Path(directory)
        self.settings = Directory(self.path).look()
        self._spelling = Spelling(self.settings.url.rules)
        self._record = CommittedRows(Directory(self.path))
        self._rows = CommittedPages(self._record)

    def __len__(self) -> int:
        """Visits recorded, those that failed included."""
        return len(self._rows)

    def __iter__(self) -> Iterator[Document]:
        """Every visit as a document, read again from the archive with the crawl's settings."""
        return self.documents()

    def __getitem__(self, url: str) -> Document:
        """The document of a URL, however it is spelled; `KeyError` if it was not visited."""
        row = self._find(url)
        if row is None:
            raise KeyError(f"{url} was not visited by the crawl in {self.path}")
        with closing(make_parsers(self.settings)) as parsers:
            return next(self._read([row], parsers, is_strict=True))

    def __contains__(self, url: object) -> bool:
        return isinstance(url, str) and self._find(url) is not None

    def __repr__(self) -> str:
        state = "running" if self.is_running else "not running"
        return f"<StoredCrawl {self.path}: {len(self):,} visits recorded, {state}>"

    def documents(self, parsers: ParsersByType | None = None) -> Iterator[Document]:
        """The same as iterating over it; media types may have other parsers than in the crawl.

        A page whose response was not kept (`store.warc` is off, or it was retired) has no body and no
        links. One whose record is damaged or missing says so in `page.detail`, and its `failure` is `broken`.
        """
        return self._documents(self._rows.batches(), parsers)

    def latest(
        self, parsers: ParsersByType | None = None, media_types: Container[str] | None = None
    ) -> Iterator[Document]:
        """The latest version of each page that is not gone, or of those with some media types.

        A page that was visited again and had not changed stands for the last response that had its content.
        Pages that their server calls gone (404, 410), or that are redirects by now, are left out; a visit
        that failed says nothing.
        """
        batches = self._latest()
        if media_types is not None:
            batches = (
                [row for row in rows if row["media_type"] in media_types] for rows in batches
            )
        return self._documents(batches, parsers)

    def latest_rows(self) -> Iterator[Row]:
        """Rows of the pages table for what `latest` has, without reading the archive."""
        for rows in self._latest():
            yield from rows

    def readings(self, *, latest: bool = False) -> Iterator[Reading]:
        """Every page read deeply (`gossamer.read_page`), without what the pages of its host share.

        Main texts are those of `gossamer text`: long lines that stand on half of a host's pages are no part
        of them. So pages come host by host, some thousand at a time; up to 1,000 are compared with each
        other. With `latest`, only the latest version of each page that is not gone.
        """
        batches = self._latest() if latest else self._rows.batches()
        documents = self._documents((sorted(rows, key=host_of) for rows in batches), None)
        return compare_readings(
            read_page(document) for document in documents if _has_content(document.page)
        )

    def versions(self, url: str, *, minor: bool = True) -> Iterator[Document]:
        """All versions of a page, one after the other; `page.started` is when each was fetched.

        A request that is no plain URL is named by its line (`Request.line`), here and in `history`.

        There are none for a URL that was never fetched. Without `minor`, those are left out that hardly
        differ from the one before (column `change` of the pages table).
        """
        rows = (
            row for row in versions_among(self._visits(url)) if minor or row["change"] != "minor"
        )
        return self._documents(([row] for row in rows), None)

    def history(self, url: str, *, minor: bool = True) -> Iterator[PastVisit]:
        """All visits to a URL, in the order they were made, and what is different in each version.

        Without `minor`, versions are left out that hardly differ from the one before (`PastVisit.is_minor`).
        `DirectoryError` if a record is damaged or missing: what is different could not be told.
        """
        with closing(make_parsers(self.settings)) as parsers:
            history = PageHistory(lambda row: next(self._read([row], parsers, is_strict=True)))
            for visit in map(history.take, self._visits(url)):
                if minor or not visit.is_minor:
                    yield visit

    def _latest(self) -> Iterator[list[Row]]:
        return self._rows.some(latest_places(self._record))

    def _visits(self, url: str) -> Iterator[Row]:
        found = parse(url, self._spelling)
        if not isinstance(found, RequestUrl):
            return iter(()) if found is None else self._rows.of(found)
        return self._rows.of(found, found.written_key(self.settings.store.secret_names))

    def _documents(
        self, batches: Iterable[list[Row]], parsers: ParsersByType | None
    ) -> Iterator[Document]:
        with closing(make_parsers(self.settings, parsers)) as reading:
            for rows in batches:
                some = iter(rows)
                while batch := [*islice(some, _TOGETHER)]:
                    yield from self._read(batch, reading)

    def summary(self) -> Summary:
        """The summary in the crawl's last status."""
        return read_summary(self.path)

    @property
    def is_running(self) -> bool:
        """Does a process crawl there at the moment?"""
        return Directory(self.path).is_in_use

    def check_archive(self) -> None:
        """Raise `DamageError` if a WARC file or the index is not there, or not as it was made."""
        self._record.check_archive()

    @property
    def pages(self) -> "dataset.Dataset":
        """The pages table, as an Arrow dataset."""
        from pyarrow import nulls

        optional = optional_columns(self.path)
        table = describe_pages(optional)
        spooled = [table.unpack(pack(row)) for row in self._record.spooled("pages")]
        rows, files = rows_of(table, spooled), self._record.files("pages")
        for field in read_page_schema(files, optional):
            if field.name not in rows.schema.names:
                rows = rows.append_column(field, nulls(rows.num_rows, field.type))
        return self._dataset("pages", rows)

    @property
    def links(self) -> "dataset.Dataset":
        """The links table, as an Arrow dataset."""
        rows = rows_of(LINKS, [*map(pack, self._record.spooled("links"))])
        return self._dataset("links", rows)

    @property
    def items(self) -> "dataset.Dataset":
        """The items table, as an Arrow dataset: what parsers of a program found, as JSON in `item`."""
        return self._dataset("items", rows_of(ITEMS, self._record.spooled("items")))

    @property
    def copies(self) -> "dataset.Dataset":
        """The copies table, as an Arrow dataset: pages that are like one of another partition."""
        return self._dataset("copies", rows_of(COPIES, self._record.spooled("copies")))

    @property
    def text(self) -> "dataset.Dataset":
        """The table of texts, as an Arrow dataset; `DirectoryError` until `gossamer text` has made it."""
        from pyarrow import dataset, parquet

        files = text_files(self.path)
        if not files:
            raise DirectoryError(
                f"{self.path} has no table of texts; make it: gossamer text {self.path}"
            )
        schema = parquet.read_schema(files[-1])  # those of earlier versions may have fewer columns
        return dataset.dataset([*map(str, files)], schema, checked_parquet())

    def to_pandas(self, table: str = "pages", columns: Sequence[str] | None = None) -> Any:
        """A table (pages, links, items, copies or text) as a DataFrame of pandas; times are in UTC.

        A table may be larger than memory: name the columns that are needed, or filter the dataset first.
        """
        if table not in TABLES:
            raise DirectoryError(f"there is no table {table!r}; there are: {', '.join(TABLES)}")
        rows = getattr(self, table).to_table(columns=None if columns is None else list(columns))
        try:
            return rows.to_pandas()
        except ModuleNotFoundError as error:
            raise DirectoryError(
                f"a DataFrame needs {error.name}: pip install {error.name}"
            ) from None

    def _dataset(self, name: str, rows: Any) -> "dataset.Dataset":
        from pyarrow import dataset

        files = [str(file) for file in self._record.files(name)]
        parts = [dataset.dataset(files, rows.schema, checked_parquet())] if files else []
        if rows.num_rows or not parts:
            parts.append(dataset.dataset(rows))
        return dataset.dataset(parts)

    def _find(self, url: str) -> Row | None:
        found = self._spelling.parse(url)
        return None if found is None else self._rows.find(found.text)

    # From rows to documents.

    def _read(
        self, rows: Sequence[Row], parsers: Parsers, is_strict: bool = False
    ) -> Iterator[Document]:
        found = [self._restore(row, is_strict) for row in rows]
        read = iter(parsers.parse([one for one in found if isinstance(one, Page)]))
        for one in found:
            yield next(read) if isinstance(one, Page) else one

    def _restore(self, row: Row, is_strict: bool) -> Page | Document:
        """The page to be read, or the document where there is nothing to read."""
        page = self._visited(row)
        if row["warc_file"] is None:
            return _unread(row, page)
        try:
            return self._fill(page, row)
        except (OSError, ValueError, DirectoryError) as error:
            what = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else error
            line = f"{what}; `gossamer verify {self.path}` checks every record"
        if is_strict:
            raise DirectoryError(line)
        _log.warning("%s cannot be read: %s", page.url, line)
        return replace(_unread(row, replace(page, detail=line)), failure=ParseFailure.BROKEN)

    def _visited(self, row: Row) -> Page:
        """A page without its response."""
        url = self._spelling.parse(row["url"])
        if url is None:
            raise DirectoryError(f"{self.path}/pages: {row['url']!r} is not a URL")
        via, source = Via(row["via"]), row["source"] or ""
        return Page(
            Visit(url, row["depth"], via, source, row["hops"], row["attempt"]),
            Outcome(row["outcome"]),
            row["fetched_at"] / 1e6,
            row["seconds"],
            row["status"] or 0,
            truncated=Truncation(row["truncated"] or ""),
            address=row["address"] or "",
            detail=row["detail"] or "",
        )

    def _fill(self, page: Page, row: Row) -> Page:
        """The page with what its record holds, and the payload of its original if it is a copy."""
        message = self._message(row["warc_file"], row["warc_offset"], row["warc_length"])
        if page.status == 304:
            return self._unchanged(page, message, row["digest"])
        if message.is_revisit:
            message = replace(message, payload=self._original(row["digest"]).payload)
        return self._with(page, message, message.headers)

    def _with(self, page: Page, message: StoredMessage, headers: Headers) -> Page:
        return replace(
            page,
            headers=headers,
            head=message.head,
            payload=message.payload,
            body=message.body(headers, self.settings.fetch.max_decoded),
            protocol=message.protocol,
        )

    def _message(self, file: str, offset: int, length: int) -> StoredMessage:
        return read_message(self.path / "warc", file, offset, length)

    def _original(self, digest: str) -> StoredMessage:
        found = self._response(digest)
        if found is None:
            raise ValueError(
                f"{digest}: the archive refers to this response, but does not contain it"
            )
        return found

    def _response(self, digest: str) -> StoredMessage | None:
        """The response with this body, in this crawl or in those before it, if it is there."""
        if digest in self._originals:
            return self._message(*self._originals[digest])
        there = self._elsewhere.find(digest) if self.settings.crawl.known else None
        if there is None:
            return None
        return read_message(there.file.parent, there.file.name, there.offset, there.length)

    @cached_property
    def _elsewhere(self) -> Responses:
        rows = (row for batch in self._rows.batches() for row in batch)
        return Responses(self.path, (row["digest"] for row in rows if row["refers_to"]))

    @cached_property
    def _originals(self) -> Any:
        return find_originals(self._record)

    def _unchanged(self, page: Page, message: StoredMessage, digest: str | None) -> Page:
        """A page that had not changed since a visit before, or the crawl before: its content is there."""
        before = self._response(digest) if digest else None
        fields = [*message.headers]
        if before is None:
            known = self.settings.crawl.known
            lost = f"its content is in the crawl {known}, which does not exist" if known else _LOST
            detail = f"not changed, but {lost}"
            return replace(page, headers=Headers(fields), head=message.head, detail=detail)
        told = {name.lower() for name, _ in fields}
        kept = [(name, value) for name, value in before.headers if name.lower() not in told]
        body = before.body(before.headers, self.settings.fetch.max_decoded)
        return replace(page, headers=Headers([*fields, *kept]), head=message.head, body=body)


def _has_content(page: Page) -> bool:
    """Is it more than a redirect, an error or a visit that failed? An unchanged page has that of before."""
    return bool(page.body) and (200 <= page.status < 300 or page.status == 304)


def _unread(row: Row, page: Page) -> Document:
    """Make a document from the tables alone, for a page that is not in the archive."""
    return Document(
        page,
        title=row["title"] or "",
        charset=row["charset"] or "",
        media_type=row["media_type"] or "",
        is_indexable=bool(row["is_indexable"]),
        failure=ParseFailure(row["parse_failure"] or ""),
    )
