"""The tags of a page's first bytes, for who wants to know its encoding before it can be read."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from gossamer.base.kernel import kernel, pointer_to
from gossamer.cycle.parse.reader.desk import HASH, SEEN, TAGS, VALUES, make_desk
from gossamer.cycle.parse.reader.entities import find
from gossamer.cycle.parse.reader.names import TAG_SLOTS, Attribute
from gossamer.cycle.parse.reader.rows import META
from gossamer.cycle.parse.reader.tokens import (
    is_letter,
    read_attributes,
    read_name,
    skip_declaration,
    skip_past,
)

_WANTED = (Attribute.CHARSET, Attribute.HTTP_EQUIV, Attribute.CONTENT)


def find_metas(window: bytes) -> list[tuple[bytes | None, ...]]:
    """`charset`, `http-equiv` and `content` of the `meta` tags in a window, scripts included.

    >>> find_metas(b"<!-- <meta charset=x> --><meta charset=utf-8><meta char")
    [(b'utf-8', None, None)]
    """
    data, desk = np.frombuffer(window, np.uint8), _desk()
    found = []
    position = next_meta(data, 0, desk)
    while position >= 0:
        found.append(tuple(_value(window, desk, attribute) for attribute in _WANTED))
        position = next_meta(data, position, desk)
    return found


@cache
def _desk() -> NDArray[np.int64]:
    return make_desk(0)


def _value(window: bytes, desk: NDArray[np.int64], attribute: Attribute) -> bytes | None:
    if not int(desk[SEEN]) >> attribute & 1:
        return None
    first, last = desk[VALUES + 2 * attribute : VALUES + 2 * attribute + 2].tolist()
    return window[first:last]


@kernel
def next_meta(page: NDArray[np.uint8], i: int, notes: NDArray[np.int64]) -> int:
    """Read on from `i`; returns what is behind the next `meta`, or -1."""
    data, desk, end = pointer_to(page), pointer_to(notes), len(page)
    while i + 1 < end:
        if data[i] != 60:  # <
            i += 1
            continue
        byte = data[i + 1]
        if byte == 33:  # !
            i = skip_declaration(data, i, end)
        elif is_letter(byte) or (byte == 47 and i + 2 < end and is_letter(data[i + 2])):
            i = read_name(data, i + 1 + (byte == 47), end, desk)
            i = read_attributes(data, i, end, desk)
            if i < 0:
                return -1
            if byte != 47 and find(desk, TAGS, TAG_SLOTS, desk[HASH]) == META:
                return i
        elif byte == 47 or byte == 63:  # / ?
            i = skip_past(data, i, end, 62)
        else:
            i += 1
    return -1
