"""Start tags of a page, as browsers find them, in one pass.

What is never closed (a tag, a quote, a comment, a script) reaches to the end of the page, by the HTML
standard. So nothing is looked for twice, whatever a page is made of. Python's own parser looks for the end
of each such thing again, which takes hours for a few megabytes, and it gives up at some declarations.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from gossamer.pipeline.parse.tag_attributes import resolve_value
from gossamer.pipeline.parse.tag_patterns import ATTRIBUTE_IN_TEXT, TAG_IN_TEXT

Attributes = list[tuple[str, str | None]]
"""Names in small letters, and values without references; None where there is no `=`."""

_DOCTYPE = re.compile(r"<!doctype", re.IGNORECASE | re.ASCII)
_RAW = {
    name: re.compile(rf"</{name}(?=[\t\n\f\r />])", re.IGNORECASE | re.ASCII)
    for name in ("style", "title", "textarea", "xmp", "iframe", "noembed", "noframes")
}
"""Elements that have text and no tags in them, and what ends them."""
_IN_SCRIPT = re.compile(
    r"(?P<end></script(?=[\t\n\f\r />]))|(?P<script><script(?=[\t\n\f\r />]))|(?P<begin><!--)|(?P<over>-->)",
    re.IGNORECASE | re.ASCII,
)
_FOREIGN = frozenset({"svg", "math"})
"""In them, any element may be closed by a slash."""


class Tag(NamedTuple):
    """A start tag."""

    name: str
    """In small letters; `!doctype` for the declaration."""
    start: int
    end: int
    attributes: Attributes
    inner_end: int
    """Where the text of an element without tags ends; for others, where the tag does."""


def find_tags(text: str) -> Iterator[Tag]:
    """All start tags, and declarations of the document.

    >>> [(tag.name, tag.attributes) for tag in find_tags("<A b='1&amp;2' c><!-- <d> --><style><e></style>")]
    [('a', [('b', '1&2'), ('c', None)]), ('style', [])]
    """
    place, foreign = 0, 0
    while (found := TAG_IN_TEXT.search(text, place)) is not None:
        start, place = found.span()
        name, end_name = (found[1] or "").lower(), (found[3] or "").lower()
        foreign = max(0, foreign + (name in _FOREIGN) - (end_name in _FOREIGN))
        if name:
            if place == found.end(2):
                return  # never closed
            attributes, end = _read_attributes(found[2]), place
            is_closed = foreign > 0 and text[end - 2] == "/"
            place = end if is_closed else _behind_text(text, name, end)
            yield Tag(name, start, end, attributes, place or end)
            if not place:
                return
        elif _DOCTYPE.match(text, start) and text[place - 1] == ">":
            yield Tag("!doctype", start, place, [], place)


def _read_attributes(tail: str) -> Attributes:
    found: Attributes = []
    for match in ATTRIBUTE_IN_TEXT.finditer(tail):
        name, *values = match.groups()
        value = next((value for value in values if value is not None), None)
        found.append((name.lower(), resolve_value(value) if value else value))
    return found


def _behind_text(text: str, name: str, begin: int) -> int:
    """The end of the text of an element without tags; 0 when it does not end, or nothing may follow."""
    if name == "script":
        return _behind_script(text, begin)
    if name == "plaintext":
        return 0
    if name not in _RAW:
        return begin
    found = _RAW[name].search(text, begin)
    return found.start() if found else 0


def _behind_script(text: str, place: int) -> int:
    """A script that is in a comment may have scripts in it."""
    is_comment = is_inner = False
    while (found := _IN_SCRIPT.search(text, place)) is not None:
        place = found.end()
        if found["end"] and not is_inner:
            return found.start()
        if found["begin"] and not is_comment:
            is_comment, place = True, place - 2  # its dashes may be those that end it
        elif found["over"]:
            is_comment = is_inner = False
        elif is_comment and (found["script"] or found["end"]):
            is_inner = bool(found["script"])
    return 0
