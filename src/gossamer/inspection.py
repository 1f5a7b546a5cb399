"""Looks through a crawl directory and says what is in order and what is not.

Archive: every gzip member is whole, every block digest is right. Index: sorted, and every line leads
to the start of the record it names. Tables: they can be read, and each page's place in the
archive is in the index. State: the checkpoint, the journal and every structure can be opened
as they would be to resume; nothing is changed on disk.
"""

import json
import shutil
import tempfile
import zlib
from collections.abc import Callable, Iterator
from hashlib import sha1
from pathlib import Path

from msgspec import Struct

from gossamer.base.errors import GossamerError
from gossamer.base.url import Spelling
from gossamer.directory import PARTITION, Directory
from gossamer.furniture import Builder, Taste
from gossamer.ledger import Ledger
from gossamer.seeds import read_seeds

Places = dict[str, set[int]]
"""For each WARC file, where its records begin."""


class Finding(Struct, frozen=True):
    what: str
    said: str
    is_problem: bool = False


def inspect(path: Path) -> Iterator[Finding]:
    """Everything that was looked at, one finding each."""
    with Directory(path) as directory:
        directory.open()
        places: Places = {}
        yield from _inspect_archive(path, places)
        yield from _inspect_index(path, places)
        yield from _inspect_tables(path, places)
    yield _attempt("state", lambda: _inspect_state(path))


def _attempt(what: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(what, look())
    except (OSError, ValueError, GossamerError, AssertionError, KeyError) as error:
        return Finding(what, str(error) or type(error).__name__, is_problem=True)


# The archive.


def _inspect_archive(path: Path, places: Places) -> Iterator[Finding]:
    for file in sorted((path / "warc").glob("*.warc.gz")):
        found = places.setdefault(file.name, set())
        yield _attempt(f"warc/{file.name}", lambda: _inspect_warc(file, found))  # noqa: B023


def _inspect_warc(file: Path, places: set[int]) -> str:
    count = 0
    for offset, record in _members(file):
        places.add(offset)
        _check_digest(record, f"record at byte {offset}")
        count += 1
    return f"{count} records"


def _members(file: Path) -> Iterator[tuple[int, bytes]]:
    """Each gzip member of a file, with where it begins."""
    with file.open("rb") as stream:
        start, rest = 0, b""
        while rest or (rest := stream.read(1 << 20)):
            inflater = zlib.decompressobj(31)
            pieces, size = [], 0
            while not inflater.eof:
                if not rest and not (rest := stream.read(1 << 20)):
                    raise ValueError(f"the member at byte {start} is cut short")
                try:
                    pieces.append(inflater.decompress(rest))
                except zlib.error as error:
                    raise ValueError(f"the member at byte {start} is damaged: {error}") from None
                size += len(rest) - len(inflater.unused_data)
                rest = inflater.unused_data
            yield start, b"".join(pieces)
            start += size


def _check_digest(record: bytes, what: str) -> None:
    head, _, block = record.partition(b"\r\n\r\n")
    fields = dict(line.partition(b": ")[::2] for line in head.split(b"\r\n")[1:])
    length = int(fields[b"Content-Length"])
    if len(block) != length + 4:
        raise ValueError(f"{what} is not as long as it says")
    wanted = fields.get(b"WARC-Block-Digest", b"").decode()
    if wanted and wanted != f"sha1:{_base32(sha1(block[:length]).digest())}":
        raise ValueError(f"{what} has another digest than it says")


def _base32(digest: bytes) -> str:
    from base64 import b32encode

    return b32encode(digest).decode()


# The index and the tables.


def _inspect_index(path: Path, places: Places) -> Iterator[Finding]:
    index = path / "warc" / "index.cdxj"
    if index.exists():
        yield _attempt("warc/index.cdxj", lambda: _read_index(index, places))


def _read_index(index: Path, places: Places) -> str:
    count, before = 0, b""
    with index.open("rb") as lines:
        for line in lines:
            if line <= before:
                raise ValueError(f"line {count + 1} is out of order")
            entry = json.loads(line.split(b" ", 2)[2])
            if int(entry["offset"]) not in places.get(entry["filename"], ()):
                raise ValueError(f"line {count + 1} leads to no record")
            count, before = count + 1, line
    return f"{count} lines"


def _inspect_tables(path: Path, places: Places) -> Iterator[Finding]:
    for table in ("pages", "links"):
        for file in sorted((path / table).glob("*.parquet")):
            yield _attempt(f"{table}/{file.name}", lambda: _read_table(file, places))  # noqa: B023


def _read_table(file: Path, places: Places) -> str:
    from pyarrow import ArrowInvalid, parquet

    try:
        table = parquet.read_table(file)
    except ArrowInvalid as error:
        raise ValueError(f"is no Parquet file: {error}") from None
    if "warc_file" in table.column_names:
        files, offsets = (table.column(name).to_pylist() for name in ("warc_file", "warc_offset"))
        for name, offset in zip(files, offsets, strict=True):
            if name is not None and offset not in places.get(name, ()):
                raise ValueError(
                    f"a page is said to be at byte {offset} of {name}; no record is there"
                )
    return f"{table.num_rows} rows"


# What it takes to resume.


def _inspect_state(path: Path) -> str:
    """Open everything as a resumed crawl would, in a copy of the state, and look at what there is."""
    with tempfile.TemporaryDirectory() as work:
        copy = Directory(Path(work) / "crawl")
        shutil.copytree(path / "state" / PARTITION, copy.state)
        shutil.copy(path / "crawl.toml", copy.path / "crawl.toml")
        with copy:
            settings = copy.open()
            checkpoint, replay = Ledger.read(copy.state)
            seeds = read_seeds(
                settings.crawl.seeds, Spelling(settings.url.rules), settings.fetch.schemes
            )
            progress = replay.progress
            _check_lengths(
                path, progress.store.archive.warc.name, progress.store.archive.warc.length
            )
            rooms = Builder(settings, seeds, Taste()).build_state(copy, checkpoint, progress)
            rooms.seen.verify()
            known, waiting = rooms.seen.statistics().known, len(rooms.frontier)
            for room in (rooms.seen, rooms.frontier, rooms.content, rooms.admission):
                room.close()
    return f"{known} URLs known, {waiting} waiting, {len(replay.ended)} visits in the journal"


def _check_lengths(path: Path, name: str, length: int) -> None:
    if name and (path / "warc" / name).stat().st_size < length:
        raise ValueError(f"warc/{name} is shorter than the {length} bytes on record")
