"""Layout of the result in memory, so that Python takes it up in a few calls.

Most rows are links that are taken as they stand. Their addresses, `rel`s and texts are written one behind
the other with a NUL between two, so that one `split` makes them all. Rows that take more thought are
handed over as numbers, row by row.
"""

import numpy as np
from numpy.typing import NDArray

from gossamer.core.kernel import Numbers, inner_kernel, kernel, pointer_to
from gossamer.pipeline.parse.html_kernel.kernel_workspace import (
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
from gossamer.pipeline.parse.html_kernel.rows import ODD_A, A

SPANS = 11
"""Numbers of a row that is handed over: its place, where its four values begin and end, what it is, and
how many plain links come before it."""
_VALUES = 8

_MAX_TEXT = 1024
"""Bytes of a link's text that are looked at."""


@inner_kernel
def measure(workspace: Numbers, text: Numbers) -> None:
    """Tell odd links from plain ones, and count what the plain ones take.

    A link's text is without the space before it, and without what is too long of it.
    """
    for row in range(workspace[ROWS]):
        if workspace[cell(row, CODE)] == A:
            first, last = workspace[cell(row, THIRD)], workspace[cell(row, THIRD + 1)]
            if first < last and text[first] == 32:
                first += 1
            last = min(last, first + _MAX_TEXT)
            workspace[cell(row, THIRD)], workspace[cell(row, THIRD + 1)] = first, last
            has_alt = workspace[cell(row, FOURTH)] < workspace[cell(row, FOURTH + 1)]
            if workspace[cell(row, REFERENCES)] or (first == last and has_alt):
                workspace[cell(row, CODE)] = ODD_A
                workspace[OTHERS] += 1
                continue
            workspace[HREF_BYTES] += _length(workspace, row, FIRST) + 1
            workspace[REL_BYTES] += _length(workspace, row, SECOND) + 1
            workspace[TEXT_BYTES] += last - first + 1
            workspace[LONGEST_TEXT] = max(workspace[LONGEST_TEXT], last - first)
        else:
            workspace[OTHERS] += 1


@inner_kernel
def _length(workspace: Numbers, row: int, column: int) -> int:
    return workspace[cell(row, column + 1)] - workspace[cell(row, column)]


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
    data, workspace, text = pointer_to(page), pointer_to(notes), pointer_to(shown)
    numbers, out = pointer_to(spans), pointer_to(letters)
    rows, others = workspace[ROWS], workspace[OTHERS]
    plain, other = 0, 0
    href = rows - others
    rel = href + workspace[HREF_BYTES]
    words = rel + workspace[REL_BYTES]
    for row in range(rows):
        code = workspace[cell(row, CODE)]
        if code == A:
            out[plain] = workspace[cell(row, PLACE)]
            href = _copy(data, workspace, row, FIRST, out, href)
            rel = _copy(data, workspace, row, SECOND, out, rel)
            words = _copy(text, workspace, row, THIRD, out, words)
            numbers[SPANS * others + plain] = workspace[cell(row, THIRD)]
            plain += 1
        else:
            numbers[SPANS * other] = workspace[cell(row, PLACE)]
            for number in range(_VALUES):
                numbers[SPANS * other + 1 + number] = workspace[cell(row, FIRST + number)]
            numbers[SPANS * other + 9], numbers[SPANS * other + 10] = code, plain
            other += 1


@inner_kernel
def _copy(source: Numbers, workspace: Numbers, row: int, column: int, out: Numbers, at: int) -> int:
    for i in range(workspace[cell(row, column)], workspace[cell(row, column + 1)]):
        out[at] = source[i]
        at += 1
    out[at] = 0
    return at + 1
