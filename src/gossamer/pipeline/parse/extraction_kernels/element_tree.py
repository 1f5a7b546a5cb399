"""The elements of a tree, from its spelling: where each begins and ends, how much text and prose it holds.

The spelling is the serializer's (section 13.3 of the HTML standard): start tags with quoted values, an end
tag for each but the void ones, and four references in text. Where that is not enough to know the tree, as in
a template or where a script hides the end of another, nothing is said, and the caller walks the tree itself.
"""

from enum import IntEnum, IntFlag
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gossamer.core.kernel import Numbers, inner_kernel, kernel, pointer_to
from gossamer.pipeline.parse.extraction_kernels.element_names import (
    LONGER,
    LONGEST,
    SHIFT,
    SLOTS,
    SPREAD,
    ElementTrait,
    fill_slots,
    key_of,
)

DEEPEST = 200
LARGEST = 50_000
"""Elements."""
SHORTEST_PROSE = 50
"""Characters of a run."""
MOST_LINKED = 0.4
"""Of a run that is prose."""
TOO_LARGE, UNCLEAR = -1, -2


class Column(IntEnum):
    """The columns of each element; places are of bytes."""

    PARENT = 0
    END = 1
    RUN = 2
    OWN_PROSE = 3
    TEXT = 4
    LINK = 5
    PROSE = 6
    NAME = 7
    NAME_BEGIN = 8
    NAME_END = 9
    CLASS = 10
    CLASS_END = 11
    ID = 12
    ID_END = 13
    ROLE = 14
    ROLE_END = 15
    STYLE = 16
    STYLE_END = 17
    HIDDEN = 18
    BEGIN = 19
    """Where what it holds begins, behind its start tag …"""
    CLOSE = 20
    """… and where it ends, before its end tag."""


class Mention(IntFlag):
    """The words that tags mention: where one of these is missing, no such element has to be looked for."""

    CANONICAL = 1
    AUTHOR = 2
    ENTRY = 4
    """Of a blog."""
    JSON_LD = 8
    ITEM = 16
    """Of microdata."""
    ALL = 31


COLUMNS = len(Column)
KEYS, MEANS, NAMES = fill_slots()
_MEANS_BITS, _TRAITS = 16, 0xFFFF
_INLINE, _SILENT, _VOID, _RAW = (
    int(ElementTrait.INLINE), int(ElementTrait.SILENT), int(ElementTrait.VOID), int(ElementTrait.RAW),
)  # fmt: skip
_UNCLEAR, _FOREIGN, _LINK = (
    int(ElementTrait.UNCLEAR),
    int(ElementTrait.FOREIGN),
    int(ElementTrait.LINK),
)
_PRE = NAMES.index("pre")
_BLOCKQUOTE, _FIGCAPTION = (
    (key_of(name[:LONGEST]), key_of(name[LONGEST:]), NAMES.index(name) << _MEANS_BITS)
    for name in LONGER
)
"""The first bytes and the last ones, and what is known of them."""
_PLAINTEXT = int.from_bytes(b"plaintex", "little")
"""The key of all long names that begin so."""
_PARENT, _END, _RUN, _OWN_PROSE, _TEXT, _LINKED, _PROSE = map(int, list(Column)[:7])
_NAME, _NAME_BEGIN, _NAME_END = int(Column.NAME), int(Column.NAME_BEGIN), int(Column.NAME_END)
_HIDDEN, _BEGIN, _CLOSE = int(Column.HIDDEN), int(Column.BEGIN), int(Column.CLOSE)
_CLASS, _ID, _ROLE, _STYLE = (
    int(Column.CLASS), int(Column.ID), int(Column.ROLE), int(Column.STYLE),
)  # fmt: skip
_HREF_KEY, _CLASS_KEY, _ID_KEY, _ROLE_KEY, _STYLE_KEY, _HIDDEN_KEY = (
    int.from_bytes(name, "little")
    for name in (b"href", b"class", b"id", b"role", b"style", b"hidden")
)
_STAYS, _MARK = 1 << 40, 1 << 40
"""Bits beside a count, while a tag or a text is read."""
_REL_KEY, _TYPE_KEY = (int.from_bytes(name, "little") for name in (b"rel", b"type"))
_ITEM_KEY, _ITEM_LENGTH = int.from_bytes(b"itemscop", "little"), len("itemscope")
_CANONICAL, _AUTHOR, _ENTRY, _JSON_LD, _ITEM = (
    int(Mention.CANONICAL), int(Mention.AUTHOR), int(Mention.ENTRY), int(Mention.JSON_LD), int(Mention.ITEM),
)  # fmt: skip
_CANONI, _AUTHOR_KEY, _HENTRY, _H_ENTR, _LD_JSO = (
    int.from_bytes(word, "big") for word in (b"canoni", b"author", b"hentry", b"h-entr", b"ld+jso")
)
_SIX_BYTES = (1 << 48) - 1


