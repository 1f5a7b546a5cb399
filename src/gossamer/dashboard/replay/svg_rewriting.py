"""Drawings of the crawl (SVG), written again without what could run, load or connect to anything.

A drawing is XML: it may have style sheets by an instruction, elements of HTML, entities, and names in any
case. What is written out is elements and attributes of drawings that are known to be harmless.
"""

import re
from html import escape
from xml.parsers.expat import ExpatError, ParserCreate

from gossamer.dashboard.replay.replay_links import CopyAddresses
from gossamer.dashboard.replay.replay_style_sheets import rewrite_sheet
from gossamer.dashboard.replay.safe_replay import DRAWN, DRAWN_ATTRIBUTES, GONE

MOST = 4 << 20
"""Bytes that are read, and characters that are written."""
_SVG = "http://www.w3.org/2000/svg"
_SILENT = GONE | {"title", "desc", "metadata"}
"""Elements that go with all that is in them."""
_OWN = re.compile(r"url\(#[\w-]{1,100}\)")
"""A colour or a pattern of the same drawing."""


def rewrite_drawing(body: bytes, addresses: CopyAddresses) -> bytes | None:
    """A drawing that only draws; None when it is none.

    >>> addresses = CopyAddresses("http://a.test/", 0, lambda url: "")
    >>> rewrite_drawing(b'<svg xmlns="http://www.w3.org/2000/svg" onload="a()"><g/></svg>', addresses)
    b'<svg xmlns="http://www.w3.org/2000/svg"><g></g></svg>'
    """
    body = body[:MOST]
    writer, declared = _Writer(addresses), _Declared(body)
    parser = ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.EntityDeclHandler = declared.entity
    parser.AttlistDeclHandler = declared.attribute
    parser.StartElementHandler = writer.begin
    parser.EndElementHandler = writer.end
    parser.CharacterDataHandler = writer.say
    try:
        parser.Parse(body, True)
    except (ExpatError, _TooLongError, LookupError, ValueError):
        return None
    return "".join(writer.parts).encode() if writer.is_drawing else None


class _TooLongError(Exception):
    """Much has been made of little, or would be."""


class _Declared:
    """Declarations of a drawing, and the size that they could reach, checked before they are used.

    The parser hands out an attribute as a whole, so that it is too late when it is there.
    """

    def __init__(self, body: bytes) -> None:
        self._references, self._elements = body.count(b"&"), body.count(b"<")
        self._defaults = 0

    def entity(self, name: str, is_parameter: bool, value: str | None, *_: object) -> None:
        """Entities within entities would have to be counted; programs that draw write none."""
        if value is not None and ("&" in value or len(value) * self._references > MOST):
            raise _TooLongError

    def attribute(
        self, element: str, name: str, kind: str, default: str | None, *_: object
    ) -> None:
        """All elements of a name have all its defaults."""
        self._defaults += 1 + len(default or "")
        if self._defaults * self._elements > MOST:
            raise _TooLongError


class _Writer:
    def __init__(self, addresses: CopyAddresses) -> None:
        self._addresses = addresses
        self.parts: list[str] = []
        self.is_drawing = False
        self._size = 0
        self._ends: list[str] = []
        self._gone = 0
        """Elements within each other, from one on that goes with all that is in it."""
        self._sheet: list[str] | None = None

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        space, _, own = name.rpartition(" ")
        is_first = not self._ends and not self.parts
        if is_first:
            self.is_drawing = space == _SVG and own == "svg"
        if self._gone or space != _SVG or own.lower() in _SILENT or not self.is_drawing:
            self._gone += 1
        elif own == "style":
            self._sheet = []
            self._ends.append("")
        elif own.lower() in DRAWN:
            said = "".join(self._attribute(*one) for one in attributes.items())
            space_of_names = f' xmlns="{_SVG}"' if is_first else ""
            self._write(f"<{own}{space_of_names}{said}>")
            self._ends.append(f"</{own}>")
        else:
            self._ends.append("")

    def end(self, name: str) -> None:
        if self._gone:
            self._gone -= 1
            return
        if self._sheet is not None:
            sheet = rewrite_sheet("".join(self._sheet), self._addresses)
            self._write(f"<style>{escape(sheet)}</style>")
            self._sheet = None
        self._write(self._ends.pop())

    def say(self, text: str) -> None:
        if self._gone:
            return
        if self._sheet is not None:
            self._sheet.append(text)
            self._count(text)
        else:
            self._write(escape(text))

    def _attribute(self, name: str, value: str) -> str:
        """Empty when it is left out, as all are that have a namespace."""
        if name == "style":
            return f' style="{escape(rewrite_sheet(value, self._addresses))}"'
        if name.lower() not in DRAWN_ATTRIBUTES or name == "xmlns" or "\\" in value:
            return ""
        is_harmless = "url" not in value.lower() or _OWN.fullmatch(value.strip())
        return f' {name}="{escape(value)}"' if is_harmless else ""

    def _write(self, text: str) -> None:
        self.parts.append(text)
        self._count(text)

    def _count(self, text: str) -> None:
        self._size += len(text)
        if self._size > MOST:
            raise _TooLongError
