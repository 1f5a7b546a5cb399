"""How files come to be: numbered, and whole or not at all; or growing, and valid at any time."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO

_PENDING_BYTES = 1 << 20


def next_serial(folder: Path, pattern: str) -> int:
    """One more than the highest serial number among the files that match.

    The serial is the last number before the suffixes, as in `00000-00041.parquet`. A crawl that
    goes on in a directory of an earlier run so never writes over its files.
    """
    stems = (path.name.partition(".")[0] for path in folder.glob(pattern))
    return max((int(stem.rpartition("-")[2]) for stem in stems), default=-1) + 1


def write_whole(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Let `write` fill a file that appears under its name only when it is complete and durable."""
    draft = path.with_name(f".{path.name}.tmp")
    try:
        with open(draft, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable; syncing a file does not do that."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class AppendOnlyFile:
    """A file that only grows, by whole pieces.

    Pieces are collected and written together. When the disk refuses them, the file is cut back to
    where it was, so that it stays readable, and they are tried again at the next occasion.
    """

    def __init__(self, path: Path) -> None:
        self._descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        self._pending: list[bytes] = []
        self._on_disk = 0
        self._is_synced = True
        self.length = 0
        """Bytes, the collected ones included."""

    def append(self, pieces: Sequence[bytes]) -> None:
        """Take these pieces, all of them or, when the disk is full, none."""
        if self.length - self._on_disk >= _PENDING_BYTES:
            self._write_pending()
        self._pending += pieces
        self.length += sum(map(len, pieces))

    def sync(self) -> None:
        """Make all pieces durable."""
        self._write_pending()
        if not self._is_synced:
            os.fdatasync(self._descriptor)
            self._is_synced = True

    def close(self) -> None:
        try:
            self.sync()
        finally:
            os.close(self._descriptor)

    def _write_pending(self) -> None:
        rest = memoryview(b"".join(self._pending))
        self._is_synced = self._is_synced and not rest
        try:
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
        except OSError:
            os.ftruncate(self._descriptor, self._on_disk)
            os.lseek(self._descriptor, self._on_disk, os.SEEK_SET)
            raise
        self._pending = []
        self._on_disk = self.length
