"""Which visits are out, by the key of their URL."""

from collections.abc import Iterator

from gossamer.core.records import Visit


class Leases:
    """The visits that were leased and not given back.

    A URL can be out twice, though that is rare: the robots.txt of a host can be a page as well.

    >>> from gossamer.core.url import parse
    >>> leases, visit = Leases(), Visit(parse("http://a.test/"))
    >>> leases.add(visit), leases.add(visit)
    (None, None)
    >>> leases.remove(visit), len(leases), list(leases) == [visit]
    (None, 1, True)
    """

    def __init__(self) -> None:
        self._first: dict[int, Visit] = {}
        self._others: list[Visit] = []

    def __len__(self) -> int:
        return len(self._first) + len(self._others)

    def __iter__(self) -> Iterator[Visit]:
        yield from self._first.values()
        yield from self._others

    def add(self, visit: Visit) -> None:
        key = visit.url.key
        if key in self._first:
            self._others.append(visit)
        else:
            self._first[key] = visit

    def remove(self, visit: Visit) -> None:
        key = visit.url.key
        found = self._first.get(key)
        if found is visit or found == visit:
            del self._first[key]
            return
        assert visit in self._others, "a visit was given back that was not leased"
        self._others.remove(visit)
