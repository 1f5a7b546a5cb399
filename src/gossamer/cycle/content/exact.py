"""Exact duplicates, by a fingerprint of the bytes."""

from collections.abc import Iterator, Sequence
from hashlib import sha1
from pathlib import Path
from struct import Struct as Layout

from msgspec import Struct

from gossamer.base.disk.files import AppendOnlyFile
from gossamer.base.outcomes import Outcome
from gossamer.base.records import Document, Kept, Original

_ENTRY = Layout("<QQdI")
"""Fingerprint of the body, of the payload, date, bytes of the URL, which follows."""
_BLOCK = 1 << 20
"""Bytes that are read at a time when the file is opened."""


class ContentStatistics(Struct, frozen=True):
    known: int
    duplicates: int
    disk_bytes: int


class ExactContent:
    """Remembers where each content was met first.

    In memory there are two numbers for each content: 64 bits of its fingerprint, and where in a file
    on disk its URL, its date and the fingerprint of its payload stand. The file is only appended to,
    so its length says all that a checkpoint needs; opened with a length, the memory is made from the
    file again.

    The same content may come in other bytes: compressed, plain, in other chunks. Only when they are
    the bytes of the one that was met first, they need not be kept again, because that one is what
    the archive's record will refer to.
    """

    def __init__(self, folder: Path, length: int = 0) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._file = AppendOnlyFile(folder / "originals.log", length)
        self._bodies: dict[int, int] = {}
        self._duplicates = 0
        self._bodies.update(self._entries())

    def judge(self, documents: Sequence[Document]) -> list[Kept]:
        return [self._judge(document) for document in documents]

    def commit(self) -> int:
        """Make all that is known durable; returns the length that leads back to it."""
        self._file.sync()
        return self._file.length

    def close(self) -> None:
        self._file.close()

    def statistics(self) -> ContentStatistics:
        return ContentStatistics(len(self._bodies), self._duplicates, self._file.length)

    def _judge(self, document: Document) -> Kept:
        page = document.page
        if page.outcome is not Outcome.FETCHED or not page.payload:
            return Kept(document, sha1(b"").digest() if page.status else b"")
        digest = sha1(page.payload).digest()
        payload = _number(digest)
        body = payload if page.body is page.payload else _number(sha1(page.body).digest())
        place = self._bodies.get(body)
        if place is None:
            self._remember(body, payload, document)
            return Kept(document, digest)
        original, stored_payload = self._original(place)
        if original.url == document.url:
            return Kept(document, digest)
        self._duplicates += 1
        return Kept(document, digest, original, payload == stored_payload)

    def _remember(self, body: int, payload: int, document: Document) -> None:
        page = document.page
        url = page.url.encode("utf-8", "surrogatepass")
        place = self._file.length
        self._file.append([_ENTRY.pack(body, payload, page.started, len(url)), url])
        self._bodies[body] = place

    def _original(self, place: int) -> tuple[Original, int]:
        """Where a content was met first, and the payload it came in."""
        _, payload, date, size = _ENTRY.unpack(self._file.read(place, _ENTRY.size))
        url = self._file.read(place + _ENTRY.size, size)
        return Original(url.decode("utf-8", "surrogatepass"), date), payload

    def _entries(self) -> Iterator[tuple[int, int]]:
        """Each content in the file, with the place of its entry."""
        data, begin, place = b"", 0, 0
        while place < self._file.length:
            if place + _ENTRY.size > begin + len(data):  # an entry's URL is not looked at
                begin = place
                data = self._file.read(begin, min(_BLOCK, self._file.length - begin))
            body, _, _, size = _ENTRY.unpack_from(data, place - begin)
            yield body, place
            place += _ENTRY.size + size


def _number(digest: bytes) -> int:
    return int.from_bytes(digest[:8])
