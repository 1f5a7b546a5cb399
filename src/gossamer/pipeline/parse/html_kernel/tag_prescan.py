"""The tags of a page's first bytes, for who wants to know its encoding before it can be read."""

from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from gossamer.core.kernel import Numbers, inner_kernel, kernel, pointer_to
from gossamer.pipeline.parse.html_kernel.entities import find
from gossamer.pipeline.parse.html_kernel.kernel_names import TAG_SLOTS, Attribute
from gossamer.pipeline.parse.html_kernel.kernel_workspace import (
    NAME,
    SEEN,
    TAGS,
    VALUES,
    make_workspace,
)
from gossamer.pipeline.parse.html_kernel.rows import META
from gossamer.pipeline.parse.html_kernel.tokens import (
    is_letter,
    read_attributes,
    read_name,
    skip_declaration,
    skip_past,
)

_WANTED = (Attribute.CHARSET, Attribute.HTTP_EQUIV, Attribute.CONTENT)
_CHARSET, _EQUIV_AND_CONTENT = (
    1 << Attribute.CHARSET,
    1 << Attribute.HTTP_EQUIV | 1 << Attribute.CONTENT,
)


def find_metas(window: bytes) -> Iterator[tuple[bytes | None, ...]]:
    """`charset`, `http-equiv` and `content` of those `meta` tags in a window that may name an encoding.

    Scripts are no exception.

    >>> list(find_metas(b"<!-- <meta charset=x> --><meta name=a><meta charset=utf-8><meta char"))
    [(b'utf-8', None, None)]
    """
    data, workspace = np.frombuffer(window, np.uint8), _workspace()
    position = next_meta(data, 0, workspace)
    while position >= 0:
        notes = workspace[:_NOTED].tolist()
        yield tuple(_value(window, notes, attribute) for attribute in _WANTED)
        position = next_meta(data, position, workspace)


_NOTED = VALUES + 2 * (max(_WANTED) + 1)


@cache
def _workspace() -> NDArray[np.int64]:
    return make_workspace(0)


def _value(window: bytes, notes: list[int], attribute: Attribute) -> bytes | None:
    if not notes[SEEN] >> attribute & 1:
        return None
    return window[notes[VALUES + 2 * attribute] : notes[VALUES + 2 * attribute + 1]]


@kernel
def next_meta(page: NDArray[np.uint8], i: int, notes: NDArray[np.int64]) -> int:
    """Read on from `i`; returns what is behind the next `meta` that may name an encoding, or -1."""
    data, workspace, end = pointer_to(page), pointer_to(notes), len(page)
    while i + 1 < end:
        if data[i] != 60:  # <
            i += 1
            continue
        byte = data[i + 1]
        if byte == 33:  # !
            i = skip_declaration(data, i, end)
        elif is_letter(byte) or (byte == 47 and i + 2 < end and is_letter(data[i + 2])):
            i = read_name(data, i + 1 + (byte == 47), end, workspace)
            i = read_attributes(data, i, end, workspace)
            if i < 0:
                return -1
            if byte != 47 and _may_declare(workspace):
                return i
        elif byte == 47 or byte == 63:  # / ?
            i = skip_past(data, i, end, 62)
        else:
            i += 1
    return -1


@inner_kernel
def _may_declare(workspace: Numbers) -> bool:
    seen = workspace[SEEN]
    if not seen & _CHARSET and seen & _EQUIV_AND_CONTENT != _EQUIV_AND_CONTENT:
        return False
    return find(workspace, TAGS, TAG_SLOTS, workspace[NAME]) == META
