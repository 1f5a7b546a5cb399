"""Numbered files that are filled one after the other and deleted as wholes."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct

from gossamer.core.disk import disk_files
from gossamer.core.disk.block import HEADER_SIZE, block_size, unpack
from gossamer.core.disk.disk_files import AppendOnlyFile, check_length, delete, sync_folder

_SUFFIX = ".segment"
_OPEN_FOR_READING = 64
_UNSYNCED = 16


class SegmentEnd(Struct, frozen=True, array_like=True):
    """The end of the last segment."""

    number: int = 0
    length: int = 0


class Segments:
    """An endless file, cut into segments so that its used-up parts can be deleted.

    Filled by `append`, at the end of the last segment; a full segment is followed by the next.
    Opened with an end and the lengths of full segments before it, all else is cut off and deleted;
    one that is missing or shorter is a `DamageError`. What was appended is durable after `checkpoint`,
    and readable at once.
    """

    def __init__(
        self,
        folder: Path,
        size: int,
        end: SegmentEnd | None = None,
        lengths: Mapping[int, int] | None = None,
    ) -> None:
        self.folder = folder
        self._size = size
        self._number, length = (end.number, end.length) if end else (0, 0)
        self._file: AppendOnlyFile | None = None
        """The last segment; there is none before the first piece of it comes."""
        self._has_new_names = False
        self._unsynced: dict[int, AppendOnlyFile] = {}
        self._readers: dict[int, int] = {}
        self._lengths: dict[int, int] = dict(lengths or {})
        """Of the full segments."""
        folder.mkdir(parents=True, exist_ok=True)
        self._take_stock(length)

    @property
    def end(self) -> SegmentEnd:
        return SegmentEnd(self._number, self._file.length if self._file else 0)

    @property
    def numbers(self) -> set[int]:
        """The segments there are."""
        return {*self._lengths, self._number} if self._file else set(self._lengths)

    @property
    def total(self) -> int:
        """Bytes in all segments."""
        return sum(self._lengths.values()) + self.end.length

    def append(self, piece: bytes) -> SegmentEnd:
        """Take a piece, and return where it begins; when the disk refuses it, nothing is taken."""
        file = self._file
        if file is None:
            file = self._file = self._begin(self._number)
        elif file.length and file.length + len(piece) > self._size:
            file = self._begin_next(file)
        begin = SegmentEnd(self._number, file.length)
        file.append([piece])
        return begin

    def read(self, number: int, start: int, size: int) -> bytes:
        """Bytes of a segment; fewer when it ends before."""
        size = max(0, min(size, self.length(number) - start))
        file = self._file if number == self._number else self._unsynced.get(number)
        return (
            file.read(start, size)
            if file
            else disk_files.system.read(self._reader(number), size, start)
        )

    def read_block(self, number: int, start: int) -> tuple[list[bytes], int]:
        """The records of the block that begins there, and how long it is."""
        path = self.path(number)
        size = block_size(self.read(number, start, HEADER_SIZE), path)
        return unpack(self.read(number, start, size), path), size

    def lengths(self, numbers: Iterable[int]) -> dict[int, int]:
        """Of these segments, those that are full, with their lengths: what it takes to open them again."""
        return {number: self._lengths[number] for number in numbers if number in self._lengths}

    def length(self, number: int) -> int:
        return self.end.length if number == self._number else self._lengths[number]

    def start_over(self) -> None:
        """Leave the last segment as it is, so that it can be deleted; the next piece begins another."""
        if self._file:
            self._file.sync()
            self._file.close()
            self._lengths[self._number] = self._file.length
            self._number += 1
            self._file = None

    def checkpoint(self) -> SegmentEnd:
        """Make everything durable."""
        while self._unsynced:
            self._close_oldest()
        if self._file:
            self._file.sync()
        if self._has_new_names:
            sync_folder(self.folder)
            self._has_new_names = False
        return self.end

    def delete(self, numbers: Iterable[int]) -> None:
        """Delete full segments."""
        for number in numbers:
            assert number != self._number, "the last segment is still being filled"
            if number in self._unsynced:
                self._unsynced.pop(number).close()
            if number in self._readers:
                os.close(self._readers.pop(number))
            delete(self.path(number))
            self._lengths.pop(number, None)

    def close(self) -> None:
        """Write out what is left, and let go of all files."""
        for descriptor in self._readers.values():
            os.close(descriptor)
        self._readers = {}
        while self._unsynced:
            self._close_oldest()
        if self._file:
            self._file.close()
            self._file = None

    def path(self, number: int) -> Path:
        return self.folder / f"{number:08}{_SUFFIX}"

    # Inside.

    def _take_stock(self, length: int) -> None:
        """Look whether all is there, delete what is not recorded, and cut the last segment."""
        for number, full in self._lengths.items():
            check_length(self.path(number), full)
        kept = {*self._lengths, *([self._number] if length else [])}
        for path in self.folder.glob(f"*{_SUFFIX}"):
            if int(path.stem) not in kept:
                delete(path)
        if length:
            self._file = AppendOnlyFile(self.path(self._number), length)

    def _begin_next(self, full: AppendOnlyFile) -> AppendOnlyFile:
        full.write_out()
        if len(self._unsynced) >= _UNSYNCED:
            self._close_oldest()
        following = self._begin(self._number + 1)
        self._unsynced[self._number] = full
        self._lengths[self._number] = full.length
        self._number += 1
        self._file = following
        return following

    def _begin(self, number: int) -> AppendOnlyFile:
        self._has_new_names = True
        return AppendOnlyFile(self.path(number))

    def _close_oldest(self) -> None:
        number, file = next(iter(self._unsynced.items()))
        file.sync()  # if that fails, the file stays open and nothing of it is lost
        del self._unsynced[number]
        file.close()

    def _reader(self, number: int) -> int:
        descriptor = self._readers.get(number)
        if descriptor is None:
            if len(self._readers) >= _OPEN_FOR_READING:
                os.close(self._readers.pop(next(iter(self._readers))))
            descriptor = self._readers[number] = os.open(self.path(number), os.O_RDONLY)
        return descriptor
