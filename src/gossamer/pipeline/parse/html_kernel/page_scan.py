"""Once over the bytes of a page."""

import numpy as np
from numpy.typing import NDArray

from gossamer.core.kernel import Numbers, inlined_kernel, inner_kernel, kernel, pointer_to
from gossamer.pipeline.parse.html_kernel import (
    contexts,
    foreign,
    head_boundary,
    open_link,
    result_layout,
)
from gossamer.pipeline.parse.html_kernel.entities import find
from gossamer.pipeline.parse.html_kernel.kernel_characters import IN_MARKUP, IN_RAW_TEXT, IN_TEXT
from gossamer.pipeline.parse.html_kernel.kernel_names import (
    CODES,
    NAME_SLOTS,
    SPREAD,
    SPREAD_SHIFT,
    TAG_SLOTS,
    Attribute,
    Trait,
    code_of,
    key_of,
)
from gossamer.pipeline.parse.html_kernel.kernel_workspace import (
    CLEARED,
    CONTEXTS,
    EXPECTS_BASE,
    FOREIGN,
    FRAMES,
    FRAMESETS,
    HAS_TITLE,
    HEAD,
    IS_CLOSED,
    IS_HTML_INSIDE,
    IS_SPACED,
    IS_XML,
    LANDMARKS,
    LINKS,
    MAX_LINKS,
    NAME,
    OPEN,
    OPENED_IN,
    PAGE_END,
    SEEN,
    STEPS,
    TAGS,
    TEMPLATES,
    TEXT_END,
    TEXT_SIZE,
    TRAITS,
    UNSEEN,
    VALUES,
    WANTS_REQUISITES,
)
from gossamer.pipeline.parse.html_kernel.landmarks import begin_landmark, end_landmark
from gossamer.pipeline.parse.html_kernel.rows import (
    FRAME,
    IMAGE,
    IMG,
    STYLE,
    TITLE,
    A,
    drop_body,
    note_image,
    record,
    record_anchor,
    record_background,
    record_content,
    record_picture,
    record_script,
    record_style,
)
from gossamer.pipeline.parse.html_kernel.text_output import copy_text, write
from gossamer.pipeline.parse.html_kernel.tokens import (
    find_cdata_end,
    find_raw_end,
    find_script_end,
    is_cdata,
    is_letter,
    lower,
    read_attributes,
    read_name,
    skip_declaration,
    skip_past,
)

_BLOCK, _RAW = int(Trait.BLOCK), int(Trait.RAW)
_SHOWN, _LINKS, _SETTLES = int(Trait.SHOWN), int(Trait.LINKS), int(Trait.SETTLES)
_NEVER_OPEN = int(Trait.VOID | Trait.FRAMEWORK | Trait.ROW)
_NESTS = int(Trait.ROW | Trait.MARKER)
_ROLE_BIT = 1 << Attribute.ROLE
_LANDMARK = int(Trait.LANDMARK)
_SCRIPT, _TEXTAREA, _PLAINTEXT = map(code_of, ("script", "textarea", "plaintext"))
_BR, _INPUT, _FORM = map(code_of, ("br", "input", "form"))
_FIRST_HEADING, _LAST_HEADING = code_of("h1"), code_of("h6")
_TYPE, _HIDDEN, _HIDDEN_LENGTH = int(Attribute.TYPE), key_of("hidden"), len("hidden")
_TEMPLATE, _TABLE, _NOFRAMES = map(code_of, ("template", "table", "noframes"))

_POSSIBLE, _TOO_LATE, _INSIDE, _AFTER = range(4)
"""Of framesets."""


