"""Pages that say the same, or nearly the same, in different partitions.

Each text, and each band of a sketch, has an owner: a partition, by its number. No page waits for it.

    have it     PRINTS_MET   a page is the first of its partition with a text, or leads a group of
                             near-duplicates there: its prints go to their owners, batch by batch
    met before  HINTS        an owner that knows the same print from elsewhere says so
    compare     COMPARE      the partition that was told sends the page's sketch to the other one
    alike       ALIKE        that one compares, and tells the partition of the later page, which has it
                             recorded: a row of `copies`, and a count

Only first pages of texts and leaders of groups are told of, so what a partition finds by itself costs
nothing here, and a group has one page in each partition to be compared. A page that comes later to the owner
of a print finds all that came before, so no pair is missed, whatever the order. Only pages with status 200
are told of. Messages are recorded with the visits that caused them and delivered exactly once; to receive one
twice would change nothing.
"""

from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Struct
from xxhash import xxh3_64_intdigest

from gossamer.analyzers.duplicates.content_seen import Content, ContentListener
from gossamer.analyzers.duplicates.originals import First
from gossamer.cluster.exchange import Exchange
from gossamer.cluster.message_kinds import Topic
from gossamer.cluster.print_table import Numbers, PrintedPage, PrintTable
from gossamer.cluster.recently_sent import Popular
from gossamer.core.copies import CopyKind, FoundCopy
from gossamer.core.records import Compared, Original

_MOST_HINTS = 32
"""Pages that one is compared with, at most, for each owner of its prints."""
_HINT_PLACES = 1 << 14
_TOGETHER = 64
"""Pages that are told of together, if a commit does not come first."""

_encode = msgspec.msgpack.Encoder().encode


class PrintKind(IntEnum):
    """Kinds of prints: of a text, of a band of a sketch."""

    TEXT = 0
    BAND = 1


class Told(NamedTuple):
    """A page that has prints, or has them no more."""

    kind: PrintKind
    is_gone: bool
    key: int
    prints: Numbers


class PrintColumns(Struct, frozen=True, array_like=True):
    """Prints of pages, for their owner, in columns."""

    partition: int
    keys: bytes
    counts: bytes
    """The number of prints of each page."""
    kinds: bytes
    gone: bytes
    prints: bytes


Hint = tuple[int, int, int, int, int]
"""Kind, print, the key of the page here, the partition of the other page, and its key."""


class CopyQuestion(Struct, frozen=True, array_like=True):
    """Is a page of yours like this one?"""

    kind: int
    number: int
    """The print that both have."""
    key: int
    """Of the page that is asked about."""
    partition: int
    """Who asks, and the page's key, its URL, when it was fetched, and its sketch."""
    own_key: int
    url: str
    date: float
    values: bytes


class SimilarPage(Struct, frozen=True, array_like=True):
    """A page of the receiver is like an earlier one."""

    kind: int
    key: int
    url: str
    date: float
    group: int
    first: str
    similarity: float


_decode_prints = msgspec.msgpack.Decoder(PrintColumns).decode
_decode_hints = msgspec.msgpack.Decoder(list[Hint]).decode
_decode_question = msgspec.msgpack.Decoder(CopyQuestion).decode
_decode_alike = msgspec.msgpack.Decoder(SimilarPage).decode

OnCopy = Callable[[FoundCopy, CopyKind | None], None]
"""Hears of a copy, and as which kind its page was counted before."""


