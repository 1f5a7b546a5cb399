"""The link that is open, and the text it gathers. Which contexts have one, `contexts` says."""

from gossamer.core.kernel import Numbers, inner_kernel
from gossamer.pipeline.parse.html_kernel.kernel_workspace import (
    CONTEXT_OWNER,
    CONTEXT_ROW,
    CONTEXTS,
    TEXT_END,
    THIRD,
    cell,
)

NO_ROW = -1


@inner_kernel
def open_row(workspace: Numbers) -> int:
    """The row of the link that is open here."""
    return workspace[CONTEXT_ROW + workspace[CONTEXT_OWNER + workspace[CONTEXTS] - 1]]


@inner_kernel
def begin_text(workspace: Numbers, row: int) -> None:
    """The text of a link begins here, and ends here as long as nobody says otherwise."""
    if row != NO_ROW:
        workspace[cell(row, THIRD)] = workspace[cell(row, THIRD + 1)] = workspace[TEXT_END]


@inner_kernel
def end_text(workspace: Numbers, row: int) -> None:
    if row != NO_ROW:
        workspace[cell(row, THIRD + 1)] = workspace[TEXT_END]


@inner_kernel
def open_link(workspace: Numbers, row: int) -> None:
    """A link begins, and ends the one that was open."""
    close_link(workspace)
    workspace[CONTEXT_ROW + workspace[CONTEXT_OWNER + workspace[CONTEXTS] - 1]] = row
    begin_text(workspace, row)


@inner_kernel
def close_link(workspace: Numbers) -> None:
    """The open link ends, if there is one."""
    owner = workspace[CONTEXT_OWNER + workspace[CONTEXTS] - 1]
    end_text(workspace, workspace[CONTEXT_ROW + owner])
    workspace[CONTEXT_ROW + owner] = NO_ROW
