"""The files of one partition, and what is new in them since the last look.

Files either appear whole, under their final names, or grow at their ends (`core/disk/disk_files.py`). So a
file that has grown is recognised by its number in the file system, its length and its last bytes; every other
change means that all of it is new.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from errno import ENOENT
from itertools import groupby
from os import stat_result
from pathlib import Path
from zlib import crc32

from msgspec import Struct

from gossamer.core.directory import Directory, partition_name
from gossamer.core.disk import disk_files
from gossamer.core.disk.disk_files import Deletions, delete, lock_folder
from gossamer.core.whole_files import names_elsewhere
from gossamer.output.offloaded_files import note_elsewhere

_PIECE = 1 << 20
_LAST = 64
"""Bytes at the end of a file that are looked at once more when it has grown."""
_PATTERNS = (
    ("warc", "gossamer-*-{}-*.warc.gz"),
    ("warc", ".cdxj-{}-*.run"),
    ("warc", "index.cdxj"),
    ("pages", "{}-*.parquet"),
    ("links", "{}-*.parquet"),
    ("items", "{}-*.parquet"),
    ("copies", "{}-*.parquet"),
)
"""Files outside of the state. All partitions have the index in common: each sends to remote storage what
it sees of it."""
_SHARED = "warc"
"""The folder where the index is; who adds to it has the folder's lock."""
OUTPUT = ("warc", "pages", "links", "items", "copies")
_AT_EACH_COMMIT = frozenset({"journal", "output", "content", "exchange", "history"})
"""Folders of components that say at each commit how they are found again. The others need what they had at
the last checkpoint, and the journal."""
_MADE_AGAIN = frozenset({".buckets", ".directory"})
"""Lookups, which are made again from the logs beside them."""


def is_output(name: str) -> bool:
    """Is it a file for people that belongs to one partition?"""
    return name.endswith((".warc.gz", ".parquet"))


class Growth(Struct, frozen=True):
    """New bytes of a file."""

    path: str
    start: int
    """The first byte that is new; 0 when all of it is."""
    size: int
    """Of the whole file."""


class _Seen(Struct):
    number: int
    size: int
    modified: int
    last: bytes


