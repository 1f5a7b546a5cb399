"""Count the near-duplicates in a row that led to a page."""

from collections.abc import Sequence
from pathlib import Path
from struct import Struct as Layout

import numpy as np
import numpy.typing as npt

from gossamer.core.disk.lookup import Lookup
from gossamer.core.disk.record_log import RecordLog
from gossamer.core.url import parse

_ENTRY = Layout("<QI")
_FIELDS = np.dtype([("key", "<u8"), ("streak", "<u4"), ("check", "<u4")])
STREAKS = "streaks.log"
_BLOCK = 1 << 14
"""Entries that are read at a time when the lookup is made again."""


class Streaks:
    """The streak of each near-duplicate: 1, and that of the page that it was found on.

    The months of a calendar are each found on the one before, so their streak grows without end. The
    pages of a large manual that say nearly the same are found on an index that does not, so theirs stays
    at one or two, however many there are.

    A file that only grows has each change; the lookup beside it is made from the file after a crash, or
    when it is damaged.
    """

    def __init__(self, folder: Path, length: int) -> None:
        self._file = RecordLog(folder / STREAKS, _ENTRY.size, length)
        self._lookup = Lookup(folder / "streaks", length)
        if not self._lookup.is_found:
            self._refill()

    @property
    def lookups(self) -> Sequence[Lookup]:
        return (self._lookup,)

    def foresee(self, keys: Sequence[int]) -> None:
        """Pages with these keys will be noted soon."""
        self._lookup.foresee(keys)

    def behind(self, source: str) -> int:
        """The streak of the page with this URL: 0 unless it is a near-duplicate."""
        url = parse(source) if source else None
        return (self._lookup.first(url.key) or 0) if url is not None else 0

    def note(self, key: int, streak: int) -> None:
        """The page with this key has this streak from now on; 0 if it is like no other."""
        if (self._lookup.first(key) or 0) != streak:
            self._file.append(_ENTRY.pack(key, streak))
            self._change(key, streak)

    def commit(self) -> int:
        """Make all durable; returns the length that leads back to it."""
        self._file.sync()
        return self._file.length

    def verify(self) -> None:
        self._file.verify()

    def close(self) -> None:
        self._file.close()
        self._lookup.close(self._file.length)

    @property
    def disk_bytes(self) -> int:
        return self._file.length

    @property
    def alive(self) -> int:
        """Pages that are near-duplicates."""
        return self._lookup.statistics().entries

    @property
    def dead(self) -> int:
        """Entries that count no more."""
        return len(self._file) - self.alive

    def write_packed(self, folder: Path) -> int:
        """Write entries that count to a file in another folder; returns its length."""
        log = RecordLog(folder / STREAKS, _ENTRY.size, 0)
        try:
            for _, data in self._file.blocks(_BLOCK):
                self._pack(np.frombuffer(data, _FIELDS), log)
        finally:
            log.close()
        return log.length

    def _pack(self, entries: npt.NDArray[np.void], log: RecordLog) -> None:
        """One entry of each page, if it says what is true now; in another block there may be one more."""
        keys, places = np.unique(entries["key"][::-1], return_index=True)
        streaks = entries["streak"][::-1][places]
        is_true = self._lookup.firsts(keys) == streaks
        for key, streak in zip(keys[is_true].tolist(), streaks[is_true].tolist(), strict=True):
            log.append(_ENTRY.pack(key, streak))

    def _change(self, key: int, streak: int) -> None:
        if (known := self._lookup.first(key)) is not None:
            self._lookup.remove(np.array([key], np.uint64), known)
        if streak:
            self._lookup.note(key, streak)

    def _refill(self) -> None:
        self._lookup.refill(())
        for _, data in self._file.blocks(_BLOCK):
            self._take(np.frombuffer(data, _FIELDS))

    def _take(self, entries: npt.NDArray[np.void]) -> None:
        """Take in entries in their order, of which some may undo others."""
        keys, streaks = (np.ascontiguousarray(entries[name]) for name in ("key", "streak"))
        is_plain = streaks.all() and len(np.unique(keys)) == len(keys)
        if is_plain and (self._lookup.firsts(keys) < 0).all():
            self._lookup.enter(keys, streaks)
            return
        for key, streak in zip(keys.tolist(), streaks.tolist(), strict=True):
            self._change(key, streak)
