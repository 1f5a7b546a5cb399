"""XML as it is met on the web: broken, and sometimes hostile.

A strict parser stops at the first error, and feeds are full of them: a stray `&`, an HTML entity,
a control character, an end that never came. This reader takes tags and text as they come, and
lets an end tag close what it can. It knows no document type declaration: nothing in one is ever
expanded, looked up or fetched, so entity bombs and external entities are plain text to it.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from gossamer.pipeline.parse.tag_attributes import SPACE, read_text

_TOKEN = re.compile(
    rb"<(?:"
    rb"([A-Za-z_][^\t\n\f\r />]*+)([^<>\"'/]*+)>([^<]*+)</\1>"  # 1, 2, 3: an element with text only
    rb"|([A-Za-z_][^\t\n\f\r />]*+)((?:[^>\"']++|\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z))*+)>?+"  # 4, 5: a start
    rb"|/([A-Za-z_][^\t\n\f\r >]*+)[^>]*+>?+"  # 6: an end
    rb"|!\[CDATA\[((?s:.)*?)(?:\]\]>|\Z)"  # 7: CDATA
    rb"|!--(?s:.)*?(?:-->|\Z)"
    rb"|\?(?s:.)*?(?:\?>|\Z)"
    rb"|!DOCTYPE[^>\[]*+(?:\[(?:[^\]\"']++|\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z))*+\]?+[^>]*+)?+>?+"
    rb")",
    re.IGNORECASE,
)
SNIFFED = 128 << 10
"""Bytes in which a root element is looked for: a document type declaration may be long."""
_MAX_DEPTH = 32
_MAX_TEXT = 16 << 10
"""Bytes of one text that are kept: more than any URL, title or date has."""
_MAX_TAIL = 256 << 10
"""Bytes of an element's attributes that are kept: a base that is longer is too long for a URL."""
_MAX_NAME = 256
"""Bytes of an element's name that are kept, from its end: every child is told its parent's."""
_MAX_PIECES = 64
"""Comments and CDATA sections can cut an element's text into this many pieces."""


class Start(Struct, frozen=True, gc=False):
    """An element begins."""

    name: str
    """Its name, lower-cased and without its namespace's prefix."""
    parent: str
    tail: bytes
    """Its attributes as written."""


class XmlEnd(Struct, frozen=True, gc=False):
    """An element ends."""

    name: str
    parent: str
    text: str
    """What stood in it since its last child."""


def read_xml(data: bytes) -> Iterator[Start | XmlEnd]:
    """The elements of UTF-8 text in order; what was never closed ends with the text.

    >>> [event.text for event in read_xml(b"<a><b>x &amp; y</b>") if type(event) is XmlEnd]
    ['x & y', '']
    """
    stack = [""]
    pieces: list[str] = []
    position = 0
    while token := _TOKEN.search(data, position):
        if position < token.start() and len(pieces) < _MAX_PIECES:
            pieces.append(_resolve(data[position : min(token.start(), position + _MAX_TEXT)]))
        position = token.end()
        leaf, leaf_tail, text, start, tail, end, cdata = token.groups()
        if leaf is not None:
            name, parent = _local(leaf[-_MAX_NAME:]), stack[-1]
            pieces.clear()
            yield Start(name, parent, leaf_tail[:_MAX_TAIL])
            yield XmlEnd(name, parent, _resolve(text[:_MAX_TEXT]).strip(SPACE))
        elif start is not None:
            name = _local(start[-_MAX_NAME:])
            pieces.clear()
            yield Start(name, stack[-1], tail[:_MAX_TAIL])
            if tail.endswith(b"/"):
                yield XmlEnd(name, stack[-1], "")
            elif len(stack) <= _MAX_DEPTH:
                stack.append(name)
        elif end is not None:
            yield from _close(stack, _local(end[-_MAX_NAME:]), pieces)
        elif cdata is not None and len(pieces) < _MAX_PIECES:
            pieces.append(cdata[:_MAX_TEXT].decode("utf-8", "replace"))
    if len(stack) > 1:
        yield from _close(stack, stack[1], pieces)


def root_of(data: bytes) -> str:
    """The name of the first element, or an empty string.

    >>> root_of(b'<?xml version="1.0"?><!-- a --><rdf:RDF xmlns:rdf="x">')
    'rdf'
    """
    for token in _TOKEN.finditer(data[:SNIFFED]):
        if name := token[1] or token[4]:
            return _local(name[-_MAX_NAME:])
    return ""


def _close(stack: list[str], name: str, pieces: list[str]) -> Iterator[XmlEnd]:
    """End the innermost element of this name and all that was left open within it."""
    if name not in stack[1:]:
        return
    while True:
        closed = stack.pop()
        yield XmlEnd(closed, stack[-1], "".join(pieces).strip(SPACE))
        pieces.clear()
        if closed == name:
            return


def _resolve(text: bytes) -> str:
    return read_text(text.decode("utf-8", "replace"))


@lru_cache(maxsize=1024)
def _local(name: bytes) -> str:
    return name.rpartition(b":")[2].decode("utf-8", "replace").lower()
