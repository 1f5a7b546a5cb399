"""What was read, laid out so that Python takes it up in a few calls.

Most rows are links that are taken as they stand. Their addresses, `rel`s and texts are written one behind
the other with a NUL between two, so that one `split` makes them all. Rows that take more thought are
handed over as numbers, row by row.
"""

import numpy as np
from numpy.typing import NDArray

from gossamer.base.kernel import Numbers, inner_kernel, kernel, pointer_to
from gossamer.cycle.parse.reader.desk import (
    CODE,
    FIRST,
    FOURTH,
    HREF_BYTES,
    LONGEST_TEXT,
    OTHERS,
    PLACE,
    REFERENCES,
    REL_BYTES,
    ROWS,
    SECOND,
    TEXT_BYTES,
    THIRD,
    cell,
)
from gossamer.cycle.parse.reader.rows import ODD_A, A

SPANS = 11
"""Numbers of a row that is handed over: its place, where its four values begin and end, what it is, and
how many plain links come before it."""
_VALUES = 8

_MAX_TEXT = 1024
"""Bytes of a link's text that are looked at."""


@inner_kernel
def measure(desk: Numbers, text: Numbers) -> None:
    """Tell odd links from plain ones, and count what the plain ones take.

    A link's text is without the space before it, and without what is too long of it.
    """
    for row in range(desk[ROWS]):
        if desk[cell(row, CODE)] == A:
            first, last = desk[cell(row, THIRD)], desk[cell(row, THIRD + 1)]
            if first < last and text[first] == 32:
                first += 1
            last = min(last, first + _MAX_TEXT)
            desk[cell(row, THIRD)], desk[cell(row, THIRD + 1)] = first, last
            has_alt = desk[cell(row, FOURTH)] < desk[cell(row, FOURTH + 1)]
            if desk[cell(row, REFERENCES)] or (first == last and has_alt):
                desk[cell(row, CODE)] = ODD_A
                desk[OTHERS] += 1
                continue
            desk[HREF_BYTES] += _length(desk, row, FIRST) + 1
            desk[REL_BYTES] += _length(desk, row, SECOND) + 1
            desk[TEXT_BYTES] += last - first + 1
            desk[LONGEST_TEXT] = max(desk[LONGEST_TEXT], last - first)
        else:
            desk[OTHERS] += 1


@inner_kernel
def _length(desk: Numbers, row: int, column: int) -> int:
    return desk[cell(row, column + 1)] - desk[cell(row, column)]


@kernel
def lay_out(
    page: NDArray[np.uint8],
    notes: NDArray[np.int64],
    shown: NDArray[np.uint8],
    spans: NDArray[np.int64],
    letters: NDArray[np.uint8],
) -> None:
    """Write what `measure` has counted.

    `letters` takes the place of each plain link, then their addresses, `rel`s and texts; `spans` takes the
    other rows, and behind them where the text of each plain link begins.
    """
    data, desk, text = pointer_to(page), pointer_to(notes), pointer_to(shown)
    numbers, out = pointer_to(spans), pointer_to(letters)
    rows, others = desk[ROWS], desk[OTHERS]
    plain, other = 0, 0
    href = rows - others
    rel = href + desk[HREF_BYTES]
    words = rel + desk[REL_BYTES]
    for row in range(rows):
        code = desk[cell(row, CODE)]
        if code == A:
            out[plain] = desk[cell(row, PLACE)]
            href = _copy(data, desk, row, FIRST, out, href)
            rel = _copy(data, desk, row, SECOND, out, rel)
            words = _copy(text, desk, row, THIRD, out, words)
            numbers[SPANS * others + plain] = desk[cell(row, THIRD)]
            plain += 1
        else:
            numbers[SPANS * other] = desk[cell(row, PLACE)]
            for number in range(_VALUES):
                numbers[SPANS * other + 1 + number] = desk[cell(row, FIRST + number)]
            numbers[SPANS * other + 9], numbers[SPANS * other + 10] = code, plain
            other += 1


@inner_kernel
def _copy(source: Numbers, desk: Numbers, row: int, column: int, out: Numbers, at: int) -> int:
    for i in range(desk[cell(row, column)], desk[cell(row, column + 1)]):
        out[at] = source[i]
        at += 1
    out[at] = 0
    return at + 1
