"""Notes of visits, and how notes of several visits are joined."""

from collections.abc import Iterable
from struct import Struct as Layout

import numpy as np
from numpy.typing import NDArray

from gossamer.core.records import Judged

Pasts = NDArray[np.void]

PAST = np.dtype(
    [
        ("first", "f8"),
        ("last", "f8"),
        ("visits", "u4"),
        ("changes", "u4"),
        ("first_content", "u8"),
        ("last_content", "u8"),
    ]
)
"""Times in seconds since 1970; content by the first 64 bits of its SHA-1, 0 when that is not known."""

VISIT = np.dtype([("key", "u8"), ("time", "f8"), ("content", "u8")])
"""One visit, as the journal notes it."""
_VISIT = Layout("<QdQ")


def visits_of(kept: Iterable[Judged]) -> bytes:
    """Pack the visits that brought a response."""
    return b"".join(
        _VISIT.pack(page.visit.url.key, page.started, int.from_bytes(judged.digest[:8]))
        for judged in kept
        if (page := judged.document.page).status
    )


def pasts_of(visits: Pasts) -> Pasts:
    """Each visit as a past of its own."""
    pasts = np.zeros(len(visits), PAST)
    pasts["first"] = pasts["last"] = visits["time"]
    pasts["visits"] = 1
    pasts["first_content"] = pasts["last_content"] = visits["content"]
    return pasts


def join(earlier: Pasts, later: Pasts) -> Pasts:
    """Join two histories of the same URLs, the one after the other."""
    joined = earlier.copy()
    before, after = earlier["last_content"], later["first_content"]
    # A page that says it has not changed (304) comes without content.
    has_changed = (before != after) & (before != 0) & (after != 0)
    joined["last"] = later["last"]
    joined["visits"] += later["visits"]
    joined["changes"] += later["changes"] + has_changed
    joined["first_content"] = np.where(
        earlier["first_content"] != 0, earlier["first_content"], after
    )
    joined["last_content"] = np.where(later["last_content"] != 0, later["last_content"], before)
    return joined