@kernel
def walk(
    page: NDArray[np.uint8],
    notes: NDArray[np.int64],
    shown: NDArray[np.uint8],
    max_links: int,
    wants_requisites: bool,
    is_xml: bool,
    expects_base: bool,
) -> None:
    """Read a page: fills the workspace's rows, and `shown` with its text."""
    data, workspace, text = pointer_to(page), pointer_to(notes), pointer_to(shown)
    for number in range(CLEARED):
        workspace[number] = 0
    workspace[MAX_LINKS], workspace[WANTS_REQUISITES], workspace[IS_XML] = (
        max_links,
        wants_requisites,
        is_xml,
    )
    workspace[EXPECTS_BASE] = expects_base
    i, end = 0, len(page)
    workspace[PAGE_END], workspace[TEXT_SIZE] = len(page), len(shown)
    contexts.begin_contexts(workspace)
    while i < end:
        if workspace[TEMPLATES] or workspace[UNSEEN] or workspace[FRAMES] >= _INSIDE:
            while i < end and data[i] != 60:  # <
                i += 1
        else:
            if workspace[HEAD] != head_boundary.IN_BODY:
                head_boundary.look_for_text(data, i, end, workspace)
            i = copy_text(data, i, end, workspace, text, IN_MARKUP)
        if i < end:
            workspace[STEPS] += 1
            i = _read_markup(data, i, end, workspace, text)
    contexts.close_all(workspace)
    result_layout.measure(workspace, text)


@inlined_kernel
def _read_markup(data: Numbers, i: int, end: int, workspace: Numbers, text: Numbers) -> int:
    """`i` is at a `<`; returns what is behind what begins there."""
    byte = data[i + 1] if i + 1 < end else 0
    if is_letter(byte):
        return _read_start_tag(data, i + 1, end, workspace, text)
    if byte == 47:  # /
        return _read_end_tag(data, i, end, workspace, text)
    if byte == 33:  # !
        if is_cdata(data, i, end) and _takes_cdata(workspace):
            return _read_cdata(data, i + 9, end, workspace, text)
        return skip_declaration(data, i, end)
    if byte == 63:  # ?
        return skip_past(data, i, end, 62)
    _write_sign(workspace, text)
    return i + 1


@inner_kernel
def _write_sign(workspace: Numbers, text: Numbers) -> None:
    """A `<` that begins nothing is text."""
    if not (workspace[TEMPLATES] or workspace[UNSEEN] or workspace[FRAMES] >= _INSIDE):
        workspace[HEAD] = head_boundary.IN_BODY
        write(workspace, text, 60)


@inner_kernel
def _takes_cdata(workspace: Numbers) -> bool:
    return workspace[IS_XML] != 0 or (workspace[FOREIGN] != 0 and workspace[IS_HTML_INSIDE] == 0)


@inner_kernel
def _read_cdata(data: Numbers, i: int, end: int, workspace: Numbers, text: Numbers) -> int:
    last = find_cdata_end(data, i, end)
    _show(data, i, last, workspace, text, IN_RAW_TEXT)
    return min(last + 3, end)


@inner_kernel
def _show(data: Numbers, i: int, end: int, workspace: Numbers, text: Numbers, place: int) -> None:
    if not (workspace[TEMPLATES] or workspace[UNSEEN] or workspace[FRAMES] >= _INSIDE):
        copy_text(data, i, end, workspace, text, place)


@inlined_kernel
def _read_end_tag(data: Numbers, i: int, end: int, workspace: Numbers, text: Numbers) -> int:
    if i + 2 >= end:
        _write_sign(workspace, text)
        return i + 1
    if data[i + 2] == 62:  # </> is nothing
        return i + 3
    if not is_letter(data[i + 2]):
        return skip_past(data, i, end, 62)
    i = read_name(data, i + 2, end, workspace)
    i = read_attributes(data, i, end, workspace)
    if i < 0:
        return end
    _end(workspace, max(0, find(workspace, TAGS, TAG_SLOTS, workspace[NAME])))
    return i


