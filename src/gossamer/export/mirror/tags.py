"""Start tags of a page, as browsers find them, in one pass.

What is never closed (a tag, a quote, a comment, a script) reaches to the end of the page, by the HTML
standard. So nothing is looked for twice, whatever a page is made of. Python's own parser looks for the end
of each such thing anew, which takes hours for a few megabytes, and it gives up at some declarations.
"""

import re
from collections.abc import Iterator
from html import unescape
from html.entities import html5
from typing import NamedTuple

Attributes = list[tuple[str, str | None]]
"""Names in small letters, and values without references; None where there is no `=`."""

_OPENING = re.compile(
    r"<(?:(?P<comment>!--)|(?P<doctype>!doctype)|(?P<odd>[!?]|/(?![a-z]))"
    r"|(?P<end>/?)(?P<name>[a-z][^\t\n\f\r />]*+))",
    re.IGNORECASE | re.ASCII,
)
_BEHIND_COMMENT = re.compile(r"--!?>")
_BEHIND_ODD = re.compile(r">")
_ATTRIBUTE = re.compile(
    r"[\t\n\f\r /]*+(?:(?P<close>>)|(?P<name>=?[^\t\n\f\r />=]++|=)"
    r"(?:[\t\n\f\r ]*+=[\t\n\f\r ]*+"
    r"(?:\"(?P<double>[^\"]*+)(?:\"|(?P<cut>\Z))|'(?P<single>[^']*+)(?:'|(?P<cut_too>\Z))"
    r"|(?P<none>(?=>))|(?P<bare>[^\t\n\f\r >\"'][^\t\n\f\r >]*+)))?+)",
    re.ASCII,
)
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
_REFERENCE = re.compile(r"&(?:#[0-9]++|#x[0-9a-f]++|[a-z][a-z0-9]*+)[;=]?+", re.IGNORECASE)
_LONGEST_NUMBER = 12
"""Characters of a reference; a longer number is none of a character, and Python refuses to read some."""


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
    while (opening := _OPENING.search(text, place)) is not None:
        name = (opening["name"] or "").lower()
        if not name:
            end = _behind(text, opening)
            if opening["doctype"] and end:
                yield Tag("!doctype", opening.start(), end, [], end)
        else:
            attributes, end = _read_attributes(text, opening.end())
            foreign += (name in _FOREIGN) * (-1 if opening["end"] else 1) * (end > 0)
        if not end:
            return
        place = end
        if name and not opening["end"]:
            is_closed = foreign > 0 and text[end - 2] == "/"
            place = end if is_closed else _behind_text(text, name, end)
            yield Tag(name, opening.start(), end, attributes, place or end)
            if not place:
                return
        foreign = max(0, foreign)


def _behind(text: str, opening: re.Match[str]) -> int:
    """Where a comment or a declaration ends; 0 when it does not."""
    begin = opening.end()
    if not opening["comment"]:
        found = _BEHIND_ODD.search(text, begin)
    elif text.startswith((">", "->"), begin):
        return begin + 1 + text.startswith("-", begin)
    else:
        found = _BEHIND_COMMENT.search(text, begin)
    return found.end() if found else 0


def _read_attributes(text: str, place: int) -> tuple[Attributes, int]:
    """The attributes of a tag, and where it ends; 0 when it does not."""
    found: Attributes = []
    while (one := _ATTRIBUTE.match(text, place)) is not None:
        place = one.end()
        if one["close"]:
            return found, place
        if one["cut"] is not None or one["cut_too"] is not None:
            break
        said = [one[kind] for kind in ("double", "single", "none", "bare")]
        value = next((value for value in said if value is not None), None)
        found.append((one["name"].lower(), _unescape(value) if value else value))
    return found, 0


def _behind_text(text: str, name: str, begin: int) -> int:
    """Where the text of an element without tags ends; 0 when it does not, or nothing may come behind it."""
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


def _unescape(value: str) -> str:
    """The value of an attribute: `&copy=` in an address is no sign of copyright.

    >>> _unescape("?a&amp;b&copy=1&copy&#65;&copyright"), _unescape("&#" + "9" * 5000)
    ('?a&b&copy=1©A&copyright', '\\ufffd')
    """
    return _REFERENCE.sub(lambda found: _character(found[0]), value) if "&" in value else value


def _character(reference: str) -> str:
    if reference.startswith("&#"):
        number, mark, _ = reference.partition("=")
        return (unescape(number) if len(number) <= _LONGEST_NUMBER else "\ufffd") + mark
    return unescape(reference) if reference[1:] in html5 else reference
