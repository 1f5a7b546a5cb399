"""The length of a journal, noted beside it: so a journal that lost groups is not taken for a short one.

A torn tail is what a crash leaves behind, and is cut off. But groups that were made durable must be there.
The watermark names the last of them. It is written after each commit, and not made durable itself: after a
power cut it may name an earlier group, which is as well. It has two places that are written in turn, so
that one is whole whatever happens to the other.
"""

import os
from pathlib import Path
from struct import Struct as Layout
from zlib import crc32

from gossamer.core.disk.disk_files import read_whole, write_whole
from gossamer.core.disk.journal import JournalEnd, find_end, goes_on, path_of
from gossamer.core.errors import DamageError

END = "end"
"""The file beside a journal."""
_NOTE = Layout("<4sIQII")
"""Magic, number of the journal's file, its length, its checksum there, and a checksum of these."""
_MAGIC = b"GOSE"
_STEP = 4096
"""Bytes from one place to the other: no sector holds both."""

Reached = tuple[int, JournalEnd]
"""The number of a journal's file, and where it ends."""


class Watermark:
    """The file `end` in a journal's folder.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     watermark = Watermark(Path(folder), (3, JournalEnd(40, 7)))
    ...     watermark.note((3, JournalEnd(90, 8)))
    ...     read_watermark(Path(folder))
    (3, JournalEnd(length=90, chain=8))
    """

    def __init__(self, folder: Path, reached: Reached) -> None:
        """Make it again, and durable."""
        path = _path(folder)
        note = _pack(reached)
        write_whole(path, lambda file: file.write(note.ljust(_STEP, b"\0") + note))
        self._descriptor = os.open(path, os.O_WRONLY)
        self._turn = 0

    def note(self, reached: Reached) -> None:
        """The journal has come so far, on disk."""
        os.pwrite(self._descriptor, _pack(reached), self._turn * _STEP)
        self._turn = 1 - self._turn

    def close(self) -> None:
        os.close(self._descriptor)


def read_watermark(folder: Path) -> Reached | None:
    """Read the watermark; None when it is missing or cannot be trusted."""
    if not _path(folder).is_file():
        return None
    data = read_whole(_path(folder))
    places = (data[start : start + _NOTE.size] for start in (0, _STEP))
    return max(filter(None, map(_unpack, places)), default=None)


def is_whole(folder: Path) -> bool:
    """Is every byte of the watermark as it was written?"""
    data = read_whole(_path(folder))
    gap = data[_NOTE.size : _STEP]
    notes = data[: _NOTE.size], data[_STEP:]
    return all(map(_unpack, notes)) and gap == bytes(_STEP - _NOTE.size)


def holds(folder: Path, last: int, end: JournalEnd, reached: Reached) -> bool:
    """Does a journal that ends there have the very groups that its watermark names?"""
    number, wanted = reached
    if _place(reached) >= (last, end.length):
        return reached == (last, end)
    return not path_of(folder, number).exists() or goes_on(folder, number, wanted)


def check_journal(folder: Path, number: int) -> str:
    """Is all there that was made durable, from this file on? Otherwise a `DamageError` says what is not.

    Returns what has to be mended and can be; empty when all is well.
    """
    last, end = find_end(folder, number)
    path, watermark = folder / f"journal-{last:06}.log", read_watermark(folder)
    if not end.length:
        raise DamageError(path, "is damaged" if path.exists() else "is missing")
    if watermark is None and end.length < path.stat().st_size:
        raise DamageError(path, f"ends in the middle of a group, and {_path(folder)} is missing")
    if watermark is None:
        return (
            f"{_path(folder)} was damaged; the journal is complete, so this file is written again"
        )
    if not holds(folder, last, end, watermark):
        raise DamageError(
            path, f"is damaged at byte {end.length}: what was recorded after that is missing"
        )
    if not is_whole(folder):
        return f"{_path(folder)} was damaged in one of its two places; it is written again"
    return ""


def _place(reached: Reached) -> tuple[int, int]:
    number, end = reached
    return number, end.length


def _path(folder: Path) -> Path:
    return folder / END


def _pack(reached: Reached) -> bytes:
    number, end = reached
    fields = (_MAGIC, number, end.length, end.chain)
    return _NOTE.pack(*fields, crc32(_NOTE.pack(*fields, 0)))


def _unpack(note: bytes) -> Reached | None:
    if len(note) < _NOTE.size:
        return None
    _, number, length, chain, _ = _NOTE.unpack(note)
    reached = number, JournalEnd(length, chain)
    return reached if note == _pack(reached) else None
