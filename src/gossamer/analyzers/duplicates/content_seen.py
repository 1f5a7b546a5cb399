"""The component itself."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import sha1
from pathlib import Path
from typing import NamedTuple, Protocol

from msgspec.structs import replace
from xxhash import xxh3_64_intdigest

from gossamer.analyzers.duplicates.content_protocol import ContentTest
from gossamer.analyzers.duplicates.duplicates_state import (
    ContentState,
    ContentStatistics,
    NearState,
)
from gossamer.analyzers.duplicates.file_compaction import (
    clear_others,
    generation_folder_of,
    is_due,
    make_generation_folder,
)
from gossamer.analyzers.duplicates.holdings import Holdings
from gossamer.analyzers.duplicates.leaders import LeaderListener
from gossamer.analyzers.duplicates.near import Near
from gossamer.analyzers.duplicates.novelty import Novelty
from gossamer.analyzers.duplicates.originals import First, Left, Originals
from gossamer.analyzers.duplicates.pages_read import PagesRead
from gossamer.analyzers.duplicates.shingles import Numbers, Octets
from gossamer.core.data_formats import is_data
from gossamer.core.disk.lookup import Lookup
from gossamer.core.outcomes import Outcome
from gossamer.core.page_links import as_links
from gossamer.core.records import Compared, Document, LinkKind, Original, Via, Visit
from gossamer.core.settings import ContentSettings
from gossamer.core.text_words import WordReader, Words

_ROW = 0.125
"""Part of the page of a row that much longer pages have listed, at least: less is a quotation."""
_TOGETHER = 32
"""Documents that are looked up together; the words of all of them are in memory meanwhile."""


Had = Callable[[Visit, bytes], bool]
"""Had the page the payload with this digest at its last visit? Then the record of this one is a reference."""


class _Read(NamedTuple):
    """A document, and what it is judged by."""

    kept: Compared
    body: int = 0
    payload: int = 0
    text: int = 0
    """Fingerprint of the text; 0 when there is too little of it to judge by."""
    words: Numbers | None = None
    """Numbers of its words; None when nothing arrived that could be judged."""


class ContentListener(LeaderListener, Protocol):
    """Hears of what pages in other partitions may be compared with."""

    def have_text(self, text: int, key: int) -> None:
        """The page with this key is the first here that has this text."""

    def lose_text(self, text: int, key: int) -> None:
        """It has another one now, or none."""


class Content(ContentTest):
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
        had: Had | None = None,
    ) -> None:
        """Open the component: empty, or as it was at a commit.

        With `had`, pages are visited again: what a page had before its present content does not count.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self._settings = settings = settings or ContentSettings()
        self._folder, self._had = folder, had
        state = state or ContentState()
        self._generation, self._is_tidy = state.generation, False
        generation_folder = generation_folder_of(folder, state.generation)
        originals = Originals if had is None else Holdings
        self._originals = originals(
            generation_folder, state.originals, state.urls, settings.memory // 32
        )
        self._near = (
            Near(generation_folder, settings, self._originals, state.near)
            if settings.near
            else None
        )
        self._reader = WordReader()
        self._novelty = Novelty(settings.novelty_memory)
        self._pages_read = PagesRead()
        self._duplicates = self._same_text = self._similar = 0
        self.on_left: Callable[[Left], None] = lambda left: None
        """Told of what a page has not any more."""
        self.listener: ContentListener | None = None

    def judge(self, documents: Sequence[Document]) -> list[Compared]:
        """Find out of each document, in this order, whether it was met before."""
        kept: list[Compared] = []
        for start in range(0, len(documents), _TOGETHER):
            kept += self._judge_some(documents[start : start + _TOGETHER])
        return kept

    @property
    def pending(self) -> int:
        return 0  # here every document is judged at once

    def pending_visits(self) -> list[Visit]:
        return []

    def give_up(self) -> list[Compared]:
        return []

    def foresee(self, bodies: Sequence[int]) -> None:
        """These bodies will be asked for soon."""
        self._originals.foresee(bodies, ())

    def first_with(self, body: int) -> tuple[First, bool] | None:
        """The page that had this body first, and whether that is recorded."""
        number = self._originals.with_body(body)
        if number is None:
            return None
        return self._originals.page(number), self._originals.is_durable(number)

    def listen(self, listener: ContentListener) -> None:
        """Tell the other partitions what others may be compared with here."""
        self.listener = listener
        if self._near is not None:
            self._near.listen(listener)

    def first_with_text(self, text: int) -> First | None:
        """The page that had this text first."""
        number = self._originals.with_text(text)
        return None if number is None else self._originals.page(number)

    def leader(self, key: int) -> tuple[First, Octets] | None:
        """A page that others are compared with, by its key; None for all other pages."""
        return None if self._near is None else self._near.leader(key)

    def likeness(self, key: int, values: Octets) -> float:
        """Compare one of these pages with a page elsewhere, from 0 to 1; 0 if they are not near."""
        return 0.0 if self._near is None else self._near.likeness(key, values)

    @property
    def visits_again(self) -> bool:
        """Are pages visited more than once?"""
        return self._had is not None

    def refers_back(self, document: Document) -> bool:
        """Is the payload of a page in the record of an earlier visit, and so not in that of this one?"""
        visit, digest = document.page.visit, sha1(document.page.payload).digest()
        if visit.via is Via.REQUEST:
            return True
        return self._had is not None and self._had(visit, digest)

    def is_passing(self, document: Document) -> bool:
        """Does a page that was seen before say nothing of itself this time?"""
        page = document.page
        is_answer = page.outcome is Outcome.FETCHED and page.status < 400 and page.status != 304
        return not is_answer and self._originals.has_content(page.visit.url.key)

    def has_body(self, document: Document, body: int) -> bool:
        """Is it known that the document's page has this body?"""
        return self._originals.is_held(document.page.visit.url.key, body)

    def take_for_copy(self, document: Document, first: Original, is_same_payload: bool) -> Compared:
        """A document whose body another partition has met at another URL."""
        self._duplicates += 1
        if document.page.location and self._near is not None:
            self._near.pass_on(document)
        self._reader.begin()
        read = self._read(document)
        compared = replace(read.kept, duplicate_of=first, is_same_payload=is_same_payload)
        self._move_on(document, read.body)
        self._hold(compared, read.body, payload=0)
        return self._leave(compared)

    def forget(self, documents: Sequence[Document]) -> None:
        for document in documents:
            if self._move_on(document, body_print(document)) and self._near is not None:
                self._near.forget(document.page.visit.url.key)

    def commit(self) -> ContentState:
        originals, urls = self._originals.commit()
        near = self._near.commit() if self._near else NearState()
        return ContentState(originals, urls, near, generation=self._generation)

    def pack(self) -> bool:
        originals, near = self._originals, self._near
        alive, dead = len(originals) + (near.alive if near else 0), originals.dead
        if not isinstance(originals, Holdings) or not is_due(
            alive, dead + (near.dead if near else 0)
        ):
            return False
        generation_folder = make_generation_folder(self._folder, self._generation + 1)
        packed = originals.packed(generation_folder)
        self._near = near.packed(generation_folder, packed) if near else None
        self._originals, self._is_tidy = packed, False
        self._generation += 1
        _close(originals, near)
        return True

    def checkpoint_published(self) -> None:
        if not self._is_tidy:
            clear_others(self._folder, self._generation)
            self._is_tidy = True

    @property
    def repairs(self) -> list[str]:
        return [lookup.damage for lookup in self._lookups if lookup.damage]

    def verify(self) -> None:
        self._originals.verify()
        if self._near is not None:
            self._near.verify()

    def close(self) -> None:
        _close(self._originals, self._near)

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
            memory=sum(lookup_statistics.memory for lookup_statistics in lookups),
            disk_bytes=files + sum(lookup_statistics.disk for lookup_statistics in lookups),
        )

    @property
    def disk_bytes(self) -> int:
        return self.statistics().disk_bytes

    @property
    def _lookups(self) -> list[Lookup]:
        near = self._near
        return [*self._originals.lookups, *(near.lookups if near is not None else ())]

    def _judge_some(self, documents: Sequence[Document]) -> list[Compared]:
        self._reader.begin()
        read = [self._read(document) for document in documents]
        if len(read) > 1:
            self._foresee(read)
        return [self._judge(one) for one in read]

    def _read(self, document: Document) -> _Read:
        """All that has to be known of a document before others are."""
        page = document.page
        if page.outcome is not Outcome.FETCHED or not page.payload:
            # A 304 is no empty page: it stands for content that another partition may know.
            has_content = page.status not in (0, 304)
            return _Read(Compared(document, sha1(b"").digest() if has_content else b""))
        words = self._reader.read(document.text_utf8, page.visit.url.text)
        digest = sha1(page.payload).digest()
        if 200 <= page.status < 300:
            compared = self._measure(document, digest, words)
        else:
            compared = Compared(document, digest, text_print=words.exact, masked_print=words.masked)
        payload = _number(digest)
        body = payload if page.body is page.payload else body_print(document)
        is_wordy = words.letters >= self._settings.least_text
        return _Read(compared, body, payload, words.exact if is_wordy else 0, words.numbers)

    def _measure(self, document: Document, digest: bytes, read: Words) -> Compared:
        """Count what of it is new on its host. What programs read takes nothing away from pages."""
        visit = document.page.visit
        is_variant = self._is_variant(document)
        is_wanted = document.is_indexable and not is_variant
        is_content = is_wanted and not is_data(document.media_type, visit.url.text)
        if is_content:
            self._pages_read.add(visit.url.key)
        words, new, fresh, listed = self._novelty.count(
            read.numbers,
            _number_of_host(visit.url.host),
            is_content=is_content,
            is_singled_out=_has_own_path(visit),
        )
        is_row = is_content and listed > _ROW * words
        brought = fresh + listed * is_row if is_content else new if is_wanted else 0
        return Compared(
            document,
            digest,
            text_print=read.exact,
            masked_print=read.masked,
            words=words,
            new_words=new,
            new_content=brought,
            is_row=is_row,
            is_variant=is_variant,
        )

    def _is_variant(self, document: Document) -> bool:
        """Is it another form of a page that is yet to come? Afterwards, what it has beside that page counts.

        Many sites name the first page of comments or of a list as the canonical one of all others.
        """
        other = canonical_of(document)
        return other not in (0, document.page.visit.url.key) and other not in self._pages_read

    def _foresee(self, read: Sequence[_Read]) -> None:
        """Look up all that documents will be judged by, table by table."""
        bodies = [one.body for one in read if one.words is not None]
        keys = [one.kept.document.page.visit.url.key for one in read]
        self._originals.foresee(bodies, [one.text for one in read if one.text])
        self._originals.foresee_pages(keys)
        if self._near is not None:
            self._near.foresee(keys)

    def _judge(self, read: _Read) -> Compared:
        compared, body, payload, text, words = read
        page = compared.document.page
        if page.location and self._near is not None:
            self._near.pass_on(compared.document)
        if self.is_passing(compared.document):
            return compared if words is None else self._judge_passing(compared, body, payload, text)
        has_moved = self._move_on(compared.document, body)
        if words is None:
            return self._leave(compared) if has_moved else compared
        number = self._originals.with_body(body)
        is_new = number is None
        if number is None:
            compared = self._judge_text(compared, text)
            number = self._add(compared, body, payload, text)
        else:
            compared = self._judge_body(compared, number, payload)
            self._hold(compared, body, payload)
        if compared.is_duplicate or not text or page.location:
            return self._leave(compared)
        return self._judge_likeness(compared, words, number, is_new=is_new)

    def _judge_passing(self, compared: Compared, body: int, payload: int, text: int) -> Compared:
        """Judge a page that seems temporary, such as an error: others are not compared with it."""
        number = self._originals.with_body(body)
        if number is None:
            return self._judge_text(compared, text)
        return self._judge_body(compared, number, payload)

    def _move_on(self, document: Document, body: int) -> bool:
        """Drop the earlier content of a page that has another body now, or none; did it have any?"""
        left = self._originals.leave(document.page.visit.url.key, body)
        if left is not None:
            self.on_left(left)
            if left.text and self.listener is not None:
                self.listener.lose_text(left.text, document.page.visit.url.key)
        return left is not None

    def _add(self, compared: Compared, body: int, payload: int, text: int) -> int:
        """A page whose body is new. Of pages with the same text, only the first is found by it."""
        page = compared.document.page
        text = text if compared.same_text_as is None else 0
        own = 0 if self._refers(compared) else payload
        first = Original(page.url, page.started)
        if text and self.listener is not None:
            self.listener.have_text(text, page.visit.url.key)
        return self._originals.add(body, own, text, page.visit.url.key, first)

    def _hold(self, compared: Compared, body: int, payload: int) -> None:
        """A copy may be the original one day. If the archive has no response of it, none will refer to it."""
        page = compared.document.page
        own = 0 if compared.is_same_payload or self._refers(compared) else payload
        self._originals.hold(body, own, page.visit.url.key, Original(page.url, page.started))

    def _refers(self, compared: Compared) -> bool:
        visit = compared.document.page.visit
        if visit.via is Via.REQUEST:  # no tool finds its response by its URL
            return True
        return self._had is not None and self._had(visit, compared.digest)

    def _judge_body(self, compared: Compared, number: int, payload: int) -> Compared:
        """The body was met before, maybe at the very same URL."""
        first = self._originals.page(number)
        if first.original.url == compared.document.url:
            return compared
        self._duplicates += 1
        return replace(
            compared, duplicate_of=first.original, is_same_payload=first.payload == payload
        )

    def _judge_text(self, compared: Compared, text: int) -> Compared:
        """The body is new; the text may be that of another page all the same."""
        number = self._originals.with_text(text) if text else None
        first = self._originals.page(number) if number is not None else None
        if first is None or first.original.url == compared.document.url:
            return compared
        self._same_text += 1
        return replace(compared, same_text_as=first.original)

    def _judge_likeness(
        self, compared: Compared, words: Numbers, number: int, *, is_new: bool
    ) -> Compared:
        if self._near is None:
            return compared
        similar = self._near.judge(compared.document, words, number, is_new=is_new)
        if similar is None:
            return compared
        self._similar += 1
        return replace(compared, similar_to=similar)

    def _leave(self, compared: Compared) -> Compared:
        """A page that is not compared; if it was before, others are not compared with it any more."""
        if self._near is not None and not compared.document.page.location:
            self._near.forget(compared.document.page.visit.url.key)
        return compared


