"""Hands out chunks to processes, and puts up with their death."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from msgspec import Struct

from gossamer.archive.committed_rows import CommittedRows
from gossamer.archive.latest_rows import latest_places
from gossamer.archive.page_rows import CommittedPages, Row, host_of
from gossamer.core.crawl_identity import identity_of
from gossamer.core.directory import Directory, check_is_crawl, locked_folder
from gossamer.core.disk.disk_files import delete, sync_folder
from gossamer.core.disk.disk_manifest import (
    MANIFEST,
    FileEntry,
    ManifestState,
    ManifestWriter,
    entries_of,
    read_manifest,
    sum_file,
    write_manifest,
)
from gossamer.core.errors import DirectoryError
from gossamer.core.outcomes import ParseFailure
from gossamer.core.settings import Settings
from gossamer.core.whole_files import text_files
from gossamer.engine.earlier_crawls import Responses
from gossamer.output.numbered_files import delete_from, serial_of
from gossamer.text.capture_plan import (
    WANTED,
    Capture,
    Prints,
    capture_at,
    captures,
    chunks,
    is_pointer,
    read_digests,
)
from gossamer.text.drafts import Drafts
from gossamer.text.repeated import delete_repeated
from gossamer.text.text_chunk import (
    Chunk,
    ChunkResult,
    Readable,
    begin_process,
    empty_row,
    process_chunk,
    write_rows,
)

Work = Callable[[Chunk], ChunkResult]
Wanted = Callable[[str], bool]
"""Is a page with this URL to be read?"""


class BuildProgress(Struct, frozen=True):
    """Progress of a build."""

    visits: int
    """Rows of the pages table that were looked at …"""
    total: int
    """… of so many."""
    pages: int
    """Pages read."""
    failures: int
    """Those of them that could not be read."""
    before: int
    """Pages that had a row before."""
    missing: int = 0
    """Unchanged pages whose content is in an earlier crawl, but not to be found there …"""
    lost: str = ""
    """… and the first of these crawls that is not there, if one is not."""


def build_texts(
    path: Path,
    workers: int = 0,
    work: Work = process_chunk,
    *,
    is_latest: bool = False,
    wanted: Wanted | None = None,
    record: CommittedRows | None = None,
) -> Iterator[BuildProgress]:
    """Read what has not been read yet, in this many processes; 0 is one per core.

    The crawl may be running: then it is what was recorded at the beginning, or when `record` was made.
    With `is_latest`, only the latest version of each page that is not gone; with `wanted`, only pages with
    such a URL.
    """
    check_is_crawl(path)
    settings = Directory(path).look()
    if not any((path / "warc").glob("*.warc.gz")):
        raise DirectoryError(f"{path} has no WARC files; crawl with store.warc = true")
    (path / "text").mkdir(exist_ok=True)
    with locked_folder(path, "text"):
        count = workers or len(os.sched_getaffinity(0))
        record = record or CommittedRows(Directory(path))
        build = _Build(path, record, settings, work, is_latest, wanted)
        try:
            yield from build.run(count)
        finally:
            build.close()


class _Build:
    def __init__(
        self,
        path: Path,
        record: CommittedRows,
        settings: Settings,
        work: Work,
        is_latest: bool,
        wanted: Wanted | None,
    ) -> None:
        self._path = path
        self._settings = settings
        self._work = work
        self._folder = path / "text"
        sync_folder(path)
        delete_from(self._folder, "*.parquet", lambda serial: False)  # drafts only
        self._prints = self._read_prints()
        self._listed = self._find_listed()
        self._manifest: ManifestWriter | None = None
        self._serial = 1 + max(map(serial_of, self._folder.glob("*.parquet")), default=-1)
        self._rows = CommittedPages(record, WANTED)
        self._latest = latest_places(record) if is_latest else None
        self._total = len(self._rows) if self._latest is None else len(self._latest)
        self._wanted = self._find_wanted(wanted) if wanted is not None else None
        self._before = len(self._prints)
        self._visits = self._pages = self._failures = self._missing = 0
        self._lost = ""
        self._is_planned = False
        """Is every chunk handed out?"""
        self._drafts = Drafts(self._folder)

    def close(self) -> None:
        """Let go of what was written and not published."""
        self._drafts.close()

    def _read_prints(self) -> Prints:
        """The pages that have a row; of several rows of a page, the first one stays."""
        prints = Prints(read_digests(self._folder))
        if prints.repeated:
            delete(self._folder / MANIFEST)  # it is made again, for files that are about to change
            delete_repeated(self._folder)
        return prints

    def run(self, workers: int) -> Iterator[BuildProgress]:
        """Keep every process busy, with one chunk each in reserve."""
        waiting = self._chunks()
        while not self._is_planned:
            unfinished: list[Chunk] = []
            try:
                yield from self._run_until_death(workers, waiting, unfinished)
            except BrokenProcessPool:
                yield from self._find_culprit(unfinished)
        self._end_listing()
        yield self._progress()

    def _find_listed(self) -> list[FileEntry]:
        """Find the manifest entries of the existing files.

        Those of a build that was killed, or of an earlier version, are read for it.
        """
        there = {file.name: file for file in text_files(self._path)}
        known = read_manifest(self._folder / MANIFEST)
        listed = entries_of(known) if known is not None else {}
        entries = [listed.get(name) or sum_file(file, name) for name, file in there.items()]
        if known is None or known.is_open or len(listed) < len(there):
            write_manifest(self._folder / MANIFEST, entries, crawl=identity_of(self._path))
        return entries

    def _begin_listing(self) -> None:
        """Before the first file is made, the manifest says that there will be more."""
        if self._manifest is None:
            path = self._folder / MANIFEST
            write_manifest(path, self._listed, is_open=True, crawl=identity_of(self._path))
            made = sum_file(path, path.name)
            self._manifest = ManifestWriter(path, ManifestState(made.bytes, made.crc32))

    def _end_listing(self) -> None:
        if self._manifest is not None:
            self._manifest.mark(is_open=False)
            self._manifest.close()

    def _run_until_death(
        self, workers: int, waiting: Iterator[Chunk], unfinished: list[Chunk]
    ) -> Iterator[BuildProgress]:
        under_way: dict[Future[ChunkResult], Chunk] = {}
        with self._pool(workers) as pool:
            while under_way or not self._is_planned:
                while len(under_way) < 2 * workers and (chunk := next(waiting, None)) is not None:
                    unfinished.append(chunk)
                    under_way[pool.submit(self._work, chunk)] = chunk
                if under_way:
                    done, _ = wait(under_way, return_when=FIRST_COMPLETED)
                    for future in done:
                        chunk = under_way[future]
                        self._publish(chunk, future.result())
                        unfinished.remove(under_way.pop(future))
                yield self._progress()

    def _chunks(self) -> Iterator[Chunk]:
        for found in chunks(self._captures()):
            yield self._chunk(found)
        self._is_planned = True

    def _captures(self) -> Iterator[Capture]:
        """Originals first: of a copy the archive may hold no more than where its original is.

        A copy can stand before its original, when that is another partition's.
        """
        readable = Readable(self._settings)
        for is_copy in (False, True):
            for rows in self._batches():
                own = [row for row in rows if not is_pointer(row)]
                some = [row for row in own if (row["duplicate_of"] is not None) == is_copy]
                wanted = [row for row in some if readable(row["media_type"] or "")]
                wanted.sort(key=host_of)  # pages of one host are compared with each other
                yield from captures(wanted, self._prints)
                self._visits += len(some)
        yield from self._captures_elsewhere(readable)

    def _batches(self) -> Iterator[list[Row]]:
        """The rows that are to be looked at."""
        for rows in self._all_batches():
            yield [row for row in rows if self._wanted is None or row["digest"] in self._wanted]

    def _all_batches(self) -> Iterator[list[Row]]:
        return self._rows.batches() if self._latest is None else self._rows.some(self._latest)

    def _find_wanted(self, wanted: Wanted) -> Prints:
        """The contents of pages that are wanted. They may have been met first on another page."""
        urls = (row for rows in self._all_batches() for row in rows if wanted(row["url"]))
        return Prints(row["digest"] for row in urls if row["digest"])

    def _captures_elsewhere(self, readable: Readable) -> Iterator[Capture]:
        """Pages of which this crawl has no more than where their content is."""
        responses = Responses(self._path, (row["digest"] for row in self._pointers(readable)))
        self._lost = responses.lost
        for row in self._pointers(readable):
            there = responses.find(row["digest"])
            if there is None:
                self._missing += 1
            elif row["status"] == 304 and there.file.parent == self._path / "warc":
                continue  # its own row says what it is
            elif self._prints.add(row["digest"]):
                yield capture_at(row, there)
        self._visits = self._total

    def _pointers(self, readable: Readable) -> Iterator[dict[str, Any]]:
        for rows in self._batches():
            for row in rows:
                is_wanted = is_pointer(row) and readable(row["media_type"] or "")
                if is_wanted and row["digest"] not in self._prints:
                    yield row

    def _chunk(self, found: list[Capture]) -> Chunk:
        self._begin_listing()
        self._serial += 1
        return Chunk(self._drafts.place(f"00000-{self._serial - 1:05}.parquet"), found)

    def _pool(self, workers: int) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            workers, get_context("spawn"), begin_process, (self._path, self._settings)
        )

    def _find_culprit(self, suspects: list[Chunk]) -> Iterator[BuildProgress]:
        """A process died: chunks that were under way are read one by one, ever smaller ones."""
        while suspects:
            chunk = suspects.pop()
            if chunk.file.exists():  # it was done just before
                entry = sum_file(chunk.file, chunk.file.name)
                self._publish(chunk, ChunkResult(len(chunk.captures), 0, entry))
                continue
            try:
                with self._pool(1) as pool:
                    self._publish(chunk, pool.submit(self._work, chunk).result())
            except BrokenProcessPool:
                suspects += self._divide(chunk)
            yield self._progress()

    def _divide(self, chunk: Chunk) -> list[Chunk]:
        """Two halves of a chunk, or nothing more to do when it is the page that kills."""
        found = chunk.captures
        if len(found) > 1:
            half = len(found) // 2
            return [self._chunk(found[:half]), self._chunk(found[half:])]
        entry = write_rows(chunk.file, [empty_row(found[0], ParseFailure.CRASHED)])
        self._publish(chunk, ChunkResult(1, 1, entry))
        return []

    def _publish(self, chunk: Chunk, result: ChunkResult) -> None:
        """A chunk is read: its rows count from now on."""
        self._drafts.publish(chunk.file)
        self._pages += result.pages
        self._failures += result.failures
        if result.entry is not None and self._manifest is not None:
            self._manifest.add(result.entry)
            self._manifest.commit()

    def _progress(self) -> BuildProgress:
        counts = (self._visits, self._total, self._pages, self._failures, self._before)
        return BuildProgress(*counts, self._missing, self._lost)
