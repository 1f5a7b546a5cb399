"""Extract one chunk in one process: captures become rows, rows become a file."""

import gc
import os
import signal
from collections.abc import Sequence
from multiprocessing import parent_process
from pathlib import Path
from typing import Any, BinaryIO, cast

from msgspec import Struct

from gossamer.archive.stored_crawl import make_parsers
from gossamer.cluster.die_with_parent import die_with
from gossamer.core.disk.disk_manifest import FileEntry, write_summed
from gossamer.core.extracted_page import Reading
from gossamer.core.outcomes import ParseFailure
from gossamer.core.records import Document, Page
from gossamer.core.settings import Settings
from gossamer.core.whole_files import LISTED
from gossamer.output.utf8_text import well_formed
from gossamer.pipeline.parse.extraction import leave_out_shared, read_page
from gossamer.text.capture import read_capture
from gossamer.text.capture_plan import Capture
from gossamer.text.text_columns import text_row, text_schema

_HTML = frozenset({"text/html", "application/xhtml+xml"})
_GARBAGE = (20_000, 20, 20)
"""Objects after which a collection is worth its cost: pages leave hardly any garbage."""


class Chunk(Struct, frozen=True):
    """Captures that go into one file."""

    file: Path
    """Where the rows are written; the run that handed the chunk out gives the file its name."""
    captures: list[Capture]


class ChunkResult(Struct, frozen=True):
    pages: int
    failures: int
    entry: FileEntry | None = None
    """What the manifest is to say of the file."""


class ChunkReader:
    """Reads captures of one crawl."""

    def __init__(self, out: Path, settings: Settings) -> None:
        self._warc = out / "warc"
        self._max_decoded = settings.fetch.max_decoded
        self._parsers = make_parsers(settings)

    def process(self, chunk: Chunk) -> ChunkResult:
        """Read all pages of a chunk and write its file."""
        found = [self._read(capture) for capture in chunk.captures]
        readings = leave_out_shared([reading for reading, _ in found])
        failures = [failure for _, failure in found]
        rows = [*map(text_row, chunk.captures, readings, failures)]
        entry = write_rows(chunk.file, rows)
        return ChunkResult(len(rows), sum(map(bool, failures)), entry)

    def _read(self, capture: Capture) -> tuple[Reading, ParseFailure]:
        try:
            return self._read_page(capture)
        except MemoryError:
            return _nothing(capture), ParseFailure.TOO_LARGE

    def _read_page(self, capture: Capture) -> tuple[Reading, ParseFailure]:
        page = read_capture(self._warc, capture, self._max_decoded)
        if page is None:
            return _nothing(capture), ParseFailure.BROKEN
        document = self._document(capture, page)
        return read_page(document), document.failure

    def _document(self, capture: Capture, page: Page) -> Document:
        """HTML is read deeply right away; of all else, its parser finds the text."""
        if capture.media_type in _HTML:
            return Document(page, charset=capture.charset, media_type=capture.media_type)
        [document] = self._parsers.parse([page])
        return document


class Readable:
    """Is there text in pages of a media type?"""

    def __init__(self, settings: Settings) -> None:
        self._parsers = make_parsers(settings)

    def __call__(self, media_type: str) -> bool:
        return self._parsers.knows(media_type)


def empty_row(capture: Capture, failure: ParseFailure) -> tuple[Any, ...]:
    """The row of a page that cannot be read."""
    return text_row(capture, _nothing(capture), failure)


def _nothing(capture: Capture) -> Reading:
    return Reading(capture.url, capture.media_type)


def write_rows(file: Path, rows: Sequence[tuple[Any, ...]]) -> FileEntry:
    """Write a file of the table; returns what its manifest says of it."""
    return write_summed(file, file.name, lambda stream: _fill(cast(BinaryIO, stream), rows))


def _fill(stream: BinaryIO, rows: Sequence[tuple[Any, ...]]) -> None:
    from pyarrow import parquet, table

    schema = text_schema()
    columns = list(zip(*rows, strict=True)) or [() for _ in schema]
    arrays = [_array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    found = table(arrays, schema=schema.with_metadata({LISTED: b"1"}))
    parquet.write_table(found, stream, compression="zstd", write_page_checksum=True)


def _array(values: Sequence[Any], kind: Any) -> Any:
    from pyarrow import array

    try:
        return array(values, kind)
    except UnicodeEncodeError:  # rare, so that text is not checked before
        return array([_well_formed(value) for value in values], kind)


def _well_formed(value: Any) -> Any:
    if isinstance(value, list):
        return [_well_formed(one) for one in value]
    return well_formed(value) if isinstance(value, str) else value


_reader: ChunkReader | None = None


def begin_process(out: Path, settings: Settings) -> None:
    """Prepare a process; Ctrl-C is for the one that started it, and whose end is its own."""
    global _reader
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _die_with_starter()
    gc.set_threshold(*_GARBAGE)
    _reader = ChunkReader(out, settings)


def _die_with_starter() -> None:
    """Have the kernel end this process with the one that started it.

    Where a fork server stands between the two, it is only looked whether the starter is still there.
    """
    starter = parent_process()
    assert starter is not None, "multiprocessing has started this process"
    if os.getppid() == starter.pid:
        die_with(starter.pid)
    elif not starter.is_alive():
        os._exit(0)


def process_chunk(chunk: Chunk) -> ChunkResult:
    """Process one chunk in a worker, again and again."""
    assert _reader is not None, "the process has begun"
    return _reader.process(chunk)
