"""A page's elements in a table: where each begins and ends, what it is called, how much prose it holds.

One walk over the tree fills it. The rules for main text then look at lists of numbers instead of at the
tree, which would make an object for each step.

Text belongs to the block around it: `<p>a <b>c</b></p>` is one run. A run is prose when it is long, has a
mark of punctuation and is hardly linked. Articles are made of prose; menus, teasers and tables are not.
"""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct
from resiliparse.parse.html import DOMNode

from gossamer.cycle.parse.reading.vocabulary import words

_DEEPEST = 200
_LARGEST = 50_000
"""Elements."""
_INLINE = frozenset(
    words(
        "abbr acronym b bdi bdo big br cite code data del dfn em font i ins kbd mark q s samp small span "
        "strike strong sub sup time tt u var wbr"
    )
)
_SILENT = frozenset(words("head iframe noscript object option script select style svg template"))
"""What they hold is not shown, or not as text."""
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_MARK = re.compile(r"[.!?…,;:。！？、،؟।]")
_SHORTEST_PROSE = 50
"""Characters of a run."""
_MOST_LINKED = 0.4
"""Of a run that is prose."""


class Elements(Struct, frozen=True):
    """The elements of a page in the order of their start tags; the first is the root."""

    nodes: list[DOMNode]
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

    def __len__(self) -> int:
        return len(self.nodes)

    def names(self, element: int) -> str:
        """Class, id and role."""
        node = self.nodes[element]
        return f"{node.class_name or ''} {node.id or ''} {node.getattr('role') or ''}".strip()

    def is_hidden(self, element: int) -> bool:
        node = self.nodes[element]
        style = node.getattr("style")
        return node.hasattr("hidden") or (style is not None and _HIDING.search(style) is not None)

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


def list_elements(root: DOMNode) -> Elements | None:
    """The elements from a root on; None when they are deeper or more than on a person's page."""
    walk = _Walk()
    return walk.table() if walk.is_done(root) else None


class _Walk:
    """The tree, node by node."""

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
            if len(around) == _DEEPEST or number == _LARGEST:
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

    def table(self) -> Elements:
        own = [0] * len(self.nodes)
        for block in self.marked:
            if self.tags[block] != "pre":
                own[block] = _prose(self.runs[block], self.links[block])
        sums = (add_up(counts, self.parents) for counts in (self.runs, self.links, own))
        outline = (self.nodes, self.tags, self.parents, self.ends, self.depth)
        return Elements(*outline, self.runs, own, *sums)


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
    return own if own >= _SHORTEST_PROSE and links <= _MOST_LINKED * run else 0


def _leads_away(link: DOMNode) -> bool:
    """Not to a place in the same page, as in a table of contents; `#` alone is a button."""
    href = link.getattr("href") or ""
    return not href.startswith("#") or href == "#"
