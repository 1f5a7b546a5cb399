"""Calendar of hosts: a heap of the near future, and days that are opened one by one."""

from heapq import heapify, heappop, heappush

_DAY = 0.125
"""Seconds."""
_LAST_DAY = 1 << 60

Entry = tuple[float, int, str]
"""A time, a number that tells entries of one time apart, and a name."""


class DelayCalendar:
    """Names by time, the earliest first.

    Like a heap, but with a million names it touches little memory: an entry goes to the list of its
    day, and only when the day comes is that list made a heap.

    >>> calendar = DelayCalendar()
    >>> calendar.push((5.0, 1, "b")), calendar.push((0.2, 2, "a")), calendar.push((5.1, 3, "c"))
    (None, None, None)
    >>> calendar.next_time, calendar.pop()[2], calendar.pop()[2], calendar.next_time, len(calendar)
    (0.2, 'a', 'b', 5.1, 1)
    """

    def __init__(self) -> None:
        self._near: list[Entry] = []
        """The entries of the day that was opened last, and of those before it; a heap."""
        self._today = 0
        self._days: dict[int, list[Entry]] = {}
        self._order: list[int] = []
        """The days that have entries; a heap."""

    def __len__(self) -> int:
        return len(self._near) + sum(map(len, self._days.values()))

    @property
    def next_time(self) -> float | None:
        if not self._near and not self._open():
            return None
        return self._near[0][0]

    def push(self, entry: Entry) -> None:
        day = int(entry[0] / _DAY) if entry[0] < _LAST_DAY else _LAST_DAY
        if day <= self._today:
            heappush(self._near, entry)
            return
        entries = self._days.get(day)
        if entries is None:
            self._days[day] = [entry]
            heappush(self._order, day)
        else:
            entries.append(entry)

    def pop(self) -> Entry:
        """The earliest entry."""
        if not self._near:
            self._open()
        return heappop(self._near)

    def _open(self) -> bool:
        """Open the next day; is there one?"""
        if not self._order:
            return False
        self._today = heappop(self._order)
        self._near = self._days.pop(self._today)
        heapify(self._near)
        return True
