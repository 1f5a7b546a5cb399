"""A page's elements in a table: where each begins and ends, what it is called, how much prose it holds.

The rules for main text look at lists of numbers instead of at the tree, which would make an object for each
step. A kernel fills them from the tree's spelling; where that does not say all, a walk over the tree does.

Text belongs to the block around it: `<p>a <b>c</b></p>` is one run. A run is prose when it is long, has a
mark of punctuation and is hardly linked. Articles are made of prose; menus, teasers and tables are not.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from html import unescape

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from resiliparse.parse.html import DOMNode

from gossamer.cycle.parse.reading.walked import Walk, add_up
from gossamer.cycle.parse.scan.tree import (
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


class ElementNames(Struct, frozen=True):
    """What elements say of themselves, by their numbers; those that say nothing are left out."""

    classes: dict[int, str]
    ids: dict[int, str]
    roles: dict[int, str]
    hidden: frozenset[int]
    """Those that are not shown."""


class ElementCounts(Struct, frozen=True):
    """What is counted of each element, in the order of their start tags; the first is the root."""

    tags: list[str]
    parents: list[int]
    ends: list[int]
    """The number after that of the last element within."""
    depth: int
    runs: list[int]
    """Characters of the text that belongs to the element itself, as a block."""
    own_prose: list[int]
    """The same, if it is prose."""
    texts: list[int]
    """Characters of all text within."""
    links: list[int]
    """Those that lead to other pages."""
    prose: list[int]
    """Those that are prose."""


class Elements:
    """The elements of a page, by their numbers."""

    def __init__(self, root: DOMNode, counts: ElementCounts, said: ElementNames) -> None:
        self._root = root
        self.tags, self.parents, self.ends = counts.tags, counts.parents, counts.ends
        self.depth = counts.depth
        self.runs, self.own_prose = counts.runs, counts.own_prose
        self.texts, self.links, self.prose = counts.texts, counts.links, counts.prose
        self.said = said

    def __len__(self) -> int:
        return len(self.tags)

    @cached_property
    def nodes(self) -> list[DOMNode]:
        """Their nodes: an object each, so that nobody should ask without need."""
        return [node for node in self._root if node.tag[0] != "#"]

    def names(self, element: int) -> str:
        """Class, id and role."""
        said = (self.said.classes, self.said.ids, self.said.roles)
        return " ".join(some.get(element, "") for some in said).strip()

    def main_parts(self) -> list[int]:
        """Those that the page calls its main part."""
        by_role = [number for number, role in self.said.roles.items() if role == "main"]
        return sorted({*self.numbers("main"), *by_role})

    def numbers(self, tag: str) -> Iterator[int]:
        """The elements of a tag."""
        at, tags = -1, self.tags
        for _ in range(tags.count(tag)):
            at = tags.index(tag, at + 1)
            yield at

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
    table = np.zeros((spelling.count(b"<") - spelling.count(b"</")) * COLUMNS, np.int64)
    page = np.frombuffer(spelling, np.uint8)
    count, depth = list_tree(page, KEYS, MEANS, table, np.zeros(4 * DEEPEST + 4, np.int64))
    if count == UNCLEAR:
        return _walk(root)
    if count == TOO_LARGE or not count:
        return None
    rows = table.reshape(-1, COLUMNS)[:count]
    return Elements(root, _counts(rows, depth, spelling), _said(rows, spelling))


def _counts(rows: NDArray[np.int64], depth: int, spelling: bytes) -> ElementCounts:
    *columns, names = rows[:, : Column.NAME + 1].T.tolist()
    tags = [*map(NAMES.__getitem__, names)]
    for number in np.flatnonzero(rows[:, Column.NAME] == 0).tolist():
        begin, end = rows[number, Column.NAME_BEGIN : Column.NAME_END + 1].tolist()
        tags[number] = spelling[begin:end].decode("utf-8", "replace").lower()
    return ElementCounts(tags, columns[0], columns[1], depth, *columns[2:])


def _said(rows: NDArray[np.int64], spelling: bytes) -> ElementNames:
    classes, ids, roles = (
        _values(rows, spelling, one) for one in (Column.CLASS, Column.ID, Column.ROLE)
    )
    styles = _values(rows, spelling, Column.STYLE)
    hidden = {number for number, style in styles.items() if _HIDING.search(style)}
    hidden.update(np.flatnonzero(rows[:, Column.HIDDEN]).tolist())
    return ElementNames(classes, ids, roles, frozenset(hidden))


def _values(rows: NDArray[np.int64], spelling: bytes, column: int) -> dict[int, str]:
    """What elements have in an attribute, if anything."""
    places = rows[:, column : column + 2]
    there = np.flatnonzero(places[:, 1] > places[:, 0])
    return {
        number: _spelled(spelling[begin:end])
        for number, (begin, end) in zip(there.tolist(), places[there].tolist(), strict=True)
    }


def _spelled(value: bytes) -> str:
    text = value.decode("utf-8", "replace")
    return unescape(text) if "&" in text else text


def _walk(root: DOMNode) -> Elements | None:
    walk = Walk()
    if not walk.is_done(root):
        return None
    own = walk.prose()
    sums = (add_up(counts, walk.parents) for counts in (walk.runs, walk.links, own))
    outline = (walk.tags, walk.parents, walk.ends, walk.depth)
    counts = ElementCounts(*outline, walk.runs, own, *sums)
    return Elements(root, counts, _said_by(walk.nodes))


def _said_by(nodes: Sequence[DOMNode]) -> ElementNames:
    classes, ids, roles = (
        {number: str(text) for number, node in enumerate(nodes) if (text := node.getattr(name))}
        for name in ("class", "id", "role")
    )
    hidden = frozenset(number for number, node in enumerate(nodes) if _is_hidden(node))
    return ElementNames(classes, ids, roles, hidden)


def _is_hidden(node: DOMNode) -> bool:
    style = node.getattr("style")
    return node.hasattr("hidden") or (style is not None and _HIDING.search(style) is not None)
