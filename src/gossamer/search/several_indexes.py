"""Parts of an index on several machines, searched as one.

    all parts  ◀── the terms of the question       counts: pages, lengths, pages that have each term
    all parts  ◀── the sums, and the question      the best pages of each, with scores by the sums
    some parts ◀── the pages to be shown           what there is to show

So a page has the score that it would have in one index.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from gossamer.search.fields import Shown
from gossamer.search.index_part import Ask, Match, SearchPart, in_order, terms_in
from gossamer.search.scoring import PartCounts, Term, add_up

_Answer = TypeVar("_Answer")


class SeveralParts:
    """Fulfils `SearchPart`. All parts are asked at the same time."""

    def __init__(self, parts: Sequence[SearchPart]) -> None:
        self._parts = parts
        self._pool = ThreadPoolExecutor(len(parts), "gossamer-shard")

    def __len__(self) -> int:
        return sum(self._ask_all(len))

    def best(self, ask: Ask, limit: int) -> tuple[list[Match], int]:
        terms = terms_in(ask)
        return self.best_in(self.counts(terms), terms, ask, limit)

    def count(self, ask: Ask) -> int:
        return sum(self._ask_all(lambda part: part.count(ask)))

    def counts(self, terms: Sequence[Term]) -> PartCounts:
        return add_up(self._ask_all(lambda part: part.counts(terms)))

    def best_in(
        self, whole: PartCounts, terms: Sequence[Term], ask: Ask, limit: int
    ) -> tuple[list[Match], int]:
        answers = self._ask_all(lambda part: part.best_in(whole, terms, ask, limit))
        found = [
            match_._replace(part=number)
            for number, (matches, _) in enumerate(answers)
            for match_ in matches
        ]
        return in_order(found)[:limit], sum(total for _, total in answers)

    def find(self, key: int) -> Match | None:
        for number, one in enumerate(self._ask_all(lambda part: part.find(key))):
            if one is not None:
                return one._replace(part=number)
        return None

    def shown(self, one: Match) -> Shown:
        return self._parts[one.part].shown(one)

    def frequency(self, field: str, term: str) -> int:
        return sum(self._ask_all(lambda part: part.frequency(field, term)))

    def words(self, beginning: str, most: int) -> list[tuple[str, int]]:
        found = Counter[str]()
        for some in self._ask_all(lambda part: part.words(beginning, most)):
            found.update(dict(some))
        return [*found.items()]

    def _ask_all(self, what: Callable[[SearchPart], _Answer]) -> list[_Answer]:
        return [*self._pool.map(what, self._parts)]
