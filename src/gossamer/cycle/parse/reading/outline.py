"""The tree of a page, if that is safe, and what is asked of it.

`tame` bounds what building the tree can cost. Taking text from it can cost more: nested lists are
indented, and every block is compared with those around it, so that time and output grow with the
square of the depth (8,000 nested lists: 93 s and 64 MB). A tree that is too deep or too large is
therefore not used.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from resiliparse.parse.html import DOMNode, HTMLTree

from gossamer.cycle.parse.reading.elements import Elements, list_elements
from gossamer.cycle.parse.reading.microdata import read_microdata
from gossamer.cycle.parse.reading.tame import calm, is_tame

_MOST = 64
"""Times and authors that are looked at."""
_LONGEST_AUTHOR = 1024
_MOST_HEADINGS = 200
_LONGEST_HEADING = 300


def build_outline(html: bytes) -> "Outline | None":
    """The tree of UTF-8 bytes, or None for a page that must be read without one."""
    if not is_tame(html):
        html = calm(html)
        if not is_tame(html):
            return None
    tree = HTMLTree.parse_from_bytes(html, "utf-8")
    root = tree.document.first_element_child if tree.document is not None else None
    if root is None:
        return None
    spelling = root.html.encode("utf-8", "replace")
    elements = list_elements(root, spelling)
    return Outline(tree, elements, spelling.lower()) if elements is not None else None


class Outline:
    """A page's tree.

    To look for elements costs a walk over it, so nothing is looked for that its spelling does not mention.
    """

    def __init__(self, tree: HTMLTree, elements: Elements, spelling: bytes) -> None:
        self.tree = tree
        self.root: DOMNode = tree.document
        self.elements = elements
        self._spelling = spelling

    def _find(self, selector: str, *mentioned: bytes) -> DOMNode | None:
        """The first of these elements; one of the words stands in each."""
        return self.root.query_selector(selector) if self.mentions(*mentioned) else None

    def _find_all(self, selector: str, *mentioned: bytes) -> list[DOMNode]:
        return self.root.query_selector_all(selector) if self.mentions(*mentioned) else []

    def mentions(self, *words: bytes) -> bool:
        """Does one of these words stand in it, in small letters?"""
        return any(word in self._spelling for word in words)

    @property
    def title(self) -> str:
        return " ".join((self.tree.title or "")[:8192].split())[:1024]

    @property
    def language(self) -> str:
        node = self._find("html[lang],html[xml\\:lang]", b"lang=")
        return ((node.getattr("lang") or node.getattr("xml:lang") or "") if node else "").strip()

    def headings(self) -> Iterator[str]:
        for node in islice(self.root.query_selector_all("h1,h2,h3,h4,h5,h6"), _MOST_HEADINGS):
            if text := " ".join((node.text or "")[: 4 * _LONGEST_HEADING].split()):
                yield text[:_LONGEST_HEADING]

    def metas(self) -> Iterator[tuple[str, str]]:
        """Name and content of each `meta`."""
        for node in self.root.query_selector_all("meta[content]"):
            name = node.getattr("property") or node.getattr("name") or node.getattr("http-equiv")
            yield name or node.getattr("itemprop") or "", node.getattr("content") or ""

    def canonical(self) -> str:
        node = self._find("link[rel~=canonical][href]", b"canonical")
        return (node.getattr("href") or "") if node else ""

    def base(self) -> str:
        node = self._find("base[href]", b"<base")
        return (node.getattr("href") or "") if node else ""

    def has_entry(self) -> bool:
        """Is there an entry of a blog, by the names of microformats?"""
        return self._find(".hentry,.h-entry", b"hentry", b"h-entry") is not None

    def items(self) -> tuple[Any, ...]:
        """Its microdata."""
        return read_microdata(self.root) if self.mentions(b"itemscope") else ()

    def scripts(self) -> Iterator[str]:
        for node in self._find_all("script[type]", b"ld+json"):
            if (node.getattr("type") or "").partition(";")[0].strip().lower() == _JSON_LD:
                yield node.text

    def times(self) -> Iterator[tuple[str, str]]:
        """`pubdate` or nothing, and the date, of `time` elements; those in the main part only."""
        for node in islice(self._find_all(_TIMES, b"<time"), _MOST):
            is_first = node.hasattr("pubdate") or "published" in (node.class_name or "")
            yield "pubdate" if is_first else "", node.getattr("datetime") or ""

    def authors(self) -> Iterator[str]:
        for node in islice(self._find_all("[rel~=author],.author.vcard .fn", b"author"), _MOST):
            yield node.text[:_LONGEST_AUTHOR]  # it may hold all of the page


_JSON_LD = "application/ld+json"
_TIMES = "article time[datetime],main time[datetime],time[pubdate],time.published[datetime]"
