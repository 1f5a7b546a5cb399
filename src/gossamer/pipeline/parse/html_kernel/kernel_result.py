"""The result of reading a page, in Python's own types."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gossamer.pipeline.parse.html_kernel.kernel_workspace import (
    HAS_BASE,
    HREF_BYTES,
    LEFT_OUT,
    LONGEST_TEXT,
    OTHERS,
    REL_BYTES,
    ROWS,
    SINGLE_NUMBERS,
    STEPS,
    TABLE,
    TEXT_BYTES,
    TEXT_END,
    WIDTH,
    make_workspace,
)
from gossamer.pipeline.parse.html_kernel.page_scan import walk
from gossamer.pipeline.parse.html_kernel.result_layout import SPANS, lay_out
from gossamer.pipeline.parse.html_kernel.rows import SPARE_ROWS

_KEPT_SIZE = 1 << 20
"""Bytes of text for which the room is kept from page to page."""
_MARGIN = 64


class PageReading(NamedTuple):
    """A page as far as a crawler looks at it."""

    html: bytes
    """What was read, as UTF-8."""
    text: bytes
    """What a reader would see."""
    others: list[list[int]]
    """Of rows that are no plain links: their place, where each of their four values begins and ends, what
    they are (see `rows`), and how many plain links come before them."""
    places: bytes
    """Of links that are taken as they stand: where on the page that is."""
    hrefs: list[bytes]
    """Their addresses."""
    rels: list[str]
    """Their `rel`s, in lower case."""
    texts: list[str]
    """Their texts, at most 1,024 bytes of each."""
    longest_text: int
    """Bytes of the longest of them."""
    offsets: list[int]
    """Where in the page's text they begin."""
    steps: int
    """Tags, comments and the like that were read."""
    has_base: bool
    """Is there a `base`? Then an address that is only a fragment leads elsewhere."""


class Reader:
    """Reads page after page in one workspace.

    >>> reading = Reader(max_links=10).read(b"<p>Tea &amp; <a href=x>cake</a>")
    >>> reading.text, reading.hrefs
    (b'Tea & cake', [b'x'])
    """

    def __init__(self, max_links: int, wants_requisites: bool = False) -> None:
        self._max_links = max_links
        self._wants_requisites = wants_requisites
        self._workspace = make_workspace(min(max_links, _FEW_ROWS) + SPARE_ROWS)
        self._text = np.empty(_MARGIN, np.uint8)

    def read(self, html: bytes, is_xml: bool = False) -> PageReading:
        """Read one page; in XML, elements may be closed at once and CDATA is text everywhere."""
        data, workspace, text = (
            np.frombuffer(html, np.uint8),
            self._workspace_for(html),
            self._buffer_for(html),
        )
        notes = self._walk(data, workspace, text, is_xml, False)
        if (
            notes[HAS_BASE] and notes[LEFT_OUT]
        ):  # the base came late: now it is known that there is one
            notes = self._walk(data, workspace, text, is_xml, True)
        rows, others = notes[ROWS], notes[OTHERS]
        places = rows - others
        hrefs = places + notes[HREF_BYTES]
        rels = hrefs + notes[REL_BYTES]
        letters = np.empty(rels + notes[TEXT_BYTES], np.uint8)
        numbers = np.empty(SPANS * others + places, np.int64)
        lay_out(data, workspace, text, numbers, letters)
        laid = letters.tobytes()
        return PageReading(
            html,
            text[: notes[TEXT_END]].tobytes(),
            numbers[: SPANS * others].reshape(others, SPANS).tolist(),
            laid[:places],
            laid[places:hrefs].split(b"\0")[:-1],
            _read_rels(laid[hrefs:rels], places),
            laid[rels:].decode("utf-8", "replace").split("\0")[:-1],
            notes[LONGEST_TEXT],
            numbers[SPANS * others :].tolist(),
            notes[STEPS],
            notes[HAS_BASE] != 0,
        )

    def _walk(
        self,
        data: NDArray[np.uint8],
        workspace: NDArray[np.int64],
        text: NDArray[np.uint8],
        is_xml: bool,
        expects_base: bool,
    ) -> list[int]:
        walk(data, workspace, text, self._max_links, self._wants_requisites, is_xml, expects_base)
        notes: list[int] = workspace[:SINGLE_NUMBERS].tolist()
        return notes

    def _workspace_for(self, html: bytes) -> NDArray[np.int64]:
        """A workspace with as many rows as the page can fill: a link takes a few bytes."""
        needed = min(self._max_links, len(html) // _SHORTEST_LINK + 1) + SPARE_ROWS
        if len(self._workspace) < TABLE + needed * WIDTH:
            self._workspace = make_workspace(self._max_links + SPARE_ROWS)
        return self._workspace

    def _buffer_for(self, html: bytes) -> NDArray[np.uint8]:
        """References are at most a quarter shorter than what they stand for (`&nGt;`)."""
        size = len(html) + len(html) // 4 + _MARGIN
        if size <= len(self._text):
            return self._text[:size]  # a page has the same room whatever was read before it
        room = np.empty(size, np.uint8)
        if size <= _KEPT_SIZE:
            self._text = room
        return room


def _read_rels(laid: bytes, count: int) -> list[str]:
    """The `rel`s of links, each with a zero behind it; most pages have none."""
    if len(laid) == count:
        return [""] * count
    return laid.decode("utf-8", "replace").lower().split("\0")[:-1]


_FEW_ROWS = 2_000
_SHORTEST_LINK = len("<a href=x style=(>") // 2
"""Bytes for each row: this tag has two."""
