"""The elements of a page that matter to a crawler, read tag by tag without a tree.

For pages that a tree builder would choke on (`tame` tells them): every byte is looked at once.
Tags, attributes, comments and raw text are told apart as the standard's tokenizer does; what only
a tree knows (misplaced frames, elements of SVG) is not.
"""

import re
from collections.abc import Iterator

from gossamer.cycle.parse.markup import TOKEN, read_attributes, read_text
from gossamer.cycle.parse.tree import Element

_SIMPLE = frozenset({b"area", b"link", b"frame", b"meta", b"base"})
_RAW = frozenset(
    {b"script", b"style", b"xmp", b"iframe", b"noembed", b"noframes", b"textarea", b"title"}
)
"""Elements whose content is no markup."""

_END_OF_RAW = {
    name: re.compile(rb"</" + name + rb"(?=[\t\n\f\r />])", re.IGNORECASE) for name in _RAW
}
_TEXT = 1024
"""Bytes of an anchor's text that are looked at."""
_TITLE = 8 << 10


def elements_by_scan(html: bytes) -> Iterator[Element]:
    """Links, base, meta and title in document order; `html` is UTF-8.

    >>> list(elements_by_scan(b"<!-- <a href=no> --><a href='/x'>y <b>z</b></a>"))
    [('a', {'href': '/x'}, 'y z')]
    """
    anchor: _Anchor | None = None
    templates = position = 0
    while token := TOKEN.search(html, position):
        if anchor:
            anchor.add(html, position, token.start())
        position = token.end()
        start, tail, end = token.groups()
        name = (start or end or b"").lower()
        if name == b"a" and not templates:
            if anchor:  # an open one is closed by the next, too
                yield anchor.element()
            anchor = _Anchor(read_attributes(tail)) if start else None
        elif name == b"template":
            templates = max(0, templates + (1 if start else -1))
        elif start is None:
            continue
        elif name in _RAW:
            content, position = position, _end_of_raw(html, name, position)
            if not templates:
                yield from _raw_element(name, tail, html[content : min(position, content + _TITLE)])
        elif name in _SIMPLE and not templates:
            yield name.decode(), dict(read_attributes(tail)), ""
        elif name == b"img" and anchor:
            anchor.see_image(tail)
        elif name == b"plaintext":
            break
    if anchor:
        anchor.add(html, position, len(html))
        yield anchor.element()


def _end_of_raw(html: bytes, name: bytes, position: int) -> int:
    match = _END_OF_RAW[name].search(html, position)
    return match.start() if match else len(html)


def _raw_element(name: bytes, tail: bytes, content: bytes) -> Iterator[Element]:
    if name == b"title":
        yield "title", {}, read_text(content)
    elif name == b"iframe":
        yield "iframe", dict(read_attributes(tail)), ""


class _Anchor:
    """A link whose text is being read."""

    __slots__ = ("alternative", "attributes", "room", "text")

    def __init__(self, attributes: dict[str, str]) -> None:
        self.attributes = attributes
        self.text: list[bytes] = []
        self.room = _TEXT
        self.alternative = ""

    def add(self, html: bytes, start: int, end: int) -> None:
        if start < end and self.room > 0:
            piece = html[start : min(end, start + self.room)]
            self.text.append(piece)
            self.room -= len(piece)

    def see_image(self, tail: bytes) -> None:
        if not self.alternative:
            self.alternative = read_attributes(tail).get("alt", "")

    def element(self) -> Element:
        text = read_text(b"".join(self.text))
        if not text or text.isspace():
            text = self.alternative
        return "a", dict(self.attributes), text