@inlined_kernel
def _end(workspace: Numbers, code: int) -> None:
    """An end tag was read."""
    if workspace[FRAMES] >= _INSIDE:
        if code == head_boundary.FRAMESET and workspace[FRAMESETS] > 0:
            workspace[FRAMESETS] -= 1
            workspace[FRAMES] = _INSIDE if workspace[FRAMESETS] else _AFTER
        return
    if workspace[FOREIGN] and foreign.close(workspace, contexts.floor_of_foreign(workspace)):
        return
    if workspace[HEAD] != head_boundary.IN_BODY and not workspace[TEMPLATES]:
        head_boundary.end(workspace, code)
    kind = _kind_of(code, workspace[NAME])
    if workspace[OPEN + kind] and workspace[OPENED_IN + kind] >= workspace[CONTEXTS]:
        workspace[OPEN + kind] -= 1
        if code != _FORM or workspace[TEMPLATES]:  # which lets go of what it holds
            foreign.leave(workspace)  # a picture ends with what it stands in
    traits = workspace[TRAITS + code]
    if traits & _BLOCK:
        workspace[IS_SPACED] = 1
    if code == A:
        open_link.close_link(workspace)
    elif code == _BR:
        workspace[FRAMES] = _TOO_LATE  # it is read as if it were a start tag
    elif traits & _NESTS or code in (_TABLE, _TEMPLATE):
        contexts.end_context(workspace, code)
        if code == _TEMPLATE and workspace[TEMPLATES]:
            workspace[TEMPLATES] -= 1
    if workspace[LANDMARKS]:
        end_landmark(workspace, code)


@inner_kernel
def _kind_of(code: int, key: int) -> int:
    """The kind of an element while it is open; a heading's end tag ends any heading."""
    if code == 0:
        return CODES + (key * SPREAD >> SPREAD_SHIFT & NAME_SLOTS - 1)
    return _FIRST_HEADING if _FIRST_HEADING < code <= _LAST_HEADING else code


@inlined_kernel
def _read_start_tag(data: Numbers, i: int, end: int, workspace: Numbers, text: Numbers) -> int:
    i = read_name(data, i, end, workspace)
    key = workspace[NAME]
    i = read_attributes(data, i, end, workspace)
    if i < 0:
        return end
    code = max(0, find(workspace, TAGS, TAG_SLOTS, key))
    if workspace[FRAMES] >= _INSIDE:
        return _start_in_frameset(data, i, end, workspace, text, code)
    if workspace[HEAD] != head_boundary.IN_BODY and not workspace[TEMPLATES]:
        head_boundary.start(workspace, code)
    if workspace[FOREIGN] and foreign.breaks_out(workspace, code):
        foreign.leave(workspace)
    if foreign.is_foreign(workspace, code):
        _start_foreign(data, workspace, code)
        return i
    return _start(data, i, end, workspace, text, code)


@inner_kernel
def _start_foreign(data: Numbers, workspace: Numbers, code: int) -> None:
    """An element of a picture; of these, links and what they load are looked at.

    Links may stand in other links.
    """
    row = open_link.NO_ROW
    if code == A and not workspace[TEMPLATES]:
        row = record_anchor(workspace, True, data)
        open_link.begin_text(workspace, row)
    elif (
        workspace[WANTS_REQUISITES]
        and not workspace[TEMPLATES]
        and not foreign.is_in_formula(workspace)
    ):
        record_picture(workspace, code, data)
    foreign.push(workspace, code, row)


@inner_kernel
def _start_in_frameset(
    data: Numbers, i: int, end: int, workspace: Numbers, text: Numbers, code: int
) -> int:
    """Among frames there is nothing but frames."""
    if code == _NOFRAMES:
        return _find_end(data, i, end, workspace, code)
    if workspace[FRAMES] == _INSIDE:
        if code == FRAME:
            record(workspace, code, data)
        elif code == head_boundary.FRAMESET:
            workspace[FRAMESETS] += 1
    return i


