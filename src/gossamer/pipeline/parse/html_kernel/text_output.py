"""Text on its way out: references resolved, white space made one space."""

from gossamer.core.kernel import Numbers, inlined_kernel, inner_kernel
from gossamer.pipeline.parse.html_kernel.entities import resolve
from gossamer.pipeline.parse.html_kernel.foreign import is_in_picture
from gossamer.pipeline.parse.html_kernel.kernel_characters import (
    HALF_SPACE,
    IN_MARKUP,
    MARKUP,
    NOTHING,
    PLAIN,
    SPACE,
)
from gossamer.pipeline.parse.html_kernel.kernel_workspace import (
    ENTITIES,
    IS_SPACED,
    KINDS,
    PAGE_END,
    TEXT_END,
    TEXT_SIZE,
)
from gossamer.pipeline.parse.html_kernel.octets import below, each, equal, first, load, store

_SPACES, _SIGNS, _REFERENCES, _HALF_SPACES = each(32), each(ord("<")), each(ord("&")), each(0xC2)
_LAST = -1 << 63
"""The mark of a word's last byte."""


@inlined_kernel
def copy_text(
    data: Numbers, i: int, end: int, workspace: Numbers, text: Numbers, place: int
) -> int:
    """Copy text up to a `<` (if that means anything in this place) or the end; returns where."""
    written, is_spaced = workspace[TEXT_END], workspace[IS_SPACED]
    place += KINDS
    while i < end:
        byte = data[i]
        kind = workspace[place + byte]
        if kind == SPACE:
            is_spaced = 1
            i += 1
            continue
        if kind == MARKUP:
            break
        if kind == PLAIN:
            if is_spaced:
                written = put_space(text, written)
                is_spaced = 0
            text[written] = byte
            written += 1
            i += 1
            length = 8
            while length == 8 and i + 8 <= end:
                word = load(data, i)
                length = _plain_bytes(word)
                store(text, written, word)  # what is too much is written over
                written += length
                i += length
            continue
        workspace[TEXT_END], workspace[IS_SPACED] = written, is_spaced
        i = copy_rare(data, i, end, workspace, text, kind, place)
        written, is_spaced = workspace[TEXT_END], workspace[IS_SPACED]
    workspace[TEXT_END], workspace[IS_SPACED] = written, is_spaced
    return i


@inner_kernel
def _plain_bytes(word: int) -> int:
    """The number of bytes to copy unchanged: letters, and spaces between two of them.

    A space at the end is none of them, since nothing is known of what comes next.
    """
    marks = below(word, _SPACES) | equal(word, _SIGNS) | equal(word, _REFERENCES)
    marks |= equal(word, _HALF_SPACES)
    spaces = equal(word, _SPACES)
    return first(marks | (spaces & ((marks | spaces) >> 8 | _LAST)))


@inner_kernel
def copy_rare(
    data: Numbers, i: int, end: int, workspace: Numbers, text: Numbers, kind: int, place: int
) -> int:
    """Copy what is neither a plain letter nor a plain space."""
    if kind == HALF_SPACE:
        if i + 1 < end and data[i + 1] == 0xA0:
            workspace[IS_SPACED] = 1
            return i + 2
        return _copy_byte(data, i, workspace, text)
    if kind == NOTHING:
        is_kept = place != KINDS + IN_MARKUP or is_in_picture(workspace)
        # The end may be that of an element; what comes behind it needs room as well.
        if is_kept and has_room_for_more(workspace, workspace[PAGE_END] - i):
            write(workspace, text, 0xFFFD)
        return i + 1
    after, first, second = resolve(data, i, end, workspace, ENTITIES)
    if after == i:
        return _copy_byte(data, i, workspace, text)
    write(workspace, text, first)
    if second:
        write(workspace, text, second)
    return after


@inner_kernel
def has_room_for_more(workspace: Numbers, left: int) -> bool:
    """May something be written that is longer than what it stands for?"""
    return workspace[TEXT_END] + left + (left >> 2) + 16 < workspace[TEXT_SIZE]


@inner_kernel
def put_space(text: Numbers, written: int) -> int:
    """A space, unless there is nothing before it."""
    if written == 0:
        return 0
    text[written] = 32
    return written + 1


@inner_kernel
def _copy_byte(data: Numbers, i: int, workspace: Numbers, text: Numbers) -> int:
    _begin_letter(workspace, text)
    text[workspace[TEXT_END]] = data[i]
    workspace[TEXT_END] += 1
    return i + 1


@inner_kernel
def _begin_letter(workspace: Numbers, text: Numbers) -> None:
    if workspace[IS_SPACED]:
        workspace[TEXT_END] = put_space(text, workspace[TEXT_END])
        workspace[IS_SPACED] = 0


@inner_kernel
def write(workspace: Numbers, text: Numbers, point: int) -> None:
    """Write one code point in UTF-8; white space waits for a letter."""
    if point == 32 or 9 <= point <= 13 or point == 0xA0:
        workspace[IS_SPACED] = 1
        return
    _begin_letter(workspace, text)
    at = workspace[TEXT_END]
    if point < 0x80:
        text[at] = point
        at += 1
    elif point < 0x800:
        text[at] = 0xC0 | point >> 6
        text[at + 1] = 0x80 | point & 63
        at += 2
    elif point < 0x10000:
        text[at] = 0xE0 | point >> 12
        text[at + 1] = 0x80 | point >> 6 & 63
        text[at + 2] = 0x80 | point & 63
        at += 3
    else:
        text[at] = 0xF0 | point >> 18
        text[at + 1] = 0x80 | point >> 12 & 63
        text[at + 2] = 0x80 | point >> 6 & 63
        text[at + 3] = 0x80 | point & 63
        at += 4
    workspace[TEXT_END] = at
