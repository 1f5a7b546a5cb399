"""WARC files: appended to record by record, each record a gzip member of its own.

So a reader can jump to any record, and what was written before a crash stays readable.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from isal import igzip_lib
from msgspec import Struct

from gossamer.core.clock import Clock
from gossamer.core.disk.disk_files import AppendOnlyFile, check_length, sync_folder
from gossamer.core.disk.disk_manifest import FileEntry, ManifestWriter, sum_file
from gossamer.core.records import Original
from gossamer.output.numbered_files import check_numbered, delete_from, serial_of
from gossamer.output.offloaded_files import serials_elsewhere
from gossamer.output.warc_date import timestamp14

# Level 2 takes the time of level 1 and saves one more percent; level 3 takes twice the time for
# another three. See docs/decisions/0003-warc-writer.md.
_LEVEL = 2
_GZIP = igzip_lib.COMP_GZIP


class RecordPlace(Struct, frozen=True, gc=False):
    """The place of a record: exactly `length` bytes from `offset` on are its gzip member."""

    file: str
    offset: int
    length: int
    original: Original | None = None
    """The capture that the record refers to, because it has no payload itself."""


class WarcState(Struct, frozen=True, array_like=True):
    """The state to continue from a commit."""

    serial: int = 0
    """The number of the next file."""
    name: str = ""
    length: int = 0
    records: int = 0
    bytes: int = 0
    raw_bytes: int = 0
    check: int = -1
    """CRC-32 of the file so far; -1 in crawls of an earlier version."""


class WarcFiles:
    """The WARC files of one partition, of which the last one is open.

    A new file is begun when the last has reached `size` bytes; it starts with the record that
    `introduce` returns for its name.
    """

    def __init__(
        self,
        folder: Path,
        size: int,
        clock: Clock,
        introduce: Callable[[str], bytes],
        partition: int,
        state: WarcState,
        manifest: ManifestWriter,
    ) -> None:
        """The manifest takes in each file that is full."""
        self._manifest = manifest
        self._folder = folder
        self._size = size
        self._clock = clock
        self._introduce = introduce
        self._partition = partition
        self._serial = self.files = state.serial
        self._name = state.name
        self._file: AppendOnlyFile | None = None
        self.records = state.records
        self.bytes = state.bytes
        self.raw_bytes = state.raw_bytes
        self.pattern = f"gossamer-*-{partition:05}-*.warc.gz"
        elsewhere = serials_elsewhere(folder, partition)
        check_numbered(folder, self.pattern, state.serial, elsewhere)
        delete_from(folder, self.pattern, lambda serial: serial >= state.serial)
        if state.name:
            path = folder / state.name
            self._file = AppendOnlyFile(path, state.length, self._check_of(path, state))

    def append(self, records: Sequence[bytes], original: Original | None = None) -> RecordPlace:
        """Write records that belong together into the same file; returns where the first is."""
        file = self._file
        if file is None or file.length >= self._size:
            file = self._begin_file()
        offset = file.length
        return RecordPlace(self._name, offset, self._append(file, records), original)

    @property
    def open_serial(self) -> int | None:
        """The number of the file that is being filled."""
        return self._serial - 1 if self._file is not None else None

    def start_over(self) -> None:
        """Leave the last file as it is; the next record begins another."""
        self.close()

    def rename(self, name: str) -> str:
        """Another name for a file that is written again, with the same number."""
        serial, now = serial_of(Path(name)), int(self._clock.now())
        while (fresh := self._name_at(now, serial)) == name or (self._folder / fresh).exists():
            now += 1
        return fresh

    def forget(self, records: int, size: int, raw_size: int) -> None:
        """Records have left the files."""
        self.records -= records
        self.bytes -= size
        self.raw_bytes -= raw_size

    def commit(self) -> WarcState:
        """Make all records written so far durable; returns what it takes to go on from there."""
        length, check = 0, -1
        if self._file is not None:
            self._file.sync()
            length, check = self._file.length, self._file.check or 0
        counts = self.records, self.bytes, self.raw_bytes
        return WarcState(self._serial, self._name, length, *counts, check)

    def close(self) -> None:
        file, self._file = self._file, None
        name, self._name = self._name, ""
        if file is not None:
            file.close()
            size, check = file.length, file.check or 0
            self._manifest.add(FileEntry(file=f"warc/{name}", bytes=size, crc32=check))

    @staticmethod
    def _check_of(path: Path, state: WarcState) -> int:
        """The checksum of what is there; that of a crawl of an earlier version is found by reading."""
        check_length(path, state.length)
        return state.check if state.check >= 0 else sum_file(path, "", state.length).crc32

    def _begin_file(self) -> AppendOnlyFile:
        name = self._name_at(int(self._clock.now()), self._serial)
        self.commit()  # when this or the next fails, the full file stays open and is tried again
        file = AppendOnlyFile(self._folder / name, check=0)
        sync_folder(self._folder)
        self.close()
        self._file, self._name = file, name
        self._serial += 1
        self.files += 1
        self._append(file, [self._introduce(name)])
        return file

    def _name_at(self, now: int, serial: int) -> str:
        return f"gossamer-{timestamp14(now)}-{self._partition:05}-{serial:05}.warc.gz"

    def _append(self, file: AppendOnlyFile, records: Sequence[bytes]) -> int:
        """Write each record as a gzip member; returns the length of the first member."""
        members = [igzip_lib.compress(record, _LEVEL, _GZIP) for record in records]
        file.append(members)
        self.records += len(records)
        self.bytes += sum(map(len, members))
        self.raw_bytes += sum(map(len, records))
        return len(members[0])
