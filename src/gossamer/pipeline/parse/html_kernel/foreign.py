"""Pictures and formulas (SVG, MathML) within a page, where other rules hold.

In them `<title>` is no title, `<script/>` is closed and CDATA is text. Certain elements lead back
to HTML for what they hold (integration points), and certain tags of HTML end the picture.
"""

from gossamer.core.kernel import Numbers, inner_kernel
from gossamer.pipeline.parse.html_kernel.kernel_names import Attribute, Trait, code_of, key_of
from gossamer.pipeline.parse.html_kernel.kernel_workspace import (
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
from gossamer.pipeline.parse.html_kernel.open_link import end_text

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
def is_foreign(workspace: Numbers, code: int) -> bool:
    """Is a start tag read by the rules of pictures? `svg` and `math` always are."""
    top = workspace[FOREIGN]
    if top == 0:
        return code in (_SVG_TAG, _MATH_TAG)
    point = workspace[FOREIGN_BITS + top - 1]
    if point & _TEXT_POINT and not workspace[IS_HTML_INSIDE]:
        return code in (_SVG_TAG, _MATH_TAG, _GLYPH, _MARK)
    if point & (_HTML_POINT | _TEXT_POINT):
        return code in (_SVG_TAG, _MATH_TAG)
    return True


@inner_kernel
def is_in_picture(workspace: Numbers) -> bool:
    """Is an element of a picture open, and not one that holds HTML?"""
    top = workspace[FOREIGN]
    return top > 0 and not workspace[FOREIGN_BITS + top - 1] & (_HTML_POINT | _TEXT_POINT)


@inner_kernel
def is_in_formula(workspace: Numbers) -> bool:
    """Does what begins here belong to a formula rather than to a picture?"""
    top = workspace[FOREIGN]
    return top > 0 and workspace[FOREIGN_BITS + top - 1] & _MATH != 0


@inner_kernel
def breaks_out(workspace: Numbers, code: int) -> bool:
    """Does this start tag end the picture it stands in?"""
    if not is_in_picture(workspace):
        return False
    if code == _FONT:
        return workspace[SEEN] & _FONT_BIT != 0
    return workspace[TRAITS + code] & _BREAKS_OUT != 0


@inner_kernel
def leave(workspace: Numbers) -> None:
    """End what is open up to HTML, or to an element that holds HTML."""
    while is_in_picture(workspace):
        _pop(workspace)


@inner_kernel
def cut(workspace: Numbers, height: int) -> None:
    """End what was begun since the stack had this height."""
    while workspace[FOREIGN] > height:
        _pop(workspace)


@inner_kernel
def push(workspace: Numbers, code: int, row: int) -> None:
    """Begin an element of a picture or formula; its row, if it is a link."""
    if workspace[IS_CLOSED] or workspace[FOREIGN] == DEPTH:
        return
    top = workspace[FOREIGN]
    is_math = _is_math(workspace, code)
    bits = _common_bits(code) | (_math_bits(workspace, code) if is_math else _svg_bits(code))
    workspace[FOREIGN_NAME + top] = workspace[NAME]
    workspace[FOREIGN_BITS + top] = bits
    workspace[FOREIGN_ROW + top] = row
    workspace[FOREIGN_BEFORE + top] = workspace[IS_HTML_INSIDE]
    workspace[FOREIGN] = top + 1
    workspace[IS_HTML_INSIDE] = 0
    if bits & _UNSEEN:
        workspace[UNSEEN] += 1


@inner_kernel
def _is_math(workspace: Numbers, code: int) -> bool:
    """Is this element one of a formula? It is what is around it, unless that holds HTML."""
    around = workspace[FOREIGN_BITS + workspace[FOREIGN] - 1] if workspace[FOREIGN] else _HTML_POINT
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
def _math_bits(workspace: Numbers, code: int) -> int:
    if _FIRST_TEXT <= code <= _LAST_TEXT:
        return _MATH | _TEXT_POINT
    if code != _ANNOTATION:
        return _MATH
    if workspace[SEEN] & _ENCODING_BIT:
        length = workspace[VALUES + 2 * _ENCODING + 1] - workspace[VALUES + 2 * _ENCODING]
        if length in (_HTML, _XHTML):  # the two names that count differ in length
            return _MATH | _HTML_POINT
    return _MATH | _NOTE


@inner_kernel
def _pop(workspace: Numbers) -> None:
    workspace[FOREIGN] -= 1
    workspace[IS_HTML_INSIDE] = workspace[FOREIGN_BEFORE + workspace[FOREIGN]]
    end_text(workspace, workspace[FOREIGN_ROW + workspace[FOREIGN]])
    if workspace[FOREIGN_BITS + workspace[FOREIGN]] & _UNSEEN:
        workspace[UNSEEN] -= 1


@inner_kernel
def close(workspace: Numbers, floor: int) -> bool:
    """An end tag; tells whether it ended an element of a picture.

    What was begun before the height `floor` belongs to an outer cell or template.
    """
    if workspace[NAME] == _P or workspace[NAME] == _BR:
        leave(workspace)
        return False
    is_html_inside = workspace[IS_HTML_INSIDE]
    for height in range(workspace[FOREIGN] - 1, floor - 1, -1):
        if workspace[FOREIGN_NAME + height] == workspace[NAME]:
            cut(workspace, height)
            return True
        if workspace[FOREIGN_BITS + height] & (_HTML_POINT | _TEXT_POINT) and is_html_inside:
            return False
        is_html_inside = workspace[FOREIGN_BEFORE + height]
    return False
