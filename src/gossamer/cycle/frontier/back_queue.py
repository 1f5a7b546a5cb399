"""A back queue: the URLs of one host, and when it may be asked."""

from collections.abc import Mapping
from heapq import heapify, heappop, heappush

from msgspec.structs import replace

from gossamer.base.records import Visit


class BackQueue:
    """Hands out the URLs of one host, best level first, and first in first out within a level."""

    __slots__ = ("_entries", "_next_back", "_next_front", "entry", "express", "host", "is_express_held",
                 "is_held", "is_scheduled", "leased", "ready")  # fmt: skip

    def __init__(self, host: str, ready: float) -> None:
        self.host = host
        self.ready = ready
        """From when on the host may be asked."""
        self.leased = 0
        self.express = 0
        """Leases of visits that others wait for; `leased` does not count them."""
        self.is_held = False
        self.is_express_held = False
        """A visit that others wait for is on hold: it was leased, and given back."""
        self.is_scheduled = False
        """It has an entry in one of the frontier's heaps."""
        self.entry = 0
        """The number of its entry among those that may be asked now, if it has one there."""
        self._entries: list[tuple[int, int, Visit]] = []
        self._next_front, self._next_back = -1, 0

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def connections(self) -> int:
        return self.leased + self.express

    @property
    def is_needed(self) -> bool:
        """Is there something to know of it, even when it has no URLs left?"""
        return bool(self._entries or self.leased or self.express or self.is_held)

    @property
    def level(self) -> int:
        """The level of the URL that is handed out next."""
        return self._entries[0][0]

    def append(self, visit: Visit) -> None:
        heappush(self._entries, (visit.level, self._next_back, visit))
        self._next_back += 1

    def put_first(self, visit: Visit) -> None:
        """Put a URL before all others of its level."""
        heappush(self._entries, (visit.level, self._next_front, visit))
        self._next_front -= 1

    def relevel(self, goals: Mapping[int, int]) -> bool:
        """Move URLs, by their keys, last in other levels; did any move?"""
        go = [one for one in self._entries if goals.get(one[2].url.key, one[0]) != one[0]]
        if not go:
            return False
        self._entries = [one for one in self._entries if one not in go]
        heapify(self._entries)
        for _, _, visit in sorted(go, key=lambda one: one[:2]):
            self.append(replace(visit, level=goals[visit.url.key]))
        return True

    def pop(self) -> Visit:
        return heappop(self._entries)[2]
