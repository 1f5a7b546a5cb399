"""Shingles, as the kernel sees them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gossamer.analyzers.duplicates.shingles import hash_shingles
from gossamer.core.text_words import WordReader
from tests.analyzers.duplicates.exact import shingles


def shingles_of(text: bytes, length: int) -> set[int]:
    words = WordReader().read(text, "").numbers
    out = np.empty(len(words) + 1, np.uint64)
    return set(out[: hash_shingles(words, length, out)].tolist())


@given(st.binary(max_size=300), st.integers(1, 6))
def test_any_bytes_give_as_many_shingles_as_the_reference_finds(text: bytes, length: int) -> None:
    assert len(shingles_of(text, length)) == len(shingles(text, length))


@given(st.lists(st.sampled_from(b"a b c d e f g".split()), max_size=60), st.integers(1, 5))
def test_shingles_are_told_apart_by_the_order_of_their_words(
    words: list[bytes], length: int
) -> None:
    text = b" ".join(words)
    assert len(shingles_of(text, length)) == len(shingles(text, length))
    other = b" ".join(reversed(words))
    both = len(shingles(text, length) & shingles(other, length))
    assert len(shingles_of(text, length) & shingles_of(other, length)) == both
