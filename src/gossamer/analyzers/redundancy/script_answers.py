"""Recognise a script's answer to a value that does not exist: `index.php?page=about` beside
`index.php?page=xyzzy`.

Pages of a script have one address, and a parameter tells them apart. Its answer to an unknown value mostly
repeats the value, so two such answers differ by that. Here they are compared word for word, their numbers
included, without the words of their own parameters; and so are their links. That is strict, because an honest
script has pages that are nearly its empty page: tables of a few numbers, galleries, lists with one entry.
"""

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple
from urllib.parse import unquote_plus

import xxhash

from gossamer.core.page_links import as_links
from gossamer.core.records import Compared

_SEPARATOR = re.compile("[&;]")
_LAST_RUN = re.compile(r"(?:%[0-9A-Fa-f]{2}|[^\W_])++(?=[\W_]*\Z)")
_ENDING = re.compile(r"\.[A-Za-z]{1,5}\Z")
_IDENTIFIER = re.compile(r"(?=.*[0-9])[0-9a-f]{10,}")
_BETWEEN = bytes(byte if byte >= 0x80 or chr(byte).isalnum() else 0x20 for byte in range(256))
_MOST_WORDS = 1000
"""Different words of an answer that are kept."""
_LEAST_WORDS = 3
_MOST_DIGITS = 9


class Query(NamedTuple):
    """A URL with parameters."""

    script: str
    """Its address, with the names of its parameters."""
    values: dict[str, str]


class ScriptAnswer(NamedTuple):
    """The content of a page of a script, without what it only repeats."""

    words: frozenset[int]
    repeated: frozenset[int]
    """The words of the page's own parameters."""
    links: int
    """A number for all links that do not name the value of a parameter."""

    @property
    def print(self) -> int:
        """The same for most answers that say the same; 0 when there is too few values."""
        own = self.words - self.repeated
        return hash((frozenset(own), self.links)) | 1 if len(own) >= _LEAST_WORDS else 0

    def says(self, words: Collection[int], links: int) -> bool:
        """Does it say the same, whichever of its words it repeats?"""
        return self.links == links and self.words.symmetric_difference(words) <= self.repeated


def read_query(url: str) -> Query | None:
    """
    >>> read_query("http://a.test/wiki.cgi?title=Tea;lang=en").script
    'http://a.test/wiki.cgi?lang&title'
    >>> read_query("http://a.test/tea") is None
    True
    """
    address, _, query = url.partition("?")
    values = dict(pair.partition("=")[::2] for pair in _SEPARATOR.split(query) if pair)
    return Query(f"{address}?{'&'.join(sorted(values))}", values) if any(values.values()) else None


def read_answer(compared: Compared, query: Query) -> ScriptAnswer:
    values = [value for value in query.values.values() if value]
    repeated = _words(" ".join(map(unquote_plus, values)).encode("utf-8", "surrogatepass"))
    words = _words(compared.document.text_utf8)
    if len(words) > _MOST_WORDS:
        return ScriptAnswer(frozenset(), repeated, 0)
    return ScriptAnswer(words, repeated, _number_links(compared, values))


def _words(text: bytes) -> frozenset[int]:
    found = set(text.lower().translate(_BETWEEN).split())
    return frozenset(map(xxhash.xxh32_intdigest, found))


def _number_links(compared: Compared, values: Sequence[str]) -> int:
    own = re.compile(f"[=/:](?:{'|'.join(map(re.escape, values))})(?![^&;/#])")
    targets = {target.text: target.key for target in as_links(compared.document.links).targets}
    return sum(key for text, key in targets.items() if not own.search(text)) & ((1 << 64) - 1)


def choose_parameter(queries: Sequence[Query], good: Sequence[Query], least: int) -> str:
    """The parameter whose values have one answer, though other values have others; empty when there is none.

    What the queries have in common, the others must have as well: a session has another number for each
    visit and always the same page.
    """
    first = queries[0].values
    variety = {name: len({query.values[name] for query in queries}) for name in first}
    name = max(variety, key=variety.__getitem__)
    common = [one for one, values in variety.items() if values == 1]
    known = {query.values[name] for query in queries}
    others = {
        query.values[name]
        for query in good
        if all(query.values[one] == first[one] for one in common)
    }
    return name if variety[name] > 1 and len(others - known) >= least else ""


def ask_for(url: str, name: str, number: int) -> str:
    """The same URL with a value of the parameter that cannot exist, but is of the same kind.

    >>> ask_for("http://a.test/?page=about.html&x=1", "page", 0)
    'http://a.test/?page=aaaaaaaaaaaaaaaa.html&x=1'
    >>> ask_for("http://a.test/?id=17", "id", 5)
    'http://a.test/?id=700000005'
    """
    before = re.search(rf"[?&;]{re.escape(name)}=", url)
    assert before is not None, "the URL has the parameter"
    start = before.end()
    value = _SEPARATOR.split(url[start:])[0]
    stem = _ENDING.sub("", value)
    first, last = next(((run.start(), run.end()) for run in _LAST_RUN.finditer(stem)), (0, 0))
    other = value[:first] + impossible(value[first:last], number) + value[last:]
    return url[:start] + other + url[start + len(value) :]


def impossible(word: str, number: int) -> str:
    """A word of the same kind that nobody uses: a large number, an identifier, or letters."""
    if word.isdecimal():
        return str(7 * 10 ** (_MOST_DIGITS - 1) + number % 10 ** (_MOST_DIGITS - 1))
    if _IDENTIFIER.fullmatch(word):
        return (f"{number:016x}" * (len(word) // 16 + 1))[: len(word)]
    return "".join(chr(ord("a") + (number >> shift & 15)) for shift in range(0, 64, 4))
