"""The seen set, all of it in memory; it answers at once."""

from collections.abc import Sequence

from gossamer.base.protocols import SeenStatistics
from gossamer.base.records import Candidate


class MemorySeen:
    """The `Seen` protocol in memory.

    >>> from gossamer.base.url import parse
    >>> seen = MemorySeen()
    >>> page = Candidate(parse("http://a.test/"))
    >>> len(seen.admit([page, page])), len(seen.admit([page]))
    (1, 0)
    """

    def __init__(self) -> None:
        self._keys: set[int] = set()
        self._offered = 0

    def admit(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        self._offered += len(candidates)
        keys, new = self._keys, []
        for candidate in candidates:
            key = candidate.url.key
            if key not in keys:
                keys.add(key)
                new.append(candidate)
        return new

    def settle(self) -> list[Candidate]:
        return []

    def statistics(self) -> SeenStatistics:
        return SeenStatistics(known=len(self._keys), offered=self._offered)