class SharedCopies(ContentListener):
    """Tells the owners of prints about pages, and hears from them."""

    def __init__(
        self, own: Content, exchange: Exchange, table: PrintTable, on_copy: OnCopy
    ) -> None:
        self.table = table
        self._own = own
        self._exchange = exchange
        self._on_copy = on_copy
        self._told: list[Told] = []
        self._pending: list[Told] = []
        self._hinted = Popular(_HINT_PLACES)
        """Hints lately received: the owners of several bands say the same."""
        own.listen(self)
        exchange.before_commit.append(self.send_pending)
        exchange.holds_back.append(lambda: self.has_pending)

    @property
    def repairs(self) -> list[str]:
        return [lookup.damage for lookup in self.table.lookups if lookup.damage]

    # What is found here.

    def have_text(self, text: int, key: int) -> None:
        self._told.append(Told(PrintKind.TEXT, False, key, np.array([text], np.uint64)))

    def lose_text(self, text: int, key: int) -> None:
        self._told.append(Told(PrintKind.TEXT, True, key, np.array([text], np.uint64)))

    def lead(self, key: int, bands: Numbers) -> None:
        self._told.append(Told(PrintKind.BAND, False, key, bands.copy()))

    def stop_leading(self, key: int, bands: Numbers) -> None:
        self._told.append(Told(PrintKind.BAND, True, key, bands))

    def tell(self, judged: Sequence[Compared]) -> None:
        """Tell the owners of prints what was found out about pages just now."""
        told, self._told = self._told, []
        if not told:
            return
        good, near = set[int](), set[int]()
        for page in judged:
            key = page.document.page.visit.url.key
            if page.document.page.status == 200:
                good.add(key)
            if page.similar_to is not None:
                near.add(key)
        for one in told:
            if one.is_gone:
                self._forget(one)
            elif one.kind is PrintKind.TEXT and one.key in near and one.key in good:
                self._mark(one.key, CopyKind.NEAR)
        self._pending += [one for one in told if one.is_gone or one.key in good]
        if len(self._pending) >= _TOGETHER:
            self.send_pending()

    @property
    def has_pending(self) -> bool:
        """Is there something that waits for others of its kind, or for the next commit?"""
        return bool(self._pending)

    def send_pending(self) -> None:
        """Give the owners of prints what was collected: together it costs a fraction."""
        pending, self._pending = self._pending, []
        if pending:
            self._send(pending)

    def _forget(self, told: Told) -> None:
        """Forget the copies of which a page was one before it changed."""
        kind = CopyKind.TEXT if told.kind is PrintKind.TEXT else CopyKind.NEAR
        key = np.array([told.key], np.uint64)
        marks = np.array([_mark(told.key, kind)], np.uint64)
        self.table.leave(self._exchange.partition, marks, key)

    def _mark(self, key: int, kind: CopyKind) -> None:
        """Remember that a page is like another one."""
        marks = np.array([_mark(key, kind)], np.uint64)
        self.table.enter(self._exchange.partition, marks, np.array([key], np.uint64))

    def _send(self, told: Sequence[Told]) -> None:
        prints = np.concatenate([one.prints for one in told])
        which = np.repeat(np.arange(len(told)), [len(one.prints) for one in told])
        owners = _spread(prints, self._exchange.partitions)
        keys = np.array([one.key for one in told], np.uint64)
        kinds = np.array([one.kind for one in told], np.uint8)
        gone = np.array([one.is_gone for one in told], np.uint8)
        for owner in np.unique(owners).tolist():
            mine = owners == owner
            counts = np.bincount(which[mine], minlength=len(told))
            has = counts > 0
            columns = (
                *(keys[has], counts[has].astype(np.uint8), kinds[has], gone[has]),
                prints[mine],
            )
            message = PrintColumns(self._exchange.partition, *(one.tobytes() for one in columns))
            if owner == self._exchange.partition:
                self._take(message)
            else:
                self._exchange.send(owner, Topic.PRINTS_MET, _encode(message))

    # What owners do.

    def take_prints(self, message: bytes) -> None:
        """Pages of a neighbour have prints that this partition owns."""
        self._take(_decode_prints(message))

    def _take(self, told: PrintColumns) -> None:
        counts = np.frombuffer(told.counts, np.uint8)
        keys, kinds, gone = (
            np.repeat(np.frombuffer(data, kind), counts)
            for data, kind in (
                (told.keys, np.uint64),
                (told.kinds, np.uint8),
                (told.gone, np.uint8),
            )
        )
        prints = np.frombuffer(told.prints, np.uint64)
        borders = np.flatnonzero(np.diff(gone)) + 1
        for start, end in zip([0, *borders], [*borders, len(gone)], strict=True):
            some = slice(start, end)
            if gone[start]:
                self.table.leave(told.partition, prints[some], keys[some])
            else:
                met = self.table.enter(told.partition, prints[some], keys[some])
                if met:
                    kind_of = dict(zip(prints[some].tolist(), kinds[some].tolist(), strict=True))
                    self._hint(told.partition, kind_of, met)

    def _hint(
        self,
        partition: int,
        kind_of: dict[int, int],
        met: Sequence[tuple[int, int, PrintedPage]],
    ) -> None:
        hints: dict[tuple[int, int, PrintedPage], Hint] = {}
        counts: dict[int, int] = {}
        for number, key, place in met:
            kind, which = kind_of[number], (kind_of[number], key, place)
            if which in hints or counts.get(key, 0) >= _MOST_HINTS:
                continue
            counts[key] = counts.get(key, 0) + 1
            hints[which] = (kind, number, key, place.partition, place.key)
        some = [*hints.values()]
        if partition == self._exchange.partition:
            self._follow(some)
        else:
            self._exchange.send(partition, Topic.HINTS, _encode(some))

    # What those are told who have the pages.

    def take_hints(self, message: bytes) -> None:
        """An owner of prints knows pages of others that have the same as pages of this partition."""
        self._follow(_decode_hints(message))

    def _follow(self, hints: Sequence[Hint]) -> None:
        for kind, number, key, partition, other in hints:
            question = self._describe(PrintKind(kind), number, key, other)
            if question is None or partition == self._exchange.partition:
                continue
            said = question.values or number
            if not self._hinted.is_known(hash((kind, said, key, partition, other)) & _64_BITS):
                self._exchange.send(partition, Topic.COMPARE, _encode(question))

    def _describe(self, kind: PrintKind, number: int, key: int, other: int) -> CopyQuestion | None:
        """A page of this partition, to be compared; None if it does not say that any more."""
        own = self._exchange.partition
        if kind is PrintKind.TEXT:
            first, values = self._own.first_with_text(number), b""
        else:
            found = self._own.leader(key)
            first, values = (None, b"") if found is None else (found[0], found[1].tobytes())
        if first is None:
            return None
        page = first.original
        url = clean_url(page.url)
        return CopyQuestion(kind, number, other, own, first.key, url, page.date, values)

    def take_question(self, message: bytes) -> None:
        """A neighbour has a page that may be like one here."""
        asked = _decode_question(message)
        found = self._compare(asked)
        if found is None:
            return
        first, similarity = found
        here, there = first.original, Original(asked.url, asked.date)
        if here.url == there.url:
            return
        is_later = (here.date, here.url) > (there.date, there.url)
        later, earlier = (here, there) if is_later else (there, here)
        keys = (first.key, asked.own_key) if is_later else (asked.own_key, first.key)
        alike = SimilarPage(
            asked.kind,
            keys[0],
            clean_url(later.url),
            later.date,
            keys[1],
            clean_url(earlier.url),
            similarity,
        )
        if is_later:
            self._record(alike)
        else:
            self._exchange.send(asked.partition, Topic.ALIKE, _encode(alike))

    def _compare(self, asked: CopyQuestion) -> tuple[First, float] | None:
        if asked.kind == PrintKind.TEXT:
            first = self._own.first_with_text(asked.number)
            return None if first is None else (first, 1.0)
        found = self._own.leader(asked.key)
        values: npt.NDArray[np.uint8] = np.frombuffer(asked.values, np.uint8)
        likeness = self._own.likeness(asked.key, values)
        return None if found is None or not likeness else (found[0], likeness)

    def take_alike(self, message: bytes) -> None:
        """A page here is like an earlier one elsewhere."""
        self._record(_decode_alike(message))

    def _record(self, alike: SimilarPage) -> None:
        kind = CopyKind.TEXT if alike.kind == PrintKind.TEXT else CopyKind.NEAR
        if self._has_mark(alike.key, kind):
            return
        counted = next(
            (one for one in (CopyKind.TEXT, CopyKind.NEAR) if self._has_mark(alike.key, one)), None
        )
        self._mark(alike.key, kind)
        copy = FoundCopy(alike.url, alike.date, kind, alike.first, alike.group, alike.similarity)
        self._on_copy(copy, counted)

    def _has_mark(self, key: int, kind: CopyKind) -> bool:
        """Was this page already found to be like another one?"""
        return self.table.has(_mark(key, kind))


def clean_url(url: str) -> str:
    """A URL as it can be sent."""
    return url.encode("utf-8", "replace").decode()


def _mark(key: int, kind: CopyKind) -> int:
    """The print by which it is known that a page is like another one."""
    return xxh3_64_intdigest(f"{key} {kind.value}".encode())


def _spread(numbers: Numbers, partitions: int) -> npt.NDArray[np.int64]:
    """The owners of 64-bit numbers, as `spread` says them one by one."""
    high, low = numbers >> _HALF, numbers & _LOW
    many = np.uint64(partitions)
    return ((high * many + (low * many >> _HALF)) >> _HALF).astype(np.int64)


_64_BITS = (1 << 64) - 1
_HALF, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)
