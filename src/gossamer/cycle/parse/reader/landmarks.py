"""Where on the page a link stands: in its navigation, its main part, its footer …

Elements such as `nav` and roles such as `role=navigation` say so. The innermost counts, except that
a header or footer within the main part or an article belongs to that.
"""

from gossamer.base.kernel import Numbers, inner_kernel
from gossamer.cycle.parse.reader.desk import (
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
from gossamer.cycle.parse.reader.entities import find
from gossamer.cycle.parse.reader.names import MASK, PLACES, ROLE_SLOTS, Attribute, Trait
from gossamer.cycle.parse.reader.tokens import lower

_MAIN, _FOOTER, _HEADER = map(PLACES.index, ("main", "footer", "header"))
_ROLE = int(Attribute.ROLE)
_ROLE_BIT = 1 << Attribute.ROLE
_VOID, _LANDMARK = int(Trait.VOID), int(Trait.LANDMARK)


@inner_kernel
def place(desk: Numbers) -> int:
    """The index of the place that the reader is in."""
    top = desk[LANDMARKS]
    return desk[LANDMARK_PLACE + top - 1] if top else 0


@inner_kernel
def begin_landmark(desk: Numbers, code: int, data: Numbers) -> None:
    """A start tag that may begin a place, or that is of the name of one that is open."""
    here = desk[PLACES_OF + code]
    if desk[SEEN] & _ROLE_BIT and not desk[TRAITS + code] & _VOID:
        here = _place_of_role(desk, data) or here
    if here == 0:
        top = desk[LANDMARKS] - 1
        if top >= 0 and desk[LANDMARK_NAME + top] == desk[NAME]:
            desk[LANDMARK_WITHIN + top] += 1
    else:
        _push(desk, here)


@inner_kernel
def _push(desk: Numbers, here: int) -> None:
    top = desk[LANDMARKS]
    if top == DEPTH:
        return
    if (here in (_HEADER, _FOOTER)) and place(desk) == _MAIN:
        here = _MAIN
    desk[LANDMARK_NAME + top] = desk[NAME]
    desk[LANDMARK_PLACE + top] = here
    desk[LANDMARK_WITHIN + top] = 0
    desk[LANDMARKS] = top + 1


@inner_kernel
def _place_of_role(desk: Numbers, data: Numbers) -> int:
    key = 0
    for i in range(desk[VALUES + 2 * _ROLE], desk[VALUES + 2 * _ROLE + 1]):
        key = (key * 31 + lower(data[i])) & MASK
    return max(0, find(desk, ROLES, ROLE_SLOTS, key))


@inner_kernel
def end_landmark(desk: Numbers, code: int) -> None:
    """An end tag: of a place, or of an element within it that has the same name."""
    top = desk[LANDMARKS] - 1
    if desk[TRAITS + code] & _LANDMARK:  # ends what was left open within it, too
        while top >= 0 and desk[LANDMARK_NAME + top] != desk[NAME]:
            top -= 1
    if top < 0 or desk[LANDMARK_NAME + top] != desk[NAME]:
        return
    if desk[LANDMARK_WITHIN + top] and not desk[TRAITS + code] & _LANDMARK:
        desk[LANDMARK_WITHIN + top] -= 1
    else:
        desk[LANDMARKS] = top
