"""The element that holds most of a page's prose, and what it is made of."""

import numpy as np
from numpy.typing import NDArray

from gossamer.core.kernel import Numbers, inner_kernel, kernel, pointer_to
from gossamer.pipeline.parse.extraction_kernels.element_kinds import Role
from gossamer.pipeline.parse.extraction_kernels.element_tree import COLUMNS, Column
from gossamer.pipeline.parse.extraction_kernels.values import is_same

_MOST_OF_IT = 0.7
"""Of the prose around it, that an element has to hold for the rest to be something else."""
_LEAST_TWIN = 150
_PARENT, _END, _NAME, _CLASS = (
    int(Column.PARENT), int(Column.END), int(Column.NAME), int(Column.CLASS),
)  # fmt: skip
_TEXT, _PROSE = int(Column.TEXT), int(Column.PROSE)
_NAME_BEGIN, _NAME_END = int(Column.NAME_BEGIN), int(Column.NAME_END)
_LEAF, _TECHNICAL = int(Role.LEAF), int(Role.TECHNICAL)


@kernel
def find_container(
    page: NDArray[np.uint8],
    table: NDArray[np.int32],
    role_of: NDArray[np.int32],
    left_out: NDArray[np.uint8],
    notes: NDArray[np.int32],
) -> tuple[int, int]:
    """All prose that is not left out; and where most of it stands.

    From the root downwards, as long as one child has most of what there is. `notes` are for a number for each
    element.
    """
    data, cells, roles, prose = (
        pointer_to(page),
        pointer_to(table),
        pointer_to(role_of),
        pointer_to(notes),
    )
    _keep_prose(cells, pointer_to(left_out), prose, len(table) // COLUMNS)
    number = 0
    while True:
        best = _best_child(cells, prose, number)
        is_part = best == number or roles[cells[best * COLUMNS + _NAME]] & _LEAF
        if (
            is_part
            or prose[best] < _MOST_OF_IT * prose[number]
            or _has_twin(data, cells, prose, number, best)
        ):
            return prose[0], number
        number = best


@inner_kernel
def _keep_prose(cells: Numbers, left_out: Numbers, prose: Numbers, count: int) -> None:
    """The prose of each element that is not in one left out, without that of those."""
    for number in range(count):
        prose[number] = cells[number * COLUMNS + _PROSE]
    for gap in range(count):
        if left_out[gap]:
            lost, number = prose[gap], gap
            prose[gap] = 0
            while lost and number:
                number = cells[number * COLUMNS + _PARENT]
                prose[number] -= lost


@inner_kernel
def _best_child(cells: Numbers, prose: Numbers, number: int) -> int:
    """The child with the most prose, the first of several; the element itself if it has none."""
    child, end = number + 1, cells[number * COLUMNS + _END]
    best = child if child < end else number
    while child < end:
        if prose[child] > prose[best]:
            best = child
        child = cells[child * COLUMNS + _END]
    return best


@inner_kernel
def _has_twin(data: Numbers, cells: Numbers, prose: Numbers, number: int, best: int) -> bool:
    """Is another child one like it, such as the next section of a text?"""
    first, last = cells[best * COLUMNS + _CLASS], cells[best * COLUMNS + _CLASS + 1]
    child, end = number + 1, cells[number * COLUMNS + _END]
    while child < end and last > first:
        row = child * COLUMNS
        if (
            child != best
            and prose[child] >= _LEAST_TWIN
            and is_same(data, first, last, cells[row + _CLASS], cells[row + _CLASS + 1])
            and _is_tag_same(data, cells, best * COLUMNS, row)
        ):
            return True
        child = cells[row + _END]
    return False


@inner_kernel
def _is_tag_same(data: Numbers, cells: Numbers, one: int, other: int) -> bool:
    if cells[one + _NAME] != cells[other + _NAME]:
        return False
    return cells[one + _NAME] != 0 or is_same(
        data,
        cells[one + _NAME_BEGIN],
        cells[one + _NAME_END],
        cells[other + _NAME_BEGIN],
        cells[other + _NAME_END],
    )


@kernel
def weigh_container(
    table: NDArray[np.int32],
    role_of: NDArray[np.int32],
    left_out: NDArray[np.uint8],
    container: int,
) -> tuple[int, int, int, int]:
    """Weigh the text not left out: the page's text; of a container text, prose, and code, tables, terms."""
    cells, roles, out = pointer_to(table), pointer_to(role_of), pointer_to(left_out)
    around, text, prose = (
        cells[_TEXT],
        cells[container * COLUMNS + _TEXT],
        cells[container * COLUMNS + _PROSE],
    )
    technical = number = 0
    end = cells[container * COLUMNS + _END]
    while number < len(left_out):
        row = number * COLUMNS
        is_within = container <= number < end
        if out[number]:
            around -= cells[row + _TEXT]
            text -= cells[row + _TEXT] if is_within else 0
            prose -= cells[row + _PROSE] if is_within else 0
            number = cells[row + _END]
            continue
        if is_within and roles[cells[row + _NAME]] & _TECHNICAL:
            technical += cells[row + _TEXT]
        number += 1
    return around, text, prose, technical
