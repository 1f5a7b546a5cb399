"""Exact duplicates, by a fingerprint of the bytes."""

from collections.abc import Sequence
from hashlib import sha1

from msgspec import Struct

from gossamer.base.outcomes import Outcome
from gossamer.base.records import Document, Kept, Original


class ContentStatistics(Struct, frozen=True):
    known: int
    duplicates: int


class ExactContent:
    """Remembers where each content was met first."""

    def __init__(self) -> None:
        self._bodies: dict[bytes, Original] = {}
        self._payloads: dict[bytes, Original] = {}
        """Only payloads that are not the body itself."""
        self._duplicates = 0

    def judge(self, documents: Sequence[Document]) -> list[Kept]:
        return [self._judge(document) for document in documents]

    def _judge(self, document: Document) -> Kept:
        page = document.page
        if page.outcome is not Outcome.FETCHED or not page.payload:
            return Kept(document, sha1(b"").digest() if page.status else b"")
        digest = sha1(page.payload).digest()
        here = Original(page.url, page.started)
        if page.body is page.payload:
            first = same_payload = self._bodies.setdefault(digest, here)
        else:
            same_payload = self._payloads.setdefault(digest, here)
            first = self._bodies.setdefault(sha1(page.body).digest(), here)
        if first is here or first.url == here.url:
            return Kept(document, digest)
        self._duplicates += 1
        return Kept(document, digest, first, same_payload is not here)

    def statistics(self) -> ContentStatistics:
        return ContentStatistics(known=len(self._bodies), duplicates=self._duplicates)