@inlined_kernel
def _start(data: Numbers, i: int, end: int, workspace: Numbers, text: Numbers, code: int) -> int:
    """An element of HTML."""
    traits = workspace[TRAITS + code]
    if not traits & _NEVER_OPEN:
        # Before a picture could begin in it, a noscript of the head has ended.
        kind = _kind_of(code, workspace[NAME])
        workspace[OPEN + kind] += workspace[HEAD] != head_boundary.IN_NOSCRIPT
        workspace[OPENED_IN + kind] = workspace[CONTEXTS]
        workspace[IS_HTML_INSIDE] = 1
    if traits & _BLOCK:
        workspace[IS_SPACED] = 1
    if traits & _SETTLES and workspace[FRAMES] == _POSSIBLE and not workspace[TEMPLATES]:
        _settle(workspace, code, data)
    if workspace[LANDMARKS] or traits & _LANDMARK or workspace[SEEN] & _ROLE_BIT:
        begin_landmark(workspace, code, data)
    if workspace[WANTS_REQUISITES] and not workspace[TEMPLATES]:
        record_style(workspace, data)
        record_background(workspace, code, data)
    if traits & _LINKS and not workspace[TEMPLATES]:
        _start_linking(data, workspace, code)
    if traits & _RAW:
        return _read_raw(data, i, end, workspace, text, code)
    if traits & _NESTS or code in (_TABLE, _TEMPLATE):
        contexts.begin_context(workspace, code)
        workspace[OPENED_IN + code] = workspace[CONTEXTS]
    if code == _TEMPLATE:
        workspace[TEMPLATES] += 1
    elif code == _PLAINTEXT:
        _show(data, i, end, workspace, text, IN_RAW_TEXT)
        return end
    elif code == head_boundary.FRAMESET:
        _start_frameset(workspace)
    return i


@inner_kernel
def _start_frameset(workspace: Numbers) -> None:
    """Frames take the place of all that was in the body, if that was nothing to speak of."""
    is_possible = workspace[FRAMES] == _POSSIBLE and workspace[TEXT_END] == 0
    if not workspace[TEMPLATES] and (is_possible or workspace[HEAD] != head_boundary.IN_BODY):
        workspace[FRAMES], workspace[FRAMESETS] = _INSIDE, 1
        contexts.close_all(workspace)
        contexts.begin_contexts(workspace)
        drop_body(workspace)


@inner_kernel
def _settle(workspace: Numbers, code: int, data: Numbers) -> None:
    """After this there can be no frameset; an `input` that is not seen does not count."""
    if code != _INPUT or not _is_hidden(workspace, data):
        workspace[FRAMES] = _TOO_LATE


@inner_kernel
def _is_hidden(workspace: Numbers, data: Numbers) -> bool:
    first, last = workspace[VALUES + 2 * _TYPE], workspace[VALUES + 2 * _TYPE + 1]
    if not workspace[SEEN] & 1 << _TYPE or last - first != _HIDDEN_LENGTH:
        return False
    key = 0
    for i in range(last - 1, first - 1, -1):
        key = key << 8 | lower(data[i])
    return key == _HIDDEN


@inner_kernel
def _start_linking(data: Numbers, workspace: Numbers, code: int) -> None:
    if code == A:
        open_link.open_link(workspace, record_anchor(workspace, False, data))
        if workspace[IS_XML] and workspace[IS_CLOSED]:
            open_link.close_link(workspace)
    elif code != FRAME:  # which is nothing outside of a frameset
        if code in (IMG, IMAGE):
            note_image(workspace, open_link.open_row(workspace))
        record(workspace, code, data)


@inner_kernel
def _read_raw(data: Numbers, i: int, end: int, workspace: Numbers, text: Numbers, code: int) -> int:
    """Content that is no markup, up to its end tag."""
    if workspace[IS_XML] and workspace[IS_CLOSED]:
        return i
    last = _find_end(data, i, end, workspace, code)
    if workspace[TRAITS + code] & _SHOWN:
        _show(data, i, last, workspace, text, IN_TEXT if code == _TEXTAREA else IN_RAW_TEXT)
    elif not workspace[TEMPLATES]:
        if code == TITLE and not workspace[HAS_TITLE]:
            workspace[HAS_TITLE] = 1
            record_content(workspace, code, i, last)
        elif (
            code == STYLE
            and workspace[WANTS_REQUISITES]
            and workspace[LINKS] < workspace[MAX_LINKS]
        ):
            workspace[LINKS] += 1
            record_content(workspace, code, i, last)
        elif code == _SCRIPT:
            record_script(workspace, i, last)
    return last


@inner_kernel
def _find_end(data: Numbers, i: int, end: int, workspace: Numbers, code: int) -> int:
    key = workspace[NAME]
    if code == _SCRIPT:
        return find_script_end(data, i, end, key)
    return find_raw_end(data, i, end, key)
