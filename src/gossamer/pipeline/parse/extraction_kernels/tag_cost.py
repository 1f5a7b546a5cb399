"""Bound the cost of a page's tags for a tree builder, by one look at all of them.

The tags follow the grammar of `gossamer.pipeline.parse.tag_patterns`. Each `<` with a letter behind it is
taken for the beginning of one, also within another. So the figures here are not too small; who finds them
too large looks again, and more closely.
"""

import numpy as np
from numpy.typing import NDArray

from gossamer.core.kernel import Numbers, inner_kernel, kernel, pointer_to
from gossamer.pipeline.parse.tag_patterns import FORMATTING

_LONGEST = 7


def _key(name: bytes) -> int:
    return int.from_bytes(name, "little")


_B, _BIG, _CODE, _EM, _FONT, _I, _S, _SMALL, _STRIKE, _STRONG, _TT, _U = map(
    _key, sorted(FORMATTING)
)
_A, _NOBR = map(_key, (b"a", b"nobr"))


@kernel
def measure_tags(page: NDArray[np.uint8], most_looks: int) -> tuple[int, int, int]:
    """The most attributes of a tag, the bytes of the longest link's tag, and those of formatting tags.

    When tags reach over each other so that more bytes have to be looked at: three times that number.
    """
    data, end = pointer_to(page), len(page)
    attributes = link = formatting = i = 0
    while i + 1 < end:
        if data[i] != 60 or not 97 <= (data[i + 1] | 32) <= 122:  # < and a letter
            i += 1
            continue
        begin = i
        key, after = _read_name(data, i + 1, end)
        count, last = _read_tail(data, after, end)
        most_looks -= last - begin
        if most_looks < 0:
            return end * end, end * end, end * end
        attributes = max(attributes, count)
        if after < end and data[after] != 62:
            if key in (_A, _NOBR):
                link = max(link, last - begin)
            elif _is_formatting(key):
                formatting += last - begin
        i += 1
    return attributes, link, formatting


@inner_kernel
def _read_name(data: Numbers, i: int, end: int) -> tuple[int, int]:
    key = shift = 0
    while i < end and not (data[i] == 62 or data[i] == 47 or _is_white(data[i])):
        if shift < 8 * _LONGEST:
            key |= (data[i] + 32 if 65 <= data[i] <= 90 else data[i]) << shift
            shift += 8
        i += 1
    return key, i


@inner_kernel
def _read_tail(data: Numbers, i: int, end: int) -> tuple[int, int]:
    """The number of attributes, and the place where they end."""
    count = 0
    while i < end and data[i] != 62:
        if data[i] == 47 or _is_white(data[i]):
            i += 1
            continue
        count += 1
        i += 1
        while i < end and not (
            data[i] == 61 or data[i] == 62 or data[i] == 47 or _is_white(data[i])
        ):
            i += 1
        i = _read_value(data, i, end)
    return count, i


@inner_kernel
def _read_value(data: Numbers, i: int, end: int) -> int:
    """Behind a value, if one follows."""
    first = _skip_white(data, i, end)
    if first >= end or data[first] != 61:  # =
        return i
    i = _skip_white(data, first + 1, end)
    if i < end and (data[i] == 34 or data[i] == 39):  # " '
        quote = data[i]
        i += 1
        while i < end and data[i] != quote:
            i += 1
        return min(i + 1, end)
    while i < end and data[i] != 62 and not _is_white(data[i]):
        i += 1
    return i


@inner_kernel
def _skip_white(data: Numbers, i: int, end: int) -> int:
    while i < end and _is_white(data[i]):
        i += 1
    return i


@inner_kernel
def _is_white(byte: int) -> bool:
    return byte == 32 or byte == 10 or byte == 9 or byte == 13 or byte == 12


@inner_kernel
def _is_formatting(key: int) -> bool:
    is_short = key in (_B, _I, _S, _U, _EM, _TT)
    return is_short or key in (_BIG, _CODE, _FONT, _SMALL, _STRIKE, _STRONG)
