"""Texts, read in haste and at leisure."""

import re
from hashlib import sha1

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gossamer.core.text_words import WordReader, Words
from gossamer.core.text_words.word_reader import _MOST_KEPT

A = "http://a.test"
READER = WordReader()

hostile = st.binary(max_size=300) | st.text(max_size=200).map(str.encode)
wordy = st.lists(
    st.sampled_from(
        ["a", "B2", "lost", "elephants", "Extraordinarily", "x86", "7", "wrt54glversion11"]
    ),
    min_size=6,
    max_size=40,
).map(" ".join)


def read(text: str | bytes, path: str = "/") -> Words:
    return READER.read(text.encode() if isinstance(text, str) else text, A + path)


def words_of(text: bytes) -> list[bytes]:
    return re.findall(rb"[0-9A-Za-z\x80-\xff]+", text.lower())


def masked_words(text: str, path: str) -> list[bytes]:
    """What the masked print is made of."""
    bare = [re.sub(rb"[0-9]", b"", word) for word in words_of(text.encode())]
    names = {re.sub(rb"[0-9]", b"", word) for word in words_of(path.encode())}
    return [word for word in bare if word and word not in names]


def test_case_space_and_punctuation_do_not_count() -> None:
    one, other = read("  Grüße, Welt! 7-8 "), read("grüße welt 7 8")
    assert (one.letters, one.exact) == (other.letters, other.exact)
    assert one.numbers.tolist() == other.numbers.tolist()
    assert one.exact == int.from_bytes(sha1("grüßewelt78".encode()).digest()[:8])
    assert read("a rose").numbers.tolist() != read("arose").numbers.tolist()


def test_the_last_word_counts_with_and_without_an_end() -> None:
    expected = read("one two").numbers.tolist()
    assert expected == read("one two ").numbers.tolist() == read("(one) two.").numbers.tolist()
    for nothing in ("", " ,"):
        words = read(nothing)
        assert (words.letters, words.exact, words.masked, len(words.numbers)) == (0, 0, 0, 0)


@given(hostile)
def test_any_bytes_have_the_letters_and_words_that_are_there(text: bytes) -> None:
    words, found = read(text), words_of(text)
    letters = b"".join(found)
    assert words.letters == len(letters)
    assert words.exact == (int.from_bytes(sha1(letters).digest()[:8]) if letters else 0)
    assert len(words.numbers) == len(found)
    assert len(set(words.numbers.tolist())) == len(set(found))
    numbers = dict(zip(found, words.numbers.tolist(), strict=True))
    assert [numbers[word] for word in found] == words.numbers.tolist()


@given(wordy, wordy, st.sampled_from(["/", "/lost/x86.html", "/7/elephants"]))
def test_masked_prints_agree_when_the_words_that_count_do(one: str, other: str, path: str) -> None:
    for first, second in ((one, other), (one, re.sub("[0-9]+", "55", one)), (one, one.upper())):
        wanted = masked_words(first, path), masked_words(second, path)
        found = read(first, path).masked, read(second, path).masked
        is_enough = len(b"".join(wanted[0])) >= 14
        assert bool(found[0]) == is_enough
        if is_enough:
            assert (found[0] == found[1]) == (wanted[0] == wanted[1])


def test_the_words_of_the_path_are_masked_and_those_of_the_query_are_not() -> None:
    gone = read("Sorry, /gone-fishing is not here any more", "/gone-fishing?q=sorry").masked
    assert gone == read("Sorry, /lost/1a2b.html is not here any more", "/lost/1a2b.html").masked
    assert gone != read("Sorry, /lost/1a2b.html is not here any more", "/").masked


def test_a_path_longer_than_its_text_is_read_to_its_end() -> None:
    path = "/" + "-".join("abcdefghijklmnop") + "/x" * 200_000
    assert read("Q r s t u v w x y z are no names", path).masked != 0
    assert read("A b c d e f g h i j k l m n o p", path).masked == 0


def test_numbers_are_good_until_other_texts_are_begun_with() -> None:
    reader, texts = WordReader(), [b"a%d " % number * 5000 for number in range(40)]
    several = [reader.read(text, A).numbers for text in texts]
    for text, numbers in zip(texts, several, strict=True):
        assert numbers.tolist() == WordReader().read(text, A).numbers.tolist()


def test_a_long_text_leaves_no_large_arrays_behind() -> None:
    reader = WordReader()
    long = reader.read(b"a b " * 2_000_000, A)
    assert len(long.numbers) == 4_000_000
    assert len(np.unique(long.numbers)) == 2
    reader.begin()
    reader.read(b"a b c d e", A)
    assert reader._room <= _MOST_KEPT
    assert len(reader._numbers) <= _MOST_KEPT
