"""WARC files: appended to record by record, each record a gzip member of its own.

So a reader can jump to any record, and what was written before a crash stays readable.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from isal import igzip_lib
from msgspec import Struct

from gossamer.base.clock import Clock
from gossamer.harvest.store.date import timestamp14
from gossamer.harvest.store.files import AppendOnlyFile, next_serial, sync_folder

# Level 2 takes the time of level 1 and saves one more percent; level 3 takes twice the time for
# another three. See docs/decisions/0003-warc-writer.md.
_LEVEL = 2
_GZIP = igzip_lib.COMP_GZIP


class Place(Struct, frozen=True, gc=False):
    """Where a record is: exactly `length` bytes from `offset` on are its gzip member."""

    file: str
    offset: int
    length: int


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
    ) -> None:
        self._folder = folder
        self._size = size
        self._clock = clock
        self._introduce = introduce
        self._partition = partition
        self._serial = next_serial(folder, f"gossamer-*-{partition:05}-*.warc.gz")
        self._file: AppendOnlyFile | None = None
        self._name = ""
        self.records = 0
        self.files = 0
        self.bytes = 0
        self.raw_bytes = 0

    def append(self, records: Sequence[bytes]) -> Place:
        """Write records that belong together into the same file; returns where the first is."""
        file = self._file
        if file is None or file.length >= self._size:
            file = self._begin_file()
        offset = file.length
        return Place(self._name, offset, self._append(file, records))

    def flush(self) -> None:
        """Make all records written so far durable."""
        if self._file is not None:
            self._file.sync()

    def close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            file.close()

    def _begin_file(self) -> AppendOnlyFile:
        self.flush()  # when it fails, the full file stays open and is tried again
        self.close()
        stamp = timestamp14(int(self._clock.now()))
        self._name = f"gossamer-{stamp}-{self._partition:05}-{self._serial:05}.warc.gz"
        self._file = AppendOnlyFile(self._folder / self._name)
        sync_folder(self._folder)
        self._serial += 1
        self.files += 1
        self._append(self._file, [self._introduce(self._name)])
        return self._file

    def _append(self, file: AppendOnlyFile, records: Sequence[bytes]) -> int:
        """Write each record as a gzip member; returns the length of the first member."""
        members = [igzip_lib.compress(record, _LEVEL, _GZIP) for record in records]
        file.append(members)
        self.records += len(records)
        self.bytes += sum(map(len, members))
        self.raw_bytes += sum(map(len, records))
        return len(members[0])
