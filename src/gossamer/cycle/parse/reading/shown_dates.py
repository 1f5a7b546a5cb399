"""When a page was published, by what it shows to its readers: for pages that tell no machine.

A page shows other dates, too: those of teasers, comments, events. A wrong date is worse than none, so a date
counts only if it has a name that says what it is, or stands by the only headline, or is said in words
("Published on …"); and never if it stands in what others have put there.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import AnyStr
from urllib.parse import urlsplit

import numpy as np
from msgspec import Struct

from gossamer.cycle.parse.dates import read_date
from gossamer.cycle.parse.reading.elements import Elements
from gossamer.cycle.parse.reading.written_dates import DATE, day_of, read_written_date
from gossamer.cycle.parse.scan.tree import Column

_WORDS = (b"date", b"Date", b"publi")
"""Without one of these a tag tells of no date, unless it is a `time`."""
_NAMED = re.compile(
    r"(?:^|\s)(?:published|entry-date|dt-published|post-date|date-published|published-date|publish-date"
    r"|pubdate|publication-date|article-date|article__date|date-posted|posted-on)(?:\s|$)",
    re.IGNORECASE,
)
"""Names that say what it is."""
_DATE_WORD = re.compile(
    r"(?:^|[\s_-])(?:date|datum|dateline|pubdate|published|posted|publi\w*)(?:[\s_-]|$)",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"modif|updat|chang|event|birth|expir|deadline|start|end-?date|valid|copyright|comment|respon",
    re.IGNORECASE,
)
"""Dates of something else."""
_OF_A_CHANGE = re.compile(
    "updated|modified|changed|revised|stand|aktualisiert|geändert|mis à jour|actualizad|atualizad|aggiornat"
    "|bijgewerkt",
    re.IGNORECASE,
)
_FOREIGN = re.compile(
    r"comment|respon|related|teaser|sidebar|widget|recent|archive|menu|footer|calendar|carousel|slider|swiper"
    r"|event|recommend|popular|latest|navigation|pager|forum|thread|reply|review|card|listing|tile|cookie",
    re.IGNORECASE,
)
_FOREIGN_TAGS = frozenset(("nav", "aside", "footer", "a", "select", "table", "form", "button"))
_MAY_BE_DATED = re.compile("date|publi", re.IGNORECASE)
_ATTRIBUTES = ("class", "id", "itemprop", "pubdate", "datetime", "content", "title")
_MOST = 64
"""Elements that are looked at …"""
_MOST_WORDS = 1000
"""… and places at which one of the words stands."""
_LONGEST = 120
"""Characters of a text that is but a date."""
_BEFORE, _BEHIND = 15, 40
"""Elements between a headline and its date."""
_SAYING = (
    "published", "posted", "publication date", "veröffentlicht", "erschienen", "publié", "mis en ligne",
    "publicado", "pubblicato", "gepubliceerd", "publicerad", "opublikowano", "опубликовано",
)  # fmt: skip
_STEMS = (
    "publi",
    "posted",
    "veröffentlicht",
    "erschienen",
    "mis en ligne",
    "pubblicato",
    "опубликовано",
)
"""One of these is in each: most texts have none of them."""
_SAID = re.compile(
    r"(?:\s(?:on|am|le|el|il|op|em|den|dnia))?(?:\s?[:|-])?\s{0,2}"
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s|(?:\w{4,10}tag|mittwoch),?\s(?:(?:den|dem)\s)?)?"
    + DATE
)
_LONGEST_TEXT = 200_000
_IN_ADDRESS = re.compile(r"/((?:19|20)\d\d)([/-])([01]\d)\2([0-3]\d)(?=[/_.-]|$)")


class _Shown(Struct, frozen=True):
    """A date that an element shows."""

    element: int
    day: float
    is_named: bool
    is_time: bool


def find_shown_date(page: Elements, url: str, latest: float) -> float | None:
    """When a page was published, in seconds since 1970, by what it shows; None when that is not certain."""
    headline = _headline(page)
    shown = [one for one in _shown(page, headline) if one.day <= latest]
    named = [one for one in shown if one.is_named]
    for one in (_only(named), _beside(named, headline), _in_address(url), _beside(shown, headline)):
        if one is not None and one <= latest:
            return one
    return _only([one for one in shown if one.is_time])


def find_said_date(text: str) -> float | None:
    """The day on which a text says that it was published, if it says one only.

    >>> find_said_date("Published on February 15, 2023 by Ann.") == find_said_date("Posted: 15.02.2023")
    True
    """
    lowered = text[:_LONGEST_TEXT].lower()
    if not any(stem in lowered for stem in _STEMS):
        return None
    matches = (_SAID.match(lowered, end) for word in _SAYING for end in _ends(lowered, word))
    days = {day_of(found) for found in matches if found is not None}
    return days.pop() if len(days) == 1 else None


def _in_address(url: str) -> float | None:
    """The day in an address, such as `/2020/04/26/`."""
    found = _IN_ADDRESS.findall(urlsplit(url).path)
    return read_date("-".join((found[-1][0], *found[-1][2:]))) if found else None


def _only(shown: list[_Shown]) -> float | None:
    days = {one.day for one in shown}
    return days.pop() if len(days) == 1 else None


def _headline(page: Elements) -> int | None:
    headlines = page.numbers("h1")
    return headlines[0] if len(headlines) == 1 else None


def _beside(shown: Iterable[_Shown], headline: int | None) -> float | None:
    """The day by the only headline: that behind it counts before the one above."""
    if headline is None:
        return None
    distances = [(one.element - headline, one.day) for one in shown]
    behind = [one for one in distances if 0 <= one[0] <= _BEHIND]
    above = [(-away, day) for away, day in distances if -_BEFORE <= away < 0]
    return min(behind or above, default=(0, None))[1]


def _shown(page: Elements, headline: int | None) -> Iterator[_Shown]:
    for number in (_dated(page) if page.is_spelled else _dated_nodes(page))[:_MOST]:
        one = _read(page, number)
        if one is not None and not _is_foreign(page, one, headline):
            yield one


def _dated(page: Elements) -> list[int]:
    """The elements whose tags speak of dates."""
    found = (islice(_ends(page.spelling, word), _MOST_WORDS) for word in _WORDS)
    places = np.array([*chain.from_iterable(found)], np.int64)
    numbers = page.rows[:, Column.NAME_BEGIN].searchsorted(places, "right") - 1
    within = (numbers >= 0) & (places <= page.rows[numbers, Column.BEGIN])
    return sorted({*numbers[within].tolist(), *page.numbers("time")})


def _dated_nodes(page: Elements) -> list[int]:
    """The same, where the spelling does not say all."""
    return [
        number
        for number, node in enumerate(page.nodes)
        if node.tag == "time"
        or _MAY_BE_DATED.search(f"{node.class_name} {node.getattr('itemprop')}")
    ]


def _ends(text: AnyStr, word: AnyStr) -> Iterator[int]:
    """Where a word ends, each time."""
    at = text.find(word)
    while at >= 0:
        yield at + len(word)
        at = text.find(word, at + 1)


def _read(page: Elements, number: int) -> _Shown | None:
    said, tag = _attributes(page, number), page.tag(number)
    names = f"{said.get('class', '')} {said.get('id', '')}"
    properties = said.get("itemprop", "").split()
    is_published = "datePublished" in properties
    if _OTHER.search(names) or (properties and not is_published):
        return None
    is_named = is_published or "pubdate" in said or bool(_NAMED.search(names))
    if not (is_named or tag == "time" or _DATE_WORD.search(names)):
        return None
    day = _day(page, number, said)
    return None if day is None else _Shown(number, day, is_named, tag == "time")


def _attributes(page: Elements, number: int) -> dict[str, str]:
    if page.is_spelled:
        return {
            name.decode("utf-8", "replace"): value
            for name, value in page.attributes(number).items()
        }
    node = page.nodes[number]
    return {name: node.getattr(name) or "" for name in _ATTRIBUTES if node.hasattr(name)}


def _text(page: Elements, number: int) -> str:
    text = page.text(number, _LONGEST + 1) if page.is_spelled else page.nodes[number].text
    return " ".join((text or "")[: 4 * _LONGEST].split())


def _day(page: Elements, number: int, said: dict[str, str]) -> float | None:
    """What an element says to machines, or shows."""
    for name in ("datetime", "content", "title"):
        value = said.get(name, "").strip()
        day = _whole_date(value) if len(value) <= _LONGEST else None
        if day is not None:
            return day
    text = _text(page, number)
    if len(text) > _LONGEST or _OF_A_CHANGE.search(text):
        return None
    return read_written_date(text)


def _whole_date(text: str) -> float | None:
    """A date of machines or of people, but more than a year or a month."""
    found = read_date(text) if len(text) >= len("2023-1-1") else None
    return read_written_date(text) if found is None else found


def _is_foreign(page: Elements, shown: _Shown, headline: int | None) -> bool:
    """Does it stand in what is not the page's own? What holds the headline, too, is."""
    number = shown.element
    while number:
        begin, end = number, page.rows[number, Column.END]
        if headline is not None and begin <= headline < end:
            return False
        tag = page.tag(number)
        if page.is_hidden(number) or (tag in _FOREIGN_TAGS and not (tag == "a" and shown.is_named)):
            return True
        if number != shown.element and _FOREIGN.search(page.names(number)):
            return True
        number = int(page.rows[number, Column.PARENT])
    return False
