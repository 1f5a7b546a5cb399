"""The front door of a lookup."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from struct import Struct as Layout
from typing import BinaryIO
from zlib import crc32

import numpy as np
from msgspec import Struct

from gossamer.core.disk.disk_files import delete, read_whole, sync_folder, write_whole
from gossamer.core.disk.lookup.buckets import (
    DEEPEST,
    DEPTH,
    ENTRIES,
    SUM,
    USED,
    Numbers,
    State,
    Words,
    is_sound,
)
from gossamer.core.disk.lookup.filling import Pairs, by_prefix
from gossamer.core.disk.lookup.lookup_table import LookupTable, MemoryPages
from gossamer.core.disk.lookup.mapped_pages import MappedPages
from gossamer.core.disk.lookup.paged import PagedTable
from gossamer.core.disk.lookup.sieve import is_crowded

_HEAD = Layout("<4sIqqqqq")
"""Magic, version, stamp, depth, buckets in use, entries, the sum of their checksums; then the directory …"""
_CHECK = Layout("<I")
"""… and a checksum of all that."""
_MAGIC, _VERSION = b"GOLU", 2
_MANY = 4096
"""Pairs that are too many to be collected first, or to be removed before memory is let go."""
_PAIR = 18
"""Bytes of memory that a collected pair takes up: 12, in buckets that are two thirds full."""


_Saved = tuple[Words, State]
"""A directory, and what there is to know of the buckets."""


class LookupStatistics(Struct, frozen=True):
    entries: int
    buckets: int
    """Pages of the file in use."""
    memory: int
    """Bytes of directory, sieve and what is collected; of the mapped file, the kernel has what it likes."""
    disk: int


class Lookup:
    """Key → values in a file; see the package's page.

    >>> import tempfile
    >>> lookup = Lookup(Path(tempfile.mkdtemp()) / "prints", stamp=0)
    >>> lookup.enter(np.array([5, 5, 7], np.uint64), np.array([1, 2, 3], np.uint32))
    >>> lookup.first(5), lookup.first(6), lookup.first(7)
    (1, None, 3)
    """

    def __init__(self, path: Path, stamp: int, most: int = 1, memory: int = 1 << 20) -> None:
        """Open a lookup whose keys have at most this many values each; later ones are not kept.

        `stamp` is the state of the record that it is a copy of, `memory` the bytes for what is collected
        before it is entered in the file, and for the sieve; each may have as many.
        """
        self._saved = path.with_suffix(".directory")
        self.damage = ""
        """What was found to be damaged, if anything was: so it is empty."""
        found = self._load(stamp)
        # From here on the file may change, and a crash would leave something that nobody can trust.
        delete(self._saved)
        sync_folder(path.parent)
        self._pages, found = self._open_pages(path.with_suffix(".buckets"), found)
        self.is_found = found is not None
        """Is all that it held at that stamp here? Otherwise it is empty."""
        self._old = PagedTable(self._pages, most, *(found or (None, None)))
        self._old.sift(memory)
        self._young = LookupTable(MemoryPages(), most)
        self._memory = memory
        self._most_young = memory // _PAIR
        self._touched = 0
        """Keys whose buckets were changed one by one since memory was let go."""
        self._foreseen: dict[int, int] = {}
        """First values of keys that were looked up together; -1 where there is none."""
        self._noted: dict[int, int] = {}
        """Pairs with new keys that are not among the young ones yet."""

    def foresee(self, keys: Sequence[int]) -> None:
        """Look up keys together, which costs little more than one: soon `first` is asked for each."""
        found, noted = self._find(np.array(keys, np.uint64)).tolist(), self._noted
        self._foreseen = {key: noted.get(key, one) for key, one in zip(keys, found, strict=True)}

    def first(self, key: int) -> int | None:
        """The first value that was entered for a key."""
        found = self._foreseen.get(key)
        if found is None:
            found = self._noted.get(key, -1)
            found = found if found >= 0 else self._old.first(key)
            found = found if found >= 0 else self._young.first(key)
        return found if found >= 0 else None

    def firsts(self, keys: Numbers) -> State:
        """The first value of each key; -1 where there is none."""
        self._enter_noted()
        return self._find(keys)

    def gather(self, keys: Numbers) -> Words:
        """All values of all these keys."""
        self._enter_noted()
        found, count = np.empty(2 * len(keys) * self._old.most, np.uint32), 0
        for table in (self._old, self._young):
            count = table.gather(keys, found, count)
        return found[:count]

    def note(self, key: int, value: int) -> None:
        """Enter one pair, unless the key has a value already."""
        if self.first(key) is None:
            self._foreseen.pop(key, None)
            self._noted[key] = value
            if len(self._noted) >= _MANY:
                self._enter_noted()

    def enter(self, keys: Numbers, values: Words) -> None:
        """Enter pairs."""
        self._enter_noted()
        self._foreseen.clear()
        if len(keys) > _MANY:
            self._settle()
            self._enter_many(keys, values)
            return
        if self._old.most == 1 and len(self._old):
            found = np.full(len(keys), -1, np.int64)
            self._old.find(keys, found)
            keys, values = keys[found < 0], values[found < 0]
        self._enter_young(keys, values)

    def remove(self, keys: Numbers, value: int) -> None:
        """Forget a value of these keys."""
        self._enter_noted()
        for key in keys.tolist():
            self._foreseen.pop(key, None)
        self._young.remove(keys, value)
        self._old.remove(keys, value)
        self._touched += len(keys)
        if self._touched > _MANY:
            self._release()

    def refill(self, batches: Iterable[Pairs]) -> None:
        """Forget everything, and enter these pairs, of which there may be very many.

        With batch after batch entered as it comes, every bucket would be written over and over again.
        """
        self._noted.clear()
        self._foreseen.clear()
        self._young.clear()
        self._old.clear()
        self._old.sift(self._memory)
        for keys, values in by_prefix(batches, self._saved.parent):
            self._enter_many(keys, values)

    def close(self, stamp: int) -> None:
        """Close it in good order: it is opened again with this stamp."""
        try:
            self._enter_noted()
            self._settle()
            self._pages.sync()
            write_whole(self._saved, lambda file: self._save(file, stamp))
        finally:
            self._pages.close()

    def statistics(self) -> LookupStatistics:
        old, young = self._old, self._young
        return LookupStatistics(
            entries=len(old) + len(young) + len(self._noted),
            buckets=int(old.state[USED]),
            memory=sum(one.nbytes for one in (old.directory, old.sieve, young.pages.keys)),
            disk=old.pages.keys.nbytes,
        )

    def _find(self, keys: Numbers) -> State:
        """The first value of each key, apart from what was noted lately."""
        found = np.full(len(keys), -1, np.int64)
        for table in (self._old, self._young):
            table.find(keys, found)
        return found

    def _enter_noted(self) -> None:
        """Bring what was noted pair by pair to the other young ones."""
        if self._noted:
            keys = np.array(list(self._noted), np.uint64)
            values = np.array(list(self._noted.values()), np.uint32)
            self._noted = {}
            self._enter_young(keys, values)

    def _enter_young(self, keys: Numbers, values: Words) -> None:
        self._young.enter(keys, values)
        if len(self._young) > self._most_young:
            self._settle()

    def _settle(self) -> None:
        """Enter in the file what was collected."""
        if len(self._young):
            self._enter_many(*self._young.pairs())
            self._young = LookupTable(MemoryPages(), self._young.most)

    def _enter_many(self, keys: Numbers, values: Words) -> None:
        """In the order of keys, so that each bucket is touched once."""
        order = np.argsort(keys, kind="stable")
        self._old.enter(keys[order], values[order])
        if is_crowded(self._old.sieve, len(self._old), self._memory):
            self._old.sift(self._memory)
        self._release()

    def _release(self) -> None:
        """Let go of the memory that holds buckets of the file."""
        self._pages.release()
        self._touched = 0

    def _save(self, file: BinaryIO, stamp: int) -> None:
        directory, state = self._old.directory.tobytes(), self._old.state
        sizes = (int(state[which]) for which in (DEPTH, USED, ENTRIES, SUM))
        data = _HEAD.pack(_MAGIC, _VERSION, stamp, *sizes) + directory
        file.write(data + _CHECK.pack(crc32(data)))

    def _load(self, stamp: int) -> _Saved | None:
        """The directory that was saved at this stamp; without it, the lookup was not closed in good order."""
        if not self._saved.exists():
            return None
        data = read_whole(self._saved)
        body = data[: -_CHECK.size]
        if len(body) < _HEAD.size or data != body + _CHECK.pack(crc32(body)):
            self.damage = f"{self._saved} was damaged; the lookup is built again"
            return None
        magic, version, saved, depth, used, entries, total = _HEAD.unpack_from(body)
        if (magic, version, saved) != (_MAGIC, _VERSION, stamp):
            return None
        state = np.array([depth, used, entries, 0, total], np.int64)
        return np.frombuffer(body, np.uint32, offset=_HEAD.size).copy(), state

    def _open_pages(self, path: Path, found: _Saved | None) -> tuple[MappedPages, _Saved | None]:
        """The buckets that the directory is about, if they are what they were; otherwise new ones."""
        if found is not None:
            pages = MappedPages(path, is_new=False)
            if _is_sound(*found, pages):
                return pages, found
            pages.close()
            self.damage = f"{path} was damaged; the lookup is built again"
        return MappedPages(path, is_new=True), None


def _is_sound(directory: Words, state: State, pages: MappedPages) -> bool:
    """Looks at every number that leads somewhere before a kernel goes there."""
    depth, used = int(state[DEPTH]), int(state[USED])
    if (
        not 1 <= depth <= DEEPEST
        or len(directory) != 1 << depth
        or not 2 <= used <= len(pages.keys)
    ):
        return False
    return int(directory.max()) < used and is_sound(directory, state, pages.keys, pages.words)
