"""Copies are known for copies in whatever partition they are met."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from socket import socketpair
from typing import Any

import pytest

from gossamer.analyzers.duplicates.content_seen import Content, body_print
from gossamer.analyzers.duplicates.duplicates_state import read_content_state
from gossamer.analyzers.duplicates.holdings import Holdings
from gossamer.cluster.exchange import Exchange
from gossamer.cluster.frames import Frame, FrameKind
from gossamer.cluster.mailbox import Mailbox
from gossamer.cluster.message_kinds import Topic
from gossamer.cluster.shared_content import SharedContent
from gossamer.cluster.wire import Wire
from gossamer.core.clock import SystemClock
from gossamer.core.outcomes import Outcome
from gossamer.core.poller import Poller
from gossamer.core.records import Compared, Document, Page, Visit
from gossamer.core.url import spread
from tests.present import parse, present


def document(url: str, body: bytes, status: int = 200) -> Document:
    visit = Visit(parse(url))
    return Document(Page(visit, Outcome.FETCHED, 5.0, status=status, payload=body, body=body))


def body_of(owner: int) -> bytes:
    """A content whose fingerprint this one of two partitions owns."""
    bodies = (str(number).encode() for number in range(1000))
    return next(
        body for body in bodies if spread(body_print(document("http://a.test/", body)), 2) == owner
    )


class Pair:
    """Two partitions; what one sends is given to the other by hand."""

    def __init__(self, folder: Path, *, visits_again: bool = False) -> None:
        self.poller = Poller()
        self.ends: list[Wire] = []
        self.exchanges: list[Exchange] = []
        self.contents: list[SharedContent] = []
        for number in range(2):
            theirs, ours = (Wire(end, self.poller) for end in socketpair())
            self.ends.append(ours)
            mailbox = Mailbox(folder / f"mail{number}", [1 - number])
            exchange = Exchange(number, 2, theirs, mailbox, SystemClock(), Random(number))
            had = (lambda visit, digest: False) if visits_again else None
            own = Content(folder / f"content{number}", had=had)
            self.exchanges.append(exchange)
            shared = folder / f"content{number}" / "shared"
            self.contents.append(SharedContent(own, exchange, shared))
        self.restart(0)
        self.restart(1)

    def restart(self, number: int) -> None:
        self.ends[1 - number].send(Frame(FrameKind.UP, number))
        self.carry()

    def carry(self) -> None:
        """Pass on everything, in both directions."""
        for _ in range(3):
            for number, exchange in enumerate(self.exchanges):
                while self.poller.wait(0.0):
                    pass
                exchange.tick()
                while self.poller.wait(0.0):
                    pass
                for frame in self.ends[number].frames():
                    self.ends[1 - number].send(frame._replace(partition=number))

    def commit(self, number: int) -> None:
        self.exchanges[number].commit()
        self.contents[number].commit()
        self.exchanges[number].mailbox.committed()
        self.carry()
        for message in self.exchanges[1 - number].receive(100):
            self.contents[1 - number].listeners[Topic(message.topic)](message.payload)

    def close(self) -> None:
        parts: list[Any] = [*self.contents, *self.exchanges, *self.ends, self.poller]
        for part in parts:
            part.close()


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Pair]:
    pair = Pair(tmp_path)
    yield pair
    pair.close()


@pytest.fixture
def lasting(tmp_path: Path) -> Iterator[Pair]:
    """Partitions that visit pages again."""
    pair = Pair(tmp_path, visits_again=True)
    yield pair
    pair.close()


def judge(pair: Pair, number: int, url: str, body: bytes) -> Compared:
    """The judgement on a document, with a word of the neighbour if it takes one."""
    content = pair.contents[number]
    kept = content.judge([document(url, body)])
    if not kept:
        assert content.pending == 1
        pair.carry()
        pair.contents[1 - number].judge([])
        pair.carry()
        kept = content.judge([])
    assert content.pending == 0
    [one] = kept
    return one


@pytest.mark.parametrize("owner", [0, 1])
@pytest.mark.parametrize("first", [0, 1])
def test_a_copy_in_the_other_partition(pair: Pair, owner: int, first: int) -> None:
    body = body_of(owner)
    assert judge(pair, first, "http://a.test/", body).duplicate_of is None
    pair.commit(first)
    pair.commit(owner)
    copy = judge(pair, 1 - first, "http://b.test/", body)
    assert present(copy.duplicate_of).url == "http://a.test/"
    assert copy.is_same_payload
    assert judge(pair, first, "http://a.test/", body).duplicate_of is None, "itself is no copy"


def test_a_copy_of_what_is_not_on_record_is_stored_in_full(pair: Pair) -> None:
    body = body_of(0)
    judge(pair, 1, "http://a.test/", body)
    copy = judge(pair, 0, "http://b.test/", body)
    assert present(copy.duplicate_of).url == "http://a.test/"
    assert not copy.is_same_payload
    mine = body_of(0) + b"!"
    while spread(body_print(document("http://a.test/", mine)), 2):
        mine += b"!"
    judge(pair, 0, "http://c.test/", mine)
    assert not judge(pair, 1, "http://d.test/", mine).is_same_payload
    pair.commit(0)
    assert judge(pair, 1, "http://e.test/", mine).is_same_payload


def test_what_was_claimed_before_a_death_is_forgotten(pair: Pair) -> None:
    body = body_of(0)
    judge(pair, 1, "http://a.test/", body)
    pair.restart(1)
    assert judge(pair, 0, "http://b.test/", body).duplicate_of is None


def test_who_was_not_answered_before_a_death_asks_again(pair: Pair) -> None:
    body = body_of(0)
    content = pair.contents[1]
    assert content.judge([document("http://a.test/", body)]) == []
    for frame in pair.ends[1].frames():
        assert frame.kind != FrameKind.QUESTION, "nothing but the question was under way"
    pair.poller.wait(0.0)
    assert [frame.kind for frame in pair.ends[1].frames()] == [FrameKind.QUESTION], "it is lost"
    pair.restart(0)
    pair.contents[0].judge([])
    pair.carry()
    [kept] = content.judge([])
    assert kept.duplicate_of is None


def test_without_an_answer_a_document_is_taken_for_new(pair: Pair) -> None:
    body = body_of(0)
    assert pair.contents[1].judge([document("http://a.test/", body)]) == []
    [kept] = pair.contents[1].give_up()
    assert kept.duplicate_of is None
    pair.commit(1)
    pair.commit(0)
    assert present(judge(pair, 0, "http://b.test/", body).duplicate_of).url == "http://a.test/"


def judge_and_commit(pair: Pair, number: int, url: str, body: bytes) -> str | None:
    """Where else the content of a page is, once all is recorded."""
    kept = judge(pair, number, url, body)
    for partition in (0, 1):
        pair.commit(partition)
    return None if kept.duplicate_of is None else kept.duplicate_of.url


@pytest.mark.parametrize("owner", [0, 1])
@pytest.mark.parametrize("first", [0, 1])
def test_what_a_changed_page_had_makes_no_copies(lasting: Pair, owner: int, first: int) -> None:
    body = body_of(owner)
    judge_and_commit(lasting, first, "http://a.test/", body)
    judge_and_commit(lasting, first, "http://a.test/", b"something else")
    assert judge_and_commit(lasting, 1 - first, "http://b.test/", body) is None
    assert judge_and_commit(lasting, first, "http://c.test/", body) == "http://b.test/"


@pytest.mark.parametrize("owner", [0, 1])
@pytest.mark.parametrize("heir", [0, 1])
def test_a_copy_is_the_original_when_that_is_gone(lasting: Pair, owner: int, heir: int) -> None:
    body, first, copy = body_of(owner), "http://a.test/", "http://b.test/"
    judge_and_commit(lasting, 0, first, body)
    assert judge_and_commit(lasting, heir, copy, body) == first
    lasting.contents[0].forget([document(first, b"")])
    for partition in (0, 1):
        lasting.commit(partition)
    later = judge(lasting, 1 - heir, "http://c.test/", body)
    assert present(later.duplicate_of).url == copy
    assert not later.is_same_payload, "the archive has no response of the copy to refer to"
    assert judge_and_commit(lasting, heir, copy, body) is None


@pytest.mark.parametrize("owner", [0, 1])
def test_an_error_is_nothing_that_others_are_told_of(lasting: Pair, owner: int) -> None:
    body, error = body_of(owner), body_of(1) + b"?"
    judge_and_commit(lasting, 0, "http://a.test/", body)
    assert len(lasting.contents[0].judge([document("http://a.test/", error, 503)])) == 1
    for partition in (0, 1):
        lasting.commit(partition)
    assert judge_and_commit(lasting, 1, "http://b.test/", body) == "http://a.test/"
    assert judge_and_commit(lasting, 1, "http://c.test/", error) is None


def test_what_neighbours_told_is_packed_at_a_checkpoint(lasting: Pair, tmp_path: Path) -> None:
    """Pages that change leave entries with the owner of what they had; most of these count no more."""
    owner = lasting.contents[0]
    kept = body_of(0)
    judge_and_commit(lasting, 1, "http://kept.test/", kept)
    for number in range(160):
        judge(lasting, 1, "http://a.test/", b"%d" % number)
    lasting.commit(1)
    owner.note()
    state = read_content_state(owner.checkpoint())
    owner.checkpoint_published()
    assert state.shared_generation == 1
    assert state.shared[0] < 160 * 76
    shared = tmp_path / "content0" / "shared"
    assert {path.name for path in shared.iterdir()} == {"packed-1"}
    assert judge_and_commit(lasting, 0, "http://b.test/", kept) == "http://kept.test/"
    again = Holdings(shared / "packed-1", *state.shared)
    assert len(again) == 2
