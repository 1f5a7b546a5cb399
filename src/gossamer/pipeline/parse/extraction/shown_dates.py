"""Find the date of publication that a page shows to its readers, where none is marked up for programs.

A page shows other dates, too: those of teasers, comments, events. A wrong date is worse than none, so a date
counts only if it has a name that says what it is, or stands by the only headline; and never if it stands in
what others have put there. What is said in words is read from the text (`said_dates.py`).
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from urllib.parse import urlsplit

import numpy as np
from msgspec import Struct

from gossamer.pipeline.parse.extraction.html_elements import Elements
from gossamer.pipeline.parse.extraction.written_dates import WRITTEN_DATE, read_written_date
from gossamer.pipeline.parse.extraction_kernels.element_tree import Column
from gossamer.pipeline.parse.feed_dates import read_date

_WORDS = (b"date", b"Date", b"datum", b"publi")
"""Without one of these a tag tells of no date, unless it is a `time`."""
_NAMED = re.compile(
    r"(?:^|\s)(?:published|entry-date|dt-published|post-date|date-published|published-date|publish-date"
    r"|pubdate|publication-date|article-date|article__date|date-posted|posted-on)(?:\s|$)"
    r"|(?:publish(?:ed|ing)?|publication|posted|creat(?:e|ed|ion))[-_]date|date[-_](?:publi|posted|creat)",
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
    r"(?:^|[\s_-])nav|comment|respon|related|teaser|sidebar|widget|recent|archive|menu|footer|calendar|carousel|slider|swiper"
    r"|event|recommend|popular|latest|navigation|pager|forum|thread|reply|review|card|listing|tile|cookie",
    re.IGNORECASE,
)
_FOREIGN_TAGS = frozenset(("nav", "aside", "footer", "a", "select", "table", "form", "button"))
_WHOLE = frozenset(("html", "body"))
"""Their names say what a page has (`one-sidebar`), not what it is."""
_MAY_BE_DATED = re.compile("date|datum|publi", re.IGNORECASE)
_RDFA = frozenset(
    (
        *(
            "dc:date",
            "dc:created",
            "dc:issued",
            "dcterms:date",
            "dcterms:created",
            "dcterms:issued",
        ),
        *("datepublished", "schema:datepublished", "schema:datecreated", "article:published_time"),
    )
)
"""Names for `property`, in small letters."""
_MAIN = frozenset(("html", "body", "main", "article"))
_ATTRIBUTES = ("class", "id", "itemprop", "property", "pubdate", "datetime", "content", "title")
_NAMING = ("class", "itemprop", "property")
_MOST = 64
"""Elements that are looked at …"""
_MOST_WORDS = 1000
"""… and places at which one of the words stands."""
_LONGEST = 120
"""Characters of a text that is but a date."""
_BEFORE, _BEHIND = 15, 40
"""Elements between a headline and its date …"""
_LINES, _LONGEST_LINE, _MOST_BESIDE = 12, 60, 30
"""… and short lines between a headline and one that has no name, but hardly says more than a date."""
_FAR = 60
"""Elements that may hold these lines: some are there for advertisements only."""
_DIGIT = re.compile(r"\d")
"""Without one, nothing is a date."""
_CLOCK = re.compile(r"\d?\d[:.]\d\d(?::\d\d)?\s?(?:uhr|am|pm|h|Uhr|AM|PM)?")
_NAME_OF_SITE = re.compile(r"\w.*\s[|\-–—·•»:]\s$")
"""What stands in a title before the name of its site."""
_LEAST_TITLE = 8
"""Characters of a headline that is known by the title of the page."""
_IN_ADDRESS = re.compile(
    r"/((?:19|20)\d\d)(?:([/-])([01]\d)\2([0-3]\d)|-([01]\d)/([0-3]\d)|([01]\d)([0-3]\d))(?=[/_.-]|$)"
)
"""As in `/2020/04/26/`, `/2020-04-26`, `/2020-04/26/`, `/20200426-`."""


class _Shown(Struct, frozen=True):
    """A date that an element shows."""

    element: int
    day: float
    is_named: bool
    is_time: bool


def find_shown_date(
    page: Elements, title: str, url: str, latest: float, is_day_first: bool = False
) -> float | None:
    """The date of publication that a page shows, in seconds since 1970; None when it is not certain."""
    headline = _headline(page, title)
    shown = [
        row
        for row in _shown(page, headline, is_day_first)
        if row.day <= latest and not _is_under_another(page, row.element, headline)
    ]
    named = [row for row in shown if row.is_named]
    choices = (
        lambda: _only(named),
        lambda: _beside(named, headline),
        lambda: find_address_date(url),
        lambda: _beside(shown, headline),
        lambda: _in_line_behind(page, headline, is_day_first),
        lambda: _in_line_above(page, headline, is_day_first),
        lambda: _only([row for row in shown if row.is_time]),
    )
    return first_date(choices, latest)


def first_date(choices: Iterable[Callable[[], float | None]], latest: float) -> float | None:
    """The first date that there is and that may be; who comes later is not asked."""
    return next((day for one in choices if (day := one()) is not None and day <= latest), None)


def find_address_date(url: str) -> float | None:
    """The day in an address.

    >>> find_address_date("http://a.test/2020/04/26/tea") == find_address_date("http://a.test/20200426-tea")
    True
    """
    found = _IN_ADDRESS.findall(urlsplit(url).path)
    if not found:
        return None
    year, _, *rest = found[-1]
    return read_date("-".join((year, *filter(None, rest))))


def _is_under_another(page: Elements, element: int, headline: int | None) -> bool:
    """Does it stand behind a heading of its own, and that behind prose of the page, as in a teaser?"""
    parent = int(page.rows[element, Column.PARENT])
    if headline is None or page.tag(parent) in _MAIN:
        return False
    headings = (one for one in page.headings() if max(parent, headline) < one < element)
    return any(any(page.own_prose[headline + 1 : one]) for one in headings)


def _only(shown: list[_Shown]) -> float | None:
    days = {row.day for row in shown}
    return days.pop() if len(days) == 1 else None


def _headline(page: Elements, title: str) -> int | None:
    """The only headline, or else the one that the title of the page repeats: the name of the site is none."""
    headlines = page.numbers("h1")
    if len(headlines) == 1 and not _is_end(page, headlines[0], title):
        return headlines[0]
    known = headlines if len(headlines) > 1 else page.headings()
    named = (number for number in known[:_MOST] if _is_in(page, number, title))
    return next((number for number in named if not _is_end(page, number, title)), None)


def _is_end(page: Elements, headline: int, title: str) -> bool:
    """Is it what the title ends with, behind something else: the name of the site?"""
    text = _text(page, headline, 4 * _LONGEST).casefold()
    whole = " ".join(title.split()).casefold()
    return bool(text) and whole.endswith(text) and bool(_NAME_OF_SITE.search(whole[: -len(text)]))


def _is_in(page: Elements, headline: int, title: str) -> bool:
    text = _text(page, headline, 4 * _LONGEST).casefold()
    return len(text) >= _LEAST_TITLE and text in title.casefold()


def _in_line_behind(page: Elements, headline: int | None, is_day_first: bool) -> float | None:
    """The only day in short lines behind the headline, before the first prose: `dpa | 26 April 2020`."""
    if headline is None:
        return None
    begin = int(page.rows[headline, Column.END])
    return _in_lines(page, range(begin, min(begin + _FAR, len(page))), headline, is_day_first)


def _in_line_above(page: Elements, headline: int | None, is_day_first: bool) -> float | None:
    """The only day in short lines between the headline and the beginning of what holds it."""
    parent = page.rows[headline, Column.PARENT] if headline is not None else 0
    if headline is None or page.tag(parent) in _WHOLE:
        return None
    return _in_lines(page, range(parent + 1, headline)[-_LINES:], headline, is_day_first)


def _in_lines(page: Elements, numbers: range, headline: int, is_day_first: bool) -> float | None:
    days, lines = set[float](), 0
    rows = page.rows[numbers.start : numbers.stop, [Column.TEXT, Column.OWN_PROSE]].tolist()
    for number, (characters, prose) in zip(numbers, rows, strict=True):
        if characters > _LONGEST_LINE and prose:
            break
        is_read = characters <= _LONGEST_LINE and page.tag(number) not in ("script", "style")
        text = _text(page, number) if is_read else ""
        lines += bool(text)
        if lines > _LINES:
            break
        is_short = 0 < len(text) <= _LONGEST_LINE and _DIGIT.search(text)
        day = read_written_date(text, is_day_first) if is_short and _is_bare(text) else None
        if day is not None and not _is_of_another(page, number, headline):
            days.add(day)
    return days.pop() if len(days) == 1 else None


def _is_of_another(page: Elements, number: int, headline: int) -> bool:
    said = _attributes(page, number)
    names = f"{said.get('class', '')} {said.get('id', '')}"
    return bool(_OTHER.search(names) or said.get("itemprop") or _is_foreign(page, number, headline))


def _is_bare(text: str) -> bool:
    """Does a line say hardly more than the date?"""
    beside = _CLOCK.sub("", WRITTEN_DATE.sub("", text))
    return len(beside) <= _MOST_BESIDE and not _OF_A_CHANGE.search(text)


def _beside(shown: Iterable[_Shown], headline: int | None) -> float | None:
    """The day by the only headline: that behind it counts before the one above."""
    if headline is None:
        return None
    distances = [(row.element - headline, row.day) for row in shown]
    behind = [one for one in distances if 0 <= one[0] <= _BEHIND]
    above = [(-away, day) for away, day in distances if -_BEFORE <= away < 0]
    return min(behind or above, default=(0, None))[1]


def _shown(page: Elements, headline: int | None, is_day_first: bool) -> Iterator[_Shown]:
    for number in (_dated(page) if page.is_spelled else _dated_nodes(page))[:_MOST]:
        one = _read(page, number, is_day_first)
        if one is not None and not _is_foreign(page, one.element, headline, one.is_named):
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
        or _MAY_BE_DATED.search(" ".join(node.getattr(name) or "" for name in _NAMING))
    ]


def _ends(text: bytes, word: bytes) -> Iterator[int]:
    """The ends of a word, each time."""
    at = text.find(word)
    while at >= 0:
        yield at + len(word)
        at = text.find(word, at + 1)


def _read(page: Elements, number: int, is_day_first: bool) -> _Shown | None:
    said, tag = _attributes(page, number), page.tag(number)
    names = f"{said.get('class', '')} {said.get('id', '')}"
    properties = said.get("itemprop", "").split()
    is_published = "datePublished" in properties
    if _OTHER.search(names) or (properties and not is_published):
        return None
    is_published = is_published or not _RDFA.isdisjoint(said.get("property", "").lower().split())
    is_named = is_published or "pubdate" in said or bool(_NAMED.search(names))
    if not (is_named or tag == "time" or _DATE_WORD.search(names)):
        return None
    day = _day(page, number, said, is_day_first)
    return None if day is None else _Shown(number, day, is_named, tag == "time")


def _attributes(page: Elements, number: int) -> dict[str, str]:
    if page.is_spelled:
        return {
            name.decode("utf-8", "replace"): value
            for name, value in page.attributes(number).items()
        }
    node = page.nodes[number]
    return {name: node.getattr(name) or "" for name in _ATTRIBUTES if node.hasattr(name)}


def _text(page: Elements, number: int, most: int = _LONGEST + 1) -> str:
    text = page.text(number, most) if page.is_spelled else page.nodes[number].text
    return " ".join((text or "")[: 4 * _LONGEST].split())


def _day(page: Elements, number: int, said: dict[str, str], is_day_first: bool) -> float | None:
    """The day that an element has for machines, or shows."""
    for name in ("datetime", "content", "title"):
        value = said.get(name, "").strip()
        day = _whole_date(value) if len(value) <= _LONGEST else None
        if day is not None:
            return day
    text = _text(page, number)
    if len(text) > _LONGEST or _OF_A_CHANGE.search(text):
        return None
    day = read_written_date(text, is_day_first)
    if day is None and page.is_spelled:  # `15 February 2023<span>15/02/2023`
        apart = page.text(number, _LONGEST + 1, b" ") or ""
        day = read_written_date(" ".join(apart.split()), is_day_first)
    return day


def _whole_date(text: str) -> float | None:
    """A date of machines or of people, but more than a year or a month."""
    found = read_date(text) if len(text) >= len("2023-1-1") else None
    return read_written_date(text) if found is None else found


def _is_foreign(page: Elements, element: int, headline: int | None, is_named: bool = False) -> bool:
    """Does it stand in what is not the page's own? What also holds the headline is."""
    number = element
    while number:
        begin, end = number, page.rows[number, Column.END]
        if headline is not None and begin <= headline < end:
            return False
        tag = page.tag(number)
        if page.is_hidden(number) or (tag in _FOREIGN_TAGS and not (tag == "a" and is_named)):
            return True
        if number != element and tag not in _WHOLE and _FOREIGN.search(page.names(number)):
            return True
        number = int(page.rows[number, Column.PARENT])
    return False
