"""Columns that kernels make of packed bytes are those that went in."""

from collections.abc import Sequence
from itertools import chain

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.output.packed_rows import PackedTexts

SIZES = [0, 1, 15, 31, 32, 255, 256, 65_535, 65_536]
"""Where msgpack begins to spell the length of a text in another way."""

texts = st.text(max_size=40) | st.sampled_from(["", "a", "a", "main"])
rows = st.lists(st.tuples(texts, texts), max_size=40)
pages = st.lists(st.tuples(texts, rows), max_size=5)


def pack(source: str, one: Sequence[str], other: Sequence[str]) -> bytes:
    return msgspec.msgpack.encode([source, one, other])


@given(pages)
@settings(deadline=None)
def test_columns_come_out_as_they_went_in(pages: list[tuple[str, list[tuple[str, str]]]]) -> None:
    items = [pack(source, [a for a, _ in some], [b for _, b in some]) for source, some in pages]
    ones, others = ([row[side] for _, some in pages for row in some] for side in (0, 1))
    found = PackedTexts(items, len(ones), lists=2)
    assert found.heads().to_pylist() == [source for source, some in pages for _ in some]
    assert found.plain(0).to_pylist() == found.repetitive(0).to_pylist() == ones
    assert found.plain(1).to_pylist() == found.repetitive(1).to_pylist() == others
    optional = found.optional(1)
    optional.validate(full=True)
    assert optional.to_pylist() == [text or None for text in others]
    assert len(set(optional.dictionary.to_pylist())) == len({*others} - {""})


def test_texts_of_all_lengths() -> None:
    long = ["é" * (size // 2) + "x" * (size % 2) for size in SIZES]
    found = PackedTexts([pack(text, [text], [text]) for text in long], len(long), lists=2)
    for column in (found.heads(), found.plain(0), found.repetitive(1)):
        column.validate(full=True)
        assert column.to_pylist() == long


@pytest.mark.parametrize("count", [15, 16, 65_535, 65_536])
def test_lists_of_all_lengths(count: int) -> None:
    numbers = [str(number) for number in range(count)]
    found = PackedTexts([pack("a", numbers, ["same"] * count)] * 2, 2 * count, lists=2)
    assert found.plain(0).to_pylist() == numbers * 2
    assert found.repetitive(1).dictionary.to_pylist() == ["same"]
    assert found.heads().to_pylist() == ["a"] * 2 * count


def test_a_value_that_comes_back_stands_in_the_dictionary_once() -> None:
    runs = [["main"] * 3, ["aside"] * 2, ["main"] * 2]
    values = list(chain(*runs))
    column = PackedTexts([pack("a", values, values)], len(values), lists=2).repetitive(0)
    assert column.dictionary.to_pylist() == ["main", "aside"]
    assert column.to_pylist() == values


def test_nothing_at_all_is_empty() -> None:
    item = msgspec.msgpack.encode(["a", [None], ["b"]])
    assert PackedTexts([item], 1, lists=2).plain(0).to_pylist() == [""]


@pytest.mark.parametrize("value", [5, -5, 700, 1.5, b"bytes", [], {}, True])
def test_what_is_no_text_is_refused(value: object) -> None:
    item = msgspec.msgpack.encode(["a", ["b", value], ["c", "d"]])
    with pytest.raises(TypeError):
        PackedTexts([item], 2, lists=2)


@pytest.mark.parametrize(
    "item",
    [
        ["a", ["b"], ["c", "d"]],
        ["a", ["b", "c"], ["d"]],
        ["a", [], ["b"]],
        [5, ["b"], ["c"]],
        ["a", ["b"] * 5000, ["c"] * 5000],
    ],
)
def test_lists_that_do_not_fit_are_refused(item: list[object]) -> None:
    with pytest.raises(TypeError):
        PackedTexts([msgspec.msgpack.encode(item)], 1, lists=2)
