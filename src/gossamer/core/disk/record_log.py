"""Records of one size in a file that only grows, each with a checksum."""

from collections.abc import Iterator
from pathlib import Path
from struct import Struct as Layout

from xxhash import xxh3_64_intdigest

from gossamer.core.disk.disk_files import AppendOnlyFile
from gossamer.core.errors import DamageError

_CHECK = Layout("<I")
CHECK_SIZE = _CHECK.size
"""Bytes behind each record."""


def checksum(data: bytes | memoryview) -> int:
    return xxh3_64_intdigest(data) & 0xFFFFFFFF


class RecordLog:
    """Records by number; see what is on disk is what was written whenever one is read.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     log = RecordLog(Path(folder) / "numbers.log", size=3, length=0)
    ...     numbers = log.append(b"one"), log.append(b"two")
    ...     log.read(1), len(log), log.length
    (b'two', 2, 14)
    """

    def __init__(self, path: Path, size: int, length: int) -> None:
        """Open the file at this length, for records of this many bytes."""
        self._size, self._step = size, size + CHECK_SIZE
        self._file = AppendOnlyFile(path, length)

    def __len__(self) -> int:
        return self._file.length // self._step

    @property
    def length(self) -> int:
        """Bytes; what it takes to open it again."""
        return self._file.length

    def append(self, record: bytes) -> int:
        """Take a record; returns its number."""
        number = len(self)
        self._file.append([record, _CHECK.pack(checksum(record))])
        return number

    def read(self, number: int) -> bytes:
        """A record, or `DamageError` when it is not what was written."""
        data = self._file.read(number * self._step, self._step)
        record = data[: self._size]
        if data[self._size :] != _CHECK.pack(checksum(record)):
            self._complain(number)
        return record

    def blocks(self, count: int) -> Iterator[tuple[int, bytes]]:
        """Yield all records, this many at a time, with the first one's number; a checksum follows each."""
        for start in range(0, len(self), count):
            some = min(count, len(self) - start)
            data = self._file.read(start * self._step, some * self._step)
            self._check(data, start, some)
            yield start, data

    def verify(self, count: int = 1 << 14) -> None:
        """Read all records; raises `DamageError` when one is not what was written."""
        for _ in self.blocks(count):
            pass

    def sync(self) -> None:
        self._file.sync()

    def close(self) -> None:
        self._file.close()

    def _check(self, data: bytes, start: int, count: int) -> None:
        view, size, step = memoryview(data), self._size, self._step
        if len(data) != count * step:
            self._complain(start + len(data) // step)
        for place in range(count):
            begin = place * step
            (wanted,) = _CHECK.unpack_from(view, begin + size)
            if checksum(view[begin : begin + size]) != wanted:
                self._complain(start + place)

    def _complain(self, number: int) -> None:
        said = f"is damaged at {number * self._step}: its checksum is wrong"
        raise DamageError(self._file.path, said)
