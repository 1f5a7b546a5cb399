"""Which elements of an article's page are not the article: by their names, and by a kernel."""

import re
from functools import lru_cache
from secrets import randbits

import numpy as np
from numpy.typing import NDArray

from gossamer.pipeline.parse.extraction.html_elements import Elements, spelled
from gossamer.pipeline.parse.extraction.name_hints import LONGEST_KEPT, kind_of
from gossamer.pipeline.parse.extraction_kernels.boilerplate_kernel import leave_out
from gossamer.pipeline.parse.extraction_kernels.element_kinds import ROLES, Kind
from gossamer.pipeline.parse.extraction_kernels.values import ATTRIBUTES, number_values

_ID = 1
"""The place of the `id` among the names of an element."""
_LEAST_ANCHORED = 4
_LONGEST_HEADING = 200
_NO_LETTERS = re.compile(r"[\W_]+")
_START = randbits(63)
"""No page can be made for it, so that its names take long to tell apart."""


def find_boilerplate(page: Elements) -> NDArray[np.uint8]:
    """For each element, whether it is left out with all that it holds."""
    count, table = len(page), page.rows.reshape(-1)
    numbers = np.empty(count * ATTRIBUTES, np.int32)
    kinds = _find_kinds(page, numbers)
    _forget_anchors(page, numbers, kinds)
    left_out = np.empty(count, np.uint8)
    leave_out(table, ROLES, numbers, kinds, np.empty(count, np.int32), left_out)
    return left_out


def _forget_anchors(page: Elements, numbers: NDArray[np.int32], kinds: NDArray[np.int32]) -> None:
    """Take no `id` for a name where sections have theirs from their headings: "Menus" is about menus.

    One or two such sections may well be what they are called: comments under "Comments".
    """
    named = numbers.reshape(-1, ATTRIBUTES)[:, _ID]
    if page.is_spelled and (kinds[named] != Kind.NOTHING).any():
        anchored = [number for number in page.sections() if _is_anchored(page, number)]
        if len(anchored) >= _LEAST_ANCHORED:
            named[anchored] = 0


def _is_anchored(page: Elements, section: int) -> bool:
    """Is the `id` of a section that of its heading?"""
    heading = page.text(section + 1, _LONGEST_HEADING) or ""
    return _slug(page.identity(section)) == _slug(heading) != ""


def _slug(text: str) -> str:
    return _NO_LETTERS.sub("-", text.lower()).strip("-")


def _find_kinds(page: Elements, numbers: NDArray[np.int32]) -> NDArray[np.int32]:
    """The kind that each different name gives its elements, whose numbers are filled in."""
    most = len(numbers) + 1
    places, slots = np.empty(2 * most, np.int32), np.zeros(1 << most.bit_length(), np.int32)
    spelling = np.frombuffer(page.spelling, np.uint8)
    keys = np.empty(most, np.int64)
    table = page.rows.reshape(-1)
    count = number_values(spelling, table, ROLES, _START, numbers, places, keys, slots)
    kinds = [Kind.NOTHING]
    for begin, end in places[2 : 2 * count + 2].reshape(-1, 2).tolist():
        kinds.append(_kind_of(page.spelling[begin:end]))
    return np.array(kinds, np.int32)


def _kind_of(value: bytes) -> Kind:
    return _kept_kind_of(value) if len(value) <= LONGEST_KEPT else kind_of(spelled(value))


@lru_cache(1 << 14)  # pages of one site have the same names
def _kept_kind_of(value: bytes) -> Kind:
    return kind_of(spelled(value))
