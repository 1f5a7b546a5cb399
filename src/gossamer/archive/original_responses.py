"""Find the payloads that copies only point to.

A page whose payload was met before is kept as a pointer (`revisit`). What it points to has the same digest.
It may belong to another partition, or be no page at all: a missing page says what a missing robots.txt does.
"""

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from gossamer.archive.committed_rows import CommittedRows
from gossamer.output.cdxj import IndexEntry

_decode = msgspec.json.Decoder(IndexEntry).decode


class StoredPlace(NamedTuple):
    """A record of the archive."""

    file: str
    offset: int
    length: int


def find_originals(record: CommittedRows) -> dict[str, StoredPlace]:
    """Responses that others point to, by digest; the index is read twice, and no others are remembered."""
    copied = {entry.digest for entry in _entries(record) if _is_copy(entry)}
    return {
        f"sha1:{entry.digest}": StoredPlace(entry.filename, int(entry.offset), int(entry.length))
        for entry in _entries(record)
        if entry.digest in copied and not _is_copy(entry)
    }


def _entries(record: CommittedRows) -> Iterable[IndexEntry]:
    return map(_read, record.index_lines())


def _read(line: bytes) -> IndexEntry:
    return _decode(line.split(b" ", 2)[2])


def _is_copy(entry: IndexEntry) -> bool:
    return entry.mime == "warc/revisit"
