"""A journal: what was done since the last checkpoint, so that it can be done again.

A journal is a row of numbered files, one for each checkpoint. A file is

    header   magic, number, where the file before ended, checksum
    record   length, checksum, kind, payload          ┐
    record   …                                        │ a group
    mark     a record of kind 0 without a payload     ┘
    record   …

A group counts when its mark is there (group commit): replaying gives whole groups or nothing. Each
checksum (CRC-32) goes on from the one before, so that a record is only valid behind exactly those
it was written behind; the first goes on from the header's. A torn tail, a flipped byte, a stale
piece of another file: whatever is wrong, replay ends at the last group before it.

The header says where the file before ended. So when that one has lost groups, the files after it
are not replayed either, and what is replayed is always a prefix of what was committed.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from struct import Struct as Layout
from typing import BinaryIO, NamedTuple
from zlib import crc32

from gossamer.core.disk import disk_files
from gossamer.core.disk.disk_files import (
    AppendOnlyFile,
    check_length,
    delete,
    open_file,
    write_whole,
)

Record = tuple[int, bytes]
"""A kind and a payload."""

_MAGIC = b"GOSJ\x01"
_HEADER = Layout("<5sIQII")
_RECORD = Layout("<IIB")
_CHECKED = Layout("<IB")
_MARK = 0


class JournalEnd(NamedTuple):
    """The end of a file's last whole group, and its checksum there; (0, 0) of a file that is no journal."""

    length: int
    chain: int


_NOWHERE = JournalEnd(0, 0)


class Journal:
    """The file of a journal that is being written.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     journal = Journal(Path(folder), 1)
    ...     journal.append(7, b"ended")
    ...     journal.commit()
    ...     journal.append(7, b"never committed")
    ...     list(replay(Path(folder), 1))
    [(7, b'ended')]

    Opening it with the number of a checkpoint goes on behind the last whole group that `replay`
    gives for this number; what came after it is cut off.
    """

    def __init__(self, folder: Path, number: int = 0) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.number, end = find_end(folder, number)
        self._group: list[bytes] = []
        if end.length:
            self._chain, length = end.chain, end.length
        else:
            self._chain, length = _begin(folder, number, end)
        self._chain_before_mark = self._chain
        self._file = AppendOnlyFile(path_of(folder, self.number), length)
        self._cut: JournalEnd | None = None
        """Where the file is to end before anything else is done: the disk has refused to cut it."""
        _delete(folder, lambda other: other > self.number)

    @property
    def length(self) -> int:
        """Bytes in the file, once all is committed."""
        return self.end.length

    @property
    def end(self) -> JournalEnd:
        """The end of the last group, once all is committed."""
        return self._cut or JournalEnd(self._file.length, self._chain)

    def append(self, kind: int, payload: bytes) -> None:
        """Note something that was done; kinds are 1 to 255."""
        self.append_all([(kind, payload)])

    def append_all(self, records: Sequence[Record]) -> None:
        """Note several things that belong together: whatever interrupts this, all are noted or none is."""
        assert all(kind != _MARK for kind, _ in records), "kind 0 is the mark at the end of a group"
        self.finish_cut()
        self._group, self._chain, self._chain_before_mark = self._with(records)

    def commit(self) -> None:
        """Make all that was appended durable. When the disk refuses, a later commit tries again."""
        self.finish_cut()
        if self._group:
            self._group, self._chain, self._chain_before_mark = self._with([(_MARK, b"")])
            try:
                self._file.append(self._group)
            except OSError:
                del self._group[-2:]  # the mark, so that the group can go on
                self._chain = self._chain_before_mark
                raise
            self._group = []
        self._file.sync()

    def cut_back(self, end: JournalEnd) -> None:
        """Forget what came after this place of the file: the disk refused it, and nobody is to see it."""
        self._file.abandon()
        self._group, self._chain, self._chain_before_mark = [], end.chain, end.chain
        self._cut = end
        self.finish_cut()

    def finish_cut(self) -> None:
        """Try again, if the disk has refused to forget something."""
        if self._cut is not None:
            path = path_of(self.folder, self.number)
            _cut(path, self._cut.length)
            self._file, self._cut = AppendOnlyFile(path, self._cut.length), None

    def rotate(self) -> int:
        """Commit, go on in the next file, and return its number: a checkpoint begins there."""
        self.commit()
        number = self.number + 1
        chain, length = _begin(self.folder, number, JournalEnd(self._file.length, self._chain))
        following = AppendOnlyFile(path_of(self.folder, number), length)
        self._file.close()
        self._file, self.number, self._chain = following, number, chain
        return number

    def forget_before(self, number: int) -> None:
        """Delete files that no checkpoint needs any more."""
        _delete(self.folder, lambda other: other < number)

    def close(self) -> None:
        self.commit()
        self._file.close()

    def _with(self, records: Sequence[Record]) -> tuple[list[bytes], int, int]:
        """The group with more records; its checksum, and that before the last of them."""
        group, chain, before = [*self._group], self._chain, self._chain
        for kind, payload in records:
            length, before = len(payload), chain
            chain = crc32(payload, crc32(_CHECKED.pack(length, kind), chain))
            group += (_RECORD.pack(length, chain, kind), payload)
        return group, chain, before


