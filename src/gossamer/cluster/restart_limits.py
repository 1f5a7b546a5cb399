"""Limit the restarts of a partition that fails again and again."""

from msgspec import Struct

_UNBORN = 3
"""A partition is given up after this many deaths in a row before it came up …"""
_FRUITLESS = 8
"""… or after this many deaths without a new page: a page may kill the process that reads it."""


class _Record(Struct):
    unborn: int = 0
    fruitless: int = 0
    pages: int = 0


class RestartLimit:
    """Counts deaths by what was done between them.

    >>> deaths = RestartLimit()
    >>> [deaths.count(0, pages=None) for _ in range(3)]
    [False, False, True]
    >>> any(deaths.count(1, pages=number) for number in range(1, 100))
    False
    """

    def __init__(self, tolerance: int = 1) -> None:
        """`tolerance`: factor for the number of restarts allowed, larger where whole machines fail."""
        self._tolerance = tolerance
        self._records: dict[int, _Record] = {}
        self.total = 0

    def count(self, partition: int, pages: int | None) -> bool:
        """A partition died with this many pages, or (None) before it came up. Is it to be given up?"""
        self.total += 1
        record = self._records.setdefault(partition, _Record())
        record.unborn = record.unborn + 1 if pages is None else 0
        if pages is not None and pages > record.pages:
            record.pages, record.fruitless = pages, 0
        else:
            record.fruitless += 1
        unborn, fruitless = self._tolerance * _UNBORN, self._tolerance * _FRUITLESS
        return record.unborn >= unborn or record.fruitless >= fruitless
