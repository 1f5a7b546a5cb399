"""Large files of a partition that are still on their way from remote storage while the partition works
already.

    come to remote storage ─▶ small files as wholes; large ones as empty files of their full length
                     │                              ▲ piece by piece, checked
                     ▼                              │
                 components open ── read ──▶ a piece that is not here yet is fetched before all others

So a partition begins as soon as it has what it needs at once, however much there is behind it: at first only
what is being read is fetched, and all else after the first commit, by few at a time. A file has its
length and its last bytes from the beginning. Components look at lengths, append at the end, and read through
`core/disk/disk_files.py`; what reads in another way is brought as a whole, before.

Pieces are fetched by threads. The components' thread waits for the ones that it reads. Nobody else changes
a file that is on its way, except at its end.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from errno import ENOENT
from pathlib import Path
from threading import Condition, Thread
from typing import BinaryIO

from gossamer.cluster.storage.commit_bundle import Extent
from gossamer.cluster.storage.object_storage import Storage
from gossamer.core.disk.disk_files import CopySystem, System

THREADS = 8
"""Objects that are fetched at once."""
_ALL = 1 << 62
"""Behind the last byte of any file."""
_BEHIND = 2
"""Of these, such that nobody waits for: the others are left for what is needed now."""
_AHEAD = 16 << 20
"""Bytes behind those that are read which are fetched next: readers often read on."""

Fetch = Callable[[Storage, Extent], Iterator[bytes]]
"""The bytes of an extent, part by part; an error at the end when they are not what was sent."""


class _Piece:
    """A piece of a file: where it goes, and whether it is there."""

    def __init__(self, file: "_ArrivingFile", start: int, extent: Extent) -> None:
        self.file = file
        self.start = start
        self.end = start + extent.size
        self.extent = extent
        self.is_taken = False
        """Is it being fetched?"""
        self.is_behind = False
        """Does nobody wait for it?"""


class _ArrivingFile:
    """A file that has its length, and not all of its bytes."""

    def __init__(self, path: Path, extents: Sequence[Extent]) -> None:
        self.descriptor = os.open(path, os.O_RDWR)
        self.missing: list[_Piece] = []
        self.is_left_out = False
        """Will some of its bytes never come?"""
        start = 0
        for extent in extents:
            self.missing.append(_Piece(self, start, extent))
            start += extent.size
        self.size = start

    @property
    def is_deleted(self) -> bool:
        """Has nobody any need of it?"""
        return os.fstat(self.descriptor).st_nlink == 0

    def lacks(self, start: int, end: int) -> list[_Piece]:
        """The pieces of these bytes that are not here yet."""
        return [piece for piece in self.missing if piece.start < end and piece.end > start]

    def put(self, piece: _Piece, parts: Iterable[bytes]) -> None:
        """Write a piece where it belongs."""
        at = piece.start
        for part in parts:
            rest = memoryview(part)
            while rest:
                written = os.pwrite(self.descriptor, rest, at)
                rest, at = rest[written:], at + written


class Arrivals:
    """All files of a partition that are on their way.

    Filled by `expect`, emptied by threads that `begin` starts. They fetch what is waited for, and the rest
    when `fetch_all` was called. They end with the last piece, with `close`, or with the first error, which
    then comes to those who wait, and to `check`.
    """

    def __init__(self, storage: Storage, fetch: Fetch) -> None:
        self._storage = storage
        self._fetch = fetch
        self._change = Condition()
        self._files: dict[tuple[int, int], _ArrivingFile] = {}
        """By device and number: names may change."""
        self._urgent: list[_Piece] = []
        self._error: BaseException | None = None
        self._is_closed = self._is_all_wanted = False
        self._under_way = 0
        """Pieces that are fetched just now though nobody waits for them."""

    def __len__(self) -> int:
        """Files that are not here yet, or not all of them."""
        return len(self._files)

    def expect(self, path: Path, extents: Sequence[Extent]) -> None:
        """The bytes of this file, which has its length already, will come."""
        file = _ArrivingFile(path, extents)
        self._files[_number(file.descriptor)] = file

    def begin(self) -> None:
        """Fetch what is expected and waited for."""
        pieces = sum(len(file.missing) for file in self._files.values())
        for _ in range(min(THREADS, pieces)):
            Thread(target=self._work, name="arrivals", daemon=True).start()

    def fetch_all(self) -> None:
        """From now on, fetch the rest, too, in the order in which it was said."""
        if not self._is_all_wanted:
            with self._change:
                self._is_all_wanted = True
                self._change.notify_all()

    def wait(self, descriptor: int, start: int, end: int) -> None:
        """Return when these bytes of an open file are here."""
        with self._change:
            file = self._files.get(_number(descriptor))
            while file is not None and (lacking := file.lacks(start, end)):
                self._check()
                self._urgent = [*lacking, *file.lacks(end, end + _AHEAD)]
                self._change.notify_all()
                self._change.wait()
            if file is not None and file.is_left_out:
                raise FileNotFoundError(ENOENT, "a file was deleted during its download")

    def size_of(self, descriptor: int) -> int:
        """The size of a file that is being downloaded; 0 for others."""
        file = self._files.get(_number(descriptor))
        return file.size if file is not None else 0

    def check(self) -> None:
        """Raise the error for which the download has stalled, if there was one."""
        with self._change:
            if self._files:
                self._check()

    def close(self) -> None:
        """Nothing is needed any more."""
        with self._change:
            self._is_closed = True
            self._change.notify_all()

    def _check(self) -> None:
        if self._error is not None:
            raise self._error
        if self._is_closed:
            raise OSError("the download has stalled")

    # In threads of their own.

    def _work(self) -> None:
        while (piece := self._next()) is not None:
            try:
                self._bring(piece)
            except BaseException as error:
                self._fail(error)
                return

    def _bring(self, piece: _Piece) -> None:
        try:
            piece.file.put(piece, self._fetch(self._storage, piece.extent))
        except Exception:  # in remote storage it goes when it has gone here
            if not piece.file.is_deleted:
                raise
        self._note(piece)

    def _next(self) -> _Piece | None:
        """The next piece to fetch, as soon as there is one; none when there is nothing left to do."""
        with self._change:
            while self._files and not self._is_closed and self._error is None:
                self._leave_out_deleted()
                if (piece := self._choose()) is not None:
                    piece.is_taken = True
                    return piece
                self._change.wait()
            return None

    def _choose(self) -> _Piece | None:
        """A piece that nobody fetches yet: one that is waited for, or else the first of all."""
        piece = next(_free(self._urgent), None)
        if piece is None and self._is_all_wanted and self._under_way < _BEHIND:
            piece = next(_free(self._all()), None)
            if piece is not None:
                piece.is_behind = True
                self._under_way += 1
        return piece

    def _all(self) -> Iterator[_Piece]:
        return (piece for file in self._files.values() for piece in file.missing)

    def _note(self, piece: _Piece) -> None:
        """A piece is here."""
        with self._change:
            self._under_way -= piece.is_behind
            piece.file.missing.remove(piece)
            self._forget_whole(piece.file)
            self._change.notify_all()

    def _leave_out_deleted(self) -> None:
        """Nobody will read a file that was deleted meanwhile; what is fetched of it just now may come."""
        for file in [file for file in self._files.values() if file.is_deleted]:
            if any(_free(file.missing)):
                file.is_left_out = True
                file.missing = [piece for piece in file.missing if piece.is_taken]
                self._urgent = [piece for piece in self._urgent if piece.file is not file]
                self._change.notify_all()
            self._forget_whole(file)

    def _forget_whole(self, file: _ArrivingFile) -> None:
        """Not before its last piece: a descriptor that was closed may be another file's by then."""
        if not file.missing and self._files.pop(_number(file.descriptor), None) is not None:
            os.close(file.descriptor)

    def _fail(self, error: BaseException) -> None:
        with self._change:
            self._error = self._error or error
            self._change.notify_all()


