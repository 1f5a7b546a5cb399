"""The URL at which each content was found first, by the fingerprints of its body and of its text."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from struct import Struct as Layout
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from gossamer.core.disk.disk_files import AppendOnlyFile
from gossamer.core.disk.lookup import Lookup
from gossamer.core.disk.record_log import RecordLog, checksum
from gossamer.core.errors import DamageError
from gossamer.core.records import Original

ENTRIES, URLS = "originals.log", "urls.log"
ENTRY = Layout("<QQQQdQII")
_FIELDS = np.dtype(
    [
        ("body", "<u8"),
        ("payload", "<u8"),
        ("text", "<u8"),
        ("key", "<u8"),
        ("date", "<f8"),
        ("url", "<u8"),
        ("size", "<u4"),
        ("url_check", "<u4"),
        ("check", "<u4"),
    ]
)
"""Fingerprints of body, payload and text (0: none), the URL's key, date, where its text begins, its bytes and
their checksum; then that of the entry. Without a URL: the page with this key has left what it had."""
Entries = npt.NDArray[np.void]
Numbers = npt.NDArray[np.uint64]
Words = npt.NDArray[np.uint32]
Flags = npt.NDArray[np.bool_]

_BLOCK = 1 << 15
"""Entries that are read at a time when the lookups are made again."""


class First(Struct, frozen=True):
    """The page that content was met at first."""

    original: Original
    payload: int
    """Fingerprint of the payload that the archive has of this page; 0 when it has only a reference."""
    key: int


class Left(NamedTuple):
    """A content that a page has not any more."""

    body: int
    url: str
    text: int = 0
    """Its text, if no other page was known by that; else 0."""


class _Entry(NamedTuple):
    body: int
    payload: int
    text: int
    key: int
    date: float
    url_start: int
    url_size: int
    url_check: int


class Originals:
    """Pages by number, and their numbers by fingerprint: pages that are visited once, so that they stay.

    Two files that only grow hold all: entries of one size, and the URLs. Their lengths say all that a
    commit needs. The lookups beside them are made from the entries again after a crash, or when they
    are damaged.
    """

    def __init__(
        self, folder: Path, length: int, urls: int, memory: int = 1 << 20, holders: int = 1
    ) -> None:
        """Open the files at these lengths.

        `memory` is for what each lookup collects; `holders` are the pages that are found by the same body.
        """
        self._entries = RecordLog(folder / ENTRIES, ENTRY.size, length)
        self._urls = AppendOnlyFile(folder / URLS, urls)
        self._bodies = Lookup(folder / "bodies", length, holders, memory)
        self._texts = Lookup(folder / "texts", length, memory=memory)
        self._durable = len(self._entries)
        if not all(lookup.is_found for lookup in self.lookups):
            self._refill()

    def __len__(self) -> int:
        """Contents that are known, each page that has one counted."""
        return len(self._entries)

    @property
    def lookups(self) -> Sequence[Lookup]:
        return self._bodies, self._texts

    def foresee(self, bodies: Sequence[int], texts: Sequence[int]) -> None:
        """These bodies and texts will be asked for soon."""
        self._bodies.foresee(bodies)
        self._texts.foresee(texts)

    def with_body(self, body: int) -> int | None:
        """The number of the page that had this body first."""
        return self._bodies.first(body)

    def with_text(self, text: int) -> int | None:
        """The number of the page that had this text first."""
        return self._texts.first(text)

    def add(self, body: int, payload: int, text: int, key: int, first: Original) -> int:
        """Remember a page whose body is new; returns its number."""
        number = self._append(body, payload, text, key, first)
        self._bodies.note(body, number)
        if text:
            self._texts.note(text, number)
        return number

    def hold(self, body: int, payload: int, key: int, copy: Original) -> None:
        """Remember a copy: it is the original when that has left."""

    def has_content(self, key: int) -> bool:
        """Is there something that the page with this key may leave?"""
        return False

    def is_held(self, key: int, body: int) -> bool:
        """Is it known that the page with this key has this body?"""
        return False

    def leave(self, key: int, body: int) -> Left | None:
        """The page with this key has this body now, 0 for none: what it had before counts no more."""

    def foresee_pages(self, keys: Sequence[int]) -> None:
        """Pages with these keys will be judged soon."""

    def is_durable(self, number: int) -> bool:
        """Is this page recorded?"""
        return number < self._durable

    def page(self, number: int) -> First:
        """The page where a content was met first, and the payload it came in."""
        entry, url = self._read(number)
        return First(Original(url, entry.date), entry.payload, entry.key)

    @property
    def repairs(self) -> list[str]:
        """Parts that were rebuilt because they were damaged."""
        return [lookup.damage for lookup in self.lookups if lookup.damage]

    def verify(self) -> None:
        """Read all pages; raises `DamageError` when one is not what was written."""
        for number in range(len(self._entries)):
            self.page(number)

    def commit(self) -> tuple[int, int]:
        """Make all durable; returns the lengths that lead back to it."""
        self._urls.sync()
        self._entries.sync()
        self._durable = len(self._entries)
        return self._entries.length, self._urls.length

    @property
    def dead(self) -> int:
        """Entries that count no more."""
        return 0

    def close(self) -> None:
        self._urls.close()
        self._entries.close()
        for lookup in self.lookups:
            lookup.close(self._entries.length)

    @property
    def disk_bytes(self) -> int:
        return self._entries.length + self._urls.length

    def _append(self, body: int, payload: int, text: int, key: int, page: Original) -> int:
        url = page.url.encode("utf-8", "surrogatepass")
        place = self._urls.length, len(url), checksum(url)
        self._urls.append([url])
        return self._entries.append(ENTRY.pack(body, payload, text, key, page.date, *place))

    def _read(self, number: int) -> tuple[_Entry, str]:
        entry = _Entry(*ENTRY.unpack(self._entries.read(number)))
        url = self._urls.read(entry.url_start, entry.url_size)
        if checksum(url) != entry.url_check:
            raise DamageError(self._urls.path, f"is damaged at {entry.url_start}")
        return entry, url.decode("utf-8", "surrogatepass")

    # Making the lookups from the file.

    def _refill(self) -> None:
        self._bodies.refill((entries["body"], numbers) for numbers, entries in self._blocks())
        self._texts.refill(map(_with_text, self._blocks()))

    def _blocks(self) -> Iterator[tuple[Words, Entries]]:
        """Entries that count with their numbers, some at a time."""
        for numbers, entries in self._all_blocks():
            counts = self._counts(numbers, entries)
            yield numbers[counts], entries[counts]

    def _all_blocks(self) -> Iterator[tuple[Words, Entries]]:
        for start, data in self._entries.blocks(_BLOCK):
            entries = np.frombuffer(data, _FIELDS)
            yield np.arange(start, start + len(entries), dtype=np.uint32), entries

    def _counts(self, numbers: Words, entries: Entries) -> Flags:
        """Which of these entries count?"""
        return np.ones(len(numbers), np.bool_)


def _with_text(block: tuple[Words, Entries]) -> tuple[Numbers, Words]:
    """Fingerprints of texts, and the numbers of their pages; not every page has one."""
    numbers, entries = block
    has_text = entries["text"] != 0
    return entries["text"][has_text], numbers[has_text]
