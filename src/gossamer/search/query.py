"""Parse a query: words, phrases, conditions, and how they belong together.

    ring frontier             pages with both words
    "url frontier"            these words in this order
    mercator OR irlbot        one of them
    -draft, NOT draft         not this one
    ( … )                     what belongs together
    site:example.org          of this host, or of one below it
    inurl:guide intitle:dns   a word of the URL, of the title
    lang:en type:pdf          the language; the media type, its last part, or the ending of the file's name
    after:2026-03-31 before:2026-05
                              published, changed or else fetched on this day or later; before this day
    link:URL related:URL      pages that link to this one; pages that are about the same

People mistype, so a quote or bracket that is missing is taken to stand at the end, and one too many to mean
nothing. What cannot be meant is refused in one line.
"""

import re
from collections.abc import Container, Iterator
from datetime import UTC, datetime
from enum import StrEnum
from typing import NoReturn

from msgspec import Struct

from gossamer.core.errors import GossamerError

_MOST_CONDITIONS = 64
MOST_WORDS = 200
"""Of a longer question, the rarest words are looked for."""
_TEXT = 30
"""A question of so many words is a text that was pasted."""
_LONGEST = 10_000
"""A question of more words is a mistake."""
_DEEPEST = 20


class QueryError(GossamerError):
    """A question that cannot be understood.

    >>> parse_query("after:yesterday")
    Traceback (most recent call last):
    gossamer.search.query.QueryError: 'after:yesterday' needs a day, such as after:2026-03-31
    """


class Condition(StrEnum):
    SITE = "site"
    INURL = "inurl"
    INTITLE = "intitle"
    LANG = "lang"
    TYPE = "type"
    AFTER = "after"
    BEFORE = "before"
    LINK = "link"
    RELATED = "related"


class Phrase(Struct, frozen=True, tag=True):
    """One word, or several in this order."""

    text: str
    is_quoted: bool = False
    """Was it in quotes? Then it is needed."""


class Where(Struct, frozen=True, tag=True):
    condition: Condition
    value: str
    moment: float = 0.0
    """Of a day: its beginning, in seconds since 1970."""


class Not(Struct, frozen=True, tag=True):
    what: "Node"


class All(Struct, frozen=True, tag=True):
    parts: tuple["Node", ...]


class Any(Struct, frozen=True, tag=True):
    parts: tuple["Node", ...]


Node = Phrase | Where | Not | All | Any


def parse_query(text: str) -> Node:
    """
    >>> parse_query('"web crawler" -draft')
    All(parts=(Phrase(text='web crawler', is_quoted=True), Not(what=Phrase(text='draft', is_quoted=False))))
    >>> [*words_of(parse_query("robots OR (sitemap site:example.org)"))]
    ['robots', 'sitemap']
    """
    found = _Parser(text).whole()
    if found is None:
        raise QueryError("there is nothing to look for; write a word, such as: crawler")
    if not _asks(found):
        raise QueryError("a search cannot only exclude words; add a word, such as: crawler")
    return without_quotes(found) if is_text(found) else found  # it quotes what it speaks of


def is_text(node: Node) -> bool:
    """Was a text pasted?"""
    return sum(1 for _ in words_of(node)) >= _TEXT


def words_of(node: Node) -> Iterator[str]:
    """The words and phrases that are wanted, in order."""
    if isinstance(node, Phrase):
        yield node.text
    elif isinstance(node, All | Any):
        for part in node.parts:
            yield from words_of(part)


def keep_words(node: Node, kept: Container[str]) -> Node | None:
    """A question without the words that are not kept; conditions, and what is not wanted, stay."""
    if isinstance(node, Phrase):
        return node if node.text in kept else None
    if isinstance(node, All | Any):
        return _together(type(node), [keep_words(part, kept) for part in node.parts])
    return node


def without_quotes(node: Node) -> Node:
    """A question whose phrases are wanted, and not needed."""
    if isinstance(node, Phrase) and node.is_quoted:
        return _together(All, [*map(Phrase, node.text.split())]) or node
    if isinstance(node, All | Any):
        return _together(type(node), [*map(without_quotes, node.parts)]) or node
    return node


_PIECE = re.compile(
    r"""
    (?P<space>\s+)
    | (?P<open>\() | (?P<close>\)) | (?P<either>\|)
    | (?P<name>-?[a-z]+):(?:"(?P<quoted>[^"]*)"?|(?P<plain>[^\s"()|]+))
    | (?P<minus>-)(?=[^\s-]) | (?P<plus>\+)
    | "(?P<phrase>[^"]*)"?
    | (?P<word>[^\s"()|]+)
    """,
    re.VERBOSE | re.IGNORECASE,
)


class _Piece(Struct, frozen=True):
    kind: str
    text: str