class ArrivingSystem(CopySystem):
    """File operations while files are being downloaded: readers wait for their bytes."""

    def __init__(self, below: System, arrivals: Arrivals) -> None:
        super().__init__(below)
        self._arrivals = arrivals

    def open(self, path: Path) -> BinaryIO:
        file = super().open(path)
        if len(self._arrivals):  # nobody knows what of it will be read
            self._arrivals.wait(file.fileno(), 0, _ALL)
        return file

    def read(self, descriptor: int, size: int, offset: int) -> bytes:
        if len(self._arrivals):
            self._arrivals.wait(descriptor, offset, offset + size)
        return super().read(descriptor, size, offset)

    def read_into(self, descriptor: int, into: memoryview, offset: int) -> int:
        if len(self._arrivals):
            self._arrivals.wait(descriptor, offset, offset + into.nbytes)
        return super().read_into(descriptor, into, offset)

    def truncate(self, descriptor: int, length: int) -> None:
        """Truncate a file, and drop downloads behind the cut."""
        if length < self._arrivals.size_of(descriptor):
            self._arrivals.wait(descriptor, 0, _ALL)
        super().truncate(descriptor, length)


def _free(pieces: Iterable[_Piece]) -> Iterator[_Piece]:
    return (piece for piece in pieces if not piece.is_taken)


def _number(descriptor: int) -> tuple[int, int]:
    """The identity of an open file, whatever its name."""
    found = os.fstat(descriptor)
    return found.st_dev, found.st_ino
