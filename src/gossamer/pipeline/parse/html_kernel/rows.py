"""One row for each element that a crawler looks at: what it is, where it stands, where its values are.

| element | first | second | third | fourth |
|---|---|---|---|---|
| `a`, `area`, `iframe` … | address | `rel` | text (of `a`, within the text) | `alt` or `title` |
| `link` | `href` | `rel` | `as` | `title` |
| `img`, `source` | `src` | | `srcset` | |
| the same, once more | `data-src` | | `data-srcset` | |
| `video`, `audio`, `object` … | address | | | `poster` |
| `input` | `src` | `type` | | |
| `image`, `use`, `script` … of a picture | address | | | |
| `meta` | `content` | `name` or `property` | `http-equiv` | `charset` |
| `base` | address | | | |
| `title`, `style` | content | | | |
| `script` without an address | content | `type` | | |
| any with a `style` attribute | that | | | |
| parts of a table with a `background` | that | | | |

Addresses are trimmed, and end before their fragment unless a reference in them must be resolved first.
"""

from gossamer.core.kernel import Numbers, inner_kernel
from gossamer.pipeline.parse.html_kernel.head_boundary import IN_BODY
from gossamer.pipeline.parse.html_kernel.kernel_names import CODES, Attribute, code_of
from gossamer.pipeline.parse.html_kernel.kernel_workspace import (
    CODE,
    EXPECTS_BASE,
    FIRST,
    FOURTH,
    HAS_BASE,
    HAS_TITLE,
    HEAD,
    HEAD_ROWS,
    LEFT_OUT,
    LINKS,
    MAX_LINKS,
    METAS,
    PLACE,
    REFERENCES,
    REFERRING,
    ROWS,
    SECOND,
    SEEN,
    THIRD,
    VALUES,
    WANTS_REQUISITES,
    WIDTH,
    cell,
)
from gossamer.pipeline.parse.html_kernel.landmarks import place
from gossamer.pipeline.parse.html_kernel.open_link import NO_ROW

MAX_METAS = 1000
SPARE_ROWS = MAX_METAS + 2
"""Rows beside those of links: of `meta`, of the first `title` and of the first `base`."""

A, AREA, LINK, META, BASE = map(code_of, ("a", "area", "link", "meta", "base"))
TITLE, STYLE, IFRAME, FRAME = map(code_of, ("title", "style", "iframe", "frame"))
IMG, IMAGE, SCRIPT, SOURCE = map(code_of, ("img", "image", "script", "source"))
EMBED, OBJECT, VIDEO, AUDIO, TRACK = map(code_of, ("embed", "object", "video", "audio", "track"))
INPUT, USE, FILTER_IMAGE = map(code_of, ("input", "use", "feimage"))
_PAINTED = tuple(map(code_of, ("body", "table", "thead", "tbody", "tfoot", "tr", "td", "th")))

ODD_A = CODES - 1
"""An `a` whose values are not taken as they stand: they hold references, or an image speaks for its text."""

STYLED = CODES - 2
"""An element whose `style` attribute may load something."""

BACKGROUND = CODES - 3
"""A `background`, of the page or of a part of a table."""

_HREF, _SRC, _XLINK = int(Attribute.HREF), int(Attribute.SRC), int(Attribute.XLINK_HREF)
_REL, _ALT, _TITLE, _CONTENT = map(
    int, (Attribute.REL, Attribute.ALT, Attribute.TITLE, Attribute.CONTENT)
)
_NAME, _PROPERTY, _EQUIV = map(int, (Attribute.NAME, Attribute.PROPERTY, Attribute.HTTP_EQUIV))
_CHARSET, _SRCSET, _DATA = map(int, (Attribute.CHARSET, Attribute.SRCSET, Attribute.DATA))
_POSTER, _STYLE, _TYPE = int(Attribute.POSTER), int(Attribute.STYLE), int(Attribute.TYPE)
_AS, _BACKGROUND = int(Attribute.AS), int(Attribute.BACKGROUND)
_DATA_SRC, _DATA_SRCSET = int(Attribute.DATA_SRC), int(Attribute.DATA_SRCSET)
_NO_LABEL = -1


@inner_kernel
def begin_row(workspace: Numbers, code: int) -> int:
    row = workspace[ROWS]
    workspace[ROWS] = row + 1
    for column in range(WIDTH):
        workspace[cell(row, column)] = 0
    workspace[cell(row, CODE)] = code
    workspace[cell(row, PLACE)] = place(workspace)
    if workspace[HEAD] != IN_BODY:
        workspace[HEAD_ROWS] = row + 1
    return row


