"""The prints of texts and sketches that one partition owns, and the pages of all partitions that have them.

One file that only grows has an entry for each page of a print; the lookup beside it is made from the file
again after a crash, or when it is damaged.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gossamer.core.disk.disk_files import AppendOnlyFile
from gossamer.core.disk.lookup import Lookup
from gossamer.core.errors import DamageError

Numbers = npt.NDArray[np.uint64]
Words = npt.NDArray[np.uint32]
Entries = npt.NDArray[np.void]

PRINTS = "prints.log"
_ENTRY = np.dtype(
    [("print", "<u8"), ("key", "<u8"), ("partition", "<u4"), ("is_gone", "<u4"), ("check", "<u4")]
)
"""Print, key of the page, partition, whether the page has it no more, and the checksum of all this."""
_CROWD = 16
"""Pages of a print that are known; of a print that more have, the others must do."""
_BLOCK = 1 << 15


class PrintedPage(NamedTuple):
    """A page of some partition."""

    partition: int
    key: int


class PrintTable:
    """Finds the pages of other partitions that have a print in common.

    >>> from tempfile import TemporaryDirectory
    >>> table = PrintTable(Path(TemporaryDirectory().name), 0)
    >>> one, other = np.array([7, 8], np.uint64), np.array([8, 9], np.uint64)
    >>> table.enter(0, one, np.array([100, 100], np.uint64))
    []
    >>> table.enter(1, other, np.array([200, 200], np.uint64))
    [(8, 200, PrintedPage(partition=0, key=100))]
    """

    def __init__(self, folder: Path, length: int, memory: int = 1 << 20) -> None:
        """Open the file at this length; `memory` is for what the lookup collects."""
        folder.mkdir(parents=True, exist_ok=True)
        self._memory = memory
        self._entries = AppendOnlyFile(folder / PRINTS, length)
        self._lookup = Lookup(folder / "prints", length, _CROWD, memory)
        if not self._lookup.is_found:
            self._refill()

    def __len__(self) -> int:
        return self._entries.length // _ENTRY.itemsize

    def enter(
        self, partition: int, prints: Numbers, keys: Numbers
    ) -> list[tuple[int, int, PrintedPage]]:
        """Take in pages of a partition; returns those of others that have the same prints.

        To be told the same twice changes nothing.
        """
        found = self._found(prints)
        met: list[tuple[int, int, PrintedPage]] = []
        if found:
            pairs = [*zip(prints.tolist(), keys.tolist(), strict=True)]
            is_new = np.ones(len(pairs), np.bool_)
            for at, (number, key) in enumerate(pairs):
                known = [place for place, _ in found.get(number, ())]
                met += [(number, key, place) for place in known if place.partition != partition]
                is_new[at] = PrintedPage(partition, key) not in known
            prints, keys = prints[is_new], keys[is_new]
        if len(prints):
            first = self._append(partition, prints, keys)
            numbers = np.arange(first, first + len(prints), dtype=np.uint32)
            self._lookup.enter(np.ascontiguousarray(prints), numbers)
        return met

    def leave(self, partition: int, prints: Numbers, keys: Numbers) -> None:
        """These pages of a partition have these prints no more."""
        found = self._found(prints)
        for number, key in zip(prints.tolist(), keys.tolist(), strict=True):
            for place, entry in found.get(number, ()):
                if place == (partition, key):
                    one = np.array([number], np.uint64)
                    self._lookup.remove(one, entry)
                    self._append(partition, one, np.array([key], np.uint64), is_gone=True)

    def has(self, number: int) -> bool:
        """Does any page have this print?"""
        return self._lookup.first(number) is not None

    @property
    def alive(self) -> int:
        return self._lookup.statistics().entries

    @property
    def dead(self) -> int:
        """Entries that count no more."""
        return len(self) - self.alive

    def packed(self, folder: Path) -> "PrintTable":
        """The same in another folder, without entries that count no more."""
        log = AppendOnlyFile(folder / PRINTS, 0)
        try:
            for start, entries in self._blocks():
                found = self._found(entries["print"])
                alive = {number for some in found.values() for _, number in some}
                is_alive = np.isin(_numbers(start, entries), np.array([*alive], np.uint32))
                log.append([entries[is_alive].tobytes()])
        finally:
            log.close()
        table = PrintTable(folder, log.length, self._memory)
        table.commit()
        return table

    def commit(self) -> int:
        """Make all durable; returns the length that leads back to it."""
        self._entries.sync()
        return self._entries.length

    def verify(self) -> None:
        for _ in self._blocks():
            pass

    def close(self) -> None:
        self._entries.close()
        self._lookup.close(self._entries.length)

    @property
    def lookups(self) -> Sequence[Lookup]:
        return (self._lookup,)

    @property
    def disk_bytes(self) -> int:
        return self._entries.length

    def _append(
        self, partition: int, prints: Numbers, keys: Numbers, *, is_gone: bool = False
    ) -> int:
        """Write entries; returns the number of the first."""
        first, entries = len(self), np.empty(len(prints), _ENTRY)
        entries["print"], entries["key"] = prints, keys
        entries["partition"], entries["is_gone"] = partition, is_gone
        entries["check"] = _check(entries)
        self._entries.append([entries.tobytes()])
        return first

    def _found(self, prints: Numbers) -> dict[int, list[tuple[PrintedPage, int]]]:
        """Pages that have these prints, by print, each with the number of its entry."""
        numbers = self._lookup.gather(np.ascontiguousarray(prints))
        if not len(numbers):
            return {}
        found: defaultdict[int, list[tuple[PrintedPage, int]]] = defaultdict(list)
        for number in np.unique(numbers).tolist():
            [(one, key, partition, *_)] = self._read(number, 1).tolist()
            found[one].append((PrintedPage(partition, key), number))
        return found

    def _read(self, start: int, count: int) -> Entries:
        """Read entries; raises `DamageError` when one is not what was written."""
        size = _ENTRY.itemsize
        data = self._entries.read(start * size, count * size)
        entries = np.frombuffer(data[: len(data) // size * size], _ENTRY)
        if len(entries) < count or (_check(entries) != entries["check"]).any():
            raise DamageError(self._entries.path, "is damaged: its checksum is wrong")
        return entries

    # Making the lookup from the file.

    def _refill(self) -> None:
        self._lookup.refill(())
        if any(entries["is_gone"].any() for _, entries in self._blocks()):
            for start, entries in self._blocks():
                self._take(start, entries)
        else:
            self._lookup.refill(
                (np.ascontiguousarray(entries["print"]), _numbers(start, entries))
                for start, entries in self._blocks()
            )

    def _take(self, start: int, entries: Entries) -> None:
        """Enter entries in their order, of which some undo others."""
        numbers = _numbers(start, entries)
        for place, (number, key, partition, is_gone, _) in enumerate(entries.tolist()):
            prints = np.array([number], np.uint64)
            if not is_gone:
                self._lookup.enter(prints, numbers[place : place + 1])
                continue
            for known, entry in self._found(prints).get(number, ()):
                if known == (partition, key):
                    self._lookup.remove(prints, entry)

    def _blocks(self) -> Iterator[tuple[int, Entries]]:
        """All entries, some at a time, each time with the number of the first."""
        for start in range(0, len(self), _BLOCK):
            yield start, self._read(start, min(_BLOCK, len(self) - start))


def _numbers(start: int, entries: Entries) -> Words:
    return np.arange(start, start + len(entries), dtype=np.uint32)


def _check(entries: Entries) -> Words:
    """The checksums of entries, all at once."""
    number = entries["partition"].astype(np.uint64) << np.uint64(1) | entries["is_gone"]
    number = (number ^ entries["key"]) * _ODD ^ entries["print"]
    number = (number ^ number >> np.uint64(32)) * _ODD
    checks: Words = (number >> np.uint64(32)).astype(np.uint32)
    return checks


_ODD = np.uint64(0x9E3779B97F4A7C15)
