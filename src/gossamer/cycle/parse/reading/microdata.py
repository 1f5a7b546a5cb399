"""Microdata, section 5 of the HTML standard: items, their properties, and references between them."""

from typing import Any

from resiliparse.parse.html import DOMNode, NodeType

from gossamer.cycle.parse.reading.bounds import MAX_DEPTH, Budget, clip

_MAX_ELEMENTS = 5_000
_MAX_CLIMB = 256
"""Elements between a property and its item."""
_MAX_TEXTS = 4 << 20
"""Characters of all values that are texts of elements."""
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
    """Which item has which properties."""

    def __init__(self, document: DOMNode) -> None:
        matches = document.query_selector_all("[itemscope],[itemprop]")
        elements = list(dict.fromkeys(matches))[:_MAX_ELEMENTS]  # some match both
        self._items = [element for element in elements if element.hasattr("itemscope")]
        self._referring: dict[str, list[DOMNode]] = {}
        for item in self._items:
            for name in set((item.getattr("itemref") or "").split()):
                self._referring.setdefault(name, []).append(item)
        self._properties: dict[DOMNode, list[DOMNode]] = {}
        for element in elements:
            if element.hasattr("itemprop"):
                for owner in self._owners(element):
                    self._properties.setdefault(owner, []).append(element)
        self._budget = Budget()
        self._room = _MAX_TEXTS

    def items(self) -> tuple[Any, ...]:
        tops = [item for item in self._items if not item.hasattr("itemprop")]
        return tuple(self._describe(item, ()) for item in tops if self._budget.take())

    def _owners(self, element: DOMNode) -> list[DOMNode]:
        """The item around a property, and those that refer to where it stands."""
        owners: list[DOMNode] = []
        place: DOMNode | None = element
        for _ in range(_MAX_CLIMB):
            if place is None or place.type is not NodeType.ELEMENT:
                break
            if self._referring:
                owners += self._referring.get(place.getattr("id") or "", ())
            if place != element and place.hasattr("itemscope"):
                return [*owners, place]
            place = place.parent
        return owners

    def _describe(self, item: DOMNode, outer: tuple[DOMNode, ...]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if types := (item.getattr("itemtype") or "").split():
            found["type"] = [clip(one, 1024) for one in types[:16]]
        if identity := item.getattr("itemid"):
            found["id"] = clip(identity, 2048)
        properties: dict[str, list[Any]] = {}
        found["properties"] = properties
        for element in self._properties.get(item, ()):
            if not self._budget.take():
                break
            value = self._value(element, (*outer, item))
            for name in (element.getattr("itemprop") or "").split()[:16]:
                properties.setdefault(clip(name, 1024), []).append(value)
        return found

    def _value(self, element: DOMNode, outer: tuple[DOMNode, ...]) -> Any:
        if element.hasattr("itemscope"):
            if element in outer or len(outer) >= MAX_DEPTH:
                return "ERROR"  # the standard's word for an item that contains itself
            return self._describe(element, outer)
        value = element.getattr("content") or element.getattr(
            _ATTRIBUTES.get(element.tag, "content")
        )
        return clip(" ".join((value or self._text_of(element)).split()))

    def _text_of(self, element: DOMNode) -> str:
        """The text in an element, which may be all of the page, for each of many."""
        text: str = element.text if self._room > 0 else ""
        self._room -= len(text)
        return text
