"""Which elements of an article's page are not the article.

Evidence is what an element is (`nav`, `aside`, `form` …), whether it is hidden, what it is called, and how
much of its text is linked. Each of these may be wrong about the article itself, so that none counts against
an element that holds much of the page's prose, and names do not count against what stands around a headline.
"""

import numpy as np
from numpy.typing import NDArray

from gossamer.core.kernel import Numbers, inner_kernel, kernel, pointer_to
from gossamer.pipeline.parse.extraction_kernels.element_kinds import Kind, Role
from gossamer.pipeline.parse.extraction_kernels.element_tree import COLUMNS, Column
from gossamer.pipeline.parse.extraction_kernels.values import ATTRIBUTES

_MOST_CLUTTER, _MOST_BESIDE = 0.6, 0.4
"""Of the page's prose without its comments, that an element of such a name may hold."""
_MOST_FOREIGN = 0.5
_MOST_COMMENTS = 0.9
_LITTLE_PROSE = 150
_LEAST_ARTICLE = 400
"""Characters of prose; with less of it, comments are the matter of the page."""
_LINKED_LINE, _LINKED_LIST, _LINKED_BOX = 0.8, 0.7, 0.5
"""Parts of the text from which on it is there for its links."""
_PARENT, _END, _NAME, _HIDDEN = (
    int(Column.PARENT), int(Column.END), int(Column.NAME), int(Column.HIDDEN),
)  # fmt: skip
_TEXT, _LINKED, _PROSE = int(Column.TEXT), int(Column.LINK), int(Column.PROSE)
_FOREIGN, _LINE, _LIST, _JUDGED, _EXHIBIT, _FIGURE, _HEADLINE = (
    int(Role.FOREIGN), int(Role.LINE), int(Role.LIST), int(Role.JUDGED), int(Role.EXHIBIT), int(Role.FIGURE),
    int(Role.HEADLINE),
)  # fmt: skip
_ENTRY, _COMMENTS, _CLUTTER, _BESIDE, _FRILL, _NOTHING = map(int, Kind)
_AROUND_HEADLINE, _IS_COMMENT = 16, 32
"""Bits beside an element's kind."""


@kernel
def leave_out(
    table: NDArray[np.int32],
    role_of: NDArray[np.int32],
    numbers: NDArray[np.int32],
    kind_of: NDArray[np.int32],
    notes: NDArray[np.int32],
    left_out: NDArray[np.uint8],
) -> None:
    """For each element, whether it is left out with all that it holds; what is within is not looked at.

    `numbers` are those of its names, `kind_of` what each name says. `notes` have a place for each element.
    """
    cells, roles, marks, out = (
        pointer_to(table),
        pointer_to(role_of),
        pointer_to(notes),
        pointer_to(left_out),
    )
    count = len(table) // COLUMNS
    _note_kinds(pointer_to(numbers), pointer_to(kind_of), marks, count)
    _note_headlines(cells, roles, marks, count)
    comments = _note_comments(cells, marks, count)
    prose = cells[_PROSE]
    lost = _judge_all(cells, roles, marks, out, count, prose - max(comments, 0))
    if comments >= 0 and prose - lost < _LEAST_ARTICLE:
        for number in range(count):
            marks[number] &= ~_IS_COMMENT
        _judge_all(cells, roles, marks, out, count, prose)


@inner_kernel
def _note_kinds(numbers: Numbers, kinds: Numbers, marks: Numbers, count: int) -> None:
    """The strongest word counts."""
    for element in range(count):
        kind = _NOTHING
        for one in range(ATTRIBUTES):
            kind = min(kind, kinds[numbers[element * ATTRIBUTES + one]])
        marks[element] = kind


@inner_kernel
def _note_headlines(cells: Numbers, roles: Numbers, marks: Numbers, count: int) -> None:
    """Note what stands around a headline."""
    for element in range(count):
        if roles[cells[element * COLUMNS + _NAME]] & _HEADLINE:
            number = element
            while number and not marks[number] & _AROUND_HEADLINE:
                marks[number] |= _AROUND_HEADLINE
                number = cells[number * COLUMNS + _PARENT]


@inner_kernel
def _note_comments(cells: Numbers, marks: Numbers, count: int) -> int:
    """The prose of the outermost elements that are called so, but for a whole page; -1 if none is."""
    after = 0
    lost = -1
    for number in range(count):
        if marks[number] & ~_AROUND_HEADLINE != _COMMENTS or number < after:
            continue
        prose = cells[number * COLUMNS + _PROSE]
        if prose <= _MOST_COMMENTS * cells[_PROSE] and _can_be_named(prose, marks[number]):
            after = cells[number * COLUMNS + _END]
            marks[number] |= _IS_COMMENT
            lost = max(lost, 0) + prose
    return lost


@inner_kernel
def _can_be_named(prose: int, mark: int) -> bool:
    """Names of what stands around the headline describe the page, if there is more in it than that."""
    return not mark & _AROUND_HEADLINE or prose < _LITTLE_PROSE


@inner_kernel
def _judge_all(
    cells: Numbers, roles: Numbers, marks: Numbers, out: Numbers, count: int, prose: int
) -> int:
    """Look at one after the other; how much prose is left out."""
    after = lost = 0
    for number in range(count):
        out[number] = 0
        role = roles[cells[number * COLUMNS + _NAME]]
        if (
            role & _JUDGED
            and number >= after
            and _is_boilerplate(cells, roles, number, role, marks[number], prose)
        ):
            out[number], after = 1, cells[number * COLUMNS + _END]
            lost += cells[number * COLUMNS + _PROSE]
    return lost


@inner_kernel
def _is_boilerplate(
    cells: Numbers, roles: Numbers, number: int, role: int, mark: int, prose: int
) -> bool:
    row = number * COLUMNS
    if role & _FOREIGN or cells[row + _HIDDEN]:
        is_small = cells[row + _PROSE] <= _MOST_FOREIGN * cells[_PROSE]
        return is_small and not (role & _FIGURE and _is_exhibit(cells, roles, number))
    if _is_named_so(cells[row + _PROSE], role, mark, prose):
        return True
    return cells[row + _LINKED] > 0 and _is_for_links(cells, row, role)


@inner_kernel
def _is_exhibit(cells: Numbers, roles: Numbers, number: int) -> bool:
    """A figure that is made of text."""
    for within in range(number, cells[number * COLUMNS + _END]):
        if roles[cells[within * COLUMNS + _NAME]] & _EXHIBIT:
            return True
    return False


@inner_kernel
def _is_named_so(own: int, role: int, mark: int, prose: int) -> bool:
    kind = mark & ~(_AROUND_HEADLINE | _IS_COMMENT)
    if kind in (_NOTHING, _ENTRY) or not _can_be_named(own, mark):
        return False
    if kind == _COMMENTS:
        return mark & _IS_COMMENT != 0
    if kind == _FRILL:
        return own < _LITTLE_PROSE and not role & _LINE
    return own <= (_MOST_CLUTTER if kind == _CLUTTER else _MOST_BESIDE) * prose


@inner_kernel
def _is_for_links(cells: Numbers, row: int, role: int) -> bool:
    text, links = cells[row + _TEXT], cells[row + _LINKED]
    if role & _LINE:
        return links > _LINKED_LINE * text
    if cells[row + _PROSE] >= min(float(_LITTLE_PROSE), 0.2 * text):
        return False
    return links > (_LINKED_LIST if role & _LIST else _LINKED_BOX) * text
