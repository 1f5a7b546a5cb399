"""The room itself."""

from collections.abc import Sequence
from hashlib import sha1
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from gossamer.base.disk.lookup import Lookup
from gossamer.base.outcomes import Outcome
from gossamer.base.records import Document, Kept, Original, Visit
from gossamer.base.settings import ContentSettings
from gossamer.cycle.content.near import Near
from gossamer.cycle.content.originals import First, Originals
from gossamer.cycle.content.state import ContentState, ContentStatistics, NearState
from gossamer.cycle.content.words import bare


class Content:
    """Remembers what was met, and where it was met first; see the package's page.

    The same content may come in other bytes: compressed, plain, in other chunks. Only when they are
    the bytes of the one that was met first, they need not be kept again, because that one is what
    the archive's record will refer to.
    """

    def __init__(
        self,
        folder: Path,
        settings: ContentSettings | None = None,
        state: ContentState | None = None,
    ) -> None:
        """Open the room: empty, or as it was at a commit."""
        folder.mkdir(parents=True, exist_ok=True)
        self._settings = settings = settings or ContentSettings()
        state = state or ContentState()
        self._originals = Originals(folder, state.originals, state.urls, settings.memory // 32)
        self._near = Near(folder, settings, self._originals, state.near) if settings.near else None
        self._duplicates = self._same_text = self._similar = 0

    def judge(self, documents: Sequence[Document]) -> list[Kept]:
        """Find out of each document, in this order, whether it was met before."""
        return [self._judge(document) for document in documents]

    pending = 0
    """Here every document is judged at once."""

    def pending_visits(self) -> list[Visit]:
        return []

    def give_up(self) -> list[Kept]:
        return []

    def first_with(self, body: int) -> tuple[First, bool] | None:
        """The page that had this body first, and whether that is on record."""
        number = self._originals.with_body(body)
        if number is None:
            return None
        return self._originals.page(number), self._originals.is_durable(number)

    def take_for_copy(self, document: Document, first: Original, is_same_payload: bool) -> Kept:
        """A document that has the same body as a page somewhere else, as somebody else knows."""
        self._duplicates += 1
        if document.page.location and self._near is not None:
            self._near.pass_on(document)
        letters = _bare(document.text_utf8)
        text = _number(sha1(letters).digest()) if letters else 0
        digest = sha1(document.page.payload).digest()
        return self._leave(Kept(document, digest, first, is_same_payload, text_print=text))

    def commit(self) -> ContentState:
        """Make all that is known durable; returns what leads back to it."""
        originals, urls = self._originals.commit()
        return ContentState(originals, urls, self._near.commit() if self._near else NearState())

    def close(self) -> None:
        """Close all files. What came after the last commit will be forgotten."""
        self._originals.close()
        if self._near is not None:
            self._near.close()

    def statistics(self) -> ContentStatistics:
        near, lookups = self._near, [lookup.statistics() for lookup in self._lookups]
        files = self._originals.disk_bytes + (near.disk_bytes if near else 0)
        return ContentStatistics(
            known=len(self._originals),
            duplicates=self._duplicates,
            same_text=self._same_text,
            near=self._similar,
            sketches=near.sketches if near else 0,
            compared=near.compared if near else 0,
            memory=sum(one.memory for one in lookups),
            disk_bytes=files + sum(one.disk for one in lookups),
        )

    @property
    def _lookups(self) -> list[Lookup]:
        near = self._near
        return [*self._originals.lookups, *(near.lookups if near is not None else ())]

    def _judge(self, document: Document) -> Kept:
        page = document.page
        if page.location and self._near is not None:
            self._near.pass_on(document)
        if page.outcome is not Outcome.FETCHED or not page.payload:
            return Kept(document, sha1(b"").digest() if page.status else b"")
        letters = _bare(document.text_utf8)
        text = _number(sha1(letters).digest()) if letters else 0
        kept = Kept(document, sha1(page.payload).digest(), text_print=text)
        payload = _number(kept.digest)
        body = payload if page.body is page.payload else body_print(document)
        number = self._originals.with_body(body)
        is_new, is_wordy = number is None, len(letters) >= self._settings.least_text
        if number is None:
            kept = self._judge_text(kept, is_wordy=is_wordy)
            first = Original(page.url, page.started)
            text = text if is_wordy else 0
            number = self._originals.add(body, payload, text, page.visit.url.key, first)
        else:
            kept = self._judge_body(kept, number, payload)
        if kept.is_duplicate or not is_wordy or page.location:
            return self._leave(kept)
        return self._judge_likeness(kept, number, is_new=is_new)

    def _judge_body(self, kept: Kept, number: int, payload: int) -> Kept:
        """The body was met before, maybe at the very same URL."""
        first = self._originals.page(number)
        if first.original.url == kept.document.url:
            return kept
        self._duplicates += 1
        return replace(kept, duplicate_of=first.original, is_same_payload=first.payload == payload)

    def _judge_text(self, kept: Kept, *, is_wordy: bool) -> Kept:
        """The body is new; the text may be that of another page all the same."""
        number = self._originals.with_text(kept.text_print) if is_wordy else None
        first = self._originals.page(number) if number is not None else None
        if first is None or first.original.url == kept.document.url:
            return kept
        self._same_text += 1
        return replace(kept, same_text_as=first.original)

    def _judge_likeness(self, kept: Kept, number: int, *, is_new: bool) -> Kept:
        if self._near is None:
            return kept
        similar = self._near.judge(kept.document, number, is_new=is_new)
        self._similar += similar is not None
        return replace(kept, similar_to=similar)

    def _leave(self, kept: Kept) -> Kept:
        """A page that is not compared; if it was before, others are not compared with it any more."""
        if self._near is not None and not kept.document.page.location:
            self._near.forget(kept.document.page.visit.url.key)
        return kept


def body_print(document: Document) -> int:
    """The fingerprint of a body; 0 when there is none."""
    page = document.page
    has_body = page.outcome is Outcome.FETCHED and page.payload
    return _number(sha1(page.body).digest()) if has_body else 0


def _bare(text: bytes) -> bytes:
    """A text without case, space and punctuation."""
    out = np.empty(len(text) + 1, np.uint8)
    return out[: bare(np.frombuffer(text, np.uint8), out)].tobytes() if text else b""


def _number(digest: bytes) -> int:
    return int.from_bytes(digest[:8])
