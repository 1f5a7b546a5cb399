"""The lines of a text as numbers, by which pages are compared."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gossamer.core.kernel import Numbers, inner_kernel, kernel, pointer_to
from gossamer.pipeline.parse.extraction_kernels.element_tree import judge
from gossamer.pipeline.parse.extraction_kernels.values import MIX

_NEW_LINE, _SPACE = 10, 32


@kernel
def number_lines(
    page: NDArray[np.uint8], least_letters: int, least_words: int, numbers: NDArray[np.int64]
) -> None:
    """A number for each line of UTF-8: the same for the same words; 0 for one that is too short."""
    data, found, begin, end = pointer_to(page), pointer_to(numbers), 0, len(page)
    for line in range(len(numbers)):
        letters = words = 0
        number: Any = np.int64(0)
        i, in_word = begin, False
        while i < end and data[i] != _NEW_LINE:
            size = _size_of(data[i])
            letters += 1
            if _is_space(data, i, end, size):
                in_word = False
            else:
                if not in_word:
                    words += 1
                    number = _mixed(number, _SPACE)
                in_word = True
                for at in range(i, min(i + size, end)):
                    number = _mixed(number, data[at])
            i += size
        is_long = letters >= least_letters and words >= least_words
        found[line] = int(number | 1) if is_long else 0
        begin = i + 1


@inner_kernel
def _size_of(byte: int) -> int:
    """The bytes of a character that begins so."""
    return 1 if byte < 0x80 else 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4


@inner_kernel
def _is_space(data: Numbers, i: int, end: int, size: int) -> bool:
    byte = data[i]
    if byte < 0x80:
        return byte == _SPACE or 9 <= byte <= 13 or 28 <= byte <= 31
    if size == 4 or i + size > end:
        return False
    return judge(byte, data[i + 1], data[i + 2] if size == 3 else 0) == 1


@inner_kernel
def _mixed(number: Any, byte: int) -> Any:
    mixed = (number ^ np.int64(byte)) * np.int64(MIX)
    return mixed ^ mixed >> 29
