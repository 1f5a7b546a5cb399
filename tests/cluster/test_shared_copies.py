"""Pages of several partitions that say the same, or nearly the same, find each other."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from gossamer.analyzers.duplicates.content_seen import Content
from gossamer.cluster.message_kinds import Topic
from gossamer.cluster.print_table import PrintedPage, PrintTable
from gossamer.core.copies import CopyKind, FoundCopy
from gossamer.core.errors import DamageError
from gossamer.core.outcomes import Outcome
from gossamer.core.records import Document, Page, Visit
from tests.analyzers.duplicates.texts import prose
from tests.cluster.test_shared_content import Pair
from tests.present import parse

TEXT = prose(3, 300)


def document(url: str, body: bytes, started: float, status: int = 200) -> Document:
    page = Page(Visit(parse(url)), Outcome.FETCHED, started, status=status, payload=body, body=body)
    return Document(page, text_utf8=body)


Found = list[tuple[FoundCopy, CopyKind | None]]


def _note(found: Found, copy: FoundCopy, counted: CopyKind | None) -> None:
    found.append((copy, counted))


class Copies:
    """Two partitions, what each found to be a copy, and as what its page was counted before."""

    def __init__(self, folder: Path, *, visits_again: bool = False) -> None:
        self.pair = Pair(folder, visits_again=visits_again)
        self.found: list[Found] = [[], []]
        self.times = 1
        for content, found in zip(self.pair.contents, self.found, strict=True):
            content.copies._on_copy = partial(_note, found)

    def meet(
        self, partition: int, url: str, text: bytes, started: float, status: int = 200
    ) -> None:
        pair = self.pair
        kept = pair.contents[partition].judge([document(url, text, started, status)])
        if not kept:
            pair.carry()
            pair.contents[1 - partition].judge([])
            pair.carry()
            pair.contents[partition].judge([])

    def drain(self) -> None:
        """Carry messages until there are none."""
        for _ in range(6):
            for number in (0, 1):
                self._commit(number)

    def _commit(self, number: int) -> None:
        exchange = self.pair.exchanges[number]
        exchange.commit()
        self.pair.contents[number].commit()
        exchange.mailbox.committed()
        self.pair.carry()
        for message in self.pair.exchanges[1 - number].receive(1000):
            for _ in range(self.times):
                listeners = self.pair.contents[1 - number].listeners
                listeners[Topic(message.topic)](message.payload)

    @property
    def names(self) -> list[list[tuple[str, str, CopyKind]]]:
        return [[(one.url, one.first, one.kind) for one, _ in some] for some in self.found]


@pytest.fixture
def copies(tmp_path: Path) -> Iterator[Copies]:
    copies = Copies(tmp_path)
    yield copies
    copies.pair.close()


@pytest.fixture
def lasting(tmp_path: Path) -> Iterator[Copies]:
    copies = Copies(tmp_path, visits_again=True)
    yield copies
    copies.pair.close()


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("is_drained_between", [False, True])
def test_the_later_page_is_near_the_earlier_one(
    copies: Copies, first: int, is_drained_between: bool
) -> None:
    copies.meet(first, "http://a.test/", TEXT + b" and more", 1.0)
    if is_drained_between:
        copies.drain()
    copies.meet(1 - first, "http://b.test/", TEXT + b" or less", 2.0)
    copies.drain()
    expected = ("http://b.test/", "http://a.test/", CopyKind.NEAR)
    assert copies.names[first] == []
    assert copies.names[1 - first] == [expected]
    [(copy, counted)] = copies.found[1 - first]
    assert copy.similarity > 0.9
    assert copy.group == parse("http://a.test/").key
    assert counted is None


def test_the_same_text_counts_for_more_than_a_similar_one(copies: Copies) -> None:
    copies.meet(0, "http://a.test/", TEXT, 1.0)
    copies.meet(1, "http://b.test/", TEXT.upper(), 2.0)
    copies.drain()
    kinds = {one.kind: counted for one, counted in copies.found[1]}
    assert kinds.keys() == {CopyKind.TEXT, CopyKind.NEAR}
    assert sorted(str(one) for one in kinds.values()).count("None") == 1, "it is counted once"


def test_to_be_told_twice_changes_nothing(copies: Copies) -> None:
    copies.times = 2
    copies.meet(0, "http://a.test/", TEXT + b" and more", 1.0)
    copies.meet(1, "http://b.test/", TEXT + b" or less", 2.0)
    copies.drain()
    assert copies.names == [[], [("http://b.test/", "http://a.test/", CopyKind.NEAR)]]
    sizes = [len(one.copies.table) for one in copies.pair.contents]
    assert sum(sizes) == 17 + 17 + 1, "the text and bands of each page, and that one is a copy"


def test_pages_that_are_not_alike_cost_no_more_than_their_prints(copies: Copies) -> None:
    copies.meet(0, "http://a.test/", TEXT, 1.0)
    copies.meet(1, "http://b.test/", prose(4, 300), 2.0)
    copies.drain()
    assert copies.names == [[], []]
    asked = [one.mailbox.statistics().sent for one in copies.pair.exchanges]
    assert sum(asked) <= 2 + 2, "one message with prints for each page, and one with its body"


def test_errors_are_no_copies(copies: Copies) -> None:
    copies.meet(0, "http://a.test/", TEXT + b" and more", 1.0, status=404)
    copies.meet(1, "http://b.test/", TEXT + b" or less", 2.0)
    copies.drain()
    assert copies.names == [[], []]


def test_a_page_that_changed_is_not_compared_by_what_it_said(lasting: Copies) -> None:
    lasting.meet(0, "http://a.test/", TEXT + b" and more", 1.0)
    lasting.drain()
    lasting.meet(0, "http://a.test/", prose(4, 300), 2.0)
    lasting.drain()
    lasting.meet(1, "http://b.test/", TEXT + b" or less", 3.0)
    lasting.drain()
    assert lasting.names == [[], []]
    lasting.meet(0, "http://a.test/", TEXT + b" once more", 4.0)
    lasting.drain()
    assert lasting.names == [[("http://a.test/", "http://b.test/", CopyKind.NEAR)], []]


def test_what_counts_no_more_is_left_out(lasting: Copies) -> None:
    for number in range(40):
        lasting.meet(0, "http://a.test/", prose(number, 300), float(number))
        lasting.drain()
    for content in lasting.pair.contents:
        table = content.copies.table
        assert table.dead > 2 * table.alive
        content.note()
        content.checkpoint()
        assert content.copies.table.dead == 0
        content.checkpoint_published()
    lasting.meet(1, "http://b.test/", prose(39, 300) + b" indeed", 99.0)
    lasting.drain()
    assert lasting.names == [[], [("http://b.test/", "http://a.test/", CopyKind.NEAR)]]


PRINTS, KEYS = np.arange(1, 50, dtype=np.uint64) << np.uint64(50), np.full(49, 7, np.uint64)


@pytest.mark.parametrize("is_closed", [False, True])
def test_a_table_is_found_again_at_a_commit(tmp_path: Path, *, is_closed: bool) -> None:
    table = PrintTable(tmp_path, 0)
    table.enter(0, PRINTS, KEYS)
    table.leave(0, PRINTS[:9], KEYS[:9])
    length = table.commit()
    if is_closed:
        table.close()
    else:  # what came after the commit is forgotten
        table.enter(3, PRINTS, KEYS)
        table._entries.sync()
    found = PrintTable(tmp_path, length).enter(1, PRINTS, KEYS)
    assert found == [(number, 7, PrintedPage(0, 7)) for number in PRINTS[9:].tolist()]


def test_a_damaged_table_is_noticed(tmp_path: Path) -> None:
    table = PrintTable(tmp_path, 0)
    table.enter(0, PRINTS, KEYS)
    length = table.commit()
    table.close()
    path = tmp_path / "prints.log"
    whole = path.read_bytes()
    for place in range(0, len(whole), 5):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << place % 8
        path.write_bytes(damaged)
        with pytest.raises(DamageError, match=r"prints\.log"):
            PrintTable(tmp_path, length).verify()


def test_owners_are_those_that_other_prints_have() -> None:
    from gossamer.cluster.shared_copies import _spread
    from gossamer.core.url import spread

    chance = np.random.default_rng(7)
    numbers = chance.integers(0, 1 << 63, 1000, dtype=np.uint64) * np.uint64(2)
    for partitions in (1, 2, 3, 7, 255, 4096):
        wanted = [spread(one, partitions) for one in numbers.tolist()]
        assert _spread(numbers, partitions).tolist() == wanted


def test_a_crawl_with_one_partition_has_no_such_table(tmp_path: Path) -> None:
    content = Content(tmp_path)
    assert content.listener is None
    content.judge([document("http://a.test/", TEXT, 1.0)])
    content.close()
    assert not list(tmp_path.rglob("prints*"))
