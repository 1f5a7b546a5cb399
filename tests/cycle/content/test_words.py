"""Words of a text, as the kernels see them."""

import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gossamer.cycle.content.reference import shingles
from gossamer.cycle.content.words import bare, hash_shingles, hash_words


def words_of(text: bytes) -> list[int]:
    out = np.empty(len(text) // 2 + 2, np.uint64)
    return out[: hash_words(np.frombuffer(text, np.uint8), out)].tolist()


def shingles_of(text: bytes, length: int) -> set[int]:
    words = np.array(words_of(text), np.uint64)
    out = np.empty(len(words) + 1, np.uint64)
    return set(out[: hash_shingles(words, length, out)].tolist())


def bare_of(text: bytes) -> bytes:
    out = np.empty(len(text) + 1, np.uint8)
    return out[: bare(np.frombuffer(text, np.uint8), out)].tobytes()


def test_case_space_and_punctuation_do_not_count() -> None:
    assert bare_of("  Grüße, Welt! 7-8 ".encode()) == "grüßewelt78".encode()
    assert words_of(b"A rose, a ROSE.") == words_of(b"a rose a rose")
    assert words_of(b"a rose") != words_of(b"arose")


def test_the_last_word_counts_with_and_without_an_end() -> None:
    assert words_of(b"one two") == words_of(b"one two ") == words_of(b"(one) two.")
    assert words_of(b"") == words_of(b" ,") == []


@given(st.binary(max_size=300), st.integers(1, 6))
def test_any_bytes_give_as_many_shingles_as_the_reference_finds(text: bytes, length: int) -> None:
    assert len(words_of(text)) == len(re.findall(rb"[0-9A-Za-z\x80-\xff]+", text))
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
