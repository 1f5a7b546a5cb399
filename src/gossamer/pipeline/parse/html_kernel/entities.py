"""Character references: `&amp;`, `&#233;`, `&#xE9;`, and the old ones that need no semicolon."""

from html.entities import html5

import numpy as np
from numpy.typing import NDArray

from gossamer.core.kernel import Numbers, inner_kernel
from gossamer.pipeline.parse.html_kernel.kernel_names import (
    MASK,
    SPREAD,
    SPREAD_SHIFT,
    hash_name,
    hash_table,
)

ENTITY_SLOTS = 8192
LONGEST_NAME = 33
LONGEST_OPEN_NAME = 6
"""Letters of the longest name that needs no semicolon."""
_SECOND = 21
"""Bits of a code point; a few names stand for two."""
_LAST = 0x10FFFF
_INVALID = 0xFFFD

_WINDOWS_1252 = tuple(
    ord(bytes([byte]).decode("cp1252", "ignore") or chr(byte)) for byte in range(0x80, 0xA0)
)
"""What `&#128;` to `&#159;` mean, as browsers take them."""


def entity_table() -> NDArray[np.int64]:
    """From the hash of a name, its semicolon included, to one or two code points."""
    values = {hash_name(name): _packed(text) for name, text in html5.items()}
    assert len(values) == len(html5), "no two names share a hash"
    return hash_table(values, ENTITY_SLOTS)


def _packed(text: str) -> int:
    return ord(text[0]) | (ord(text[1]) << _SECOND if len(text) > 1 else 0)


@inner_kernel
def resolve(
    data: Numbers, i: int, end: int, workspace: Numbers, table: int
) -> tuple[int, int, int]:
    """Read the reference at `i`; returns where it ends, and its one or two code points.

    It ends at `i` when it is none.
    """
    if i + 1 < end and data[i + 1] == 35:  # #
        return _resolve_number(data, i, end)
    found, value, key = i, 0, 0
    last = min(end, i + 1 + LONGEST_NAME)
    for j in range(i + 1, last):
        byte = data[j]
        is_letter = 48 <= byte <= 57 or 65 <= byte <= 90 or 97 <= byte <= 122
        if not is_letter and byte != 59:  # ;
            break
        key = (key * 31 + byte) & MASK
        if not is_letter or j - i <= LONGEST_OPEN_NAME:
            known = find(workspace, table, ENTITY_SLOTS, key)
            if known >= 0:
                found, value = j + 1, known
        if not is_letter:
            break
    return found, value & 0x1FFFFF, value >> _SECOND


@inner_kernel
def find(workspace: Numbers, table: int, slots: int, key: int) -> int:
    """The value under a key of the hash table that begins at `table`; -1 when there is none."""
    slot = (key * SPREAD) >> SPREAD_SHIFT & (slots - 1)
    while workspace[table + 2 * slot] != key:
        if workspace[table + 2 * slot] == -1:
            return -1
        slot = (slot + 1) & (slots - 1)
    return workspace[table + 2 * slot + 1]


@inner_kernel
def _resolve_number(data: Numbers, i: int, end: int) -> tuple[int, int, int]:
    j = i + 2
    base = 10
    if j < end and (data[j] | 32) == 120:  # x
        base, j = 16, j + 1
    first, value = j, 0
    while j < end:
        digit = _digit(data[j])
        if digit >= base:
            break
        value = min(value * base + digit, _LAST + 1)
        j += 1
    if j == first:
        return i, 0, 0
    if j < end and data[j] == 59:
        j += 1
    return j, _allowed(value), 0


@inner_kernel
def _digit(byte: int) -> int:
    if 48 <= byte <= 57:
        return byte - 48
    letter = byte | 32
    return letter - 87 if 97 <= letter <= 102 else 99


@inner_kernel
def _allowed(value: int) -> int:
    """The code point that a number stands for."""
    if value == 0 or value > _LAST or 0xD800 <= value <= 0xDFFF:
        return _INVALID
    return _WINDOWS_1252[value - 0x80] if 0x80 <= value <= 0x9F else value
