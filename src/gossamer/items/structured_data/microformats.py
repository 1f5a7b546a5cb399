"""Microformats of a page as entities: those of version 2, and the classic ones by their names of today.

Parsed as microformats.org/wiki/microformats2-parsing says, with implied names, URLs and photos; classic roots
and properties are translated (`hproduct` is `h-product`, `fn` is `name`).
"""

from gossamer.core.page_tree import Element, PageTree, collapse
from gossamer.core.url.spelling import Base
from gossamer.items.structured_data.classic_microformats import (
    CLASSIC_PROPERTIES,
    CLASSIC_ROOTS,
)
from gossamer.items.structured_data.element_values import absolute, base_of
from gossamer.items.structured_data.entity import Entity

_PREFIXES = ("p-", "u-", "dt-", "e-")
_MOST_DEPTH = 30
_MOST_PIECES = 60


def read_microformats(page: PageTree, url: str) -> list[Entity]:
    """The entities at the top, in the order of the page."""
    reader = _Reader(base_of(page, url))
    found = []
    waiting = [page.root]
    while waiting:
        one = waiting.pop()
        if roots := _roots(one):
            found.append(reader.read(one, roots, 0))
        else:
            waiting.extend(reversed(one.elements))
    return found


def _roots(element: Element) -> list[str]:
    """The names of version 2 of what an element is a root of."""
    names = element.get("class").split()
    if not names:
        return []
    new = sorted({one for one in names if one.startswith("h-") and _is_name(one[2:])})
    return new or [CLASSIC_ROOTS[one] for one in names if one in CLASSIC_ROOTS]


def _is_name(name: str) -> bool:
    return (
        bool(name)
        and name.replace("-", "").isalnum()
        and name == name.lower()
        and name[0].isalpha()
    )


class _Reader:
    def __init__(self, base: Base | None) -> None:
        self.base = base

    def read(self, root: Element, types: list[str], depth: int) -> Entity:
        entity = Entity(tuple(types), syntax="microformats", place=root.start)
        names = root.get("class").split()
        is_classic = not any(one.startswith("h-") and _is_name(one[2:]) for one in names)
        known: dict[str, str] = {}
        if is_classic:
            for kind in types:
                known.update(CLASSIC_PROPERTIES.get(kind, {}))
        has_inner = False
        waiting = root.elements[::-1]
        while waiting:
            one = waiting.pop()
            properties = self._properties(one, known, is_classic)
            roots = _roots(one) if depth < _MOST_DEPTH else []
            if roots:
                has_inner = True
                inner = self.read(one, roots, depth + 1)
                for _, name in properties:
                    entity.add(name, inner)
                if not properties:
                    entity.add("children", inner)
                continue
            for prefix, name in properties:
                entity.add(name, self._value(one, prefix))
            waiting.extend(reversed(one.elements))
        if not is_classic:
            self._imply(root, entity, has_inner)
        return entity

    def _properties(
        self, element: Element, known: dict[str, str], is_classic: bool
    ) -> list[tuple[str, str]]:
        """Prefix and name of each property that an element carries."""
        found = []
        for one in element.get("class").split():
            full = known.get(one, "") if is_classic else one
            if full.startswith(_PREFIXES):
                kind, _, name = full.partition("-")
                if _is_name(name):
                    found.append((kind, name))
        if is_classic:
            for one in element.get("rel").split():
                if full := known.get(f"rel={one}", ""):
                    kind, _, name = full.partition("-")
                    found.append((kind, name))
        return list(dict.fromkeys(found))

    def _value(self, element: Element, kind: str) -> str:
        if kind == "u":
            return self._url(element)
        if kind == "dt":
            return (
                _class_value(element)
                or _attribute(element, "datetime", "title", "value")
                or element.text()
            )
        if kind == "e":
            return element.text()
        return (
            _class_value(element) or _attribute(element, "title", "value", "alt") or element.text()
        )

    def _url(self, element: Element) -> str:
        for tags, name in (
            (("a", "area", "link"), "href"),
            (("img", "audio", "video", "source", "iframe"), "src"),
            (("video",), "poster"),
            (("object",), "data"),
        ):
            if element.tag in tags and element.get(name):
                return absolute(self.base, element.get(name))
        plain = _class_value(element) or _attribute(element, "title", "value") or element.text()
        return absolute(self.base, plain)

    def _imply(self, root: Element, entity: Entity, has_inner: bool) -> None:
        kinds = {one for element in _descendants(root) for one in element.get("class").split()}
        explicit = any(one.startswith(("p-", "e-")) for one in kinds)
        if "name" not in entity.properties and not explicit and not has_inner:
            alone = _alone(root)
            inner = _alone(alone) if alone is not None else None
            shown = [one for one in (root, alone, inner) if one is not None]
            implied = next((t for t in (_attribute(one, "alt") for one in shown) if t), "")
            entity.add("name", implied or root.text())
        if "photo" not in entity.properties and not any(one.startswith("u-") for one in kinds):
            images = [
                one for one in (root, *_descendants(root)) if one.tag == "img" and one.get("src")
            ]
            if len(images) == 1 and not _roots(images[0]):
                entity.add("photo", absolute(self.base, images[0].get("src")))
        if "url" not in entity.properties and not any(one.startswith("u-") for one in kinds):
            links = [
                one
                for one in (root, *root.elements)
                if one.tag in ("a", "area") and one.get("href")
            ]
            if (root.tag == "a" and root.get("href")) or len(links) == 1:
                entity.add("url", absolute(self.base, links[0].get("href")))


def _attribute(element: Element, *names: str) -> str:
    """The value of an attribute on the elements that may have it."""
    tags = {
        "datetime": ("time", "ins", "del"),
        "title": ("abbr", "link"),
        "value": ("data", "input"),
        "alt": ("img", "area"),
    }
    for name in names:
        if element.tag in tags[name] and name in element.attributes:
            return collapse(element.get(name))
    return ""


def _class_value(element: Element) -> str:
    """The value class pattern: the pieces that a property names itself."""
    if element.end - element.start > _MOST_PIECES:
        return ""
    pieces = []
    for one in _descendants(element):
        names = one.get("class").split()
        if "value" in names:
            pieces.append(_attribute(one, "datetime", "title", "value", "alt") or one.text())
        elif "value-title" in names:
            pieces.append(one.get("title"))
    return collapse("T".join(pieces) if _is_date(pieces) else "".join(pieces))


def _is_date(pieces: list[str]) -> bool:
    return len(pieces) == 2 and pieces[0][:4].isdigit() and "-" in pieces[0] and ":" in pieces[1]


def _alone(element: Element) -> Element | None:
    """The only element within another, if it is no root itself."""
    inner = element.elements
    return inner[0] if len(inner) == 1 and not _roots(inner[0]) else None


def _descendants(element: Element) -> list[Element]:
    """All elements below, but for those in other roots."""
    found = []
    waiting = element.elements[::-1]
    while waiting:
        one = waiting.pop()
        if not _roots(one):
            found.append(one)
            waiting.extend(reversed(one.elements))
    return found
