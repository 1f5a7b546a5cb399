"""What the model of shards says of both ways to cut an index."""

import pytest

from gossamer.cli import run
from gossamer.lab.shards import Collection, by_document, by_term, compare


def test_by_document_the_size_of_the_collection_does_not_matter() -> None:
    small, large = (compare(Collection(pages), 16, 50, 50) for pages in (10**6, 10**8))
    assert [row.document for row in small] == [row.document for row in large]
    assert all(
        one.term.bytes < two.term.bytes for one, two in zip(small[1:], large[1:], strict=True)
    )


def test_by_term_the_rarest_list_is_moved() -> None:
    collection = Collection(10**6)
    lists = [by_term(collection, [rank, 25], [0, 1], 0).bytes for rank in (100, 200)]
    assert lists[0] - lists[1] == pytest.approx(collection.posting * 3000)
    assert by_term(collection, [100, 25], [1, 1], 0).bytes == by_term(collection, [7], [0], 0).bytes


def test_work_is_shared_by_document_only() -> None:
    assert by_document(2, 16, 10).busiest == 1 / 16
    for row in compare(Collection(10**8), 16, 50, 50)[:2]:
        assert row.term.busiest > 0.5


def test_known_statistics_save_a_round() -> None:
    asked, known = by_document(2, 8, 10), by_document(2, 8, 10, knows_statistics=True)
    assert (asked.messages, known.messages) == (32, 16)
    assert asked.bytes - known.bytes == 8 * (2 * 116 + 16)


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lab", "shards", "--questions", "20"]) == 0
    shown = capsys.readouterr().out
    assert "100,000,000 pages on 16 machines" in shown
    assert "    2       20.0 kB         64" in shown
