"""RDFa Lite of a page as entities: vocab, typeof, property, resource and prefix."""

from gossamer.core.page_tree import Element, PageTree
from gossamer.core.url.spelling import Base
from gossamer.items.structured_data.element_values import absolute, base_of, value_of
from gossamer.items.structured_data.entity import Entity, short_type

_KNOWN = {
    "schema": "http://schema.org/",
    "og": "http://ogp.me/ns#",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "dc": "http://purl.org/dc/terms/",
    "dcterms": "http://purl.org/dc/terms/",
    "gr": "http://purl.org/goodrelations/v1#",
    "v": "http://rdf.data-vocabulary.org/#",
}


def read_rdfa(page: PageTree, url: str) -> list[Entity]:
    """The entities that have a type, those at the top, in the order of the page."""
    if not any("typeof" in one.attributes for one in page.elements):
        return []
    reader = _Reader(base_of(page, url))
    waiting: list[tuple[Element, Entity | None, str]] = [(page.root, None, "")]
    while waiting:
        element, entity, vocabulary = waiting.pop()
        entity, vocabulary = reader.read(element, entity, vocabulary)
        waiting.extend((one, entity, vocabulary) for one in reversed(element.elements))
    return reader.found


class _Reader:
    def __init__(self, base: Base | None) -> None:
        self.base = base
        self.found: list[Entity] = []
        self.prefixes = dict(_KNOWN)

    def read(
        self, element: Element, entity: Entity | None, vocabulary: str
    ) -> tuple[Entity | None, str]:
        """Read one element; what is in it belongs to the entity that is returned."""
        vocabulary = element.get("vocab").strip() or vocabulary
        pieces = element.get("prefix").split()
        for name, meaning in zip(pieces[::2], pieces[1::2], strict=False):
            self.prefixes[name.rstrip(":").lower()] = meaning
        names = [self._name(one, vocabulary) for one in element.get("property").split()]
        names += [self._name(one, vocabulary) for one in element.get("rel").split() if ":" in one]
        if "typeof" in element.attributes:
            inner = Entity(
                tuple(self._name(one, vocabulary) for one in element.get("typeof").split()),
                syntax="rdfa",
                id=absolute(
                    self.base,
                    element.get("resource") or element.get("about") or element.get("href"),
                ),
                place=element.start,
            )
            if entity is not None and names:
                for name in names:
                    entity.add(name, inner)
            else:
                self.found.append(inner)
            return inner, vocabulary
        if entity is not None and names:
            value = absolute(self.base, element.get("resource")) or value_of(element, self.base)
            for name in names:
                entity.add(name, value)
        return entity, vocabulary

    def _name(self, name: str, vocabulary: str) -> str:
        prefix, colon, rest = name.partition(":")
        if colon and not rest.startswith("//"):
            meaning = self.prefixes.get(prefix.lower())
            return short_type(meaning + rest) if meaning is not None else name
        return short_type(name if colon else vocabulary + name)
