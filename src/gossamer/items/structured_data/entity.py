"""An entity of structured data: types, properties as found, and the syntax that it was written in."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct, field

_NAMESPACES = (
    "http://schema.org/",
    "https://schema.org/",
    "http://www.schema.org/",
    "https://www.schema.org/",
)
MOST_DEPTH = 30
"""Of entities within entities; what is deeper is left out."""


class Entity(Struct):
    """A thing that a page describes."""

    types: tuple[str, ...]
    """Short for schema.org (`Product`), as written for other vocabularies."""
    properties: dict[str, list[Any]] = field(default_factory=dict)
    """Values in their order: texts, numbers, or entities."""
    syntax: str = ""
    """`json-ld`, `microdata`, `rdfa`, `opengraph`, `microformats`."""
    id: str = ""
    place: int = -1
    """The number of its element on the page; -1 where it has none."""

    @property
    def type(self) -> str:
        return self.types[0] if self.types else ""

    def add(self, name: str, value: Any) -> None:
        if value is not None and value != "":
            self.properties.setdefault(name, []).append(value)

    def values(self, *names: str) -> list[Any]:
        """The values of several properties, in the order of the names."""
        return [value for name in names for value in self.properties.get(name, ())]

    def text(self, *names: str) -> str:
        """The first value that is a text, a number, or an entity with a name."""
        for value in self.values(*names):
            if found := text_of(value):
                return found
        return ""

    def entities(self, *names: str) -> "list[Entity]":
        return [one for one in self.values(*names) if isinstance(one, Entity)]

    def walk(self) -> "Iterator[Entity]":
        """Itself and all entities in it, each once."""
        seen: set[int] = set()
        waiting: list[Entity] = [self]
        while waiting:
            one = waiting.pop()
            if id(one) in seen:
                continue
            seen.add(id(one))
            yield one
            inner = [value for values in one.properties.values() for value in values]
            waiting.extend(value for value in reversed(inner) if isinstance(value, Entity))

    def plain(self) -> dict[str, Any]:
        """As JSON has it: a single value stands alone, and what was said already is named by its id."""
        return _plain(self, set(), 0)


def _plain(entity: Entity, seen: set[int], depth: int) -> dict[str, Any]:
    found: dict[str, Any] = {"type": entity.type} if depth and entity.types else {}
    if id(entity) in seen or depth > MOST_DEPTH:
        return found | {"@id": entity.id}
    seen.add(id(entity))
    for name, values in entity.properties.items():
        plain = [_plain(one, seen, depth + 1) if isinstance(one, Entity) else one for one in values]
        found[name] = plain[0] if len(plain) == 1 else plain
    return found


def text_of(value: Any) -> str:
    """A value as text: of an entity its value or its name."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool) or value is None:
        return ""
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, Entity):
        return next(
            (t for t in map(_own_text, value.values("name", "@value", "value", "url")) if t), ""
        )
    return ""


def _own_text(value: Any) -> str:
    return "" if isinstance(value, Entity) else text_of(value)


def short_type(name: str) -> str:
    """A type without the namespace of schema.org.

    >>> short_type("http://schema.org/Product"), short_type("schema:Offer"), short_type("v:Review")
    ('Product', 'Offer', 'v:Review')
    """
    name = name.strip()
    for one in _NAMESPACES:
        if name.lower().startswith(one):
            return name[len(one) :].strip("/#") or name
    return name.removeprefix("schema:")
