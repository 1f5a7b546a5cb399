"""Pictures and formulas (SVG, MathML) within a page, where other rules hold.

In them `<title>` is no title, `<script/>` is closed and CDATA is text. Certain elements lead back
to HTML for what they hold (integration points), and certain tags of HTML end the picture.
"""

from gossamer.base.kernel import Numbers, inner_kernel
from gossamer.cycle.parse.reader.desk import (
    DEPTH,
    FOREIGN,
    FOREIGN_BEFORE,
    FOREIGN_BITS,
    FOREIGN_NAME,
    FOREIGN_ROW,
    IS_CLOSED,
    IS_HTML_INSIDE,
    NAME,
    SEEN,
    TRAITS,
    UNSEEN,
    VALUES,
)
from gossamer.cycle.parse.reader.links import end_text
from gossamer.cycle.parse.reader.names import Attribute, Trait, code_of, key_of

_MATH = 1
_HTML_POINT = 2
"""Holds HTML, as `foreignObject` does."""
_TEXT_POINT = 4
"""Holds text, and tags of HTML, as `mi` does."""
_UNSEEN = 8
_NOTE = 16
"""An `annotation-xml`: a picture in it is one, though it stands in a formula."""

_SVG_TAG, _MATH_TAG = code_of("svg"), code_of("math")
_FONT, _TITLE, _DESC, _OBJECT = map(code_of, ("font", "title", "desc", "foreignobject"))
_STYLE, _SCRIPT = code_of("style"), code_of("script")
_FIRST_TEXT, _LAST_TEXT, _ANNOTATION = code_of("mi"), code_of("mtext"), code_of("annotation-xml")
_GLYPH, _MARK = code_of("mglyph"), code_of("malignmark")
_BREAKS_OUT = int(Trait.BREAKS_OUT)
_FONT_BIT = 1 << Attribute.FONT
_ENCODING = int(Attribute.ENCODING)
_ENCODING_BIT = 1 << Attribute.ENCODING
_HTML, _XHTML = len("text/html"), len("application/xhtml+xml")
_P, _BR = key_of("p"), key_of("br")


@inner_kernel
def is_foreign(desk: Numbers, code: int) -> bool:
    """Is a start tag read by the rules of pictures? `svg` and `math` always are."""
    top = desk[FOREIGN]
    if top == 0:
        return code in (_SVG_TAG, _MATH_TAG)
    point = desk[FOREIGN_BITS + top - 1]
    if point & _TEXT_POINT and not desk[IS_HTML_INSIDE]:
        return code in (_SVG_TAG, _MATH_TAG, _GLYPH, _MARK)
    if point & (_HTML_POINT | _TEXT_POINT):
        return code in (_SVG_TAG, _MATH_TAG)
    return True


@inner_kernel
def is_in_picture(desk: Numbers) -> bool:
    """Is an element of a picture open, and not one that holds HTML?"""
    top = desk[FOREIGN]
    return top > 0 and not desk[FOREIGN_BITS + top - 1] & (_HTML_POINT | _TEXT_POINT)


@inner_kernel
def is_in_formula(desk: Numbers) -> bool:
    """Does what begins here belong to a formula rather than to a picture?"""
    top = desk[FOREIGN]
    return top > 0 and desk[FOREIGN_BITS + top - 1] & _MATH != 0


@inner_kernel
def breaks_out(desk: Numbers, code: int) -> bool:
    """Does this start tag end the picture it stands in?"""
    if not is_in_picture(desk):
        return False
    if code == _FONT:
        return desk[SEEN] & _FONT_BIT != 0
    return desk[TRAITS + code] & _BREAKS_OUT != 0


@inner_kernel
def leave(desk: Numbers) -> None:
    """End what is open up to HTML, or to an element that holds HTML."""
    while is_in_picture(desk):
        _pop(desk)


@inner_kernel
def cut(desk: Numbers, height: int) -> None:
    """End what was begun since the stack had this height."""
    while desk[FOREIGN] > height:
        _pop(desk)


@inner_kernel
def push(desk: Numbers, code: int, row: int) -> None:
    """Begin an element of a picture or formula; its row, if it is a link."""
    if desk[IS_CLOSED] or desk[FOREIGN] == DEPTH:
        return
    top = desk[FOREIGN]
    is_math = _is_math(desk, code)
    bits = _common_bits(code) | (_math_bits(desk, code) if is_math else _svg_bits(code))
    desk[FOREIGN_NAME + top] = desk[NAME]
    desk[FOREIGN_BITS + top] = bits
    desk[FOREIGN_ROW + top] = row
    desk[FOREIGN_BEFORE + top] = desk[IS_HTML_INSIDE]
    desk[FOREIGN] = top + 1
    desk[IS_HTML_INSIDE] = 0
    if bits & _UNSEEN:
        desk[UNSEEN] += 1


@inner_kernel
def _is_math(desk: Numbers, code: int) -> bool:
    """Is this element one of a formula? It is what is around it, unless that holds HTML."""
    around = desk[FOREIGN_BITS + desk[FOREIGN] - 1] if desk[FOREIGN] else _HTML_POINT
    if around & (_HTML_POINT | _TEXT_POINT) or (around & _NOTE and code == _SVG_TAG):
        return code != _SVG_TAG
    return around & _MATH != 0


@inner_kernel
def _common_bits(code: int) -> int:
    return _UNSEEN if code in (_STYLE, _SCRIPT) else 0


@inner_kernel
def _svg_bits(code: int) -> int:
    return _HTML_POINT if code in (_OBJECT, _DESC, _TITLE) else 0


@inner_kernel
def _math_bits(desk: Numbers, code: int) -> int:
    if _FIRST_TEXT <= code <= _LAST_TEXT:
        return _MATH | _TEXT_POINT
    if code != _ANNOTATION:
        return _MATH
    if desk[SEEN] & _ENCODING_BIT:
        length = desk[VALUES + 2 * _ENCODING + 1] - desk[VALUES + 2 * _ENCODING]
        if length in (_HTML, _XHTML):  # the two names that count differ in length
            return _MATH | _HTML_POINT
    return _MATH | _NOTE


@inner_kernel
def _pop(desk: Numbers) -> None:
    desk[FOREIGN] -= 1
    desk[IS_HTML_INSIDE] = desk[FOREIGN_BEFORE + desk[FOREIGN]]
    end_text(desk, desk[FOREIGN_ROW + desk[FOREIGN]])
    if desk[FOREIGN_BITS + desk[FOREIGN]] & _UNSEEN:
        desk[UNSEEN] -= 1


@inner_kernel
def close(desk: Numbers, floor: int) -> bool:
    """An end tag; tells whether it ended an element of a picture.

    What was begun before the height `floor` belongs to an outer cell or template.
    """
    if desk[NAME] == _P or desk[NAME] == _BR:
        leave(desk)
        return False
    is_html_inside = desk[IS_HTML_INSIDE]
    for height in range(desk[FOREIGN] - 1, floor - 1, -1):
        if desk[FOREIGN_NAME + height] == desk[NAME]:
            cut(desk, height)
            return True
        if desk[FOREIGN_BITS + height] & (_HTML_POINT | _TEXT_POINT) and is_html_inside:
            return False
        is_html_inside = desk[FOREIGN_BEFORE + height]
    return False