class Tree:
    """Says of the files of a partition what is new."""

    def __init__(self, directory: Directory, brought: Deletions | None = None) -> None:
        """`brought`: all files came from remote storage, and these are the ones that were deleted since."""
        self._root = directory.path
        self._is_brought = brought is not None
        self._deletions = brought or Deletions(directory.path)
        self._state = directory.state
        self._prefix = partition_name(directory.partition)
        self._partition = directory.partition
        self._seen: dict[str, _Seen] = {}
        self._afresh: set[str] = set()
        """Files that were deleted or cut back since they were looked at."""
        self._elsewhere = {
            folder: names_elsewhere(self._root / folder, self._partition) for folder in OUTPUT
        }

    def is_elsewhere(self, name: str) -> bool:
        """Is it a file that this machine does without?"""
        folder, _, file = name.partition("/")
        return file in self._elsewhere.get(folder, ())

    def let_go(self, names: Iterable[str]) -> None:
        """Do without some more files, which are in remote storage."""
        for folder, inside in groupby(sorted(names), key=lambda name: name.partition("/")[0]):
            gone = [name.partition("/")[2] for name in inside]
            self._elsewhere[folder] |= frozenset(gone)
            note_elsewhere(self._root / folder, self._partition, self._elsewhere[folder])
            for file in gone:
                delete(self._root / folder / file)
                self._seen.pop(f"{folder}/{file}", None)

    def note_brought(self, names: Iterable[str]) -> None:
        """These files are what they are in remote storage: only what changes from now on is new."""
        for name in names:
            self._note(name, self._root / name, (self._root / name).stat())

    def whole(self, name: str) -> Path:
        """Register a file that is complete here."""
        path = self._root / name
        disk_files.open_file(path).close()  # waits for one that is on its way
        return path

    @contextmanager
    def held(self) -> Iterator[None]:
        """Nobody changes what all partitions have in common: else a look and a read could see two files."""
        if not (self._root / _SHARED).is_dir():
            yield
            return
        with lock_folder(self._root / _SHARED):
            yield

    def names(self) -> Iterator[str]:
        """All files that are here."""
        return (name for name, _ in self._files(is_checkpoint=True))

    def look(self, *, is_checkpoint: bool) -> tuple[list[Growth], list[str]]:
        """Find new bytes and deleted files since the last call.

        Between checkpoints only those files count that the journal refers to.
        """
        grown, there = [], set()
        self._forget_changed()
        for name, path in self._files(is_checkpoint):
            there.add(name)
            if name in self._afresh:
                self._seen.pop(name, None)
                self._afresh.discard(name)
            if growth := self._compare(name, path):
                grown.append(growth)
        gone = [
            name for name in self._seen if self._counts(name, is_checkpoint) and name not in there
        ]
        self._check_deleted(gone)
        for name in gone:
            del self._seen[name]
        if is_checkpoint:
            self._deletions.clear()
        return grown, gone

    def _forget_changed(self) -> None:
        """A file that was made again may have the number, the length and the end of the one before."""
        if changed := self._deletions.take_changed():
            paths = ((name, self._root / name) for name in self._seen)
            self._afresh |= {
                name for name, path in paths if not changed.isdisjoint((path, *path.parents))
            }

    def check_brought(self, gone: list[str]) -> None:
        """These files are in remote storage and not here: all right, unless they were here."""
        if self._is_brought:
            self._check_deleted(gone)

    def _check_deleted(self, gone: list[str]) -> None:
        """A file that another process deleted is no deleted file: in remote storage it stays, and this
        incarnation is over."""
        for name in gone:
            if self._root / name not in self._deletions:
                raise FileNotFoundError(ENOENT, "this file was deleted meanwhile", name)

    def read(self, name: str, start: int, size: int) -> bytes:
        with open(self._root / name, "rb") as file:
            return disk_files.system.read(file.fileno(), size, start)

    def checksum(self, name: str, start: int, end: int) -> int:
        """Of the bytes from here to there."""
        check = 0
        with open(self._root / name, "rb") as file:
            read, number = disk_files.system.read, file.fileno()
            while start < end and (piece := read(number, min(_PIECE, end - start), start)):
                check = crc32(piece, check)
                start += len(piece)
        return check

    def _compare(self, name: str, path: Path) -> Growth | None:
        found, seen = path.stat(), self._seen.get(name)
        if seen is not None and seen.number == found.st_ino:
            if (seen.size, seen.modified) == (found.st_size, found.st_mtime_ns):
                return None
            if found.st_size >= seen.size and self._ends_alike(path, seen):
                start = seen.size
                self._note(name, path, found)
                return Growth(name, start, found.st_size) if found.st_size > start else None
        self._note(name, path, found)
        return Growth(name, 0, found.st_size)

    def _ends_alike(self, path: Path, seen: _Seen) -> bool:
        """Does it still have the bytes that were its last? Else it was cut back, and is another one."""
        return _bytes_before(path, seen.size) == seen.last

    def _note(self, name: str, path: Path, found: stat_result) -> None:
        last = _bytes_before(path, found.st_size)
        self._seen[name] = _Seen(found.st_ino, found.st_size, found.st_mtime_ns, last)

    def _files(self, is_checkpoint: bool) -> Iterator[tuple[str, Path]]:
        for folder, pattern in _PATTERNS:
            for path in (self._root / folder).glob(pattern.format(self._prefix)):
                yield f"{folder}/{path.name}", path
        for path in self._state.rglob("*"):
            name = path.relative_to(self._root).as_posix()
            if self._counts(name, is_checkpoint) and _is_kept(path):
                yield name, path

    def _counts(self, name: str, is_checkpoint: bool) -> bool:
        if is_checkpoint or not name.startswith("state/"):
            return True
        return name.split("/")[2] in _AT_EACH_COMMIT


def _is_kept(path: Path) -> bool:
    is_watermark = path.name == "end" and path.parent.name == "journal"  # it is made again
    is_draft = path.name.startswith(".")
    return not (is_watermark or is_draft or path.suffix in _MADE_AGAIN) and path.is_file()


def _bytes_before(path: Path, end: int) -> bytes:
    with open(path, "rb") as file:
        file.seek(max(0, end - _LAST))
        return file.read(min(end, _LAST))