@inner_kernel
def drop_body(workspace: Numbers) -> None:
    """Forget the rows of the body: frames take its place."""
    workspace[ROWS] = workspace[HEAD_ROWS]
    workspace[LINKS] = workspace[METAS] = workspace[HAS_TITLE] = workspace[HAS_BASE] = 0
    for row in range(workspace[ROWS]):
        code = workspace[cell(row, CODE)]
        if code == META:
            workspace[METAS] += 1
        elif code == TITLE:
            workspace[HAS_TITLE] = 1
        elif code == BASE:
            workspace[HAS_BASE] = 1
        else:
            workspace[LINKS] += 1


@inner_kernel
def put(workspace: Numbers, row: int, column: int, attribute: int) -> bool:
    """Note the value of an attribute; tells whether the tag has it, and it is not empty."""
    bit = 1 << attribute
    if not workspace[SEEN] & bit:
        return False
    first, last = workspace[VALUES + 2 * attribute], workspace[VALUES + 2 * attribute + 1]
    workspace[cell(row, column)], workspace[cell(row, column + 1)] = first, last
    if workspace[REFERRING] & bit:
        workspace[cell(row, REFERENCES)] |= 1 << column
    return first < last


@inner_kernel
def has_address(workspace: Numbers, attribute: int, data: Numbers) -> bool:
    """Is there an address, and is it more than a place on this same page? Trims it."""
    if not workspace[SEEN] & 1 << attribute:
        return False
    first, last = workspace[VALUES + 2 * attribute], workspace[VALUES + 2 * attribute + 1]
    while first < last and data[first] <= 32:
        first += 1
    while first < last and data[last - 1] <= 32:
        last -= 1
    if first == last:
        return False
    if data[first] == 35 and not (workspace[HAS_BASE] or workspace[EXPECTS_BASE]):  # #
        workspace[LEFT_OUT] = 1
        return False
    if not workspace[REFERRING] & 1 << attribute:
        last = _find_fragment(data, first, last)
    workspace[VALUES + 2 * attribute], workspace[VALUES + 2 * attribute + 1] = first, last
    return True


@inner_kernel
def _find_fragment(data: Numbers, first: int, last: int) -> int:
    for i in range(first, last):
        if data[i] == 35:
            return i
    return last


@inner_kernel
def record_link(workspace: Numbers, code: int, attribute: int, label: int, data: Numbers) -> int:
    """A row for something with an address; returns its index, or `NO_ROW`."""
    if workspace[LINKS] >= workspace[MAX_LINKS] or not has_address(workspace, attribute, data):
        return NO_ROW
    workspace[LINKS] += 1
    row = begin_row(workspace, code)
    put(workspace, row, FIRST, attribute)
    put(workspace, row, SECOND, _REL)
    if label != _NO_LABEL:
        put(workspace, row, FOURTH, label)
    return row


@inner_kernel
def record_anchor(workspace: Numbers, is_foreign: bool, data: Numbers) -> int:
    """An `a`: of a picture, its address may be in `xlink:href`."""
    if is_foreign and not workspace[SEEN] & 1 << _HREF:
        return record_link(workspace, A, _XLINK, _NO_LABEL, data)
    return record_link(workspace, A, _HREF, _NO_LABEL, data)


@inner_kernel
def record_meta(workspace: Numbers) -> None:
    if workspace[METAS] == MAX_METAS:
        return
    workspace[METAS] += 1
    row = begin_row(workspace, META)
    put(workspace, row, FIRST, _CONTENT)
    if not put(workspace, row, SECOND, _NAME):
        put(workspace, row, SECOND, _PROPERTY)
    put(workspace, row, THIRD, _EQUIV)
    put(workspace, row, FOURTH, _CHARSET)


@inner_kernel
def record_base(workspace: Numbers, data: Numbers) -> None:
    """The first `base` with an address counts, even if that is empty."""
    if workspace[HAS_BASE] or not workspace[SEEN] & 1 << _HREF:
        return
    workspace[HAS_BASE] = 1
    put(workspace, begin_row(workspace, BASE), FIRST, _HREF)


@inner_kernel
def record_content(workspace: Numbers, code: int, first: int, last: int) -> None:
    row = begin_row(workspace, code)
    workspace[cell(row, FIRST)], workspace[cell(row, FIRST + 1)] = first, last


