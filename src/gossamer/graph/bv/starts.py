"""First bits of the rows of a graph: `NAME.starts`, an ascending list that is read at any place.

It is coded as Elias and Fano did (1974). The lowest bits of each number stand in a row, as they are. The rest
of number i, plus i, is the place of a one in a second row of bits; so the i-th one is looked for, from the
last noted place on. A node takes up about ten bits, whatever is between two rows.

Everything is 64-bit words, the lowest first:

    head      how many numbers, how many bits are low, where the low bits and the high ones begin, and the end
    samples   the place of every 64th one
    low       and high bits

Nothing in the file is trusted but the head, which must fit its size: a place that makes no sense leads to
`BEYOND`.
"""

from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from gossamer.core.disk.disk_files import sync_file
from gossamer.core.errors import DirectoryError
from gossamer.core.kernel import Numbers, inlined_kernel, kernel, pointer_to
from gossamer.graph.bv.bit_codes import BEYOND, SPARE_BYTES, ones, read_gamma, signed, trailing
from gossamer.graph.bv.bit_mapping import map_bytes
from gossamer.graph.bv.block_checks import BLOCK_BITS, REBUILD, Notes, note_blocks

Octets = npt.NDArray[np.uint8]
Places = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

_COUNT, _LOW_BITS, _LOW, _HIGH, _END, _HEAD = range(6)
_SAMPLE = 6
"""Every 64th one is noted."""
WORDS_OF_BLOCK = BLOCK_BITS - 3
_TOGETHER = 1 << 16
_FULL = np.uint64(0xFFFFFFFFFFFFFFFF)


@inlined_kernel
def start_of(words: Numbers, seen: Numbers, notes: Numbers, node: int) -> int:
    """The place of a row; `BEYOND` if that makes no sense. Blocks that were not compared yet are noted.
    Blocks that were not compared yet are noted."""
    bits, low, high, end = words[_LOW_BITS], words[_LOW], words[_HIGH], words[_END]
    noted = _HEAD + (node >> _SAMPLE)
    note_blocks(seen, notes, noted >> WORDS_OF_BLOCK, noted >> WORDS_OF_BLOCK)
    sample = signed(words[noted])
    left, at = signed(node & 63), signed(high) + (sample >> 6)
    if sample < 0 or at >= signed(end):
        return BEYOND
    word, begin = np.uint64(words[at]) & (_FULL << np.uint64(sample & 63)), at
    while ones(word) <= left:
        left -= ones(word)
        at += 1
        if at >= signed(end):
            return BEYOND
        word = np.uint64(words[at])
    note_blocks(seen, notes, begin >> WORDS_OF_BLOCK, at >> WORDS_OF_BLOCK)
    for _ in range(left):
        word &= word - np.uint64(1)
    above = (at - signed(high)) * 64 + trailing(word) - node
    if above < 0:
        return BEYOND
    place = node * signed(bits)
    first, shift = signed(low) + (place >> 6), np.uint64(place & 63)
    note_blocks(seen, notes, first >> WORDS_OF_BLOCK, (first + 1) >> WORDS_OF_BLOCK)
    rest = np.uint64(words[first]) >> shift | np.uint64(words[first + 1]) << np.uint64(1) << (
        np.uint64(63) - shift
    )
    found: int = (above << signed(bits)) | signed(rest & ~(_FULL << np.uint64(bits)))
    return found


@kernel
def place_in(words: Words, seen: Octets, notes: Notes, node: int) -> int:
    """The same for one row, from Python."""
    return start_of(pointer_to(words), pointer_to(seen), pointer_to(notes), node)


@inlined_kernel
def blocks_of_starts(words: Numbers) -> int:
    """Blocks of the file, behind which those of the bits are numbered."""
    blocks: int = (signed(words[_END]) >> WORDS_OF_BLOCK) + 1
    return blocks


@kernel
def _pack(data: Octets, size: int, words: Words, state: Places, some: int) -> bool:
    """Take this many gaps more of a stream of offsets; False when it ends, or leads outside.

    `state` is how many numbers there were, where the next gap begins, and the last number.
    """
    gaps, bits = pointer_to(data), signed(words[_LOW_BITS])
    low, high, end = signed(words[_LOW]), signed(words[_HIGH]), signed(words[_END])
    number, place, total = state[0], state[1], state[2]
    for _ in range(some):
        gap, place = read_gamma(gaps, size, place)
        total += gap
        above = (total >> bits) + number
        if place > 8 * size or high + (above >> 6) >= end:
            return False
        words[high + (above >> 6)] |= np.uint64(1) << np.uint64(above & 63)
        if number & 63 == 0:
            words[_HEAD + (number >> _SAMPLE)] = above
        rest, begin = np.uint64(total) & ~(_FULL << np.uint64(bits)), number * bits
        at, shift = low + (begin >> 6), np.uint64(begin & 63)
        words[at] |= rest << shift
        words[at + 1] |= rest >> np.uint64(1) >> (np.uint64(63) - shift)
        number += 1
    state[0], state[1], state[2] = number, place, total
    return True


def read_starts(path: Path, count: int) -> Words:
    """The starts that were written for this many rows and the end."""
    data, size = map_bytes(path)
    words = data[: size // 8 * 8].view(np.uint64)
    is_right = len(words) >= _HEAD and words[_COUNT] == count and words[_LOW_BITS] < 58
    if not is_right or _head(count, int(words[_LOW_BITS]), len(words)) != words[:_HEAD].tolist():
        raise DirectoryError(f"{path} is damaged; {REBUILD}")
    return words


def starts_from_offsets(path: Path, count: int, last: int, gaps: Octets | None = None) -> Words:
    """The same, in memory, of WebGraph's `NAME.offsets`; `last` is at most where the last row ends.

    `gaps` are the bytes of that file where it is missing.
    """
    words = np.zeros(_size(count, last), np.uint64)
    _fill(path, count, last, words, gaps)
    words.flags.writeable = False
    return words


def write_starts(path: Path, offsets: Path, count: int, last: int) -> None:
    """Write `NAME.starts`, given `NAME.offsets`; what is in memory is up to the system."""
    words = np.memmap(path, np.uint64, "w+", shape=(_size(count, last),))
    _fill(offsets, count, last, words)
    words.flush()
    del words
    sync_file(path)


def _fill(path: Path, count: int, last: int, words: Words, gaps: Octets | None = None) -> None:
    data, size = map_bytes(path) if gaps is None else (gaps, len(gaps) - SPARE_BYTES)
    words[:_HEAD] = _head(count, _low_bits(count, last), len(words))
    state = np.zeros(3, np.int64)
    for begin in range(0, count, _TOGETHER):
        if not _pack(data, size, words, state, min(_TOGETHER, count - begin)):
            _complain(path)
    if state[2] > last:
        _complain(path)


def _complain(path: Path) -> NoReturn:
    raise DirectoryError(f"{path} is cut short, or belongs to another graph; {REBUILD}")


def _low_bits(count: int, last: int) -> int:
    return max(0, (last // count).bit_length() - 1)


def _head(count: int, low_bits: int, size: int) -> list[Any]:
    low = _HEAD + (count + 63 >> _SAMPLE)
    return [count, low_bits, low, low + (count * low_bits >> 6) + 2, size]


def _size(count: int, last: int) -> int:
    """Words in all."""
    bits = _low_bits(count, last)
    high = _head(count, bits, 0)[_HIGH]
    return int(high) + (count + (last >> bits) >> 6) + 1
