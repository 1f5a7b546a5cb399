"""The reader's workspace: the tables it looks into and the notes it makes, in one array.

Kernels hand the workspace on to each other, so that the state of a reading is in one place and a call
costs next to nothing. The first numbers are named below; behind them lie stacks, which never grow
beyond `DEPTH`, and tables. What is nested deeper is read as if it stood beside: browsers, too, stop
nesting at 512.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from gossamer.core.kernel import inner_kernel
from gossamer.pipeline.parse.html_kernel import kernel_names
from gossamer.pipeline.parse.html_kernel.entities import ENTITY_SLOTS, entity_table
from gossamer.pipeline.parse.html_kernel.kernel_characters import kind_table

DEPTH = 512

# Single numbers.
TEXT_END = 0
"""Bytes of text written."""
IS_SPACED = 1
"""Does a space belong before the next letter?"""
ROWS = 2
LINKS = 3
"""Rows that count against the limit."""
METAS = 4
MAX_LINKS = 5
WANTS_REQUISITES = 6
IS_XML = 7
TEMPLATES = 8
"""Templates that are open; what is in them is not on the page."""
FRAMES = 9
"""0: a frameset may come, 1: it is too late, 2: in one, 3: after it."""
FRAMESETS = 10
CONTEXTS = 11
"""Height of the stack of tables, cells and other contexts."""
FOREIGN = 12
"""Height of the stack of elements in pictures and formulas."""
IS_HTML_INSIDE = 13
"""Was an element of HTML begun within the innermost one of them?"""
UNSEEN = 14
"""Open style sheets and scripts of pictures."""
LANDMARKS = 15
HAS_TITLE = 16
HAS_BASE = 17
SEEN = 18
"""Bits of the attributes that the last tag has."""
REFERRING = 19
"""Bits of those that hold an `&`, or a NUL, and are not taken as they stand."""
IS_CLOSED = 20
"""Did the last tag end with `/>`?"""
NAME = 21
"""The key of the last tag's name."""
TEXT_SIZE = 23
"""Bytes that there is room for."""
STEPS = 22
"""Tokens read: what tests count."""
HEAD = 24
"""Has the body begun? See `head`."""
OTHERS = 25
"""Rows that are no plain links; see `layout`."""
HREF_BYTES = 26
"""What the addresses of plain links take, each with a separator."""
REL_BYTES = 27
TEXT_BYTES = 28
LONGEST_TEXT = 29
PAGE_END = 30
"""Bytes of the page."""
EXPECTS_BASE = 31
"""Is it known that a `base` will come?"""
LEFT_OUT = 32
"""Was an address left out because it is only a fragment? With a `base`, it leads elsewhere."""
HEAD_ROWS = 33
"""Rows when the body had not begun."""
SINGLE_NUMBERS = 34
"""How many these are."""


# Where the last tag's attribute values begin and end, by the attribute's code.
VALUES = SINGLE_NUMBERS

# How many elements of HTML are open, by their kind: their code, or for those without one some bits of
# their name. And the height of the stack of contexts when the last of them began.
OPEN = VALUES + 2 * len(kernel_names.Attribute)
OPENED_IN = OPEN + kernel_names.CODES + kernel_names.NAME_SLOTS

# Whatever lies before this is cleared for every page.
CLEARED = OPENED_IN + kernel_names.CODES + kernel_names.NAME_SLOTS

# The stack of contexts: its code, the row of the open link, who owns that, the height of `FOREIGN`.
CONTEXT_CODE = CLEARED
CONTEXT_ROW = CONTEXT_CODE + DEPTH
CONTEXT_OWNER = CONTEXT_ROW + DEPTH
CONTEXT_HEIGHT = CONTEXT_OWNER + DEPTH

# The stack of elements in pictures and formulas: the hash of its name, bits of what it is,
# its row if it is a link, and whether an element of HTML was begun between it and the one around it.
FOREIGN_NAME = CONTEXT_HEIGHT + DEPTH
FOREIGN_BITS = FOREIGN_NAME + DEPTH
FOREIGN_ROW = FOREIGN_BITS + DEPTH
FOREIGN_BEFORE = FOREIGN_ROW + DEPTH

# The stack of landmarks: the hash of its name, its place, how many of that name are open within.
LANDMARK_NAME = FOREIGN_BEFORE + DEPTH
LANDMARK_PLACE = LANDMARK_NAME + DEPTH
LANDMARK_WITHIN = LANDMARK_PLACE + DEPTH

# Tables.
TRAITS = LANDMARK_WITHIN + DEPTH
PLACES_OF = TRAITS + kernel_names.CODES
KINDS = PLACES_OF + kernel_names.CODES
ROLES = KINDS + 3 * 256
TAGS = ROLES + 2 * kernel_names.ROLE_SLOTS
ATTRIBUTES = TAGS + 2 * kernel_names.TAG_SLOTS
ENTITIES = ATTRIBUTES + 2 * kernel_names.ATTRIBUTE_SLOTS
TABLE = ENTITIES + 2 * ENTITY_SLOTS

# The table of rows comes last; its columns: where in the page four values stand.
CODE, PLACE, REFERENCES = 0, 1, 2
FIRST, SECOND, THIRD, FOURTH = 3, 5, 7, 9
WIDTH = 11


@inner_kernel
def cell(row: int, column: int) -> int:
    """The place of a cell of the table of rows in the workspace."""
    return TABLE + row * WIDTH + column


def make_workspace(rows: int) -> NDArray[np.int64]:
    """A workspace with its tables, and room for this many rows."""
    workspace = np.zeros(TABLE + rows * WIDTH, np.int64)
    workspace[:TABLE] = _with_tables()
    return workspace


@cache
def _with_tables() -> NDArray[np.int64]:
    """The numbers that each workspace begins with."""
    workspace = np.zeros(TABLE, np.int64)
    tables = {
        TRAITS: kernel_names.trait_table(),
        PLACES_OF: kernel_names.place_table(),
        KINDS: kind_table(),
        ROLES: kernel_names.role_table(),
        TAGS: kernel_names.tag_table(),
        ATTRIBUTES: kernel_names.attribute_table(),
        ENTITIES: entity_table(),
    }
    for first, table in tables.items():
        workspace[first : first + len(table)] = table
    return workspace
