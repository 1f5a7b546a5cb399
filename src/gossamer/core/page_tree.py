"""The tree of a page as plain elements, in document order, for all that reads items.

Lexbor parses; its nodes are copied once, since what reads items looks at each element many times, from all
sides: a descendant of an element is a slice of the list, and text is collected without a call per node.
"""

import re
from collections.abc import Iterator

from resiliparse.parse.html import DOMNode, HTMLTree, NodeType

from gossamer.core.word_sets import word_set

MOST_ELEMENTS = 200_000
"""Of a page; the rest of a larger one is not read."""
_UNSEEN = frozenset({"script", "style", "template", "noscript", "head"})
_SPACE = re.compile(r"[\s\u200b\u200e\u200f\ufeff]+")
_WORD = re.compile(r"[a-z]+|\d+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_HIDDEN = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)


def collapse(text: str) -> str:
    """Text with each run of white space as one space, and none around it.

    >>> collapse(" two\\n words ")
    'two words'
    """
    return _SPACE.sub(" ", text).strip()


class Element:
    """An element of a page. `page.elements[start:end]` are itself and its descendants."""

    __slots__ = ("attributes", "children", "end", "parent", "start", "tag")

    def __init__(self, tag: str, attributes: dict[str, str], parent: "Element | None", start: int):
        self.tag = tag
        self.attributes = attributes
        self.parent = parent
        self.children: list[Element | str] = []
        self.start = start
        self.end = start + 1

    def get(self, name: str) -> str:
        """An attribute, empty if there is none."""
        return self.attributes.get(name, "")

    @property
    def elements(self) -> "list[Element]":
        return [one for one in self.children if isinstance(one, Element)]

    @property
    def ancestors(self) -> "Iterator[Element]":
        """From its parent to the root."""
        one = self.parent
        while one is not None:
            yield one
            one = one.parent

    @property
    def is_hidden(self) -> bool:
        """Is it hidden by its own attributes?"""
        return "hidden" in self.attributes or bool(_HIDDEN.search(self.get("style")))

    def contains(self, other: "Element") -> bool:
        return self.start <= other.start < self.end

    def text(self, is_whole: bool = False) -> str:
        """The text that a reader sees, on one line; with `is_whole`, that of scripts and hidden parts too."""
        pieces: list[str] = []
        waiting: list[Element | str] = [self]
        while waiting:
            one = waiting.pop()
            if isinstance(one, str):
                pieces.append(one)
            elif one is self or is_whole or one.tag not in _UNSEEN:
                if one.tag in _BREAKS:
                    pieces.append(" ")
                    waiting.append(" ")
                waiting.extend(reversed(one.children))
        return collapse("".join(pieces))

    def words(self) -> list[str]:
        """The words of its class and id, in lower case.

        >>> Element("a", {"class": "next-page navLink"}, None, 0).words()
        ['next', 'page', 'nav', 'link']
        """
        named = f"{self.get('class')} {self.get('id')}"
        return _WORD.findall(_CAMEL.sub(" ", named).lower())


_BREAKS = word_set(
    "address article aside blockquote br dd details div dl dt fieldset figcaption figure "
    "footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol option p pre section select table "
    "tbody td tfoot th thead tr ul"
)


class PageTree:
    """All elements of a page, in document order."""

    def __init__(self, elements: list[Element]):
        self.elements = elements
        self.root = elements[0]

    def below(self, element: Element) -> list[Element]:
        """An element and its descendants."""
        return self.elements[element.start : element.end]

    def find(self, *tags: str) -> list[Element]:
        return [one for one in self.elements if one.tag in tags]


def parse_page(html: str) -> PageTree:
    """Parse a page; what it lacks is as a browser adds it."""
    root = Element("html", {}, None, 0)
    elements = [root]
    top = HTMLTree.parse(html).document
    waiting = [(child, root) for child in reversed(_children(top))]
    while waiting:
        node, parent = waiting.pop()
        if node.type == NodeType.TEXT:
            parent.children.append(node.value)
        elif node.type == NodeType.ELEMENT:
            if node.tag == "html" and parent is root and not root.attributes:
                root.attributes.update(_attributes(node))
                one = root
            elif len(elements) >= MOST_ELEMENTS:
                continue
            else:
                one = Element(node.tag, _attributes(node), parent, len(elements))
                parent.children.append(one)
                elements.append(one)
            waiting.extend((child, one) for child in reversed(_children(node)))
    for one in reversed(elements[1:]):
        if one.parent is not None and one.parent.end < one.end:
            one.parent.end = one.end
    return PageTree(elements)


def _attributes(node: DOMNode) -> dict[str, str]:
    return {name: node.getattr(name) or "" for name in node.attrs or ()}


def _children(node: DOMNode) -> list[DOMNode]:
    found = []
    child = node.first_child
    while child is not None:
        found.append(child)
        child = child.next
    return found