@inner_kernel
def record_script(workspace: Numbers, first: int, last: int) -> None:
    """A script of a declared type that stands in the page: what it holds may load something."""
    if not workspace[WANTS_REQUISITES] or workspace[LINKS] >= workspace[MAX_LINKS]:
        return
    if first < last and workspace[SEEN] & 1 << _TYPE and not workspace[SEEN] & 1 << _SRC:
        workspace[LINKS] += 1
        row = begin_row(workspace, SCRIPT)
        workspace[cell(row, FIRST)], workspace[cell(row, FIRST + 1)] = first, last
        put(workspace, row, SECOND, _TYPE)


@inner_kernel
def note_image(workspace: Numbers, row: int) -> None:
    """The first image with an alternative text speaks for a link that has no text."""
    if row != NO_ROW and workspace[cell(row, FOURTH)] == workspace[cell(row, FOURTH + 1)]:
        put(workspace, row, FOURTH, _ALT)


@inner_kernel
def record_requisite(workspace: Numbers, code: int, data: Numbers) -> None:
    """Record a requisite of the page: image, script or media."""
    if not workspace[WANTS_REQUISITES]:
        return
    if code == INPUT:
        row = _record_loaded(workspace, code, _SRC, 0, data)
        if row != NO_ROW:
            put(workspace, row, SECOND, _TYPE)
        return
    others = 1 << _SRCSET | 1 << _POSTER
    row = _record_loaded(workspace, code, _DATA if code == OBJECT else _SRC, others, data)
    if row != NO_ROW:
        put(workspace, row, THIRD, _SRCSET)
        put(workspace, row, FOURTH, _POSTER)
    if workspace[SEEN] & (1 << _DATA_SRC | 1 << _DATA_SRCSET):
        row = _record_loaded(workspace, code, _DATA_SRC, 1 << _DATA_SRCSET, data)
        if row != NO_ROW:
            put(workspace, row, THIRD, _DATA_SRCSET)


@inner_kernel
def _record_loaded(
    workspace: Numbers, code: int, attribute: int, others: int, data: Numbers
) -> int:
    """A row for what has an address in this attribute, or one of the others; its index, or `NO_ROW`."""
    if workspace[LINKS] >= workspace[MAX_LINKS]:
        return NO_ROW
    has_one = has_address(workspace, attribute, data)
    if not has_one and not workspace[SEEN] & others:
        return NO_ROW
    workspace[LINKS] += 1
    row = begin_row(workspace, code)
    if has_one:
        put(workspace, row, FIRST, attribute)
    return row


@inner_kernel
def record_picture(workspace: Numbers, code: int, data: Numbers) -> None:
    """Record the parts of a picture within the page."""
    if code in (IMAGE, USE, FILTER_IMAGE, SCRIPT):
        _record_loaded(workspace, code, _HREF if workspace[SEEN] & 1 << _HREF else _XLINK, 0, data)


@inner_kernel
def record_background(workspace: Numbers, code: int, data: Numbers) -> None:
    if workspace[SEEN] & 1 << _BACKGROUND and code in _PAINTED:
        _record_loaded(workspace, BACKGROUND, _BACKGROUND, 0, data)


@inner_kernel
def record_style(workspace: Numbers, data: Numbers) -> None:
    """A `style` attribute in which there could be a `url(…)`."""
    if not workspace[SEEN] & 1 << _STYLE or workspace[LINKS] >= workspace[MAX_LINKS]:
        return
    for i in range(workspace[VALUES + 2 * _STYLE], workspace[VALUES + 2 * _STYLE + 1]):
        if data[i] == 40 or data[i] == 38:  # ( &
            workspace[LINKS] += 1
            put(workspace, begin_row(workspace, STYLED), FIRST, _STYLE)
            return


@inner_kernel
def record(workspace: Numbers, code: int, data: Numbers) -> None:
    """The row of an element that holds nothing we follow."""
    if code == LINK:
        row = record_link(workspace, code, _HREF, _TITLE, data)
        if row != NO_ROW:
            put(workspace, row, THIRD, _AS)
    elif code == META:
        record_meta(workspace)
    elif code == BASE:
        record_base(workspace, data)
    elif code == AREA:
        record_link(workspace, code, _HREF, _ALT, data)
    elif code in (IFRAME, FRAME):
        record_link(workspace, code, _SRC, _TITLE, data)
    else:
        record_requisite(workspace, code, data)