class _Parser:
    def __init__(self, text: str) -> None:
        self._pieces = [*_cut(text.encode("utf-8", "replace").decode())]
        self._at = self._depth = 0
        if len(self._pieces) > _LONGEST:
            raise QueryError(f"a search has at most {_LONGEST:,} words; leave some out")
        if sum(piece.kind == "where" for piece in self._pieces) > _MOST_CONDITIONS:
            raise QueryError(f"a search has at most {_MOST_CONDITIONS} conditions; leave some out")

    def whole(self) -> Node | None:
        parts = []
        while self._at < len(self._pieces):
            parts.append(self._either())
            self._take("close")  # one too many
        return _together(All, parts)

    def _either(self) -> Node | None:
        parts = [self._together()]
        while self._take("either"):
            parts.append(self._together())
        return _together(Any, parts)

    def _together(self) -> Node | None:
        parts = []
        while (piece := self._next()) and piece.kind not in ("either", "close"):
            parts.append(self._one())
        return _together(All, parts)

    def _one(self) -> Node | None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise QueryError(f"brackets are nested more than {_DEEPEST} deep; use fewer")
        try:
            if self._take("not"):
                what = self._one() if self._next() else None
                return None if what is None else what.what if isinstance(what, Not) else Not(what)
            if self._take("open"):
                inner = self._either()
                self._take("close")
                return inner
            return self._leaf()
        finally:
            self._depth -= 1

    def _leaf(self) -> Node | None:
        piece = self._pieces[self._at]
        self._at += 1
        if piece.kind == "where":
            return _where(piece.text)
        is_quoted = piece.kind == "phrase"
        return Phrase(piece.text, is_quoted) if any(map(str.isalnum, piece.text)) else None

    def _next(self) -> _Piece | None:
        return self._pieces[self._at] if self._at < len(self._pieces) else None

    def _take(self, kind: str) -> bool:
        piece = self._next()
        is_there = piece is not None and piece.kind == kind
        self._at += is_there
        return is_there


def _cut(text: str) -> Iterator[_Piece]:
    for match in _PIECE.finditer(text):
        kind, piece = match.lastgroup or "", match.group()
        if kind in ("quoted", "plain"):
            yield from _cut_named(match["name"], match[kind], piece)
        elif kind in ("open", "close", "either"):
            yield _Piece(kind, piece)
        elif kind == "minus" or piece == "NOT":
            yield _Piece("not", piece)
        elif piece == "OR":
            yield _Piece("either", piece)
        elif kind == "phrase":
            yield _Piece("phrase", match["phrase"])
        elif kind == "word" and piece != "AND":
            yield _Piece("word", piece)


def _cut_named(name: str, value: str, piece: str) -> Iterator[_Piece]:
    if name.startswith("-"):
        yield _Piece("not", "-")
    plain = name.removeprefix("-").lower()
    plain = _OTHER_NAMES.get(plain, plain)
    is_condition = plain in Condition.__members__.values()
    yield _Piece("where", f"{plain}:{value}") if is_condition else _Piece("word", piece.lstrip("-"))


_OTHER_NAMES = {"filetype": "type", "ext": "type", "title": "intitle", "url": "inurl"}


def _where(text: str) -> Where:
    name, _, value = text.partition(":")
    condition, value = Condition(name), value.strip()
    if not value:
        raise QueryError(f"{text!r} needs a value, such as {name}:{_EXAMPLES[condition]}")
    if condition in (Condition.LINK, Condition.RELATED) and "://" not in value:
        raise QueryError(f"{text!r} needs a URL, such as {name}:{_EXAMPLES[condition]}")
    if condition in (Condition.AFTER, Condition.BEFORE):
        return Where(condition, value, _day(text, name, value))
    return Where(condition, value)


_EXAMPLES = {
    Condition.SITE: "example.org",
    Condition.INURL: "guide",
    Condition.INTITLE: "guide",
    Condition.LANG: "en",
    Condition.TYPE: "pdf",
    Condition.AFTER: "2026-03-31",
    Condition.BEFORE: "2026-03-31",
    Condition.LINK: "https://example.org/",
    Condition.RELATED: "https://example.org/",
}
_DAY = re.compile(r"(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?", re.ASCII)


def _day(text: str, name: str, value: str) -> float:
    match = _DAY.fullmatch(value)
    try:
        if match:
            year, month, day = (int(one or 1) for one in match.groups())
            return datetime(year, month, day, tzinfo=UTC).timestamp()
    except ValueError:
        pass
    _refuse(f"{text!r} needs a day, such as {name}:{_EXAMPLES[Condition(name)]}")


def _refuse(what: str) -> NoReturn:
    raise QueryError(what)


def _together(kind: type[All] | type[Any], parts: list[Node | None]) -> Node | None:
    there = [part for part in parts if part is not None]
    if len(there) < 2:
        return there[0] if there else None
    flat = [one for part in there for one in (part.parts if isinstance(part, kind) else (part,))]
    return kind(tuple(flat))


def _asks(node: Node) -> bool:
    """Does anything say what is wanted, wherever one may choose?"""
    if isinstance(node, All):
        return any(map(_asks, node.parts))
    if isinstance(node, Any):
        return all(map(_asks, node.parts))
    return not isinstance(node, Not)
