"""The link that is open, and the text it gathers. Which contexts have one, `contexts` says."""

from gossamer.base.kernel import Numbers, inner_kernel
from gossamer.cycle.parse.reader.desk import (
    CONTEXT_OWNER,
    CONTEXT_ROW,
    CONTEXTS,
    TEXT_END,
    THIRD,
    cell,
)

NO_ROW = -1


@inner_kernel
def open_row(desk: Numbers) -> int:
    """The row of the link that is open here."""
    return desk[CONTEXT_ROW + desk[CONTEXT_OWNER + desk[CONTEXTS] - 1]]


@inner_kernel
def begin_text(desk: Numbers, row: int) -> None:
    """The text of a link begins here, and ends here as long as nobody says otherwise."""
    if row != NO_ROW:
        desk[cell(row, THIRD)] = desk[cell(row, THIRD + 1)] = desk[TEXT_END]


@inner_kernel
def end_text(desk: Numbers, row: int) -> None:
    if row != NO_ROW:
        desk[cell(row, THIRD + 1)] = desk[TEXT_END]


@inner_kernel
def open_link(desk: Numbers, row: int) -> None:
    """A link begins, and ends the one that was open."""
    close_link(desk)
    desk[CONTEXT_ROW + desk[CONTEXT_OWNER + desk[CONTEXTS] - 1]] = row
    begin_text(desk, row)


@inner_kernel
def close_link(desk: Numbers) -> None:
    """The open link ends, if there is one."""
    owner = desk[CONTEXT_OWNER + desk[CONTEXTS] - 1]
    end_text(desk, desk[CONTEXT_ROW + owner])
    desk[CONTEXT_ROW + owner] = NO_ROW
