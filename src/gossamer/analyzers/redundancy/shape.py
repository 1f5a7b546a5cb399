"""The pattern that a URL follows: its host, the shape of its path, the names of its parameters."""

import re
from collections import Counter
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple


class Hint(StrEnum):
    """A property of a pattern's URLs that is typical of a trap; by itself it proves nothing."""

    NONE = "nothing new"
    REPEATS = "repeating path segments"
    GROWING = "a query that grows"
    CALENDAR = "endless dates"
    SESSION = "session ids"
    FACETS = "faceted navigation"


class Shape(NamedTuple):
    """The pattern of a URL, and the wider ones it belongs to while little is known of its own."""

    name: str
    wider: str
    """The same path with whatever query; empty when there is no query."""
    hint: Hint
    names: tuple[str, ...]
    """This one and all wider ones; the widest is the first folder."""


# A URL is asked about in the midst of a crawl, so these take no more steps than it has letters: each run
# of letters is looked at from its beginning only, and taken whole.
_ID = re.compile(
    r"[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}[0-9a-fA-F]*+"
    r"|(?<![0-9a-fA-F])(?=[a-fA-F]*+[0-9])[0-9a-fA-F]{10,}+"
)
_WORDS = re.compile(r"(?<![A-Za-z])[A-Za-z]++(?:(?:[-_+.~]|%20)[A-Za-z]++)++([-_./?;]|\Z)?+")
_NUMBER = re.compile(r"[0-9]+")
_DATE = re.compile(r"(?:19|2[0-9])[0-9]{2}[-/._]?(?:0?[1-9]|1[0-2])(?![0-9])")
_IDENTIFIER = re.compile(r"(?:^|[&;?])([A-Za-z_]++)=[0-9a-zA-Z]{8}")
_SESSION = re.compile("sid|sess|token", re.IGNORECASE)
_SEPARATOR = re.compile("[&;]")
_MOST_SEGMENTS = 8
_MOST_TIMES = 3
"""A segment that stands in a path so often says that the path repeats itself …"""
_LEAST_VARIETY = 0.6
"""… and so does a path of some length, when no more than this part of its segments are different."""
_MANY_PARAMETERS = 6


@lru_cache(maxsize=1 << 13)  # a new URL is asked about several times in a row
def shape_of(text: str) -> Shape:
    """The pattern of a URL in its canonical spelling.

    >>> shape_of("http://a.test/item/12").name
    'http://a.test/item/{n}'
    >>> shape_of("http://a.test/shop/red-shoe.html?size=9&color=b&sort=up")[1:3]
    ('http://a.test/shop/{words}.html?*', <Hint.FACETS: 'faceted navigation'>)
    >>> shape_of("http://a.test/x/y/x/y/x/z.html").name
    'http://a.test/x/…'
    """
    address, _, query = text.partition("?")
    start = address.find("/", address.find("://") + 3)
    origin, path = (address, "/") if start < 0 else (address[:start], address[start:])
    segments = path[1:].split("/")
    if _repeats(segments):
        name = f"{origin}/{segments[0]}/…"
        return Shape(name, "", Hint.REPEATS, (name,))
    place = origin + "/" + "/".join(map(_generalise, segments[:_MOST_SEGMENTS]))
    folder = f"{origin}/{_generalise(segments[0])}/**"
    if not query:
        return Shape(place, "", _hint_of_path(path), (place, folder))
    pairs = [pair.partition("=")[0] for pair in _SEPARATOR.split(query)]
    names = [_NUMBER.sub("{n}", name) for name in pairs]
    hint = _hint_of_query(names, query, path)
    name, wider = f"{place}?{'&'.join(sorted(set(names)))}", f"{place}?*"
    return Shape(name, wider, hint, (name, wider, folder))


def _repeats(segments: list[str]) -> bool:
    words = [segment for segment in segments if segment and not segment.isdecimal()]
    if len(words) <= _MOST_TIMES:
        return False
    kinds = set(words)
    if len(kinds) <= _LEAST_VARIETY * len(words):
        return True
    return max(Counter(words).values()) >= _MOST_TIMES


@lru_cache(maxsize=1 << 14)  # the folders of a site come again and again
def _generalise(segment: str) -> str:
    """A path segment without what tells one page from the next."""
    stem, dot, ending = segment.rpartition(".")
    if not dot or not ending.isalpha():
        stem, dot, ending = segment, "", ""
    stem = _WORDS.sub(_generalise_words, _ID.sub("{id}", stem))
    return _NUMBER.sub("{n}", stem) + dot + ending


def _generalise_words(found: re.Match[str]) -> str:
    """`{words}` for words joined by hyphens and the like; the last is none if something else follows it.

    >>> _generalise("red-shoe"), _generalise("red-shoe-x1"), _generalise("x-1")
    ('{words}', '{words}-x{n}', 'x-{n}')
    """
    if found[1] is not None:
        return "{words}" + found[1]
    last = max(found[0].rfind(mark) for mark in "-_.")
    is_several = _JOINT.search(found[0], 0, max(last, 0)) is not None
    return "{words}" + found[0][last:] if is_several else found[0]


_JOINT = re.compile(r"[-_+.~%]")


def _hint_of_path(path: str) -> Hint:
    if ";" in path and _has_session(path):
        return Hint.SESSION
    return Hint.CALENDAR if _has_date(path) else Hint.NONE


def _has_date(text: str) -> bool:
    """Is there a year with its month? One in eight identifiers of commits has the digits of one.

    >>> _has_date("/2024-05/"), _has_date("/f66b7dcd21696a4242e1ff93608c405741802c92/")
    (True, False)
    """
    return _DATE.search(text) is not None and _DATE.search(_ID.sub("", text)) is not None


def _has_session(text: str) -> bool:
    """Is there a parameter with the name and the value of a session?"""
    return any(_SESSION.search(name) for name in _IDENTIFIER.findall(text))


def _hint_of_query(names: list[str], query: str, path: str) -> Hint:
    if _has_session(query):
        return Hint.SESSION
    if len(names) >= _MANY_PARAMETERS or len(names) >= len(set(names)) + _MOST_TIMES - 1:
        return Hint.GROWING
    if len(names) >= _MOST_TIMES:
        return Hint.FACETS
    return Hint.CALENDAR if _has_date(query) else _hint_of_path(path)
