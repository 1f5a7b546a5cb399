"""Met this content before, in any partition?

Within a partition the content test answers as usual. What is new there may have been met in another one. So
each fingerprint of a body has an owner, whatever host its page came from. A page whose fingerprint belongs to
another partition waits until that one has said whether it knows the body. Before that, its links are not
followed and nothing of it is stored.

The owner notes who asked first (a *claim*), and remembers the page for good when it has been kept and is
recorded (a PRINTS message). So when the asking partition dies in between, nothing refers to a page that is
not there. A copy of what is only claimed is recognised as a copy, but stored in full: a `revisit` record
may only refer to what is recorded.

In a crawl that visits pages again the owner is told of copies as well, and of pages that have not any more
what they had (a LEFT message). A page that has the same content then is the original of those to come.

Pages that say the same in other markup, or nearly the same, are found later (`shared_copies.py`), so that
no page waits for it. Copies of a robots.txt are found within their partition only.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec.structs import replace
from xxhash import xxh3_64_intdigest

from gossamer.analyzers.duplicates.content_protocol import ContentTest
from gossamer.analyzers.duplicates.content_seen import Content, body_print
from gossamer.analyzers.duplicates.duplicates_state import ContentState, ContentStatistics
from gossamer.analyzers.duplicates.file_compaction import (
    clear_others,
    generation_folder_of,
    is_due,
    make_generation_folder,
)
from gossamer.analyzers.duplicates.holdings import Holdings
from gossamer.analyzers.duplicates.originals import Left, Originals
from gossamer.cluster.exchange import Exchange
from gossamer.cluster.message_kinds import Topic
from gossamer.cluster.print_table import PrintTable
from gossamer.cluster.shared_copies import OnCopy, SharedCopies, clean_url
from gossamer.core.records import Compared, Document, Original, Via, Visit
from gossamer.core.url import spread

Ask = tuple[int, int, str, float]
"""Fingerprint of the body, of the payload, the page's URL, and when it was asked for."""
Copy = tuple[str, float, bool]
"""Where and when the body was met first, and whether a reference to it will do."""
Verdict = Copy | None
"""None: it was met nowhere else."""

_encode = msgspec.msgpack.Encoder().encode
_decode_asks = msgspec.msgpack.Decoder(list[Ask]).decode
_decode_ask = msgspec.msgpack.Decoder(Ask).decode
_decode_left = msgspec.msgpack.Decoder(Left).decode
_decode_verdicts = msgspec.msgpack.Decoder(list[Verdict]).decode


class Claim(NamedTuple):
    """A body that a neighbour met first, and has not recorded yet."""

    partition: int
    original: Original


