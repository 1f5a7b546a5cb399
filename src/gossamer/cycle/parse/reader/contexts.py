"""Which link is open: links end with `</a>`, with the next link, or with the cell they stand in.

A link within a table's cell does not end one around the table, nor does one within an `object`.
So there is a stack of contexts (tables, their cells, captions, objects, templates), and each that
the standard calls a marker has an open link of its own. A table is no marker: it shares the link of
what is around it. Context 0 is the page.
"""

from gossamer.base.kernel import Numbers, inner_kernel
from gossamer.cycle.parse.reader import foreign
from gossamer.cycle.parse.reader.desk import (
    CONTEXT_CODE,
    CONTEXT_HEIGHT,
    CONTEXT_OWNER,
    CONTEXT_ROW,
    CONTEXTS,
    DEPTH,
    FOREIGN,
    TRAITS,
)
from gossamer.cycle.parse.reader.links import NO_ROW, close_link
from gossamer.cycle.parse.reader.names import Trait, code_of

_TABLE, _TEMPLATE = code_of("table"), code_of("template")
_TD, _TH, _CAPTION = map(code_of, ("td", "th", "caption"))
_MARKER, _PART = int(Trait.MARKER), int(Trait.ROW)


@inner_kernel
def begin_contexts(desk: Numbers) -> None:
    desk[CONTEXTS] = 0
    _push(desk, 0, True)


@inner_kernel
def _push(desk: Numbers, code: int, is_marker: bool) -> None:
    top = desk[CONTEXTS]
    if top == DEPTH:
        return
    desk[CONTEXT_CODE + top] = code
    desk[CONTEXT_ROW + top] = NO_ROW
    desk[CONTEXT_OWNER + top] = top if is_marker else desk[CONTEXT_OWNER + top - 1]
    desk[CONTEXT_HEIGHT + top] = desk[FOREIGN]
    desk[CONTEXTS] = top + 1


@inner_kernel
def _pop(desk: Numbers) -> None:
    top = desk[CONTEXTS] - 1
    if desk[CONTEXT_OWNER + top] == top:
        close_link(desk)
    foreign.cut(desk, desk[CONTEXT_HEIGHT + top])
    desk[CONTEXTS] = top


@inner_kernel
def close_all(desk: Numbers) -> None:
    """The page ends."""
    while desk[CONTEXTS] > 0:
        _pop(desk)


@inner_kernel
def floor_of_foreign(desk: Numbers) -> int:
    """The height of the stack of foreign elements when the innermost context began."""
    return desk[CONTEXT_HEIGHT + desk[CONTEXTS] - 1]


@inner_kernel
def _find_table(desk: Numbers) -> int:
    """The index of the innermost table; 0 when there is none before a template."""
    top = desk[CONTEXTS] - 1
    while top > 0 and desk[CONTEXT_CODE + top] != _TABLE:
        if desk[CONTEXT_CODE + top] == _TEMPLATE:
            return 0
        top -= 1
    return top


@inner_kernel
def _pop_to(desk: Numbers, height: int) -> None:
    while desk[CONTEXTS] > height:
        _pop(desk)


@inner_kernel
def begin_context(desk: Numbers, code: int) -> None:
    """A start tag that may begin or end contexts."""
    traits = desk[TRAITS + code]
    if traits & _PART:
        table = _find_table(desk)
        if table:
            _pop_to(desk, table + 1)
            if traits & _MARKER:
                _push(desk, code, True)
    elif code == _TABLE:
        if desk[CONTEXT_CODE + desk[CONTEXTS] - 1] == _TABLE:
            _pop(desk)  # a table directly in a table ends it
        _push(desk, code, False)
    elif traits & _MARKER or code == _TEMPLATE:
        _push(desk, code, True)


@inner_kernel
def end_context(desk: Numbers, code: int) -> None:
    """An end tag that may end contexts."""
    top = desk[CONTEXTS] - 1
    if desk[TRAITS + code] & _PART:
        _end_part(desk, code)
    elif code == _TABLE:
        table = _find_table(desk)
        if table:
            _pop_to(desk, table)
    elif code == _TEMPLATE:
        while top > 0 and desk[CONTEXT_CODE + top] != _TEMPLATE:
            top -= 1
        if top > 0:
            _pop_to(desk, top)
    elif top > 0 and desk[CONTEXT_CODE + top] == code:
        _pop(desk)


@inner_kernel
def _end_part(desk: Numbers, code: int) -> None:
    """`</td>` ends such a cell; `</tr>` and the like end whatever cell is open in the table."""
    table = _find_table(desk)
    if table == 0:
        return
    if code in (_TD, _TH, _CAPTION):
        for height in range(table + 1, desk[CONTEXTS]):
            if desk[CONTEXT_CODE + height] == code:
                _pop_to(desk, height)
                return
    elif desk[CONTEXTS] > table + 1:
        _pop_to(desk, table + 1)
