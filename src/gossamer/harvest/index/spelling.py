"""What somebody may have meant to write, by the index's own words.

A suggestion is a word of titles, headings and links that is one or two changes away, and far more frequent
than what was written. Only words with the same first letter are compared; people rarely mistype that one.
"""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gossamer.harvest.index.fields import words_field
from gossamer.harvest.index.terms import terms_of

if TYPE_CHECKING:
    import tantivy

_MORE_FREQUENT = 20
_MOST_COMPARED = 50_000


def suggest(
    searchers: "Sequence[tantivy.Searcher]", words: Sequence[str], groups: Sequence[str]
) -> list[str]:
    """The words with those replaced that look mistyped; the same words if none does."""
    return [_suggest_one(searchers, word, groups) for word in words]


def _suggest_one(searchers: "Sequence[tantivy.Searcher]", word: str, groups: Sequence[str]) -> str:
    terms = terms_of(word)
    if len(terms) != 1 or len(word) < 4 or not word.isalpha():
        return word
    [plain] = terms
    own = sum(_frequency(searcher, word, groups) for searcher in searchers)
    best, most = word, own * _MORE_FREQUENT
    for other, count in _beginning_with(searchers, plain[0]).items():
        if count > most and is_near(plain, other, 1 if len(plain) < 6 else 2):
            best, most = other, count
    return best


def _beginning_with(searchers: "Sequence[tantivy.Searcher]", letter: str) -> Counter[str]:
    """Words, and in how many pages they stand."""
    found = Counter[str]()
    for searcher in searchers:
        found.update(dict(searcher.terms_with_prefix("unstemmed", letter, limit=_MOST_COMPARED)))
    return found


def _frequency(searcher: "tantivy.Searcher", word: str, groups: Sequence[str]) -> int:
    terms = [(words_field(group), term) for group in groups for term in terms_of(word, group)]
    return max((searcher.doc_freq(*one) for one in terms), default=0)


def is_near(one: str, other: str, most: int) -> bool:
    """Can one word be made from the other with so many letters left out, put in, changed or swapped?

    >>> is_near("crawler", "crwaler", 1), is_near("crawler", "trawl", 2)
    (True, False)
    """
    if abs(len(one) - len(other)) > most:
        return False
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
            return False
    return bool(row[-1] <= most)
