"""The part of a text that shows best why a page was found."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from gossamer.search.terms import (
    group_of,
    has_unspaced,
    spread,
    stop_words,
    terms_asked,
    terms_of,
)

LONGEST = 240
"""Characters of a snippet."""
_WINDOW = LONGEST * 3 // 4
"""Within so many of them its words shall stand, so that it shows what is around them."""
_MOST_LOOKED_AT = 40_000
"""Characters of a text that are searched: a book shall not take longer to show than to find."""
_MARKS = (
    "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0dff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
)
"""Signs that belong to words, and are no letters by themselves: accents, vowels of Indic scripts."""
_WORD = re.compile(rf"[\w{_MARKS}]+")
_SPACES = re.compile(r"\s+")

_Place = tuple[int, int, str]
"""Where a word begins and ends, and as which term it is wanted."""


class Snippet(Struct, frozen=True):
    text: str
    marks: tuple[tuple[int, int], ...] = ()
    """Where words of the question begin and end."""

    def marked(self, begin: str, end: str, escape: Callable[[str], str] = str) -> str:
        """
        >>> Snippet("a polite crawler", ((2, 8),)).marked("[", "]")
        'a [polite] crawler'
        """
        pieces, at = [], 0
        for first, last in self.marks:
            pieces += [escape(self.text[at:first]), begin, escape(self.text[first:last]), end]
            at = last
        return "".join((*pieces, escape(self.text[at:])))


def make_snippet(text: str, words: Sequence[str], language: str = "") -> Snippet:
    """The piece of a text with the most different words of a question.

    >>> make_snippet("Tea is a drink. Coffee too.", ["drinks"], "en")
    Snippet(text='Tea is a drink. Coffee too.', marks=((9, 14),))
    """
    group = group_of(language)
    stopped = stop_words(words, group)
    wanted = {term for word in words if word not in stopped for term in terms_asked(word, group)}
    found = _until_all(_find(text[:_MOST_LOOKED_AT], wanted, group), len(wanted))
    begin = _best_begin(found)
    begin = _at_word(text, begin)
    end = _end_of_word(text, begin + LONGEST)
    piece = text[begin:end]
    marks = [
        (first - begin, last - begin) for first, last, _ in found if begin <= first and last <= end
    ]
    return Snippet(_on_one_line(piece), tuple(marks))


def _until_all(places: Iterator[_Place], wanted: int) -> list[_Place]:
    """The places of words, up to the end of the first piece that has all of them: no later one is better."""
    found, last_of, enough = list[_Place](), dict[str, int](), -1
    for place in places:
        begin, end, term = place
        if 0 <= enough < begin:
            break
        found.append(place)
        last_of[term] = begin
        if enough < 0 and len(last_of) == wanted and min(last_of.values()) + _WINDOW >= end:
            enough = end + LONGEST
    return found


def _find(text: str, wanted: set[str], group: str) -> Iterator[_Place]:
    """Find the places of wanted words, and their numbers."""
    known: dict[str, str] = {}
    for match in _pattern(text, wanted).finditer(text):
        word = match.group()
        if word not in known:
            known[word] = next((one for one in terms_of(spread(word), group) if one in wanted), "")
        if term := known[word]:
            yield match.start(), match.end(), term


def _pattern(text: str, wanted: set[str]) -> re.Pattern[str]:
    """Words that may be wanted. A stem begins as its word does, but for accents; few need a closer look."""
    if not wanted or has_unspaced(text):
        return _WORD
    return _beginning_with("".join(sorted({term[:1] for term in wanted})))


@lru_cache(1000)
def _beginning_with(letters: str) -> re.Pattern[str]:
    """The letter is looked for first, as most are another; then, whether a word begins with it."""
    wanted = {*letters, *letters.upper()}
    others = re.escape("".join(one for one in map(chr, range(128)) if one not in wanted))
    begins = rf"(?<!(?:[^\W_]|[{_MARKS}]).)(?<=[\w{_MARKS}])"
    return re.compile(rf"[^{others}]{begins}[\w{_MARKS}]*", re.DOTALL)


def _best_begin(found: Sequence[_Place]) -> int:
    """The beginning of the snippet with the most different words; of equals, the first."""
    best, most = 0, 0
    for at, (first, _, _) in enumerate(found):
        inside = {term for begin, end, term in found[at : at + 40] if end <= first + _WINDOW}
        if len(inside) > most:
            best, most = first, len(inside)
    return max(0, best - LONGEST // 5)


def _at_word(text: str, begin: int) -> int:
    """The next beginning of a word, or of a line."""
    if begin == 0:
        return 0
    match = _SPACES.search(text, begin, begin + 30)
    return match.end() if match else begin


def _end_of_word(text: str, end: int) -> int:
    """The end of the last word that is there as a whole; of a very long one, a part stays."""
    if end >= len(text) or has_unspaced(text[end - 1 : end + 1]):
        return min(end, len(text))
    spaces = [*_SPACES.finditer(text, end - 40, end + 1)]
    return spaces[-1].start() if spaces else end


def _on_one_line(text: str) -> str:
    """The same number of characters, none of which moves a cursor or turns the direction of writing."""
    text = text.replace("\n", " ")
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else " " for one in text)
