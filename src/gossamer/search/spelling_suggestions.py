"""Suggest other spellings of a word, from the index's own words.

A suggestion is a word of titles, headings and links that is one or two changes away, and far more frequent
than what was written. Of several, the nearest is meant, and of these the most frequent. Only words with the
same first letter are compared; people rarely mistype that one.
"""

from collections.abc import Sequence
from typing import Protocol

from gossamer.search.fields import words_field
from gossamer.search.terms import terms_of

_MORE_FREQUENT = 20
_MOST_COMPARED = 50_000
_WELL_KNOWN = 100
"""A word of this many pages is no mistake; comparing it with all others would take longer than the search."""


class KnownWords(Protocol):
    """Words, and in how many pages they stand."""

    def frequency(self, field: str, term: str) -> int: ...

    def words(self, beginning: str, most: int) -> Sequence[tuple[str, int]]: ...


def suggest(known: KnownWords, words: Sequence[str], groups: Sequence[str]) -> list[str]:
    """The words with those replaced that look mistyped; the same words if none does."""
    return [_suggest_one(known, word, groups) for word in words]


def _suggest_one(known: KnownWords, word: str, groups: Sequence[str]) -> str:
    terms = terms_of(word)
    if len(terms) != 1 or len(word) < 4 or not word.isalpha():
        return word
    [plain], frequency = terms, _frequency(known, word, groups)
    if frequency >= _WELL_KNOWN:
        return word
    most = 1 if len(plain) < 6 else 2
    others = (
        (distance(plain, other, most), -count, other)
        for other, count in known.words(plain[0], _MOST_COMPARED)
        if count > frequency * _MORE_FREQUENT
    )
    return min((one for one in others if one[0] <= most), default=(0, 0, word))[2]


def _frequency(known: KnownWords, word: str, groups: Sequence[str]) -> int:
    terms = [(words_field(group), term) for group in groups for term in terms_of(word, group)]
    return max((known.frequency(*one) for one in terms), default=0)


def distance(one: str, other: str, most: int) -> int:
    """Letters left out, put in, changed or swapped ; above `most`, no matter how many.

    >>> distance("crawler", "crwaler", 1), distance("crawler", "trawl", 2)
    (1, 3)
    """
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = [*range(len(other) + 1)]
    for i, letter in enumerate(one, 1):
        before, last, row = row, before, [i]
        for j, with_ in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != with_))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == with_:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return int(row[-1])
