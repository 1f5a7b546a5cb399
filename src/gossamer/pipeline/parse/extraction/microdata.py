"""Microdata, section 5 of the HTML standard: items, their properties, and references between them."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from resiliparse.parse.html import DOMNode, NodeType

from gossamer.pipeline.parse.extraction.bounds import MAX_DEPTH, MAX_NODES, MAX_TEXT, Budget, clip

_MAX_ELEMENTS = 5_000
_MAX_CLIMB = 256
"""Elements between a property and its item."""
_MAX_TEXTS = 4 << 20
"""Characters of all names and values: an item that many refer to is written as many times."""
_MAX_NAMES = 16
"""Names of one property, and types of one item."""
_ATTRIBUTES = {
    "meta": "content",
    "audio": "src",
    "embed": "src",
    "iframe": "src",
    "img": "src",
    "source": "src",
    "track": "src",
    "video": "src",
    "a": "href",
    "area": "href",
    "link": "href",
    "object": "data",
    "data": "value",
    "meter": "value",
    "time": "datetime",
}


def read_microdata(document: DOMNode) -> tuple[Any, ...]:
    """The top-level items of a page, each with what it contains."""
    return _Page(document).items()


class _Page:
    """Which item has which properties.

    What an element says is looked up once, however many items it belongs to.
    """

    def __init__(self, document: DOMNode) -> None:
        matches = document.query_selector_all("[itemscope],[itemprop]")
        elements = list(dict.fromkeys(matches))[:_MAX_ELEMENTS]  # some match both
        self._items = [element for element in elements if element.hasattr("itemscope")]
        self._budget = Budget()
        self._texts_left = _MAX_TEXTS
        self._names, self._identity, self._said = cache(_names), cache(_identity), cache(_said)
        self._referring = self._find_referring(document)
        self._properties: dict[DOMNode, list[DOMNode]] = {}
        self._assign([element for element in elements if element.hasattr("itemprop")])

    def items(self) -> tuple[Any, ...]:
        tops = [item for item in self._items if not item.hasattr("itemprop")]
        return tuple(self._describe(item, ()) for item in tops if self._budget.take())

    def _find_referring(self, document: DOMNode) -> dict[DOMNode, list[DOMNode]]:
        """From a place to the items that refer to it; of two places with one name the first counts."""
        wanted: dict[str, list[DOMNode]] = {}
        for item in self._items:
            for name in set((item.getattr("itemref") or "").split()):
                wanted.setdefault(name, []).append(item)
        if not wanted:
            return {}
        places = document.query_selector_all("[id]")
        named = {place: wanted.pop(place.getattr("id") or "", []) for place in places}
        return {place: items for place, items in named.items() if items}

    def _assign(self, properties: list[DOMNode]) -> None:
        pairs = MAX_NODES
        for element in properties:
            for owner in self._owners(element):
                self._properties.setdefault(owner, []).append(element)
                pairs -= 1
                if pairs == 0:
                    return

    def _owners(self, element: DOMNode) -> Iterator[DOMNode]:
        """Those that refer to where a property stands, and the item around it."""
        place: DOMNode | None = element
        for _ in range(_MAX_CLIMB):
            if place is None or place.type is not NodeType.ELEMENT:
                return
            if self._referring:
                yield from self._referring.get(place, ())
            if place != element and place.hasattr("itemscope"):
                yield place
                return
            place = place.parent

    def _describe(self, item: DOMNode, outer: tuple[DOMNode, ...]) -> dict[str, Any]:
        types, identity = self._identity(item)
        found: dict[str, Any] = {}
        if types:
            found["type"] = [self._take(one) for one in types]
        if identity:
            found["id"] = self._take(identity)
        properties: dict[str, list[Any]] = {}
        found["properties"] = properties
        for element in self._properties.get(item, ()):
            for name in self._names(element):
                if not self._budget.take():
                    return found
                value = self._value(element, (*outer, item))
                properties.setdefault(self._take(name), []).append(value)
        return found

    def _value(self, element: DOMNode, outer: tuple[DOMNode, ...]) -> Any:
        if not element.hasattr("itemscope"):
            return self._take(self._said(element)) if self._texts_left > 0 else ""
        if element in outer or len(outer) >= MAX_DEPTH:
            return "ERROR"  # the standard's word for an item that contains itself
        return self._describe(element, outer)

    def _take(self, text: str) -> str:
        """The text, as long as there is room for more."""
        self._texts_left -= len(text)
        return text if self._texts_left >= 0 else ""


def _names(element: DOMNode) -> list[str]:
    return _words(element.getattr("itemprop"))


def _identity(item: DOMNode) -> tuple[list[str], str]:
    """Types, and what is called `itemid`."""
    return _words(item.getattr("itemtype")), clip(item.getattr("itemid") or "", 2048)


def _words(text: str | None) -> list[str]:
    return [clip(word, 1024) for word in (text or "").split(None, _MAX_NAMES)[:_MAX_NAMES]]


def _said(element: DOMNode) -> str:
    """The value of a property that is no item; it may be all text of the page."""
    value = element.getattr("content") or element.getattr(_ATTRIBUTES.get(element.tag, "content"))
    return clip(" ".join((value or element.text)[: 4 * MAX_TEXT].split()))
