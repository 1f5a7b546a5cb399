"""Write files: whole or not at all, or growing and valid up to any length that was synced.

Every byte that Gossamer must not lose goes through here, so that a test can let the disk fail
(`system`), and so that there is one place to get durability right.
"""

import fcntl
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from errno import ENOSPC
from pathlib import Path
from typing import BinaryIO
from weakref import WeakSet

from isal.isal_zlib import crc32

from gossamer.core.errors import DamageError

_PENDING_BYTES = 1 << 20
_JOINED_BYTES = 1 << 18
_CLOSED = -1
"""No descriptor: one that was closed may be another file's by now."""


class System:
    """File operations of the operating system; a test may replace it by a faulty one."""

    def write(self, descriptor: int, data: memoryview) -> int:
        return os.write(descriptor, data)

    def sync(self, descriptor: int) -> None:
        os.fdatasync(descriptor)

    def truncate(self, descriptor: int, length: int) -> None:
        os.ftruncate(descriptor, length)

    def allocate(self, descriptor: int, length: int) -> None:
        """Make a file this long, with room on disk for all of it."""
        os.posix_fallocate(descriptor, 0, length)

    def rename(self, source: Path, target: Path) -> None:
        os.replace(source, target)

    def sync_folder(self, folder: Path) -> None:
        """Make the names in a folder durable; syncing a file does not do that."""
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def delete(self, path: Path) -> None:
        """Delete a file or a folder, if it is there."""
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)

    def open(self, path: Path) -> BinaryIO:
        """Open a file to read it."""
        return open(path, "rb")

    def open_end(self, path: Path) -> int:
        """A descriptor to add lines to the end of a file; the file and its folder are made if need be."""
        path.parent.mkdir(exist_ok=True)
        return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)

    def read(self, descriptor: int, size: int, offset: int) -> bytes:
        """Bytes of an open file; fewer where it ends before."""
        return os.pread(descriptor, size, offset)

    def read_into(self, descriptor: int, into: memoryview, offset: int) -> int:
        """The same, to where they are wanted; returns how many there were."""
        return os.preadv(descriptor, [into], offset)


class CopySystem(System):
    """On a machine that has only a copy of what is durable elsewhere: nobody waits for its disk.

    Whatever becomes of that machine, its files are never looked at again.
    """

    def __init__(self, below: System) -> None:
        self.below = below

    def sync(self, descriptor: int) -> None:
        """Not needed."""

    def sync_folder(self, folder: Path) -> None:
        """Not needed."""


system = System()


def durable() -> System:
    """The system for files that must outlive this machine's copies."""
    return system.below if isinstance(system, CopySystem) else system


def write_whole(path: Path, write: Callable[[BinaryIO], object], on: System | None = None) -> None:
    """Let `write` fill a file that appears under its name only when it is complete and durable."""
    Draft(path, write, on).publish()


class Draft:
    """A file that is complete and durable, and has not its name yet.

    For those who have to write something else before: when that fails, they `drop` it, and when it does not,
    there is room for both.
    """

    def __init__(
        self, path: Path, write: Callable[[BinaryIO], object], on: System | None = None
    ) -> None:
        self._path = path
        self._on = on or system
        self._draft = path.with_name(f".{path.name}.tmp")
        try:
            with open(self._draft, "wb") as file:
                _keep_mode(path, file.fileno())
                write(file)
                file.flush()
                self._on.sync(file.fileno())
        except BaseException as error:
            if isinstance(error, OSError) and error.errno == ENOSPC:
                error.filename = error.filename or str(path)  # or nobody knows which disk is full
            self.drop()
            raise

    def publish(self) -> None:
        """Give it its name, in the place of the file that had it."""
        try:
            self._on.rename(self._draft, self._path)
        except BaseException:
            self.drop()
            raise
        self._on.sync_folder(self._path.parent)

    def drop(self) -> None:
        delete(self._draft)


def _keep_mode(before: Path, descriptor: int) -> None:
    """A file that takes the place of another one is not readable to more people."""
    with suppress(OSError):
        os.fchmod(descriptor, os.fstat(descriptor).st_mode & before.stat().st_mode & 0o777)


def check_length(path: Path, length: int) -> None:
    """Complain of a file that is shorter than it was when it was made durable, or not there at all."""
    size = path.stat().st_size if path.is_file() else -1
    if size < 0:
        raise DamageError(path, "is missing" if not path.exists() else "is not a file")
    if size < length:
        raise DamageError(path, f"is shorter than the {length} bytes that were written to it")


def delete(path: Path) -> None:
    """Delete a file that is not recorded, or whatever stands in its place."""
    _note(path)
    system.delete(path)


def rename(source: Path, target: Path) -> None:
    """Give a file another name, at once."""
    _note(source)
    system.rename(source, target)


