"""Kinds of elements, by tags and names, for telling an article from what is around it."""

from collections.abc import Mapping, Sequence
from enum import IntEnum, IntFlag

import numpy as np
from numpy.typing import NDArray

from gossamer.pipeline.parse.extraction_kernels.element_tree import NAMES


class Kind(IntEnum):
    """The kind that an element is taken for by its names; of several the first of these counts."""

    ENTRY = 0
    """An entry by its microformat: its other names tell what it is about."""
    COMMENTS = 1
    CLUTTER = 2
    """Never part of an article: advertisements, cookies, newsletters, buttons to share it."""
    BESIDE = 3
    """What stands beside articles and is seldom one: related ones, authors, side bars."""
    FRILL = 4
    """Dates, tags, captions. Where there is prose, such a name is one of layout: sliders, galleries."""
    NOTHING = 5


class Role(IntFlag):
    """The role that an element can have in an article, by its tag."""

    FOREIGN = 1
    LINE = 2
    LIST = 4
    JUDGED = 8
    """All others are left out only with what is around them: tables, code, emphasis."""
    EXHIBIT = 16
    FIGURE = 32
    HEADLINE = 64
    TECHNICAL = 128
    LEAF = 256
    """It holds no article, but a part of one."""


_ROLES = {
    Role.FOREIGN | Role.JUDGED: (
        "aside audio button canvas dialog embed fieldset figcaption figure footer form iframe img input "
        "label map menu nav noscript object picture script select style svg template textarea video"
    ),
    Role.LINE | Role.JUDGED: "p h2 h3 h4 h5 h6",
    Role.LIST | Role.JUDGED: "ul ol li dl blockquote",
    Role.JUDGED: "div section article header span center details",
    Role.EXHIBIT: "table pre blockquote",
    Role.FIGURE: "figure",
    Role.HEADLINE: "h1",
    Role.TECHNICAL: "pre table dl",
    Role.LEAF: "p h1 h2 h3 h4 h5 h6 ul ol li dl dd blockquote pre",
}


def _number_roles(roles: Mapping[Role, str], names: Sequence[str]) -> NDArray[np.int32]:
    """The roles of each name, by its number."""
    found = np.zeros(len(names), np.int32)
    for role, tags in roles.items():
        for tag in tags.split():
            found[names.index(tag)] |= role
    return found


ROLES = _number_roles(_ROLES, NAMES)
