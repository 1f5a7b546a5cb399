"""Kinds of bytes: what each means to the part of a page it stands in."""

import numpy as np
from numpy.typing import NDArray

PLAIN, SPACE, MARKUP, REFERENCE, NOTHING, HALF_SPACE = range(6)
"""A letter; white space; `<`; `&`; NUL; the first byte of a no-break space."""

# Rows of the table: where the byte stands.
IN_MARKUP, IN_TEXT, IN_RAW_TEXT = 0, 256, 512
"""Between tags; where only references count (RCDATA); where nothing does."""

WHITE = b"\t\n\f\r "


def kind_table() -> NDArray[np.int64]:
    """The kind of each byte, once for each place."""
    table = np.full(3 * 256, PLAIN, np.int64)
    for place in (IN_MARKUP, IN_TEXT, IN_RAW_TEXT):
        for byte in WHITE:
            table[place + byte] = SPACE
        table[place] = NOTHING
        table[place + 0xC2] = HALF_SPACE
    table[IN_MARKUP + ord("<")] = MARKUP
    table[IN_MARKUP + ord("&")] = table[IN_TEXT + ord("&")] = REFERENCE
    return table