@kernel
def list_tree(
    page: NDArray[np.uint8],
    key_slots: NDArray[np.int64],
    mean_slots: NDArray[np.int64],
    table: NDArray[np.int32],
    notes: NDArray[np.int64],
) -> tuple[int, int, int]:
    """Fill a table, row by row: how many elements there are, how deep they are nested, what they mention.

    `notes` are for what is open: four numbers for each.
    """
    data, keys, means = pointer_to(page), pointer_to(key_slots), pointer_to(mean_slots)
    cells, stack = pointer_to(table), pointer_to(notes)
    count = depth = deepest = foreign = mentions = i = 0
    most, end = min(LARGEST, len(table) // COLUMNS), len(page)
    while i < end:
        if data[i] != 60:  # <
            last = _find(data, i, end, 60)
            if depth:
                _count_text(data, i, last, cells, stack, 4 * (depth - 1))
            i = last
            continue
        sign = data[i + 1] if i + 1 < end else 0
        if sign == 33 or sign == 63:  # ! ?
            i = _skip_comment(data, i, end)
        elif sign == 47:  # /
            depth -= 1
            if depth < 0:
                return UNCLEAR, 0, 0
            cells[stack[4 * depth] * COLUMNS + _END] = count
            cells[stack[4 * depth] * COLUMNS + _CLOSE] = i
            foreign = 0 if foreign == depth + 1 else foreign
            i = _find(data, i, end, 62) + 1
        else:
            if depth == DEEPEST or count == most:
                return TOO_LARGE, 0, 0
            row, name = count * COLUMNS, i + 1
            for cell in range(row, row + COLUMNS):
                cells[cell] = 0
            i = _end_of_name(data, name, end)
            mean = _look_up(data, name, i, keys, means)
            traits = mean & _TRAITS
            cells[row + _NAME], cells[row + _NAME_BEGIN] = mean >> _MEANS_BITS, name
            cells[row + _NAME_END] = i
            i, mentioned = _read_attributes(data, i, end, cells, row)
            mentions |= mentioned
            if i < 0 or traits & _UNCLEAR or (foreign and traits & (_RAW | _VOID)):
                return UNCLEAR, 0, 0
            _open(cells, stack, count, depth, traits, i & _STAYS == 0)
            i &= ~_STAYS
            cells[row + _BEGIN] = cells[row + _CLOSE] = i
            count += 1
            deepest = max(deepest, depth + 1)
            if traits & _VOID:
                cells[row + _END] = count
                continue
            depth += 1
            if traits & _FOREIGN and not foreign:
                foreign = depth
            if traits & _RAW:
                i = _skip_raw(data, i, end, name, cells[row + _NAME_END])
                if i < 0:
                    return UNCLEAR, 0, 0
    if depth:
        return UNCLEAR, 0, 0
    _sum_up(cells, count)
    return count, deepest, mentions


@inner_kernel
def _open(
    cells: Numbers, stack: Numbers, number: int, depth: int, traits: int, is_away: bool
) -> None:
    """Note in which block text in an element stands, whether in a link, whether where it is silent."""
    block = is_linked = is_silent = 0
    if depth:
        around = 4 * (depth - 1)
        cells[number * COLUMNS + _PARENT] = stack[around]
        block, is_linked, is_silent = stack[around + 1], stack[around + 2], stack[around + 3]
    if traits & _LINK:
        is_linked |= is_away
    elif not traits & _INLINE:
        block = number
        is_silent |= traits & _SILENT
    stack[4 * depth], stack[4 * depth + 1] = number, block
    stack[4 * depth + 2], stack[4 * depth + 3] = is_linked, is_silent


@inner_kernel
def _count_text(
    data: Numbers, i: int, end: int, cells: Numbers, stack: Numbers, around: int
) -> None:
    if stack[around + 3]:
        return
    row, found = stack[around + 1] * COLUMNS, _measure(data, i, end)
    length = found & ~_MARK
    cells[row + _RUN] += length
    if stack[around + 2]:
        cells[row + _LINKED] += length
    elif found & _MARK:
        cells[row + _OWN_PROSE] = 1


@inner_kernel
def _end_of_name(data: Numbers, i: int, end: int) -> int:
    while i < end and data[i] != 62 and data[i] != 32:
        i += 1
    return i


@inner_kernel
def _find(data: Numbers, i: int, end: int, byte: int) -> int:
    while i < end and data[i] != byte:
        i += 1
    return i


@inner_kernel
def _skip_comment(data: Numbers, i: int, end: int) -> int:
    """Behind a comment, which ends with `-->`, or behind what else begins so."""
    if i + 3 < end and data[i + 2] == 45 and data[i + 3] == 45:  # --
        i += 4
        while i + 2 < end and not (data[i] == 45 and data[i + 1] == 45 and data[i + 2] == 62):
            i += 1
        return min(i + 3, end)
    return min(_find(data, i, end, 62) + 1, end)


@inner_kernel
def _look_up(data: Numbers, begin: int, end: int, keys: Numbers, means: Numbers) -> int:
    """The number and the traits of a name; 0 if it is not known."""
    key = np.int64(0)
    for i in range(begin, min(end, begin + LONGEST)):
        key |= np.int64(data[i]) << 8 * (i - begin)
    if end - begin > LONGEST:
        return _look_up_longer(data, begin, end, int(key))
    slot: Any = np.int64(np.uint64(key * SPREAD) >> np.uint64(SHIFT))
    while keys[slot] and keys[slot] != key:
        slot = (slot + 1) % SLOTS
    return int(means[slot])


@inner_kernel
def _look_up_longer(data: Numbers, begin: int, end: int, key: int) -> int:
    if end - begin == LONGEST + 2:
        rest = data[begin + LONGEST] | data[begin + LONGEST + 1] << 8
        if key == _BLOCKQUOTE[0] and rest == _BLOCKQUOTE[1]:
            return _BLOCKQUOTE[2]
        if key == _FIGCAPTION[0] and rest == _FIGCAPTION[1]:
            return _FIGCAPTION[2]
    return _UNCLEAR if key == _PLAINTEXT else 0  # it never ends


@inner_kernel
def _read_attributes(data: Numbers, i: int, end: int, cells: Numbers, row: int) -> tuple[int, int]:
    """Behind the tag, with a bit when it leads to a place in the same page; -1 if it has no end.

    And what it mentions.
    """
    stays = mentions = 0
    while i < end and data[i] == 32:
        begin = i + 1
        i = begin
        key = np.int64(0)
        while i < end and data[i] != 32 and data[i] != 62 and (data[i] != 61 or i == begin):
            if i - begin < LONGEST:
                key |= np.int64(data[i]) << 8 * (i - begin)
            i += 1
        length = i - begin
        first = last = i
        if i + 1 < end and data[i] == 61 and data[i + 1] == 34:  # ="
            first = i + 2
            last = _find(data, first, end, 34)
            i = last + 1
        if length > 6:
            if length == _ITEM_LENGTH and key == _ITEM_KEY:
                mentions |= _ITEM
            continue
        if key in (_CLASS_KEY, _REL_KEY, _TYPE_KEY):
            mentions |= _find_mentions(data, first, last)
        if key == _CLASS_KEY:
            cells[row + _CLASS], cells[row + _CLASS + 1] = first, last
        elif key == _ID_KEY:
            cells[row + _ID], cells[row + _ID + 1] = first, last
        elif key == _ROLE_KEY:
            cells[row + _ROLE], cells[row + _ROLE + 1] = first, last
        elif key == _STYLE_KEY:
            cells[row + _STYLE], cells[row + _STYLE + 1] = first, last
        elif key == _HIDDEN_KEY:
            cells[row + _HIDDEN] = 1
        elif key == _HREF_KEY and last - first > 1 and data[first] == 35:  # #
            stays = _STAYS
    if i >= end or data[i] != 62:
        return -1, 0
    return (i + 1) | stays, mentions


@inner_kernel
def _find_mentions(data: Numbers, i: int, end: int) -> int:
    """Which words a value has, by their first six letters, small or not."""
    last_six = np.int64(0)
    mentions = 0
    while i < end:
        last_six = (last_six << 8 | np.int64(data[i] | 32)) & _SIX_BYTES
        i += 1
        if last_six == _CANONI:
            mentions |= _CANONICAL
        elif last_six == _AUTHOR_KEY:
            mentions |= _AUTHOR
        elif last_six in (_HENTRY, _H_ENTR):
            mentions |= _ENTRY
        elif last_six == _LD_JSO:
            mentions |= _JSON_LD
    return mentions


@inner_kernel
def _skip_raw(data: Numbers, i: int, end: int, name: int, name_end: int) -> int:
    """The place of the end tag of raw text; -1 if a comment in it may hide another."""
    length = name_end - name
    while i < end:
        i = _find(data, i, end, 60)
        if i + 3 < end and data[i + 1] == 33 and data[i + 2] == 45:  # !-
            return -1
        if i + 2 + length < end and data[i + 1] == 47:
            same = 0
            while same < length and data[i + 2 + same] == data[name + same]:
                same += 1
            if same == length and data[i + 2 + length] == 62:
                return i
        i += 1
    return -1


@inner_kernel
def _measure(data: Numbers, i: int, end: int) -> int:
    """Characters of a text, white space between words as one; with a bit for a mark of punctuation."""
    letters = words = mark = 0
    in_word = False
    while i < end:
        byte = data[i]
        size, is_space = 1, False
        if byte < 128:
            if byte == 38:  # &
                size, is_space = _read_reference(data, i, end)
            elif byte <= 32:
                is_space = 9 <= byte <= 13 or byte >= 28
            elif byte < 64 and (
                byte == 46 or byte == 44 or byte == 58 or byte == 59 or byte == 33 or byte == 63
            ):
                mark = _MARK
        else:
            size = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            if size < 4 and i + size <= end:
                kind = judge(byte, data[i + 1], data[i + 2] if size == 3 else 0)
                is_space = kind == 1
                if kind == 2:
                    mark = _MARK
        if is_space:
            in_word = False
        else:
            letters += 1
            words += not in_word
            in_word = True
        i += size
    return max(0, letters + words - 1) | mark


@inner_kernel
def _read_reference(data: Numbers, i: int, end: int) -> tuple[int, bool]:
    """The bytes of `&amp;`, `&lt;`, `&gt;` or `&nbsp;`, and whether it is a space."""
    last = i
    while last < end and last < i + 6 and data[last] != 59:  # ;
        last += 1
    return last - i + 1, i + 1 < end and data[i + 1] == 110


@inner_kernel
def judge(first: int, second: int, third: int) -> int:
    """1 for white space and 2 for a mark of punctuation, by the bytes of a character."""
    if first == 0xC2:
        return 1 if second == 0x85 or second == 0xA0 else 0
    if first == 0xD8:
        return 2 if second == 0x8C or second == 0x9F else 0
    if first == 0xE0:
        return 2 if second == 0xA5 and third == 0xA4 else 0
    if first == 0xE1:
        return 1 if second == 0x9A and third == 0x80 else 0
    if first == 0xE2:
        if second == 0x80:
            if third == 0xA6:
                return 2
            return 1 if third <= 0x8A or third == 0xA8 or third == 0xA9 or third == 0xAF else 0
        return 1 if second == 0x81 and third == 0x9F else 0
    if first == 0xE3 and second == 0x80:
        return 1 if third == 0x80 else 2 if third == 0x81 or third == 0x82 else 0
    if first == 0xEF and second == 0xBC:
        return 2 if third == 0x81 or third == 0x9F else 0
    return 0


@inner_kernel
def _sum_up(cells: Numbers, count: int) -> None:
    """Which runs are prose; and for each element the sums of its own and of those within."""
    for number in range(count):
        row = number * COLUMNS
        run, linked = cells[row + _RUN], cells[row + _LINKED]
        own = run - linked
        is_prose = cells[row + _OWN_PROSE] != 0 and cells[row + _NAME] != _PRE
        is_prose = is_prose and own >= SHORTEST_PROSE and linked <= MOST_LINKED * run
        cells[row + _OWN_PROSE] = own if is_prose else 0
        cells[row + _TEXT], cells[row + _PROSE] = run, cells[row + _OWN_PROSE]
    for number in range(count - 1, 0, -1):
        row = number * COLUMNS
        parent = cells[row + _PARENT] * COLUMNS
        cells[parent + _TEXT] += cells[row + _TEXT]
        cells[parent + _LINKED] += cells[row + _LINKED]
        cells[parent + _PROSE] += cells[row + _PROSE]