def _close(originals: Originals, near: Near | None) -> None:
    originals.close()
    if near is not None:
        near.close()


@lru_cache(maxsize=1 << 12)
def _number_of_host(host: str) -> int:
    return xxh3_64_intdigest(host.encode())


def _has_own_path(visit: Visit) -> bool:
    """Has it a path that is not that of the page where it was found: is it no other order of the same list?

    >>> from gossamer.core.url import parse
    >>> [_has_own_path(Visit(parse("http://a.test/" + path), source="http://a.test/tea?by=name"))
    ...     for path in ("tea/17", "tea?by=date")]
    [True, False]
    """
    path = visit.url.text.partition("?")[0]
    return bool(visit.source) and visit.source.partition("?")[0] != path


def canonical_of(document: Document) -> int:
    """The key of the URL that the page names as the one to be found (rel=canonical); 0 if it names none."""
    links = as_links(document.links)
    if LinkKind.CANONICAL not in links.kinds:
        return 0
    return links.targets[links.kinds.index(LinkKind.CANONICAL)].key


def body_print(document: Document) -> int:
    """The fingerprint of a body; 0 when there is none.

    What could not be decoded is known by its payload: two pages of which nothing is left are no copies.
    """
    page = document.page
    has_body = page.outcome is Outcome.FETCHED and page.payload
    return _number(sha1(page.payload if page.is_damaged else page.body).digest()) if has_body else 0


def _number(digest: bytes) -> int:
    return int.from_bytes(digest[:8])
