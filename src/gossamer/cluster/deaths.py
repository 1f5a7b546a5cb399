"""When to stop restarting a partition that dies again and again."""

from msgspec import Struct

_UNBORN = 3
"""So often in a row it may die before it has come up …"""
_FRUITLESS = 8
"""… and before it has got anything done: a page may kill whoever reads it."""


class _Record(Struct):
    unborn: int = 0
    fruitless: int = 0
    pages: int = 0


class Deaths:
    """Counts deaths by what was done between them.

    >>> deaths = Deaths()
    >>> [deaths.count(0, pages=None) for _ in range(3)]
    [False, False, True]
    >>> any(deaths.count(1, pages=number) for number in range(1, 100))
    False
    """

    def __init__(self) -> None:
        self._records: dict[int, _Record] = {}
        self.total = 0

    def count(self, partition: int, pages: int | None) -> bool:
        """A partition died, with so many pages, or before it had come up. Is there no hope?"""
        self.total += 1
        record = self._records.setdefault(partition, _Record())
        record.unborn = record.unborn + 1 if pages is None else 0
        if pages is not None and pages > record.pages:
            record.pages, record.fruitless = pages, 0
        else:
            record.fruitless += 1
        return record.unborn >= _UNBORN or record.fruitless >= _FRUITLESS