def replay(folder: Path, number: int) -> Iterator[Record]:
    """All records of whole groups, from this file on."""
    before = None
    while True:
        walk = _Walk(folder, number, before)
        yield from walk
        if not walk.end.length:
            return
        before, number = walk.end, number + 1


def read_on(
    folder: Path, number: int, end: JournalEnd, most: int = 1 << 20
) -> tuple[list[Record], JournalEnd]:
    """Whole groups of a file behind a place that was reached before, and the place reached now.

    Another process may be writing the file meanwhile: what is not whole yet comes the next time. So does what
    comes after groups of `most` bytes.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     journal, place = Journal(Path(folder), 1), JournalEnd(0, 0)
    ...     journal.append(7, b"one")
    ...     journal.commit()
    ...     first, place = read_on(Path(folder), 1, place)
    ...     journal.append(7, b"two")
    ...     journal.commit()
    ...     first, read_on(Path(folder), 1, place)[0]
    ([(7, b'one')], [(7, b'two')])
    """
    walk, records, size = _Walk(folder, number, None, end), list[Record](), 0
    for record in walk:
        if walk.end != end:  # another group begins
            if size >= most:
                return records, end
            end = walk.end
        records.append(record)
        size += len(record[1])
    return records, walk.end


def is_cut_off(folder: Path, number: int, end: JournalEnd) -> bool:
    """Is all that comes behind this place of a file a group that was not written to its end, or nothing?

    If not, then it is damaged.
    """
    position, chain = end
    with open_file(path_of(folder, number)) as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(position)
        while len(head := file.read(_RECORD.size)) == _RECORD.size:
            length, checksum, kind = _RECORD.unpack(head)
            position += _RECORD.size + length
            if position > size:
                return True
            chain = crc32(file.read(length), crc32(_CHECKED.pack(length, kind), chain))
            if chain != checksum:
                return False
    return True


def path_of(folder: Path, number: int) -> Path:
    """The path of the file with this number."""
    return folder / f"journal-{number:06}.log"


def find_end(folder: Path, number: int) -> tuple[int, JournalEnd]:
    """The last file of the row that begins with this number, and where it ends."""
    end, following = _ending(folder, number, None), _NOWHERE
    while end.length and (following := _ending(folder, number + 1, end)).length:
        number, end = number + 1, following
    return number, end


def _ending(folder: Path, number: int, before: JournalEnd | None) -> JournalEnd:
    walk = _Walk(folder, number, before)
    for _ in walk:
        pass
    return walk.end


def _begin(folder: Path, number: int, before: JournalEnd) -> tuple[int, int]:
    """Begin a file; returns its first checksum and its length."""
    header = _write_header(number, before)
    write_whole(path_of(folder, number), lambda file: file.write(header))
    return crc32(header), len(header)


def _cut(path: Path, length: int) -> None:
    """Cut a file, so that what came behind does not come back after a power cut either."""
    check_length(path, length)
    with open(path, "r+b") as file:
        disk_files.system.truncate(file.fileno(), length)
        disk_files.system.sync(file.fileno())


class _Walk:
    """Goes through the whole groups of a file; then `end` is where they ended."""

    def __init__(
        self,
        folder: Path,
        number: int,
        before: JournalEnd | None,
        start: JournalEnd = _NOWHERE,
    ) -> None:
        """Go from the file's beginning, or from where an earlier walk through it ended."""
        self._path = path_of(folder, number)
        self._number = number
        self._before = before
        self.end = start

    def __iter__(self) -> Iterator[Record]:
        with suppress(FileNotFoundError), open_file(self._path) as file:
            if not self.end.length:
                header = file.read(_HEADER.size)
                if not _is_header(header, self._number, self._before):
                    return
                self.end = JournalEnd(len(header), crc32(header))
            file.seek(self.end.length)
            yield from self._groups(file, self._path.stat().st_size)

    def _groups(self, file: BinaryIO, size: int) -> Iterator[Record]:
        position, chain = self.end
        group: list[Record] = []
        while len(head := file.read(_RECORD.size)) == _RECORD.size:
            length, checksum, kind = _RECORD.unpack(head)
            position += _RECORD.size + length
            if position > size:  # torn, or no length at all: do not try to read it
                return
            payload = file.read(length)
            chain = crc32(payload, crc32(_CHECKED.pack(length, kind), chain))
            if chain != checksum:
                return
            if kind != _MARK:
                group.append((kind, payload))
                continue
            self.end = JournalEnd(position, chain)
            yield from group
            group = []


def _write_header(number: int, before: JournalEnd) -> bytes:
    fields = (_MAGIC, number, before.length, before.chain)
    return _HEADER.pack(*fields, crc32(_HEADER.pack(*fields, 0)))


def _is_header(header: bytes, number: int, before: JournalEnd | None) -> bool:
    """Is it the header of the file with this number, which follows one that ended there?"""
    if len(header) < _HEADER.size:
        return False
    _, _, length, chain, _ = _HEADER.unpack(header)
    found = JournalEnd(length, chain)
    return header == _write_header(number, found) and before in (None, found)


def _delete(folder: Path, is_unwanted: Callable[[int], bool]) -> None:
    for path in sorted(folder.glob("journal-*.log")):  # a crash in between leaves no gap
        if is_unwanted(int(path.stem.removeprefix("journal-"))):
            delete(path)
