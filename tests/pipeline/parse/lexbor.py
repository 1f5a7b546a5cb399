"""A page as lexbor's tree has it, to compare our reading with. selectolax wraps lexbor."""

from typing import NamedTuple

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from gossamer.core.records import REQUISITES
from gossamer.pipeline.parse.html_kernel import PageReading
from gossamer.pipeline.parse.html_kernel.kernel_names import code_of
from gossamer.pipeline.parse.html_kernel.rows import BASE, TITLE
from gossamer.pipeline.parse.kernel_findings import Findings
from gossamer.pipeline.parse.tag_attributes import read_text, read_value
from tests.pipeline.parse.elements import elements

_QUERY = "a,area[href],iframe[src],frame[src],base[href],title"
_ADDRESSES = {"a": "href", "area": "href", "base": "href", "iframe": "src", "frame": "src"}
_FOLLOWED = _ADDRESSES.keys() - {"base"}
_CODES = {code_of(name): name for name in _ADDRESSES}
_UNSEEN = ["script", "style", "title", "noframes", "noembed", "iframe", "template"]
_POINTS = {
    "svg": frozenset(["foreignobject", "desc", "title"]),
    "math": frozenset(["mi", "mo", "mn", "ms", "mtext"]),
}
"""Elements of pictures and formulas that hold HTML."""
_GLYPHS = frozenset(["mglyph", "malignmark"])
_HTML_TYPES = frozenset(["text/html", "application/xhtml+xml"])
_TRIMMED = bytes(range(33)).decode()


class Sight(NamedTuple):
    """What both see of a page. White space is left out of all texts."""

    links: list[tuple[str, str, str]]
    """Tag, address without its fragment, and text of each element with an address."""
    title: str
    base: str | None
    text: str


def seen_by_lexbor(html: bytes) -> Sight:
    parser = LexborHTMLParser(html, options=int(LexborDocumentOptions.WO_EVENTS))
    nodes = parser.css(_QUERY)
    titles = [node for node in nodes if node.tag == "title" and not _is_foreign(node)]
    bases = [node for node in nodes if node.tag == "base" and not _is_foreign(node)]
    base = bases[0].attributes["href"] or "" if bases else None
    links = [
        (tag, href.partition("#")[0], _bare(_text(node)) if tag == "a" else "")
        for node in nodes
        if (tag := node.tag or "") in _FOLLOWED and (tag == "a" or not _is_foreign(node))
        if (href := _address(node)) and (href[0] != "#" or base is not None)
    ]
    title = titles[0].text_lexbor() if titles else ""
    return Sight(links, _bare(title), base, _bare(_text(parser.root)))


def _address(node: LexborNode) -> str:
    attributes = node.attributes
    address = attributes.get(_ADDRESSES[node.tag or ""])
    if node.tag == "a" and "href" not in attributes and _is_foreign(node):
        address = attributes.get("xlink:href")
    return (address or "").strip(_TRIMMED)


def _text(node: LexborNode | None) -> str:
    if node is None:
        return ""
    nodes = node.traverse(include_text=True)
    return "".join(
        child.text_lexbor() for child in nodes if child.tag == "-text" and not _is_unseen(child)
    )


def _is_unseen(text: LexborNode) -> bool:
    parent = text.parent
    while parent is not None:
        if parent.tag in ("script", "style"):
            return True
        if parent.tag in _UNSEEN and not _is_foreign(parent):
            return True
        parent = parent.parent
    return False


def _is_foreign(node: LexborNode) -> bool:
    """Is it an element of a picture or formula?"""
    return _namespace(node) != ""


def _namespace(node: LexborNode) -> str:
    """`svg`, `math` or empty: an element is in that of its parent, unless that leads back to HTML."""
    path = [node]
    while (parent := path[-1].parent) is not None:
        path.append(parent)
    namespace, holds_html, above = "", False, ""
    for element in reversed(path):
        tag = (element.tag or "").lower()
        if not namespace or holds_html or (above == "annotation-xml" and tag == "svg"):
            is_glyph = tag in _GLYPHS and namespace == "math" and above in _POINTS["math"]
            namespace = "math" if is_glyph else tag if tag in _POINTS else ""
        holds_html = tag in _POINTS.get(namespace, ()) or (
            namespace == "math"
            and tag == "annotation-xml"
            and (element.attributes.get("encoding") or "").lower() in _HTML_TYPES
        )
        above = tag
    return namespace


def seen_by_us(reading: PageReading) -> Sight:
    rows = list(elements(reading))
    bases = [read_value(value) for code, value, _ in rows if code == BASE]
    titles = [value.decode("utf-8", "replace") for code, value, _ in rows if code == TITLE]
    links = [
        (_CODES[code], href.partition("#")[0], _bare(text))
        for code, value, text in rows
        if code in _CODES and code != BASE
        if not (href := read_value(value).strip(_TRIMMED)).startswith("#") or bases
    ]
    title, base = read_text(titles[0] if titles else ""), bases[0] if bases else None
    return Sight(links, _bare(title), base, _bare(reading.text.decode("utf-8", "replace")))


def _bare(text: str) -> str:
    return "".join(text.split())


_LOADED = {
    "img": ("src", "srcset", "data-src", "data-srcset"),
    "source": ("src", "srcset", "data-src", "data-srcset"),
    "script": ("src", "data-src"),
    "embed": ("src",),
    "input": ("src",),
    "table": ("background",),
}
_OF_PICTURES = frozenset(["image", "use", "feimage", "script"])


def requisites_by_lexbor(html: bytes) -> list[str]:
    """What a page loads, in the order of its tree: addresses in attributes, and in those of pictures."""
    parser = LexborHTMLParser(html, options=int(LexborDocumentOptions.WO_EVENTS))
    found: list[str] = []
    for node in parser.root.traverse() if parser.root is not None else ():
        found += [
            one for one in _loaded(node) if one and one[0] != "#" and not _is_in_template(node)
        ]
    return found


def _loaded(node: LexborNode) -> list[str]:
    tag, attributes, space = (node.tag or "").lower(), node.attributes, _namespace(node)
    if space == "svg" and tag in _OF_PICTURES:
        return [attributes.get("href") or attributes.get("xlink:href") or ""]
    if space or (tag == "input" and attributes.get("type") != "image"):
        return []
    return [attributes.get(name) or "" for name in _LOADED.get(tag, ())]


def _is_in_template(node: LexborNode) -> bool:
    parent = node.parent
    while parent is not None:
        if parent.tag == "template" and not _namespace(parent):
            return True
        parent = parent.parent
    return False


def requisites_by_us(reading: PageReading) -> list[str]:
    found = Findings("", wants_requisites=True, limit=20_000)
    found.read(reading)
    links = zip(found.links.kinds, found.links.hrefs, strict=True)
    return [href.decode() for kind, href in links if kind in REQUISITES]
