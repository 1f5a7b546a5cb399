"""The table of a page's elements by a walk over its tree, node by node.

For trees of which a spelling does not say all (`gossamer.pipeline.parse.extraction_kernels.element_tree`):
it takes ten times as long, for each step makes an object.
"""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from resiliparse.parse.html import DOMNode

from gossamer.pipeline.parse.extraction_kernels.element_names import ElementTrait, traits_of
from gossamer.pipeline.parse.extraction_kernels.element_tree import (
    COLUMNS,
    DEEPEST,
    LARGEST,
    MOST_LINKED,
    NAMES,
    SHORTEST_PROSE,
    Column,
    Mention,
)

_INLINE, _SILENT = (
    frozenset(name for name, traits in traits_of().items() if traits & trait)
    for trait in (ElementTrait.INLINE, ElementTrait.SILENT)
)
_MARK = re.compile(r"[.!?…,;:。！？、،؟।]")
_NUMBERS = {name: number for number, name in enumerate(NAMES)}
_SPELLED = {
    Column.CLASS: "class",
    Column.ID: "id",
    Column.ROLE: "role",
    Column.STYLE: "style",
}


def walk(root: DOMNode) -> tuple[NDArray[np.int32], int, int, bytes] | None:
    """The table, the depth of the tree, what it may mention, and bytes in which its names stand.

    None when the tree is deeper or larger than a person's.
    """
    found = Walk()
    if not found.is_done(root):
        return None
    own = found.prose()
    sums = (add_up(counts, found.parents) for counts in (found.runs, found.links, own))
    rows = np.zeros((len(found.nodes), COLUMNS), np.int32)
    columns = (found.parents, found.ends, found.runs, own, *sums)
    for column, values in enumerate(columns):
        rows[:, column] = values
    rows[:, Column.NAME] = [_NUMBERS.get(tag, 0) for tag in found.tags]
    rows[:, Column.HIDDEN] = [node.hasattr("hidden") for node in found.nodes]
    return rows, found.depth, Mention.ALL, _spell(found, rows)


def _spell(found: "Walk", rows: NDArray[np.int32]) -> bytes:
    """Write down tags and names, and note where each stands."""
    spelling = bytearray()
    for number, node in enumerate(found.nodes):
        said = {column: node.getattr(name) or "" for column, name in _SPELLED.items()}
        for column, value in {Column.NAME_BEGIN: found.tags[number], **said}.items():
            begin = len(spelling)
            spelling += value.replace("&", "&amp;").encode("utf-8", "replace")
            rows[number, column : column + 2] = begin, len(spelling)
    return bytes(spelling)


class Walk:
    """The tree, node by node; lists with a place for each element."""

    def __init__(self) -> None:
        self.nodes: list[DOMNode] = []
        self.tags: list[str] = []
        self.parents: list[int] = []
        self.ends: list[int] = []
        self.runs: list[int] = []
        self.links: list[int] = []
        self.marked: set[int] = set()
        """Blocks with marks of punctuation."""
        self.depth = 0

    def is_done(self, root: DOMNode) -> bool:
        """Walk; False when the tree is too deep or too large. One long loop: this is hot."""
        nodes, tags, parents, ends = self.nodes, self.tags, self.parents, self.ends
        runs, links, marked, has_mark = self.runs, self.links, self.marked, _MARK.search
        around: list[DOMNode] = []
        numbers: list[int] = []
        settings: list[_Setting] = [_OUTSIDE]
        for node in root:
            tag = node.tag
            if tag == "#text":
                text = node.value
                if not text or text.isspace():
                    continue
            elif tag[0] == "#":
                continue
            parent = node.parent
            while around and around[-1] != parent:
                around.pop()
                settings.pop()
                ends[numbers.pop()] = len(nodes)
            setting = settings[-1]
            if tag == "#text":
                block, is_linked, is_silent = setting
                if not is_silent:
                    length = len(" ".join(text.split()))
                    runs[block] += length
                    if is_linked:
                        links[block] += length
                    elif block not in marked and has_mark(text):
                        marked.add(block)
                continue
            number = len(nodes)
            if len(around) == DEEPEST or number == LARGEST:
                return False
            settings.append(setting if tag in _INLINE else _setting(node, tag, number, setting))
            parents.append(numbers[-1] if numbers else 0)
            numbers.append(number)
            around.append(node)
            nodes.append(node)
            tags.append(tag)
            ends.append(number)
            runs.append(0)
            links.append(0)
            if len(around) > self.depth:
                self.depth = len(around)
        for number in numbers:
            ends[number] = len(nodes)
        return bool(nodes)

    def prose(self) -> list[int]:
        """For each element the characters of its own run, if that is prose."""
        own = [0] * len(self.nodes)
        for block in self.marked:
            if self.tags[block] != "pre":
                own[block] = _prose(self.runs[block], self.links[block])
        return own


_Setting = tuple[int, bool, bool]
"""Where text stands: in which block, whether in a link, whether where it is silent."""
_OUTSIDE: _Setting = (0, False, False)


def _setting(node: DOMNode, tag: str, number: int, around: _Setting) -> _Setting:
    """The place of the text of a link or of a block."""
    block, is_linked, is_silent = around
    if tag == "a":
        return block, is_linked or _leads_away(node), is_silent
    return number, is_linked, is_silent or tag in _SILENT


def add_up(counts: Sequence[int], parents: Sequence[int]) -> list[int]:
    """For each element the sum of its own count and of those within."""
    sums = list(counts)
    for number in range(len(sums) - 1, 0, -1):
        if sums[number]:
            sums[parents[number]] += sums[number]
    return sums


def _prose(run: int, links: int) -> int:
    own = run - links
    return own if own >= SHORTEST_PROSE and links <= MOST_LINKED * run else 0


def _leads_away(link: DOMNode) -> bool:
    """Not to a place in the same page, as in a table of contents; `#` alone is a button."""
    href = link.getattr("href") or ""
    return not href.startswith("#") or href == "#"
