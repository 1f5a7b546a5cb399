"""Where each content was met first, by the fingerprints of its body and of its text."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from struct import Struct as Layout

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from gossamer.base.disk.files import AppendOnlyFile
from gossamer.base.disk.lookup import Lookup
from gossamer.base.disk.record_log import RecordLog, checksum
from gossamer.base.errors import DamageError
from gossamer.base.records import Original

_ENTRY = Layout("<QQQQdQII")
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
their checksum; then that of the entry."""
Entries = npt.NDArray[np.void]
Numbers = npt.NDArray[np.uint64]
Words = npt.NDArray[np.uint32]

_BLOCK = 1 << 15
"""Entries that are read at a time when the lookups are made again."""


class First(Struct, frozen=True):
    """The page that content was met at first."""

    original: Original
    payload: int
    key: int


class Originals:
    """Pages by number, and their numbers by fingerprint.

    Two files that only grow hold all: entries of one size, and the URLs. Their lengths say all that a
    commit needs. The lookups beside them are made from the entries again after a crash, or when they
    are damaged.
    """

    def __init__(self, folder: Path, length: int, urls: int, memory: int = 1 << 20) -> None:
        """Open the files at these lengths; `memory` is for what either lookup collects."""
        self._entries = RecordLog(folder / "originals.log", _ENTRY.size, length)
        self._urls = AppendOnlyFile(folder / "urls.log", urls)
        self._bodies = Lookup(folder / "bodies", length, memory=memory)
        self._texts = Lookup(folder / "texts", length, memory=memory)
        self._durable = len(self)
        if not (self._bodies.is_found and self._texts.is_found):
            self._refill()

    def __len__(self) -> int:
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
        url = first.url.encode("utf-8", "surrogatepass")
        place = self._urls.length, len(url), checksum(url)
        self._urls.append([url])
        number = self._entries.append(_ENTRY.pack(body, payload, text, key, first.date, *place))
        self._bodies.note(body, number)
        if text:
            self._texts.note(text, number)
        return number

    def is_durable(self, number: int) -> bool:
        """Is this page on record?"""
        return number < self._durable

    def page(self, number: int) -> First:
        """Where a content was met first, and the payload it came in."""
        data = self._entries.read(number)
        _, payload, _, key, date, start, size, check = _ENTRY.unpack(data)
        url = self._urls.read(start, size)
        if checksum(url) != check:
            raise DamageError(self._urls.path, f"is damaged at {start}")
        return First(Original(url.decode("utf-8", "surrogatepass"), date), payload, key)

    @property
    def repairs(self) -> list[str]:
        """What had to be made again because it was damaged."""
        return [lookup.damage for lookup in self.lookups if lookup.damage]

    def verify(self) -> None:
        """Read all pages; raises `DamageError` when one is not what was written."""
        for number in range(len(self)):
            self.page(number)

    def commit(self) -> tuple[int, int]:
        """Make all durable; returns the lengths that lead back to it."""
        self._urls.sync()
        self._entries.sync()
        self._durable = len(self)
        return self._entries.length, self._urls.length

    def close(self) -> None:
        self._urls.close()
        self._entries.close()
        for lookup in self.lookups:
            lookup.close(self._entries.length)

    @property
    def disk_bytes(self) -> int:
        return self._entries.length + self._urls.length

    def _refill(self) -> None:
        self._bodies.refill((entries["body"], numbers) for numbers, entries in self._blocks())
        self._texts.refill(map(_with_text, self._blocks()))

    def _blocks(self) -> Iterator[tuple[Words, Entries]]:
        """All entries with their numbers, some at a time."""
        for start, data in self._entries.blocks(_BLOCK):
            entries = np.frombuffer(data, _FIELDS)
            yield np.arange(start, start + len(entries), dtype=np.uint32), entries


def _with_text(block: tuple[Words, Entries]) -> tuple[Numbers, Words]:
    """Fingerprints of texts, and the numbers of their pages; not every page has one."""
    numbers, entries = block
    has_text = entries["text"] != 0
    return entries["text"][has_text], numbers[has_text]
