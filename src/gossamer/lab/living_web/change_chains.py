"""From page to changes: the loops over the chains of changes."""

import numpy as np
from numpy.typing import NDArray

from gossamer.core.kernel import kernel
from gossamer.lab.living_web.rhythm import FOREVER, next_change

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Keys = NDArray[np.uint64]


@kernel
def walk_chains(
    pages: Ints,
    ends: Floats,
    begin: float,
    key: Keys,
    kind: Ints,
    rate: Floats,
    born: Ints,
    gone: Ints,
    mark_offsets: Ints,
    marks: Ints,
    counts: Ints,
    lasts: Ints,
    written: Floats,
) -> None:
    """Count the changes of pages until a day each, and find the last one, or else the birth.

    Changes are those that a page makes by itself, and its marks: moments at which it has to change. What
    falls on the same second is one change. Those after `begin` are counted, and also written where there is
    room for them.
    """
    place = 0
    for row in range(len(pages)):
        page, end = pages[row], ends[row]
        count, last = 0, born[page]
        own = next_change(key[page], kind[page], rate[page], last)
        mark = mark_offsets[page]
        while True:
            marked = marks[mark] if mark < mark_offsets[page + 1] else FOREVER
            moment = min(own, marked)
            if moment >= gone[page] or moment / 86400.0 > end:
                break
            last = moment
            if moment / 86400.0 > begin:
                count += 1
                if place < len(written):
                    written[place] = moment / 86400.0
                    place += 1
            if own == moment:
                own = next_change(key[page], kind[page], rate[page], moment)
            while mark < mark_offsets[page + 1] and marks[mark] == moment:
                mark += 1
        counts[row], lasts[row] = count, last
