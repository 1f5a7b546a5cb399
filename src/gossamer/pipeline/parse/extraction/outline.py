"""The tree of a page, if that is safe, and what is asked of it.

`tame` bounds what building the tree can cost. Taking text from it can cost more: nested lists are
indented, and every block is compared with those around it, so that time and output grow with the
square of the depth (8,000 nested lists: 93 s and 64 MB). A tree that is too deep or too large is
therefore not used.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from resiliparse.parse.html import DOMNode, HTMLTree

from gossamer.pipeline.parse.extraction.html_elements import Elements, list_elements
from gossamer.pipeline.parse.extraction.microdata import read_microdata
from gossamer.pipeline.parse.extraction.tree_safety import calm, is_tame
from gossamer.pipeline.parse.extraction_kernels.element_tree import Column, Mention

_MOST = 64
"""Times and authors that are looked at."""
_LONGEST_AUTHOR = 1024
_MOST_HEADINGS = 200
_LONGEST_HEADING = 300
_LOOKED_AT = 4 * _LONGEST_HEADING
"""Characters of a heading, with its white space: it may hold all of the page."""


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
    return Outline(tree, elements, spelling) if elements is not None else None


class Outline:
    """A page's tree.

    To look for elements costs a walk over it, so nothing is looked for that its tags do not mention.
    """

    def __init__(self, tree: HTMLTree, elements: Elements, spelling: bytes) -> None:
        self.tree = tree
        self.root: DOMNode = tree.document
        self.elements = elements
        self._spelling = spelling

    def _find(self, selector: str, is_there: bool) -> DOMNode | None:
        """The first of these elements, if there may be one."""
        return self.root.query_selector(selector) if is_there else None

    def _find_all(self, selector: str, is_there: bool) -> list[DOMNode]:
        return self.root.query_selector_all(selector) if is_there else []

    def _mentions(self, what: Mention) -> bool:
        return bool(self.elements.mentions & what)

    def has_signs(self, *signs: str) -> bool:
        """Does one of these signs stand in it?"""
        return any(sign.encode() in self._spelling for sign in signs)

    @property
    def title(self) -> str:
        return " ".join((self.tree.title or "")[:8192].split())[:1024]

    @property
    def language(self) -> str:
        node = self._first_with_language()
        return ((node.getattr("lang") or node.getattr("xml:lang") or "") if node else "").strip()

    def _first_with_language(self) -> DOMNode | None:
        root = self.root.first_element_child
        if root.tag == "html" and (root.hasattr("lang") or root.hasattr("xml:lang")):
            return root
        return self._find("html[lang],html[xml\\:lang]", len(self.elements.numbers("html")) > 1)

    def headings(self) -> Iterator[str]:
        """Those of the page itself: not of menus and footers, and not "2 Comments"."""
        for said in islice(self._headings(), _MOST_HEADINGS):
            text = _PILCROW.sub("", " ".join(said[:_LOOKED_AT].split()))
            if text and not _COUNT_OF_COMMENTS.fullmatch(text):
                yield text[:_LONGEST_HEADING]

    def _headings(self) -> Iterable[str]:
        """Their texts, from the spelling, if it says them all."""
        page = self.elements
        all_numbers = page.headings()[: 2 * _MOST_HEADINGS]
        numbers = [number for number in all_numbers if not _is_in_frame(page, number)]
        if page.is_spelled:
            found = (page.text(number, _LOOKED_AT) for number in numbers[:_MOST_HEADINGS])
            texts = [text for text in found if text is not None]
            if len(texts) == min(len(numbers), _MOST_HEADINGS):
                return texts
        own = frozenset(numbers)
        nodes = self.root.query_selector_all("h1,h2,h3,h4,h5,h6")
        pairs = zip(all_numbers, nodes, strict=False)
        return (node.text or "" for number, node in pairs if number in own)

    def metas(self) -> Iterator[tuple[str, str]]:
        """Name and content of each `meta` that has one."""
        for said in self._metas():
            if content := said(b"content"):
                name = said(b"property") or said(b"name") or said(b"http-equiv")
                yield name or said(b"itemprop") or "", content

    def _metas(self) -> Iterator[Callable[[bytes], str | None]]:
        """The contents of meta elements, by the names of their attributes."""
        if self.elements.is_spelled:
            for number in self.elements.numbers("meta"):
                yield self.elements.attributes(number).get
        else:
            for node in self.root.query_selector_all("meta"):
                yield lambda name, node=node: node.getattr(name.decode())  # type: ignore[misc]

    def canonical(self) -> str:
        node = self._find("link[rel~=canonical][href]", self._mentions(Mention.CANONICAL))
        return (node.getattr("href") or "") if node else ""

    def base(self) -> str:
        node = self._find("base[href]", bool(self.elements.numbers("base")))
        return (node.getattr("href") or "") if node else ""

    def has_entry(self) -> bool:
        """Is there an entry of a blog, by the names of microformats?"""
        return self._find(".hentry,.h-entry", self._mentions(Mention.ENTRY)) is not None

    def items(self) -> tuple[Any, ...]:
        """Its microdata."""
        return read_microdata(self.root) if self._mentions(Mention.ITEM) else ()

    def scripts(self) -> Iterator[str]:
        for node in self._find_all("script[type]", self._mentions(Mention.JSON_LD)):
            if (node.getattr("type") or "").partition(";")[0].strip().lower() == _JSON_LD:
                yield node.text

    def times(self) -> Iterator[str]:
        """`time` elements that say that they are of the publication."""
        for node in islice(self._find_all(_TIMES, bool(self.elements.numbers("time"))), _MOST):
            yield node.getattr("datetime") or ""

    def authors(self) -> Iterator[str]:
        for node in islice(
            self._find_all("[rel~=author],.author.vcard .fn", self._mentions(Mention.AUTHOR)), _MOST
        ):
            yield node.text[:_LONGEST_AUTHOR]  # it may hold all of the page


def _is_in_frame(page: Elements, number: int) -> bool:
    """Does it stand in navigation or a footer, or at the side of the page and not of its main part?"""
    is_aside = False
    while number:
        tag, role = page.tag(number), page.roles.get(number, "")
        if tag in _FRAME_TAGS or role in _FRAME_ROLES:
            return True
        if tag in ("main", "article") or role == "main":
            return False
        is_aside = is_aside or tag == "aside" or role == "complementary"
        number = int(page.rows[number, Column.PARENT])
    return is_aside


_FRAME_TAGS = frozenset(("nav", "footer"))
_FRAME_ROLES = frozenset(("navigation", "contentinfo"))
_PILCROW = re.compile(r"(?:\s*[¶\uf0c1🔗]|\s[§#])$")
"""A link to the heading itself, which documentation shows behind it."""
_COUNT_OF_COMMENTS = re.compile(
    r"(?:\d+|no|one|keine?|leave a) (?:comments?|repl(?:y|ies)|responses?|kommentare?|commentaires?"
    r"|comentarios?|commenti|reacties)(?: (?:on|to|zu|sur)\b.*)?",
    re.IGNORECASE,
)
_JSON_LD = "application/ld+json"
_TIMES = "time[pubdate],time.published[datetime]"
