"""Which link is open: links end with `</a>`, with the next link, or with the cell they stand in.

A link within a table's cell does not end one around the table, nor does one within an `object`.
So there is a stack of contexts (tables, their cells, captions, objects, templates), and each that
the standard calls a marker has an open link of its own. A table is no marker: it shares the link of
what is around it. Context 0 is the page.
"""

from gossamer.core.kernel import Numbers, inner_kernel
from gossamer.pipeline.parse.html_kernel import foreign
from gossamer.pipeline.parse.html_kernel.kernel_names import Trait, code_of
from gossamer.pipeline.parse.html_kernel.kernel_workspace import (
    CONTEXT_CODE,
    CONTEXT_HEIGHT,
    CONTEXT_OWNER,
    CONTEXT_ROW,
    CONTEXTS,
    DEPTH,
    FOREIGN,
    TRAITS,
)
from gossamer.pipeline.parse.html_kernel.open_link import NO_ROW, close_link

_TABLE, _TEMPLATE = code_of("table"), code_of("template")
_TD, _TH, _CAPTION = map(code_of, ("td", "th", "caption"))
_MARKER, _PART = int(Trait.MARKER), int(Trait.ROW)


@inner_kernel
def begin_contexts(workspace: Numbers) -> None:
    workspace[CONTEXTS] = 0
    _push(workspace, 0, True)


@inner_kernel
def _push(workspace: Numbers, code: int, is_marker: bool) -> None:
    top = workspace[CONTEXTS]
    if top == DEPTH:
        return
    workspace[CONTEXT_CODE + top] = code
    workspace[CONTEXT_ROW + top] = NO_ROW
    workspace[CONTEXT_OWNER + top] = top if is_marker else workspace[CONTEXT_OWNER + top - 1]
    workspace[CONTEXT_HEIGHT + top] = workspace[FOREIGN]
    workspace[CONTEXTS] = top + 1


@inner_kernel
def _pop(workspace: Numbers) -> None:
    top = workspace[CONTEXTS] - 1
    if workspace[CONTEXT_OWNER + top] == top:
        close_link(workspace)
    foreign.cut(workspace, workspace[CONTEXT_HEIGHT + top])
    workspace[CONTEXTS] = top


@inner_kernel
def close_all(workspace: Numbers) -> None:
    """The page ends."""
    while workspace[CONTEXTS] > 0:
        _pop(workspace)


@inner_kernel
def floor_of_foreign(workspace: Numbers) -> int:
    """The height of the stack of foreign elements when the innermost context began."""
    return workspace[CONTEXT_HEIGHT + workspace[CONTEXTS] - 1]


@inner_kernel
def _find_table(workspace: Numbers) -> int:
    """The index of the innermost table; 0 when there is none before a template."""
    top = workspace[CONTEXTS] - 1
    while top > 0 and workspace[CONTEXT_CODE + top] != _TABLE:
        if workspace[CONTEXT_CODE + top] == _TEMPLATE:
            return 0
        top -= 1
    return top


@inner_kernel
def _pop_to(workspace: Numbers, height: int) -> None:
    while workspace[CONTEXTS] > height:
        _pop(workspace)


@inner_kernel
def begin_context(workspace: Numbers, code: int) -> None:
    """A start tag that may begin or end contexts."""
    traits = workspace[TRAITS + code]
    if traits & _PART:
        table = _find_table(workspace)
        if table:
            _pop_to(workspace, table + 1)
            if traits & _MARKER:
                _push(workspace, code, True)
    elif code == _TABLE:
        if workspace[CONTEXT_CODE + workspace[CONTEXTS] - 1] == _TABLE:
            _pop(workspace)  # a table directly in a table ends it
        _push(workspace, code, False)
    elif traits & _MARKER or code == _TEMPLATE:
        _push(workspace, code, True)


@inner_kernel
def end_context(workspace: Numbers, code: int) -> None:
    """An end tag that may end contexts."""
    top = workspace[CONTEXTS] - 1
    if workspace[TRAITS + code] & _PART:
        _end_part(workspace, code)
    elif code == _TABLE:
        table = _find_table(workspace)
        if table:
            _pop_to(workspace, table)
    elif code == _TEMPLATE:
        while top > 0 and workspace[CONTEXT_CODE + top] != _TEMPLATE:
            top -= 1
        if top > 0:
            _pop_to(workspace, top)
    elif top > 0 and workspace[CONTEXT_CODE + top] == code:
        _pop(workspace)


@inner_kernel
def _end_part(workspace: Numbers, code: int) -> None:
    """`</td>` ends such a cell; `</tr>` and the like end whatever cell is open in the table."""
    table = _find_table(workspace)
    if table == 0:
        return
    if code in (_TD, _TH, _CAPTION):
        for height in range(table + 1, workspace[CONTEXTS]):
            if workspace[CONTEXT_CODE + height] == code:
                _pop_to(workspace, height)
                return
    elif workspace[CONTEXTS] > table + 1:
        _pop_to(workspace, table + 1)
