"""The WARC files, record by record."""

import zlib
from base64 import b32encode
from collections.abc import Iterator, Sequence
from hashlib import sha1
from pathlib import Path

from gossamer.base.directory import partition_name
from gossamer.harvest.store.files import serial_of
from gossamer.harvest.store.warc import WarcState
from gossamer.verify.finding import Finding, attempt, problem
from gossamer.verify.numbered import NumberedFiles

_BLOCK = 1 << 20
_CAPTURES = (b"response", b"revisit")


class ArchiveLook:
    """Reads every record that is on record, and remembers where captures are."""

    def __init__(self, folder: Path, partition: int, state: WarcState | None) -> None:
        self._state = state
        self._partition = partition_name(partition)
        own = f"gossamer-*-{self._partition}-*.warc.gz"
        self.files = NumberedFiles(folder, own, state.serial if state else None)
        self._records = 0
        self.captures: dict[str, set[int]] = {}
        """For each file, where its captures begin."""
        self._lost = set(self.files.missing)
        """Numbers of files that could not be read: what leads into them cannot be judged."""

    def findings(self) -> Iterator[Finding]:
        yield from self.files.findings()
        for serial, file in self.files.known.items():
            finding, seen = attempt(f"warc/{file.name}", self._read, file)
            if seen is None:
                self._lost.add(serial)
            yield finding
        state = self._state
        if state is not None and not self._lost and self._records != state.records:
            yield problem("warc", f"{self._records} records, but {state.records} on record")

    def owns(self, file: str) -> bool:
        """Is it a file of this partition, by its name?"""
        return file.rsplit("-", 2)[-2:-1] == [self._partition]

    def has_capture(self, file: str, offset: int) -> bool:
        """Is a capture there, for all we can tell?"""
        return offset in self.captures.get(file, ()) or serial_of(Path(file)) in self._lost

    def is_lost(self, file: str) -> bool:
        return serial_of(Path(file)) in self._lost

    def _read(self, file: Path) -> str:
        size = length = file.stat().st_size
        if self._state is not None and file.name == self._state.name:
            length = self._state.length
        if size < length:
            raise ValueError(f"has {size} bytes, but {length} are on record")
        captures = self.captures.setdefault(file.name, set())
        count = 0
        for offset, record in _members(file, length):
            if _check(record, offset) in _CAPTURES:
                captures.add(offset)
            count += 1
        self._records += count
        rest = f"; {size - length} bytes after the last commit will be cut off"
        return f"{count} records" + (rest if size > length else "")


class Archives:
    """The WARC files of all partitions."""

    def __init__(self, looks: Sequence[ArchiveLook]) -> None:
        self._looks = looks

    def captures(self) -> dict[str, set[int]]:
        """For each file, where its captures begin."""
        return {name: set(found) for look in self._looks for name, found in look.captures.items()}

    def has_capture(self, file: str, offset: int) -> bool:
        """Is a capture there, for all we can tell?"""
        return any(look.owns(file) and look.has_capture(file, offset) for look in self._looks)

    def is_lost(self, file: str) -> bool:
        return any(look.owns(file) and look.is_lost(file) for look in self._looks)


def read_captures(file: Path, length: int) -> set[int]:
    """Read every record in the first bytes of a file; returns where captures begin."""
    records = _members(file, length)
    return {offset for offset, record in records if _check(record, offset) in _CAPTURES}


def _members(file: Path, length: int) -> Iterator[tuple[int, bytes]]:
    """Each gzip member in the first `length` bytes, with where it begins."""
    with file.open("rb") as stream:
        start, rest, left = 0, b"", length
        while rest or left:
            inflater = zlib.decompressobj(31)
            pieces, size = [], 0
            while not inflater.eof:
                if not rest:
                    rest = stream.read(min(_BLOCK, left))
                    left -= len(rest)
                if not rest:
                    raise ValueError(f"the member at byte {start} is cut short")
                try:
                    pieces.append(inflater.decompress(rest))
                except zlib.error as error:
                    raise ValueError(f"the member at byte {start} is damaged: {error}") from None
                size += len(rest) - len(inflater.unused_data)
                rest = inflater.unused_data
            yield start, b"".join(pieces)
            start += size


def _check(record: bytes, offset: int) -> bytes:
    """Is a record what it says? Returns its type."""
    what = f"the record at byte {offset}"
    head, _, block = record.partition(b"\r\n\r\n")
    fields = dict(line.partition(b": ")[::2] for line in head.split(b"\r\n")[1:])
    if not head.startswith(b"WARC/") or not fields.get(b"Content-Length", b"").isdigit():
        raise ValueError(f"{what} is no WARC record")
    length = int(fields[b"Content-Length"])
    if len(block) != length + 4:
        raise ValueError(f"{what} is not as long as it says")
    wanted = fields.get(b"WARC-Block-Digest")
    if wanted and wanted != b"sha1:" + b32encode(sha1(block[:length]).digest()):
        raise ValueError(f"{what} has another digest than it says")
    return fields.get(b"WARC-Type", b"")
