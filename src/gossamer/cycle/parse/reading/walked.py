"""The table of a page's elements by a walk over its tree, node by node.

For trees of which a spelling does not say all (`gossamer.cycle.parse.scan.tree`): it takes ten times as long,
for each step makes an object.
"""

import re
from collections.abc import Sequence

from resiliparse.parse.html import DOMNode

from gossamer.cycle.parse.scan.names import ElementTrait, traits_of
from gossamer.cycle.parse.scan.tree import DEEPEST, LARGEST, MOST_LINKED, SHORTEST_PROSE

_INLINE, _SILENT = (
    frozenset(name for name, traits in traits_of().items() if traits & trait)
    for trait in (ElementTrait.INLINE, ElementTrait.SILENT)
)
_MARK = re.compile(r"[.!?…,;:。！？、،؟।]")


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
    """Where the text of a link or of a block stands."""
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
