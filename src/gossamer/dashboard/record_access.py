"""Records of the archive: where they are, and what is in them."""

import mmap
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from gossamer.archive.stored_message import StoredMessage, read_message
from gossamer.core.errors import GossamerError
from gossamer.core.url import Spelling, Url
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.tables.page_part import PagePart
from gossamer.dashboard.tables.page_table import pages_of
from gossamer.dashboard.tables.table_gathering import Gathered
from gossamer.output.cdxj import IndexEntry

_GZIP = 31
_MOST_RECORD = 1 << 16
"""Bytes of a record that are shown as they lie there."""
MOST_BODY = 16 << 20
"""Bytes of a body, decoded, that is shown or handed out."""
_decode = msgspec.json.Decoder(IndexEntry).decode


class ArchivePlace(NamedTuple):
    """The position of a record in the archive."""

    file: str
    offset: int
    length: int


class RecordBytes(NamedTuple):
    """The beginning of a record."""

    data: bytes
    is_cut: bool


class LostError(GossamerError):
    """A record is not in the archive, or it is damaged."""


def read_record(crawl: ShownCrawl, place: ArchivePlace) -> RecordBytes:
    """A record as it lies in its file, unpacked."""
    inflater = zlib.decompressobj(_GZIP)
    try:
        with open(_file(crawl, place), "rb") as stream:
            stream.seek(place.offset)
            data = inflater.decompress(stream.read(place.length), _MOST_RECORD)
    except OSError as error:
        raise LostError(f"warc/{place.file} cannot be read: {error.strerror}") from None
    except zlib.error as error:
        raise LostError(f"warc/{place.file} is damaged at {place.offset}: {error}") from None
    return RecordBytes(data, bool(inflater.unconsumed_tail) or not inflater.eof)


def read_response(crawl: ShownCrawl, place: ArchivePlace) -> StoredMessage:
    """The message in a record."""
    _file(crawl, place)
    try:
        return read_message(crawl.path / "warc", *place)
    except OSError as error:
        raise LostError(f"warc/{place.file} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise LostError(str(error)) from None


def body_of(crawl: ShownCrawl, row: dict[str, Any]) -> tuple[StoredMessage, bytes]:
    """The message of a row of the pages table, and the body that it has or stands for."""
    place = place_of(row)
    if place is None:
        raise LostError("its response is not in the archive")
    message = read_response(crawl, place)
    has_body = message if not message.is_revisit and row["status"] != 304 else None
    if has_body is None:
        original = _original(crawl, row)
        if original is None:
            raise LostError("its content is the same as before, and that is not in this archive")
        has_body = read_response(crawl, original)
    return message, has_body.body(has_body.headers, MOST_BODY)


def place_of(row: dict[str, Any]) -> ArchivePlace | None:
    if row["warc_file"] is None:
        return None
    return ArchivePlace(row["warc_file"], row["warc_offset"], row["warc_length"])


def find_in_index(crawl: ShownCrawl, url: Url) -> Iterator[tuple[str, IndexEntry]]:
    """Captures of a URL that need not be a page: their times in 14 digits, and where they are.

    The index and its parts are sorted. What a running crawl has not sorted yet is not found.
    """
    folder = crawl.path / "warc"
    key = f"{url.surt} ".encode("utf-8", "replace")
    for file in (folder / "index.cdxj", *sorted(folder.glob(".cdxj-*.run"))):
        with suppress(FileNotFoundError, ValueError, msgspec.MsgspecError):
            yield from (_entry(line) for line in _lines_with(file, key))


def _entry(line: bytes) -> tuple[str, IndexEntry]:
    _, moment, said = line.split(b" ", 2)
    return moment.decode("ascii", "replace"), _decode(said)


def _lines_with(file: Path, key: bytes) -> Iterator[bytes]:
    """The lines of a sorted file that begin so; few of its bytes are looked at."""
    if not file.stat().st_size:
        return
    with file.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        first, end = 0, len(data)
        while first < end:  # the first line that is not before the key begins in between
            middle = data.rfind(b"\n", 0, (first + end) // 2) + 1
            after = data.find(b"\n", middle) + 1 or len(data)
            if data[middle : middle + len(key)] < key and data[middle:after] < key:
                first = after
            else:
                end = middle
        while data[first : first + len(key)] == key:
            after = data.find(b"\n", first) + 1 or len(data)
            yield data[first:after]
            first = after


def _original(crawl: ShownCrawl, row: dict[str, Any]) -> ArchivePlace | None:
    """Find the record with the body that a row shares with an earlier one."""
    if not row["refers_to"]:
        return None
    pages = pages_of(crawl)
    gathered: Gathered[PagePart] = pages.look()
    for part, number in reversed(pages.visits(gathered, row["refers_to"])):
        found = pages.whole_row(part, number)
        if found["digest"] == row["digest"] and found["refers_to"] is None:
            return place_of(found)
    url = Spelling(crawl.settings.url.rules).parse(row["refers_to"])
    for _, entry in find_in_index(crawl, url) if url is not None else ():
        if f"sha1:{entry.digest}" == row["digest"] and entry.mime != "warc/revisit":
            return ArchivePlace(entry.filename, int(entry.offset), int(entry.length))
    return None


def _file(crawl: ShownCrawl, place: ArchivePlace) -> Path:
    """A file of the archive: what the tables name lies in its folder, or is not read."""
    if Path(place.file).name != place.file:
        raise LostError(f"{place.file!r} is not a file of the archive")
    if crawl.in_storage is not None:
        try:
            crawl.in_storage.bring_record(*place)
        except GossamerError as error:
            raise LostError(str(error)) from None
    return crawl.path / "warc" / place.file