class SharedContent(ContentTest):
    """The content test of one of several partitions."""

    def __init__(
        self,
        own: Content,
        exchange: Exchange,
        folder: Path,
        state: ContentState | None = None,
        on_copy: OnCopy = lambda copy, counted: None,
        memory: int = 1 << 20,
    ) -> None:
        """`folder` is for what neighbours met first, as it was at a commit.

        `on_copy` hears of pages that are found to be like others when they have been judged already;
        `memory` is for finding them.
        """
        folder.mkdir(parents=True, exist_ok=True)
        state = state or ContentState()
        self._folder, self._generation, self._is_tidy = folder, state.shared_generation, False
        self._own = own
        self._exchange = exchange
        own.on_left = self._announce_left
        self._foreign = self._open(*state.shared)
        table = PrintTable(self._generation_folder, state.prints, memory)
        self.copies = SharedCopies(own, exchange, table, on_copy)
        self._waiting: dict[int, list[tuple[Document, int]]] = {}
        """Documents and their fingerprints, by the number of the question about them."""
        self._claims: dict[int, Claim] = {}
        exchange.on_restart.append(self._forget)

    @property
    def repairs(self) -> list[str]:
        """Damaged files of contents that neighbours met first, which were made again."""
        return [*self._foreign.repairs, *self.copies.repairs]

    @property
    def pending(self) -> int:
        return sum(map(len, self._waiting.values()))

    def judge(self, documents: Sequence[Document]) -> list[Compared]:
        self._answer()
        kept = self._judged()
        bodies = [0 if self._own.is_passing(one) else _body_of(one) for one in documents]
        self._foresee(bodies)
        here: list[Document] = []
        questions: dict[int, list[tuple[Document, int]]] = {}
        for document, body in zip(documents, bodies, strict=True):
            owner = spread(body, self._exchange.partitions)
            if not body or self._has_original(body):  # no other partition knows more
                here.append(document)
            elif owner != self._exchange.partition:
                questions.setdefault(owner, []).append((document, body))
            elif verdict := self._find(body, _payload_print(document, body), document.url):
                kept.append(self._take_for_copy(document, body, verdict))
            else:
                here.append(document)
        self._ask(questions)
        kept += self._own.judge(here)
        self.copies.tell(kept)
        return kept

    def pending_visits(self) -> list[Visit]:
        return [document.page.visit for some in self._waiting.values() for document, _ in some]

    def give_up(self) -> list[Compared]:
        """Treat all documents that wait as new: the owners find out later, from a message."""
        waiting, self._waiting = self._waiting, {}
        kept = self._keep_new([pair for some in waiting.values() for pair in some])
        self.copies.tell(kept)
        return kept

    @property
    def listeners(self) -> Mapping[Topic, Callable[[bytes], None]]:
        """Take in messages of neighbours about the contents of their pages, by topic."""
        return {
            Topic.PRINTS: self.remember,
            Topic.LEFT: self.take_leave,
            Topic.PRINTS_MET: self.copies.take_prints,
            Topic.HINTS: self.copies.take_hints,
            Topic.COMPARE: self.copies.take_question,
            Topic.ALIKE: self.copies.take_alike,
        }

    def remember(self, message: bytes) -> None:
        """A neighbour has a page recorded whose body nobody had met before."""
        body, payload, url, date = _decode_ask(message)
        self._claims.pop(body, None)
        key, page = _key(url), Original(url, date)
        self._foreign.leave(key, body)
        if self._foreign.with_body(body) is not None:
            self._foreign.hold(body, payload, key, page)
        elif self._own.visits_again or self._own.first_with(body) is None:
            self._foreign.add(body, payload, 0, key, page)

    def take_leave(self, message: bytes) -> None:
        """A page of a neighbour has another content than this one now, or none."""
        body, url, _ = _decode_left(message)
        key = _key(url)
        if self._foreign.is_held(key, body):
            self._foreign.leave(key, 0)

    def forget(self, documents: Sequence[Document]) -> None:
        self._own.forget(documents)
        self.copies.tell(())

    def commit(self) -> ContentState:
        shared = self._foreign.commit()
        prints = self.copies.table.commit()
        return replace(
            self._own.commit(),
            shared=shared,
            shared_generation=self._generation,
            prints=prints,
        )

    def pack(self) -> bool:
        is_packed = self._pack_foreign()
        return self._own.pack() or is_packed

    def _open(self, length: int, urls: int) -> Originals:
        kind = Holdings if self._own.visits_again else Originals
        return kind(self._generation_folder, length, urls)

    @property
    def _generation_folder(self) -> Path:
        return generation_folder_of(self._folder, self._generation)

    def _pack_foreign(self) -> bool:
        foreign, table = self._foreign, self.copies.table
        if not isinstance(foreign, Holdings):
            return False
        if not is_due(len(foreign) + table.alive, foreign.dead + table.dead):
            return False
        folder = make_generation_folder(self._folder, self._generation + 1)
        self._foreign, self.copies.table = foreign.packed(folder), table.packed(folder)
        self._generation, self._is_tidy = self._generation + 1, False
        foreign.close()
        table.close()
        return True

    def checkpoint_published(self) -> None:
        self._own.checkpoint_published()
        if not self._is_tidy:
            clear_others(self._folder, self._generation)
            self._is_tidy = True

    def close(self) -> None:
        try:
            self._own.close()
        finally:
            self._foreign.close()
            self.copies.table.close()

    @property
    def disk_bytes(self) -> int:
        return self.statistics().disk_bytes

    def statistics(self) -> ContentStatistics:
        own = self._own.statistics()
        table = self.copies.table
        lookups = [lookup.statistics().disk for lookup in (*self._foreign.lookups, *table.lookups)]
        return replace(
            own,
            known=own.known + len(self._foreign),
            disk_bytes=own.disk_bytes + self._foreign.disk_bytes + table.disk_bytes + sum(lookups),
        )

    # Asking.

    def _foresee(self, bodies: Sequence[int]) -> None:
        """Look up together what will be asked for one by one."""
        known = [body for body in bodies if body]
        if len(known) > 1:
            self._own.foresee(known)
            self._foreign.foresee(known, ())

    def _ask(self, questions: Mapping[int, list[tuple[Document, int]]]) -> None:
        for owner, some in questions.items():
            asks = [_describe(document, body) for document, body in some]
            number = self._exchange.ask(owner, Topic.CONTENT, _encode(asks))
            self._waiting[number] = some

    def _judged(self) -> list[Compared]:
        """Documents whose bodies neighbours have spoken about."""
        copies: list[Compared] = []
        new: list[tuple[Document, int]] = []
        for number, answer in self._exchange.answers(Topic.CONTENT):
            some, verdicts = self._waiting.pop(number, []), _decode_verdicts(answer)
            for (document, body), verdict in zip(some, verdicts, strict=False):
                if verdict is None:
                    new.append((document, body))
                else:
                    copies.append(self._take_for_copy(document, body, verdict))
        return copies + self._keep_new(new)

    def _keep_new(self, documents: Sequence[tuple[Document, int]]) -> list[Compared]:
        """Documents whose bodies nobody else has met; their owners are told."""
        self._foresee([body for _, body in documents])
        for document, body in documents:
            # Another page of ours may have brought the same meanwhile, and told the owner.
            if self._own.visits_again or self._own.first_with(body) is None:
                self._announce(body, self._describe(document, body))
        return self._own.judge([document for document, _ in documents])

    def _take_for_copy(self, document: Document, body: int, verdict: Copy) -> Compared:
        url, date, is_same_payload = verdict
        if self._own.visits_again and not self._own.has_body(document, body):
            ask = self._describe(document, body)
            self._announce(body, (body, 0, *ask[2:]) if is_same_payload else ask)
        return self._own.take_for_copy(document, Original(url, date), is_same_payload)

    # Announcing.

    def _announce(self, body: int, page: Ask) -> None:
        """Let the owner of a body know who has it."""
        owner = spread(body, self._exchange.partitions)
        if owner != self._exchange.partition:
            self._exchange.send(owner, Topic.PRINTS, _encode(page))

    def _describe(self, document: Document, body: int) -> Ask:
        """A page that has a body. If its record is a reference, nobody may refer to it: it has no payload."""
        ask = _describe(document, body)
        return (body, 0, *ask[2:]) if self._own.refers_back(document) else ask

    def _announce_left(self, left: Left) -> None:
        """Let the owner of a body know who has it no more, and who has it still."""
        owner = spread(left.body, self._exchange.partitions)
        if owner == self._exchange.partition:
            return
        self._exchange.send(owner, Topic.LEFT, _encode(left._replace(url=clean_url(left.url))))
        if (heir := self._own.first_with(left.body)) is not None:
            (first, _) = heir
            url = clean_url(first.original.url)
            self._announce(left.body, (left.body, first.payload, url, first.original.date))

    # Being asked.

    def _answer(self) -> None:
        for question in self._exchange.asked(Topic.CONTENT):
            asks = _decode_asks(question.payload)
            verdicts = [self._decide(question.partition, *ask) for ask in asks]
            self._exchange.answer(question, _encode(verdicts))

    def _decide(self, partition: int, body: int, payload: int, url: str, date: float) -> Verdict:
        if self._met(body) is None and body not in self._claims:
            self._claims[body] = Claim(partition, Original(url, date))
            return None
        return self._find(body, payload, url)

    def _find(self, body: int, payload: int, url: str) -> Verdict:
        """Find where a body was met first; None if nowhere yet, or at this URL."""
        met = self._met(body)
        if met is not None:
            original, is_same_payload = met[0], met[1] == payload
        elif (claim := self._claims.get(body)) is not None:
            original, is_same_payload = claim.original, False
        else:
            return None
        return None if original.url == url else (original.url, original.date, is_same_payload)

    def _met(self, body: int) -> tuple[Original, int] | None:
        """Return where a body was met first, and in which payload; -1 for one without a record to refer
        to."""
        own, number = self._own.first_with(body), self._foreign.with_body(body)
        met = []
        if number is not None:
            first = self._foreign.page(number)
            met.append((first.original, first.payload))
        if own is not None:
            first, is_durable = own
            met.append((first.original, first.payload if is_durable and first.payload else -1))
        return min(met, key=lambda one: one[0].date, default=None)

    def _has_original(self, body: int) -> bool:
        """Is there a page here that has this body, and is no copy of one elsewhere?"""
        found = self._own.first_with(body)
        return found is not None and found[0].payload != 0

    def _forget(self, partition: int) -> None:
        """Drop claims of a neighbour that crashed before it recorded them."""
        self._claims = {
            body: claim for body, claim in self._claims.items() if claim.partition != partition
        }


def _payload_print(document: Document, body: int) -> int:
    """The fingerprint of a payload: the body's, if it is the body."""
    page = document.page
    if page.body is page.payload:
        return body
    return body_print(replace(document, page=replace(page, body=page.payload)))


def _body_of(document: Document) -> int:
    """The number by which the owner of a body is asked; 0 when no owner is asked."""
    return body_print(document) if document.page.visit.via is not Via.ROBOTS else 0


def _describe(document: Document, body: int) -> Ask:
    return body, _payload_print(document, body), clean_url(document.url), document.page.started


def _key(url: str) -> int:
    """The number by which a neighbour's page is known."""
    return xxh3_64_intdigest(url.encode())
