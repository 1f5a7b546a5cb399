"""A page's elements in a table: where each begins and ends, what it is called, how much prose it holds.

The rules for main text look at numbers instead of at the tree, which would make an object for each step. A
kernel fills the table from the tree's spelling; where that does not say all, a walk over the tree does. Most
questions are answered by kernels, too (`scan`); lists of its columns are made for those who ask.

Text belongs to the block around it: `<p>a <b>c</b></p>` is one run. A run is prose when it is long, has a
mark of punctuation and is hardly linked. Articles are made of prose; menus, teasers and tables are not.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from html import unescape

import numpy as np
from numpy.typing import NDArray
from resiliparse.parse.html import DOMNode

from gossamer.pipeline.parse.extraction.walked import walk
from gossamer.pipeline.parse.extraction_kernels.element_tree import (
    COLUMNS,
    DEEPEST,
    KEYS,
    MEANS,
    NAMES,
    TOO_LARGE,
    UNCLEAR,
    Column,
    list_tree,
)

_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_ATTRIBUTE = re.compile(rb' (=?[^ =>]*)(?:="([^"]*)")?')
_TAG = re.compile(rb'<(?:!--(?s:.)*?--|[^>"]*+(?:"[^"]*+"[^>"]*+)*+)>')
_RAW = re.compile(rb"<(?:script|style|iframe)\b")
_MOST_SPELLING = 64 << 10
"""Bytes in which the text of one element is looked for."""
_LONGEST_CHARACTER = len("&nbsp;")
_BEGIN, _CLOSE = int(Column.BEGIN), int(Column.CLOSE)
_NUMBERS = {name: number for number, name in enumerate(NAMES)}


class Elements:
    """The elements of a page, by their numbers, in the order of their start tags; the first is the root."""

    def __init__(
        self, root: DOMNode, rows: NDArray[np.int32], depth: int, mentions: int, spelling: bytes
    ) -> None:
        self._root = root
        self.rows = rows
        self.depth = depth
        self.mentions = mentions
        self.spelling = spelling
        """Bytes in which their tags and names stand."""

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def nodes(self) -> list[DOMNode]:
        """Their nodes: an object each, so that nobody should ask without need."""
        return [node for node in self._root if node.tag[0] != "#"]

    @cached_property
    def tags(self) -> list[str]:
        names = self.rows[:, Column.NAME]
        tags = [*map(NAMES.__getitem__, names.tolist())]
        for number in np.flatnonzero(names == 0).tolist():
            tags[number] = self._value(number, Column.NAME_BEGIN).lower()
        return tags

    @cached_property
    def parents(self) -> list[int]:
        return self._column(Column.PARENT)

    @cached_property
    def ends(self) -> list[int]:
        """The number after that of the last element within."""
        return self._column(Column.END)

    @cached_property
    def runs(self) -> list[int]:
        """Characters of the text that belongs to the element itself, as a block."""
        return self._column(Column.RUN)

    @cached_property
    def own_prose(self) -> list[int]:
        """The same, if it is prose."""
        return self._column(Column.OWN_PROSE)

    @cached_property
    def texts(self) -> list[int]:
        """Characters of all text within."""
        return self._column(Column.TEXT)

    @cached_property
    def links(self) -> list[int]:
        """Those that lead to other pages."""
        return self._column(Column.LINK)

    @cached_property
    def prose(self) -> list[int]:
        """Those that are prose."""
        return self._column(Column.PROSE)

    @cached_property
    def roles(self) -> dict[int, str]:
        """The roles of elements by their own word; those that say nothing are left out."""
        places = self.rows[:, Column.ROLE : Column.ROLE_END + 1]
        there = np.flatnonzero(places[:, 1] > places[:, 0])
        return {number: self._value(number, Column.ROLE) for number in there.tolist()}

    def _column(self, column: Column) -> list[int]:
        numbers: list[int] = self.rows[:, column].tolist()
        return numbers

    def _value(self, element: int, column: Column) -> str:
        begin, end = self.rows[element, column : column + 2].tolist()
        return spelled(self.spelling[begin:end])

    def tag(self, element: int) -> str:
        """The tag of one, if not all are needed."""
        return NAMES[self.rows[element, Column.NAME]] or self._value(element, Column.NAME_BEGIN)

    def is_hidden(self, element: int) -> bool:
        return bool(self.rows[element, Column.HIDDEN])

    def names(self, element: int) -> str:
        """Class, id and role."""
        said = (self._value(element, one) for one in (Column.CLASS, Column.ID, Column.ROLE))
        return " ".join(said).strip()

    @property
    def is_spelled(self) -> bool:
        """Does the spelling say all of them, or was the tree walked?"""
        return bool(self.rows[0, Column.BEGIN])

    def attributes(self, element: int) -> dict[bytes, str]:
        """All that its tag says, if the spelling says all."""
        begin, end = self.rows[element, Column.NAME_END], self.rows[element, Column.BEGIN]
        pairs = _ATTRIBUTE.findall(self.spelling, begin, end)
        return {name: spelled(value) for name, value in pairs}

    def text(self, element: int, most: int, between: bytes = b"") -> str | None:
        """The first characters that it holds, if the spelling says all; None where scripts are among them.

        `between` stands between texts that a tag divides.

        Elements may hold each other, and all of the page: no more of it is looked at than is needed.
        """
        row = self.rows[element].tolist()
        at, end = row[_BEGIN], row[_CLOSE]
        last, space = min(end, at + _MOST_SPELLING), _LONGEST_CHARACTER * most
        parts = list[bytes]()
        while at < last and space > 0:
            tag = self.spelling.find(b"<", at, min(end, at + space))
            parts.append(self.spelling[at : tag if tag >= 0 else min(end, at + space)])
            if tag < 0:
                break
            found = _TAG.match(self.spelling, tag, end)
            if found is None or _RAW.match(self.spelling, tag):
                return None
            space, at = space - (tag - at), found.end()
        return spelled(between.join(parts))[:most]

    def main_parts(self) -> list[int]:
        """Those that the page calls its main part."""
        by_role = [number for number, role in self.roles.items() if role == "main"]
        return sorted({*self.numbers("main"), *by_role})

    def numbers(self, tag: str) -> list[int]:
        """The elements of a tag that is known by its number."""
        found: list[int] = (self._names == _NUMBERS[tag]).nonzero()[0].tolist()
        return found

    @cached_property
    def _names(self) -> NDArray[np.int32]:
        """The numbers of all tags, side by side."""
        return np.ascontiguousarray(self.rows[:, Column.NAME])

    def headings(self) -> list[int]:
        found: list[int] = _IS_HEADING[self._names].nonzero()[0].tolist()
        return found

    def sections(self) -> list[int]:
        """The elements with an `id` that begin with a heading."""
        has_id = self.rows[:-1, Column.ID_END] > self.rows[:-1, Column.ID]
        is_around = self.rows[1:, Column.PARENT] == np.arange(len(self.rows) - 1)
        begins = _IS_HEADING[self.rows[1:, Column.NAME]]
        found: list[int] = np.flatnonzero(has_id & is_around & begins).tolist()
        return found

    def identity(self, element: int) -> str:
        """Its `id`."""
        return self._value(element, Column.ID)

    def children(self, element: int) -> Iterator[int]:
        child, end = element + 1, self.ends[element]
        while child < end:
            yield child
            child = self.ends[child]

    def kept(self, left_out: Sequence[bool], element: int = 0) -> Iterator[int]:
        """The element and those within, without those left out and what they hold.

        Who is handed an element may leave it out at once.
        """
        end = self.ends[element]
        while element < end:
            if not left_out[element]:
                yield element
            element = self.ends[element] if left_out[element] else element + 1

    def gaps(self, left_out: list[bool], element: int = 0) -> Iterator[int]:
        """The elements within that are left out, but not what is within those."""
        at, end = element, self.ends[element]
        try:
            while True:
                at = left_out.index(True, at, end)
                yield at
                at = self.ends[at]
        except ValueError:
            return


def list_elements(root: DOMNode, spelling: bytes) -> Elements | None:
    """The elements from a root on, which is spelled so; None when they are deeper or more than a person's."""
    page = np.frombuffer(spelling, np.uint8)
    table = np.empty(int(np.count_nonzero(page == _LESS)) * COLUMNS, np.int32)
    notes = np.empty(4 * DEEPEST + 4, np.int64)
    count, depth, mentions = list_tree(page, KEYS, MEANS, table, notes)
    if count == UNCLEAR:
        return _walk(root)
    if count == TOO_LARGE or not count:
        return None
    return _elements(root, table.reshape(-1, COLUMNS)[:count], depth, mentions, spelling)


def _walk(root: DOMNode) -> Elements | None:
    found = walk(root)
    return _elements(root, *found) if found is not None else None


_LESS = ord("<")
_IS_HEADING = np.array([name in ("h1", "h2", "h3", "h4", "h5", "h6") for name in NAMES])


def _elements(
    root: DOMNode, rows: NDArray[np.int32], depth: int, mentions: int, spelling: bytes
) -> Elements:
    """The table, in which what a style hides is hidden, too."""
    places = rows[:, Column.STYLE : Column.STYLE_END + 1]
    for number in np.flatnonzero(places[:, 1] > places[:, 0]).tolist():
        begin, end = places[number].tolist()
        if _HIDING.search(spelled(spelling[begin:end])):
            rows[number, Column.HIDDEN] = 1
    return Elements(root, rows, depth, mentions, spelling)


def spelled(value: bytes) -> str:
    """The value of an attribute that is spelled so."""
    text = value.decode("utf-8", "replace")
    return unescape(text) if "&" in text else text
