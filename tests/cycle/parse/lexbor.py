"""A page as lexbor's tree has it, to compare our reading with. selectolax wraps lexbor."""

from typing import NamedTuple

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from gossamer.base.records import REQUISITES
from gossamer.cycle.parse.findings import Findings
from gossamer.cycle.parse.markup import read_text, read_value
from gossamer.cycle.parse.reader import Reading
from gossamer.cycle.parse.reader.names import code_of
from gossamer.cycle.parse.reader.rows import BASE, TITLE
from tests.cycle.parse.elements import elements

_QUERY = "a[href],area[href],iframe[src],frame[src],base[href],title"
_ADDRESSES = {"a": "href", "area": "href", "base": "href", "iframe": "src", "frame": "src"}
_CODES = {code_of(name): name for name in _ADDRESSES}
_UNSEEN = ["script", "style", "title", "noframes", "noembed", "iframe", "template"]
_HOLD_HTML = frozenset(["foreignobject", "desc", "title", "mi", "mo", "mn", "ms", "mtext"])
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
    links, title, base = [], None, None
    for node in parser.css(_QUERY):
        tag = node.tag or ""
        if tag == "title":
            if title is None and not _is_foreign(node):
                title = node.text_lexbor()
            continue
        if tag != "a" and _is_foreign(node):
            continue
        address = node.attributes.get(_ADDRESSES[tag]) or ""
        if tag == "base":
            base = address if base is None else base
        elif (href := address.strip(_TRIMMED)) and (href[0] != "#" or base is not None):
            links.append((tag, href.partition("#")[0], _bare(_text(node)) if tag == "a" else ""))
    return Sight(links, _bare(title or ""), base, _bare(_text(parser.root)))


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
    parent = node.parent
    while parent is not None:
        if parent.tag in ("svg", "math"):
            return True
        if (parent.tag or "").lower() in _HOLD_HTML:
            return False
        parent = parent.parent
    return False


def seen_by_us(reading: Reading) -> Sight:
    links, title, base = [], "", None
    for code, value, text in elements(reading):
        if code == TITLE:
            title = read_text(value.decode("utf-8", "replace"))
        elif code == BASE:
            base = read_value(value)
        elif code in _CODES:
            href = read_value(value).partition("#")[0].strip(_TRIMMED)
            links.append((_CODES[code], href, _bare(text)))
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
_HOLD_HTML_IN = {
    "svg": ("foreignobject", "desc", "title"),
    "math": ("mi", "mo", "mn", "ms", "mtext"),
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


def _namespace(node: LexborNode) -> str:
    """`svg`, `math`, or nothing for HTML."""
    parent, tag = node.parent, node.tag or ""
    if tag in ("svg", "math") or parent is None:
        return tag if parent is not None else ""
    around = _namespace(parent)
    return "" if (parent.tag or "").lower() in _HOLD_HTML_IN.get(around, ()) else around


def _is_in_template(node: LexborNode) -> bool:
    parent = node.parent
    while parent is not None:
        if parent.tag == "template" and not _namespace(parent):
            return True
        parent = parent.parent
    return False


def requisites_by_us(reading: Reading) -> list[str]:
    found = Findings("", wants_requisites=True, limit=20_000)
    found.read(reading)
    links = zip(found.links.kinds, found.links.hrefs, strict=True)
    return [href.decode() for kind, href in links if kind in REQUISITES]