class Deletions:
    """Notes the files below a folder that this process has deleted itself.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     mine, deletions = Path(folder) / "mine", Deletions(Path(folder))
    ...     delete(mine)
    ...     mine in deletions, mine / "in a folder" in deletions, Path(folder) / "other" in deletions
    (True, True, False)
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._paths: set[Path] = set()
        self._changed: set[Path] = set()
        _watching.add(self)

    def note(self, path: Path) -> None:
        if path.is_relative_to(self._root):
            self._paths.add(path)
            self._changed.add(path)

    def note_cut(self, path: Path) -> None:
        """A file was cut back: what it has from now on may be something else."""
        if path.is_relative_to(self._root):
            self._changed.add(path)

    def take_changed(self) -> set[Path]:
        """Return the files deleted or cut back since the last call: a file of that name is another one."""
        changed, self._changed = self._changed, set()
        return changed

    def __contains__(self, path: Path) -> bool:
        return not self._paths.isdisjoint((path, *path.parents))

    def clear(self) -> None:
        """All that is missing so far was asked for."""
        self._paths.clear()


_watching: WeakSet[Deletions] = WeakSet()


def _note(path: Path) -> None:
    for deletions in _watching:
        deletions.note(path)


def _note_cut(path: Path) -> None:
    for deletions in _watching:
        deletions.note_cut(path)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    system.sync_folder(folder)


def sync_file(path: Path) -> None:
    """Make the content of a file durable."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        system.sync(descriptor)
    finally:
        os.close(descriptor)


def open_file(path: Path) -> BinaryIO:
    """Open a file to read it."""
    return system.open(path)


def read_whole(path: Path) -> bytes:
    """All bytes of a file."""
    with open_file(path) as file:
        return file.read()


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Let one process at a time go on; the lock goes with the process, however that ends."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


class AppendOnlyFile:
    """A file that only grows, by whole pieces.

    Pieces are collected and written together. When the disk refuses them, the file is cut back to
    where it was, so that it stays readable, and they are tried again at the next occasion.
    Opened with a length, the file is first cut back to it: what a crash left behind is torn off.

    With the checksum of what is there, it has that of all that is written.
    """

    def __init__(self, path: Path, length: int = 0, check: int | None = None) -> None:
        self.path = path
        self.check = check
        """CRC-32 of all bytes that were handed to the operating system, if it is wanted."""
        if length:
            check_length(path, length)
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        self._pending: list[bytes] = []
        self._on_disk = self.length = length
        """Bytes; `length` counts the collected ones too."""
        self._is_synced = True
        if os.fstat(self._descriptor).st_size > length:
            _note_cut(path)
        self._cut_back()

    def append(self, pieces: Sequence[bytes]) -> None:
        """Take these pieces, all of them or, when the disk is full, none."""
        if self.length - self._on_disk >= _PENDING_BYTES:
            self.write_out()
        self._pending += pieces
        self.length += sum(map(len, pieces))

    def sync(self) -> None:
        """Make all pieces durable."""
        self.write_out()
        if not self._is_synced:
            system.sync(self._descriptor)
            self._is_synced = True

    def read(self, start: int, size: int) -> bytes:
        """Bytes that were appended before."""
        if start + size > self._on_disk:
            self.write_out()
        return system.read(self._descriptor, size, start)

    def close(self) -> None:
        """Make all pieces durable, and let go of the file. Closing it again changes nothing."""
        if self._descriptor == _CLOSED:
            return
        try:
            self.sync()
        finally:
            self.abandon()

    def abandon(self) -> None:
        """Close a file that nobody needs any more, without making the rest of it durable."""
        descriptor, self._descriptor = self._descriptor, _CLOSED
        if descriptor != _CLOSED:
            os.close(descriptor)

    def write_out(self) -> None:
        """Hand the collected pieces to the operating system."""
        self._is_synced = self._is_synced and not self._pending
        check = self.check
        try:
            for part in joined(self._pending):
                if check is not None:
                    check = crc32(part, check)
                rest = memoryview(part)
                while rest:
                    rest = rest[system.write(self._descriptor, rest) :]
        except OSError:
            self._cut_back()
            raise
        self._pending = []
        self._on_disk, self.check = self.length, check

    def _cut_back(self) -> None:
        # The position first: should the disk refuse to cut, the next try still writes over the rest.
        os.lseek(self._descriptor, self._on_disk, os.SEEK_SET)
        system.truncate(self._descriptor, self._on_disk)


def joined(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Pieces end to end, some at a time: more memory than this comes from the system again each time."""
    some: list[bytes] = []
    size = 0
    for piece in pieces:
        some.append(piece)
        size += len(piece)
        if size >= _JOINED_BYTES:
            yield b"".join(some)
            some, size = [], 0
    if size:
        yield b"".join(some)
