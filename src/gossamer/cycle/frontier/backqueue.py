"""A back queue: the URLs of one host, and when it may be asked."""

from heapq import heappop, heappush

from gossamer.base.records import Visit


class BackQueue:
    """Hands out the URLs of one host, best level first, and first in first out within a level."""

    __slots__ = ("_entries", "_next_back", "_next_front", "host", "is_held", "is_scheduled",
                 "leased", "ready")  # fmt: skip

    def __init__(self, host: str, ready: float) -> None:
        self.host = host
        self.ready = ready
        """From when on the host may be asked."""
        self.leased = 0
        self.is_held = False
        self.is_scheduled = False
        """It has an entry in one of the frontier's heaps."""
        self._entries: list[tuple[int, int, Visit]] = []
        self._next_front, self._next_back = -1, 0

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def is_busy(self) -> bool:
        return self.leased > 0 or self.is_held

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

    def pop(self) -> Visit:
        return heappop(self._entries)[2]
