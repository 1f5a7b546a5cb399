"""Columns of text out of msgpack, without a Python object for each text.

A page's links are packed once, when they come, and so they wait in memory and in the spool. When a file
is written, kernels find each text in the packed bytes and lay those of a column end to end, as Arrow has
them.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gossamer.core.kernel import Numbers, inner_kernel, kernel, pointer_to

if TYPE_CHECKING:
    import pyarrow

Bytes = NDArray[np.uint8]
Cells = NDArray[np.int32]
"""Where texts begin and end."""

_NIL, _STR8, _STR16, _STR32, _ARRAY16 = 0xC0, 0xD9, 0xDA, 0xDB, 0xDC
_NO_TEXT = (0, -1)


class PackedTexts:
    """Items, each of which is one text and several lists of texts that are equally long."""

    def __init__(self, items: Sequence[bytes], rows: int, lists: int) -> None:
        """There are this many texts over all items in each of the lists; less than 2 GiB in all."""
        self._packed = np.frombuffer(b"".join(items), np.uint8)
        self._heads = np.empty((len(items), 2), np.int32)
        self._cells = np.empty((lists, rows, 2), np.int32)
        self._counts = np.empty(len(items), np.int32)
        if not _find(self._packed, self._heads, self._cells, self._counts):
            raise TypeError("columns of texts must be lists of equal length")

    def heads(self) -> "pyarrow.DictionaryArray":
        """The one text of each item, for each of its rows."""
        places = np.repeat(np.arange(len(self._counts), dtype=np.int32), self._counts)
        return _dictionary(places, self._gather(self._heads))

    def plain(self, number: int) -> "pyarrow.StringArray":
        """The texts of a list."""
        return self._gather(self._cells[number])

    def repetitive(self, number: int) -> "pyarrow.DictionaryArray":
        """The texts of a list of which most are the same as the one before."""
        firsts, counts = self._runs(number)
        values = _encode(firsts)
        return _dictionary(np.repeat(values.indices.to_numpy(), counts), values.dictionary)

    def optional(self, number: int) -> "pyarrow.DictionaryArray":
        """The texts of a list of which most are empty, and that means null; there are few different ones."""
        from pyarrow import array, string

        firsts, counts = self._runs(number)
        texts = firsts.to_pylist()
        names = {text: place for place, text in enumerate(dict.fromkeys(filter(None, texts)))}
        places = np.repeat(np.array([names.get(text, -1) for text in texts], np.int32), counts)
        indices = array(np.maximum(places, 0), mask=places < 0)
        return _dictionary(indices, array(list(names), string()))

    def _runs(self, number: int) -> tuple["pyarrow.StringArray", NDArray[np.int64]]:
        """The first of those that are the same, and how many there are."""
        cells = self._cells[number]
        are_new = np.empty(len(cells), np.bool_)
        _compare(self._packed, cells, are_new)
        begins = np.flatnonzero(are_new)
        return self._gather(cells[begins]), np.diff(begins, append=len(cells))

    def _gather(self, cells: Cells) -> "pyarrow.StringArray":
        from pyarrow import StringArray, py_buffer

        ends = np.zeros(len(cells) + 1, np.int32)
        np.cumsum(cells[:, 1] - cells[:, 0], out=ends[1:])
        data = np.empty(ends[-1], np.uint8)
        _copy(self._packed, cells, data)
        return StringArray.from_buffers(len(cells), py_buffer(ends), py_buffer(data))


def _encode(texts: "pyarrow.StringArray") -> "pyarrow.DictionaryArray":
    # Not by `dictionary_encode`: it loads all of Arrow's functions first, which takes longer than a table.
    from pyarrow import array, dictionary, int32, string

    return array(texts.to_pylist(), dictionary(int32(), string()))


def _dictionary(
    places: "NDArray[np.int32] | pyarrow.Array", values: "pyarrow.Array"
) -> "pyarrow.DictionaryArray":
    from pyarrow import DictionaryArray

    return DictionaryArray.from_arrays(places, values)


@inner_kernel
def _number_at(packed: Numbers, place: int, size: int) -> int:
    number = 0
    for byte in range(size):
        number = number << 8 | packed[place + byte]
    return number


@inner_kernel
def _text_at(packed: Numbers, place: int) -> tuple[int, int]:
    """The begin and end of the text at a place; nothing at all counts as an empty one."""
    head = packed[place]
    place += 1
    if 0xA0 <= head < _NIL:
        return place, place + (head & 0x1F)
    if head == _NIL:
        return place, place
    if not _STR8 <= head <= _STR32:
        return _NO_TEXT
    size = 1 << (head - _STR8)
    return place + size, place + size + _number_at(packed, place, size)


@inner_kernel
def _list_at(packed: Numbers, place: int) -> tuple[int, int]:
    """The length of the list at a place, and the place of its first item."""
    head = packed[place]
    place += 1
    if head < _ARRAY16:
        return head & 0xF, place
    size = 2 << (head - _ARRAY16)
    return _number_at(packed, place, size), place + size


@kernel
def _find(packed: Bytes, heads: Cells, cells: Cells, counts: NDArray[np.int32]) -> bool:
    """Find all texts; False when one is none, or lists are not equally long or longer than was said."""
    source = pointer_to(packed)
    place = done = 0
    for item in range(len(heads)):
        _, place = _list_at(source, place)
        heads[item, 0], place = _text_at(source, place)
        heads[item, 1] = place
        if place < 0:
            return False
        count = -1
        for number in range(len(cells)):
            length, place = _list_at(source, place)
            if count < 0:
                count = length
            if length != count or done + count > cells.shape[1]:
                return False
            for row in range(done, done + count):
                cells[number, row, 0], place = _text_at(source, place)
                cells[number, row, 1] = place
                if place < 0:
                    return False
        counts[item] = count
        done += count
    return True


@kernel
def _copy(packed: Bytes, cells: Cells, data: Bytes) -> None:
    """Lay texts end to end."""
    source, target = (
        pointer_to(packed),
        pointer_to(data),
    )  # of arrays, the loop takes ten times as long
    done = 0
    for row in range(len(cells)):
        begin, size = cells[row, 0], cells[row, 1] - cells[row, 0]
        for byte in range(size):
            target[done + byte] = source[begin + byte]
        done += size


@kernel
def _compare(packed: Bytes, cells: Cells, are_new: NDArray[np.bool_]) -> None:
    """Which texts differ from the one before?"""
    source = pointer_to(packed)
    before, length = 0, -1
    for row in range(len(cells)):
        begin, size = cells[row, 0], cells[row, 1] - cells[row, 0]
        is_new = size != length
        for byte in range(0 if is_new else size):
            is_new = is_new or source[begin + byte] != source[before + byte]
        are_new[row] = is_new
        before, length = begin, size
