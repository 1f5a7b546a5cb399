"""JSON-LD of a page as entities. References within the page are followed, graphs are taken apart."""

import html
import re
from collections.abc import Iterator
from typing import Any

from gossamer.core.page_tree import PageTree
from gossamer.items.structured_data.entity import Entity, short_type
from gossamer.items.structured_data.loose_json import read_json

_ENTITY = re.compile(r"&(?:#\d+|#x[0-9a-f]+|[a-z]+\d*);", re.IGNORECASE)
_TYPE = re.compile(r"application/(?:\w+\+)?ld\s*\+\s*json", re.IGNORECASE)
MOST_ENTITIES = 5_000
_MOST_DEPTH = 30


def read_linked_data(page: PageTree) -> list[Entity]:
    """The entities of all JSON-LD scripts of a page, those at the top first."""
    found: list[Entity] = []
    reader = _Reader()
    for script in page.find("script"):
        if _TYPE.search(script.get("type")):
            reader.place = script.start
            for value in read_json("".join(one for one in script.children if isinstance(one, str))):
                found += reader.read_top(value)
    reader.follow()
    return [one for one in found if one.types or one.properties]


class _Reader:
    def __init__(self) -> None:
        self.place = -1
        self.by_id: dict[str, Entity] = {}
        self.count = 0

    def read_top(self, value: Any, depth: int = 0) -> Iterator[Entity]:
        if isinstance(value, list):
            for one in value if depth < _MOST_DEPTH else ():
                yield from self.read_top(one, depth + 1)
        elif isinstance(value, dict):
            graph = value.get("@graph")
            rest = {
                name: one
                for name, one in value.items()
                if name not in ("@context", "@graph", "@id")
            }
            if graph is not None and depth < _MOST_DEPTH:
                yield from self.read_top(graph, depth + 1)
            if rest and (found := self._entity(value, 0)) is not None:
                yield found

    def _entity(self, value: dict[str, Any], depth: int) -> Entity | None:
        self.count += 1
        if self.count > MOST_ENTITIES or depth > _MOST_DEPTH:
            return None
        types = value.get("@type", value.get("type") if "@context" in value else None)
        names = [types] if isinstance(types, str) else types if isinstance(types, list) else []
        entity = Entity(
            tuple(short_type(one) for one in names if isinstance(one, str)),
            syntax="json-ld",
            id=value["@id"] if isinstance(value.get("@id"), str) else "",
            place=self.place,
        )
        for name, one in value.items():
            if name.startswith("@") and name != "@value":
                continue
            for part in one if isinstance(one, list) else [one]:
                entity.add(short_type(name), self._value(part, depth + 1))
        if entity.id and entity.properties:
            self.by_id.setdefault(entity.id, entity)
        return entity

    def _value(self, value: Any, depth: int) -> Any:
        if isinstance(value, dict):
            if "@value" in value and not isinstance(value["@value"], (dict, list)):
                return self._value(value["@value"], depth)
            return self._entity(value, depth)
        if isinstance(value, list):
            return (
                None
                if not value
                else self._value(value[0], depth + 1)
                if depth < _MOST_DEPTH
                else None
            )
        if isinstance(value, str):
            return _ENTITY.sub(lambda found: html.unescape(found[0]), value).strip()
        if isinstance(value, int) and abs(value) >= 1 << 53:
            return str(value)
        return value

    def follow(self) -> None:
        """Put the entities in place of what only names them."""
        for entity in list(self.by_id.values()):
            for values in entity.properties.values():
                for index, value in enumerate(values):
                    if isinstance(value, Entity) and value.id and not value.properties:
                        named = self.by_id.get(value.id)
                        if named is not None and not _is_within(entity, named):
                            values[index] = named


def _is_within(entity: Entity, other: Entity) -> bool:
    """Would an entity be within itself?"""
    return any(one is entity for one in other.walk())
