"""Once over the bytes of a page."""

import numpy as np
from numpy.typing import NDArray

from gossamer.base.kernel import Numbers, inlined_kernel, inner_kernel, kernel, pointer_to
from gossamer.cycle.parse.reader import contexts, foreign, head, layout, links
from gossamer.cycle.parse.reader.characters import IN_MARKUP, IN_RAW_TEXT, IN_TEXT
from gossamer.cycle.parse.reader.desk import (
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
from gossamer.cycle.parse.reader.entities import find
from gossamer.cycle.parse.reader.landmarks import begin_landmark, end_landmark
from gossamer.cycle.parse.reader.names import (
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
from gossamer.cycle.parse.reader.rows import (
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
from gossamer.cycle.parse.reader.text import copy_text, write
from gossamer.cycle.parse.reader.tokens import (
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
    """Read a page: fills the desk's rows, and `shown` with its text."""
    data, desk, text = pointer_to(page), pointer_to(notes), pointer_to(shown)
    for number in range(CLEARED):
        desk[number] = 0
    desk[MAX_LINKS], desk[WANTS_REQUISITES], desk[IS_XML] = max_links, wants_requisites, is_xml
    desk[EXPECTS_BASE] = expects_base
    i, end = 0, len(page)
    desk[PAGE_END], desk[TEXT_SIZE] = len(page), len(shown)
    contexts.begin_contexts(desk)
    while i < end:
        if desk[TEMPLATES] or desk[UNSEEN] or desk[FRAMES] >= _INSIDE:
            while i < end and data[i] != 60:  # <
                i += 1
        else:
            if desk[HEAD] != head.IN_BODY:
                head.look_for_text(data, i, end, desk)
            i = copy_text(data, i, end, desk, text, IN_MARKUP)
        if i < end:
            desk[STEPS] += 1
            i = _read_markup(data, i, end, desk, text)
    contexts.close_all(desk)
    layout.measure(desk, text)


@inlined_kernel
def _read_markup(data: Numbers, i: int, end: int, desk: Numbers, text: Numbers) -> int:
    """`i` is at a `<`; returns what is behind what begins there."""
    byte = data[i + 1] if i + 1 < end else 0
    if is_letter(byte):
        return _read_start_tag(data, i + 1, end, desk, text)
    if byte == 47:  # /
        return _read_end_tag(data, i, end, desk, text)
    if byte == 33:  # !
        if is_cdata(data, i, end) and _takes_cdata(desk):
            return _read_cdata(data, i + 9, end, desk, text)
        return skip_declaration(data, i, end)
    if byte == 63:  # ?
        return skip_past(data, i, end, 62)
    _write_sign(desk, text)
    return i + 1


@inner_kernel
def _write_sign(desk: Numbers, text: Numbers) -> None:
    """A `<` that begins nothing is text."""
    if not (desk[TEMPLATES] or desk[UNSEEN] or desk[FRAMES] >= _INSIDE):
        desk[HEAD] = head.IN_BODY
        write(desk, text, 60)


@inner_kernel
def _takes_cdata(desk: Numbers) -> bool:
    return desk[IS_XML] != 0 or (desk[FOREIGN] != 0 and desk[IS_HTML_INSIDE] == 0)


@inner_kernel
def _read_cdata(data: Numbers, i: int, end: int, desk: Numbers, text: Numbers) -> int:
    last = find_cdata_end(data, i, end)
    _show(data, i, last, desk, text, IN_RAW_TEXT)
    return min(last + 3, end)


@inner_kernel
def _show(data: Numbers, i: int, end: int, desk: Numbers, text: Numbers, place: int) -> None:
    if not (desk[TEMPLATES] or desk[UNSEEN] or desk[FRAMES] >= _INSIDE):
        copy_text(data, i, end, desk, text, place)


@inlined_kernel
def _read_end_tag(data: Numbers, i: int, end: int, desk: Numbers, text: Numbers) -> int:
    if i + 2 >= end:
        _write_sign(desk, text)
        return i + 1
    if data[i + 2] == 62:  # </> is nothing
        return i + 3
    if not is_letter(data[i + 2]):
        return skip_past(data, i, end, 62)
    i = read_name(data, i + 2, end, desk)
    i = read_attributes(data, i, end, desk)
    if i < 0:
        return end
    _end(desk, max(0, find(desk, TAGS, TAG_SLOTS, desk[NAME])))
    return i


@inlined_kernel
def _end(desk: Numbers, code: int) -> None:
    """An end tag was read."""
    if desk[FRAMES] >= _INSIDE:
        if code == head.FRAMESET and desk[FRAMESETS] > 0:
            desk[FRAMESETS] -= 1
            desk[FRAMES] = _INSIDE if desk[FRAMESETS] else _AFTER
        return
    if desk[FOREIGN] and foreign.close(desk, contexts.floor_of_foreign(desk)):
        return
    if desk[HEAD] != head.IN_BODY and not desk[TEMPLATES]:
        head.end(desk, code)
    kind = _kind_of(code, desk[NAME])
    if desk[OPEN + kind] and desk[OPENED_IN + kind] >= desk[CONTEXTS]:
        desk[OPEN + kind] -= 1
        if code != _FORM or desk[TEMPLATES]:  # which lets go of what it holds
            foreign.leave(desk)  # a picture ends with what it stands in
    traits = desk[TRAITS + code]
    if traits & _BLOCK:
        desk[IS_SPACED] = 1
    if code == A:
        links.close_link(desk)
    elif code == _BR:
        desk[FRAMES] = _TOO_LATE  # it is read as if it were a start tag
    elif traits & _NESTS or code in (_TABLE, _TEMPLATE):
        contexts.end_context(desk, code)
        if code == _TEMPLATE and desk[TEMPLATES]:
            desk[TEMPLATES] -= 1
    if desk[LANDMARKS]:
        end_landmark(desk, code)


@inner_kernel
def _kind_of(code: int, key: int) -> int:
    """What an element counts as while it is open; a heading's end tag ends any heading."""
    if code == 0:
        return CODES + (key * SPREAD >> SPREAD_SHIFT & NAME_SLOTS - 1)
    return _FIRST_HEADING if _FIRST_HEADING < code <= _LAST_HEADING else code


@inlined_kernel
def _read_start_tag(data: Numbers, i: int, end: int, desk: Numbers, text: Numbers) -> int:
    i = read_name(data, i, end, desk)
    key = desk[NAME]
    i = read_attributes(data, i, end, desk)
    if i < 0:
        return end
    code = max(0, find(desk, TAGS, TAG_SLOTS, key))
    if desk[FRAMES] >= _INSIDE:
        return _start_in_frameset(data, i, end, desk, text, code)
    if desk[HEAD] != head.IN_BODY and not desk[TEMPLATES]:
        head.start(desk, code)
    if desk[FOREIGN] and foreign.breaks_out(desk, code):
        foreign.leave(desk)
    if foreign.is_foreign(desk, code):
        _start_foreign(data, desk, code)
        return i
    return _start(data, i, end, desk, text, code)


@inner_kernel
def _start_foreign(data: Numbers, desk: Numbers, code: int) -> None:
    """An element of a picture; of these, links and what they load are looked at.

    Links may stand in other links.
    """
    row = links.NO_ROW
    if code == A and not desk[TEMPLATES]:
        row = record_anchor(desk, True, data)
        links.begin_text(desk, row)
    elif desk[WANTS_REQUISITES] and not desk[TEMPLATES] and not foreign.is_in_formula(desk):
        record_picture(desk, code, data)
    foreign.push(desk, code, row)


@inner_kernel
def _start_in_frameset(
    data: Numbers, i: int, end: int, desk: Numbers, text: Numbers, code: int
) -> int:
    """Among frames there is nothing but frames."""
    if code == _NOFRAMES:
        return _find_end(data, i, end, desk, code)
    if desk[FRAMES] == _INSIDE:
        if code == FRAME:
            record(desk, code, data)
        elif code == head.FRAMESET:
            desk[FRAMESETS] += 1
    return i


@inlined_kernel
def _start(data: Numbers, i: int, end: int, desk: Numbers, text: Numbers, code: int) -> int:
    """An element of HTML."""
    traits = desk[TRAITS + code]
    if not traits & _NEVER_OPEN:
        # Before a picture could begin in it, a noscript of the head has ended.
        kind = _kind_of(code, desk[NAME])
        desk[OPEN + kind] += desk[HEAD] != head.IN_NOSCRIPT
        desk[OPENED_IN + kind] = desk[CONTEXTS]
        desk[IS_HTML_INSIDE] = 1
    if traits & _BLOCK:
        desk[IS_SPACED] = 1
    if traits & _SETTLES and desk[FRAMES] == _POSSIBLE and not desk[TEMPLATES]:
        _settle(desk, code, data)
    if desk[LANDMARKS] or traits & _LANDMARK or desk[SEEN] & _ROLE_BIT:
        begin_landmark(desk, code, data)
    if desk[WANTS_REQUISITES] and not desk[TEMPLATES]:
        record_style(desk, data)
        record_background(desk, code, data)
    if traits & _LINKS and not desk[TEMPLATES]:
        _start_linking(data, desk, code)
    if traits & _RAW:
        return _read_raw(data, i, end, desk, text, code)
    if traits & _NESTS or code in (_TABLE, _TEMPLATE):
        contexts.begin_context(desk, code)
        desk[OPENED_IN + code] = desk[CONTEXTS]
    if code == _TEMPLATE:
        desk[TEMPLATES] += 1
    elif code == _PLAINTEXT:
        _show(data, i, end, desk, text, IN_RAW_TEXT)
        return end
    elif code == head.FRAMESET:
        _start_frameset(desk)
    return i


@inner_kernel
def _start_frameset(desk: Numbers) -> None:
    """Frames take the place of all that was in the body, if that was nothing to speak of."""
    is_possible = desk[FRAMES] == _POSSIBLE and desk[TEXT_END] == 0
    if not desk[TEMPLATES] and (is_possible or desk[HEAD] != head.IN_BODY):
        desk[FRAMES], desk[FRAMESETS] = _INSIDE, 1
        contexts.close_all(desk)
        contexts.begin_contexts(desk)
        drop_body(desk)


@inner_kernel
def _settle(desk: Numbers, code: int, data: Numbers) -> None:
    """After this there can be no frameset; an `input` that is not seen does not count."""
    if code != _INPUT or not _is_hidden(desk, data):
        desk[FRAMES] = _TOO_LATE


@inner_kernel
def _is_hidden(desk: Numbers, data: Numbers) -> bool:
    first, last = desk[VALUES + 2 * _TYPE], desk[VALUES + 2 * _TYPE + 1]
    if not desk[SEEN] & 1 << _TYPE or last - first != _HIDDEN_LENGTH:
        return False
    key = 0
    for i in range(last - 1, first - 1, -1):
        key = key << 8 | lower(data[i])
    return key == _HIDDEN


@inner_kernel
def _start_linking(data: Numbers, desk: Numbers, code: int) -> None:
    if code == A:
        links.open_link(desk, record_anchor(desk, False, data))
        if desk[IS_XML] and desk[IS_CLOSED]:
            links.close_link(desk)
    elif code != FRAME:  # which is nothing outside of a frameset
        if code in (IMG, IMAGE):
            note_image(desk, links.open_row(desk))
        record(desk, code, data)


@inner_kernel
def _read_raw(data: Numbers, i: int, end: int, desk: Numbers, text: Numbers, code: int) -> int:
    """Content that is no markup, up to its end tag."""
    if desk[IS_XML] and desk[IS_CLOSED]:
        return i
    last = _find_end(data, i, end, desk, code)
    if desk[TRAITS + code] & _SHOWN:
        _show(data, i, last, desk, text, IN_TEXT if code == _TEXTAREA else IN_RAW_TEXT)
    elif not desk[TEMPLATES]:
        if code == TITLE and not desk[HAS_TITLE]:
            desk[HAS_TITLE] = 1
            record_content(desk, code, i, last)
        elif code == STYLE and desk[WANTS_REQUISITES] and desk[LINKS] < desk[MAX_LINKS]:
            desk[LINKS] += 1
            record_content(desk, code, i, last)
        elif code == _SCRIPT:
            record_script(desk, i, last)
    return last


@inner_kernel
def _find_end(data: Numbers, i: int, end: int, desk: Numbers, code: int) -> int:
    key = desk[NAME]
    if code == _SCRIPT:
        return find_script_end(data, i, end, key)
    return find_raw_end(data, i, end, key)
