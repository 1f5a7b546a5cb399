"""What is read from a page, in Python's own types."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gossamer.cycle.parse.reader.desk import (
    CLEARED,
    CODE,
    FIRST,
    IS_XML,
    MAX_LINKS,
    PLACE,
    ROWS,
    STEPS,
    TABLE,
    TEXT_END,
    WANTS_REQUISITES,
    WIDTH,
    make_desk,
)
from gossamer.cycle.parse.reader.rows import SPARE_ROWS
from gossamer.cycle.parse.reader.walk import walk

_KEPT_SIZE = 1 << 20
"""Bytes of text for which the room is kept from page to page."""
_MARGIN = 64


class Reading(NamedTuple):
    """A page as far as a crawler looks at it."""

    html: bytes
    """What was read, as UTF-8."""
    text: bytes
    """What a reader would see."""
    codes: bytes
    """What each row is; see `rows`."""
    columns: list[list[int]]
    """Of all rows: their place, and where each of their four values begins and ends."""
    steps: int
    """Tags, comments and the like that were read."""

    @property
    def rows(self) -> list[tuple[int, ...]]:
        """Code, place and spans of each row."""
        return list(zip(self.codes, *self.columns, strict=True))


class Reader:
    """Reads page after page on one desk.

    >>> reading = Reader(max_links=10).read(b"<p>Tea &amp; <a href=x>cake</a>")
    >>> reading.text, len(reading.rows)
    (b'Tea & cake', 1)
    """

    def __init__(self, max_links: int, wants_requisites: bool = False) -> None:
        self._max_links = max_links
        self._wants_requisites = wants_requisites
        self._desk = make_desk(min(max_links, _FEW_ROWS) + SPARE_ROWS)
        self._text = np.empty(_MARGIN, np.uint8)

    def read(self, html: bytes, is_xml: bool = False) -> Reading:
        """Read one page; in XML, elements may be closed at once and CDATA is text everywhere."""
        desk, text = self._desk_for(html), self._room_for(html)
        desk[:CLEARED] = 0
        desk[MAX_LINKS] = self._max_links
        desk[WANTS_REQUISITES] = self._wants_requisites
        desk[IS_XML] = is_xml
        walk(np.frombuffer(html, np.uint8), desk, text)
        end, count, steps = int(desk[TEXT_END]), int(desk[ROWS]), int(desk[STEPS])
        table = desk[TABLE : TABLE + count * WIDTH].reshape(count, WIDTH).T
        columns = [table[PLACE].tolist(), *table[FIRST:].tolist()]
        return Reading(html, text[:end].tobytes(), bytes(table[CODE].tolist()), columns, steps)

    def _desk_for(self, html: bytes) -> NDArray[np.int64]:
        """A desk with as many rows as the page can fill: a link takes a few bytes."""
        needed = min(self._max_links, len(html) // _SHORTEST_LINK + 1) + SPARE_ROWS
        if len(self._desk) < TABLE + needed * WIDTH:
            self._desk = make_desk(self._max_links + SPARE_ROWS)
        return self._desk

    def _room_for(self, html: bytes) -> NDArray[np.uint8]:
        """References are at most a quarter shorter than what they stand for (`&nGt;`)."""
        size = len(html) + len(html) // 4 + _MARGIN
        if size <= len(self._text):
            return self._text
        room = np.empty(size, np.uint8)
        if size <= _KEPT_SIZE:
            self._text = room
        return room


_FEW_ROWS = 2_000
_SHORTEST_LINK = len("<a href=x>")
