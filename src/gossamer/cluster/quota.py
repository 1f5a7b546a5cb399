"""Share `max_pages` among partitions, so that it is met exactly.

Pure: the supervisor asks, and tells the partitions.
"""

_LARGEST = 1000
_SMALLEST = 8
"""Asking for single pages takes longer than fetching them; a partition can give back what is too much."""


class Quota:
    """Hands out a limit in portions; what was handed out never adds up to more.

    A portion is a part of what is left, so the last pages are handed out a few at a time, to partitions
    that can use them. When nothing is left, partitions can give back a part of what they do not use.

    >>> quota = Quota(limit=100, partitions=2)
    >>> quota.join(0, pages=10), quota.grant(0), quota.join(1, pages=0), quota.grant(0)
    (10, 0, 0, 22)
    >>> quota.left
    68
    """

    def __init__(self, limit: int, partitions: int) -> None:
        self.limit = limit
        """It may be raised."""
        self._partitions = partitions
        self._granted: dict[int, int] = {}
        """Pages that each partition may have in all, those it has fetched included."""

    def join(self, partition: int, pages: int) -> int:
        """A partition has come up with this many pages; returns how many it may have in all.

        A restarted partition keeps what it was granted before: it may have lost some pages in the crash.
        """
        return self._granted.setdefault(partition, pages)

    def knows(self, partition: int) -> bool:
        """Has it joined?"""
        return partition in self._granted

    @property
    def left(self) -> int:
        return self.limit - sum(self._granted.values())

    def grant(self, partition: int) -> int:
        """More pages for a partition; 0 when none are left, or when not all partitions have come up yet."""
        if not self.limit or len(self._granted) < self._partitions or self.left <= 0:
            return 0
        part = self.left // (2 * self._partitions)
        portion = min(self.left, max(_SMALLEST, min(_LARGEST, part)))
        self._granted[partition] += portion
        return portion

    def give_back(self, partition: int, pages: int) -> None:
        """Pages that it will not use. Those of a limit that counts no more were counted with that limit."""
        if partition in self._granted:
            self._granted[partition] -= pages
