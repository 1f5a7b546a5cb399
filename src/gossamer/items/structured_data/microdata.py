"""Microdata of a page (HTML standard, section 5) as entities."""

from collections.abc import Iterator

from gossamer.core.page_tree import Element, PageTree
from gossamer.core.url.spelling import Base
from gossamer.items.structured_data.element_values import absolute, base_of, value_of
from gossamer.items.structured_data.entity import Entity, short_type

MOST_SCOPES = 5_000
"""Items that are read, at all depths: references can make many of few."""
_MOST_DEPTH = 30


def read_microdata(page: PageTree, url: str) -> list[Entity]:
    """The items at the top, in the order of the page."""
    if not any("itemscope" in one.attributes for one in page.elements):
        return []
    reader = _Reader(page, base_of(page, url))
    return [
        reader.read(one, frozenset())
        for one in page.elements
        if "itemscope" in one.attributes and "itemprop" not in one.attributes
    ]


class _Reader:
    def __init__(self, page: PageTree, base: Base | None) -> None:
        self.base = base
        self.count = 0
        self.by_id: dict[str, Element] = {}
        for one in page.elements:
            if name := one.get("id"):
                self.by_id.setdefault(name, one)

    def read(self, scope: Element, around: frozenset[Element]) -> Entity:
        entity = Entity(
            tuple(short_type(one) for one in scope.get("itemtype").split()),
            syntax="microdata",
            id=absolute(self.base, scope.get("itemid")),
            place=scope.start,
        )
        self.count += 1
        if len(around) >= _MOST_DEPTH or self.count > MOST_SCOPES:
            return entity
        within = around | {scope}
        for element in self._properties(scope):
            value: Entity | str | None
            if "itemscope" in element.attributes:
                value = self.read(element, within) if element not in within else None
            else:
                value = value_of(element, self.base)
            for name in dict.fromkeys(element.get("itemprop").split()):
                entity.add(short_type(name), value)
        return entity

    def _properties(self, scope: Element) -> Iterator[Element]:
        roots = scope.elements
        for name in scope.get("itemref").split():
            if (other := self.by_id.get(name)) is not None:
                roots.append(other)
        seen: set[Element] = {scope}
        waiting = roots[::-1]
        while waiting:
            one = waiting.pop()
            if one in seen:
                continue
            seen.add(one)
            if one.get("itemprop"):
                yield one
            if "itemscope" not in one.attributes:
                waiting.extend(reversed(one.elements))
