"""Place of a link on the page: in its navigation, its main part, its footer …

Elements such as `nav` and roles such as `role=navigation` say so. The innermost counts, except that
a header or footer within the main part or an article belongs to that.
"""

from gossamer.core.kernel import Numbers, inner_kernel
from gossamer.pipeline.parse.html_kernel.entities import find
from gossamer.pipeline.parse.html_kernel.kernel_names import (
    MASK,
    PLACES,
    ROLE_SLOTS,
    Attribute,
    Trait,
)
from gossamer.pipeline.parse.html_kernel.kernel_workspace import (
    DEPTH,
    LANDMARK_NAME,
    LANDMARK_PLACE,
    LANDMARK_WITHIN,
    LANDMARKS,
    NAME,
    PLACES_OF,
    ROLES,
    SEEN,
    TRAITS,
    VALUES,
)
from gossamer.pipeline.parse.html_kernel.tokens import lower

_MAIN, _FOOTER, _HEADER = map(PLACES.index, ("main", "footer", "header"))
_ROLE = int(Attribute.ROLE)
_ROLE_BIT = 1 << Attribute.ROLE
_VOID, _LANDMARK = int(Trait.VOID), int(Trait.LANDMARK)


@inner_kernel
def place(workspace: Numbers) -> int:
    """The index of the place that the reader is in."""
    top = workspace[LANDMARKS]
    return workspace[LANDMARK_PLACE + top - 1] if top else 0


@inner_kernel
def begin_landmark(workspace: Numbers, code: int, data: Numbers) -> None:
    """A start tag that may begin a place, or that is of the name of one that is open."""
    here = workspace[PLACES_OF + code]
    if workspace[SEEN] & _ROLE_BIT and not workspace[TRAITS + code] & _VOID:
        here = _place_of_role(workspace, data) or here
    if here == 0:
        top = workspace[LANDMARKS] - 1
        if top >= 0 and workspace[LANDMARK_NAME + top] == workspace[NAME]:
            workspace[LANDMARK_WITHIN + top] += 1
    else:
        _push(workspace, here)


@inner_kernel
def _push(workspace: Numbers, here: int) -> None:
    top = workspace[LANDMARKS]
    if top == DEPTH:
        return
    if (here in (_HEADER, _FOOTER)) and place(workspace) == _MAIN:
        here = _MAIN
    workspace[LANDMARK_NAME + top] = workspace[NAME]
    workspace[LANDMARK_PLACE + top] = here
    workspace[LANDMARK_WITHIN + top] = 0
    workspace[LANDMARKS] = top + 1


@inner_kernel
def _place_of_role(workspace: Numbers, data: Numbers) -> int:
    key = 0
    for i in range(workspace[VALUES + 2 * _ROLE], workspace[VALUES + 2 * _ROLE + 1]):
        key = (key * 31 + lower(data[i])) & MASK
    return max(0, find(workspace, ROLES, ROLE_SLOTS, key))


@inner_kernel
def end_landmark(workspace: Numbers, code: int) -> None:
    """An end tag: of a place, or of an element within it that has the same name."""
    top = workspace[LANDMARKS] - 1
    if workspace[TRAITS + code] & _LANDMARK:  # ends what was left open within it, too
        while top >= 0 and workspace[LANDMARK_NAME + top] != workspace[NAME]:
            top -= 1
    if top < 0 or workspace[LANDMARK_NAME + top] != workspace[NAME]:
        return
    if workspace[LANDMARK_WITHIN + top] and not workspace[TRAITS + code] & _LANDMARK:
        workspace[LANDMARK_WITHIN + top] -= 1
    else:
        workspace[LANDMARKS] = top
