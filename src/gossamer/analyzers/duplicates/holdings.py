"""The URL at which each content is found now, in a crawl that revisits pages."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from gossamer.analyzers.duplicates.originals import (
    ENTRIES,
    ENTRY,
    URLS,
    Entries,
    Flags,
    Left,
    Numbers,
    Originals,
    Words,
)
from gossamer.core.disk.disk_files import AppendOnlyFile
from gossamer.core.disk.lookup import Lookup
from gossamer.core.disk.record_log import RecordLog, checksum
from gossamer.core.errors import DamageError
from gossamer.core.records import Original

_HOLDERS = 8
"""Pages of one content that are known by name; of more, the later ones are not."""


class Holdings(Originals):
    """Originals that count as long as their pages have what they had.

    Each page holds one content at most. When it has another one, or is gone, an entry without a URL says
    that it left what it had. Of the pages that have some content the first one is the original: so when it
    leaves, the next one is. An entry counts if it is the last one of its page: by that the lookups are made
    again.
    """

    def __init__(self, folder: Path, length: int, urls: int, memory: int = 1 << 20) -> None:
        self._memory = memory
        self._pages = Lookup(folder / "pages", length, memory=memory)
        super().__init__(folder, length, urls, memory, holders=_HOLDERS)

    def __len__(self) -> int:
        return self._pages.statistics().entries

    @property
    def lookups(self) -> Sequence[Lookup]:
        return *super().lookups, self._pages

    def foresee_pages(self, keys: Sequence[int]) -> None:
        self._pages.foresee(keys)

    def with_body(self, body: int) -> int | None:
        """The number of the page that has had this body for longest."""
        if super().with_body(body) is None:
            return None
        return int(self._with_body(body).min())

    def add(self, body: int, payload: int, text: int, key: int, first: Original) -> int:
        number = super().add(body, payload, text, key, first)
        self._pages.note(key, number)
        return number

    def hold(self, body: int, payload: int, key: int, copy: Original) -> None:
        if self._pages.first(key) is None and len(self._with_body(body)) < _HOLDERS:
            number = self._append(body, payload, 0, key, copy)
            self._bodies.enter(np.array([body], np.uint64), np.array([number], np.uint32))
            self._pages.note(key, number)

    def has_content(self, key: int) -> bool:
        return self._pages.first(key) is not None

    def is_held(self, key: int, body: int) -> bool:
        number = self._pages.first(key)
        return number is not None and body != 0 and number in self._with_body(body)

    def leave(self, key: int, body: int) -> Left | None:
        number = self._pages.first(key)
        if number is None or self.is_held(key, body):
            return None
        entry, url = self._read(number)
        self._append(0, 0, 0, key, Original("", 0.0))
        self._remove(number, key, entry.body, entry.text)
        return Left(entry.body, url, entry.text)

    @property
    def dead(self) -> int:
        return len(self._entries) - len(self)

    def numbers_of(self, keys: Numbers) -> npt.NDArray[np.int64]:
        """The entries of what pages with these keys have now; -1 for who has nothing."""
        return self._pages.firsts(keys)

    def packed(self, folder: Path) -> "Holdings":
        """The same in another folder, without entries that count no more."""
        length, urls = self._write_packed(folder)
        packed = Holdings(folder, length, urls, self._memory)
        packed.commit()
        return packed

    def _write_packed(self, folder: Path) -> tuple[int, int]:
        """Write entries that count, in their order; returns the lengths of the files."""
        log, urls = RecordLog(folder / ENTRIES, ENTRY.size, 0), AppendOnlyFile(folder / URLS)
        try:
            for _, entries in self._blocks():
                self._pack(entries, log, urls)
        finally:
            urls.close()
            log.close()
        return log.length, urls.length

    def _pack(self, entries: Entries, log: RecordLog, urls: AppendOnlyFile) -> None:
        if not len(entries):
            return
        begin = int(entries["url"][0])  # URLs stand in the order of their entries
        data = self._urls.read(begin, int(entries["url"][-1] + entries["size"][-1]) - begin)
        for *fields, start, size, check, _ in entries.tolist():
            url = data[start - begin : start - begin + size]
            if checksum(url) != check:
                raise DamageError(self._urls.path, f"is damaged at {start}")
            log.append(ENTRY.pack(*fields, urls.length, size, check))
            urls.append([url])

    def _remove(self, number: int, key: int, body: int, text: int) -> None:
        pairs = ((self._pages, key), (self._bodies, body), (self._texts, text))
        for lookup, fingerprint in pairs:
            lookup.remove(np.array([fingerprint], np.uint64), number)

    def _with_body(self, body: int) -> Words:
        return self._bodies.gather(np.array([body], np.uint64))

    # Making the lookups from the file.

    def _refill(self) -> None:
        self._pages.refill(())
        for numbers, entries in self._all_blocks():
            self._take(numbers, entries)
        super()._refill()

    def _take(self, numbers: Words, entries: Entries) -> None:
        """Enter pages in their order: the last entry of a page undoes those before."""
        keys, places = np.unique(entries["key"][::-1], return_index=True)
        last = len(entries) - 1 - places
        before = self._pages.firsts(keys)
        for place in np.flatnonzero(before >= 0).tolist():
            self._pages.remove(keys[place : place + 1], int(before[place]))
        has_content = entries["size"][last] > 0
        self._pages.enter(keys[has_content], numbers[last][has_content])

    def _counts(self, numbers: Words, entries: Entries) -> Flags:
        keys: Numbers = np.ascontiguousarray(entries["key"])
        counts: Flags = self._pages.firsts(keys) == numbers
        return counts
