"""Scores by statistics that are not the engine's own.

The engine counts how rare words are, and how long pages are, in the files that it has open. Where an index
lies on several machines these are different on each. So each word of a question is boosted by how much rarer
it is in the whole index, and marked, and the engine is asked to explain the scores of the pages that it
found: how often the word stands there, in how long a text. From that the score is computed again, as it would
be in one index.

Pages are looked at in the order of the engine's scores, which are wrong only in the mean length of pages. If
that is at most r times too long or too short, so is each score; so what comes after a page with less than an
r-th of the score that is needed need not be looked at.
"""

import json
import re
from collections.abc import Iterator, Sequence
from math import log
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from gossamer.search.matching import Matcher

if TYPE_CHECKING:
    import tantivy

_K1, _B = 1.2, 0.75
"""The engine's own."""
_MARK = re.compile(r"Boost x(\d+) of")

Term = tuple[str, str]
"""A field, and a word in it."""


class PartCounts(Struct, frozen=True):
    """Counts of a part, or of several together."""

    alive: int
    """Pages that can be found."""
    pages: int
    """With those that have been taken out, and of which the engine has not rid itself yet."""
    lengths: dict[str, float]
    """Words in each field, of all pages."""
    having: tuple[int, ...]
    """In how many pages each of the terms stands that were asked for."""

    def rarity(self, number: int) -> float:
        return rarity_of(self.pages, self.having[number])

    def mean(self, field: str) -> float:
        return self.lengths.get(field, 0.0) / max(1, self.pages)


def rarity_of(pages: int, having: int) -> float:
    """As in BM25.

    >>> round(rarity_of(1000, 1), 2), round(rarity_of(1000, 1000), 5)
    (6.5, 0.0005)
    """
    return log(1 + (max(0, pages - having) + 0.5) / (having + 0.5))


def add_up(counts: Sequence[PartCounts]) -> PartCounts:
    """
    >>> one = PartCounts(2, 3, {"a": 30.0}, (1, 0))
    >>> add_up([one, PartCounts(1, 1, {"a": 8.0, "b": 2.0}, (1, 1))])
    PartCounts(alive=3, pages=4, lengths={'a': 38.0, 'b': 2.0}, having=(2, 1))
    """
    lengths: dict[str, float] = {}
    for part_counts in counts:
        for field, length in part_counts.lengths.items():
            lengths[field] = lengths.get(field, 0.0) + length
    having = zip(*(part_counts.having for part_counts in counts), strict=True)
    alive, pages = (
        sum(part_counts.alive for part_counts in counts),
        sum(part_counts.pages for part_counts in counts),
    )
    return PartCounts(alive, pages, lengths, tuple(map(sum, having)))


class TermFinder(Matcher):
    """Finds out which terms a question needs to be counted."""

    def __init__(self, *arguments: Any) -> None:
        self.terms: dict[Term, None] = {}
        schema, groups, settings, linking = arguments
        super().__init__(schema, groups, settings, linking)

    def _leaf(self, field: str, terms: Sequence[str], weight: float) -> "tantivy.Query":
        for term in terms:
            self.terms[field, term] = None
        return super()._leaf(field, terms, weight)


class _Leaf(Struct, frozen=True):
    field: str
    rarity: float
    weight: float


class MarkedMatcher(Matcher):
    """Asks with the rarities of the whole index, and marks what scores are made of."""

    def __init__(
        self, *arguments: Any, terms: Sequence[Term], own: PartCounts, whole: PartCounts
    ) -> None:
        self._numbers = {term: number for number, term in enumerate(terms)}
        self._own, self._whole = own, whole
        self._leaves: list[_Leaf] = []
        schema, groups, settings, linking = arguments
        super().__init__(schema, groups, settings, linking)

    def _leaf(self, field: str, terms: Sequence[str], weight: float) -> "tantivy.Query":
        from tantivy import Query

        numbers = [self._numbers[field, term] for term in terms]
        there = sum(map(self._own.rarity, numbers))
        rarity = sum(map(self._whole.rarity, numbers))
        self._leaves.append(_Leaf(field, rarity, weight))
        mark = len(self._leaves)
        return Query.boost_query(
            super()._leaf(field, terms, weight * rarity / there / mark), float(mark)
        )

    @property
    def has_leaves(self) -> bool:
        return bool(self._leaves)

    def error(self) -> float:
        """The largest factor by which a score of the engine can be too large or too small."""
        most = 1.0
        for field in {leaf.field for leaf in self._leaves}:
            own, whole = self._own.mean(field), self._whole.mean(field)
            if own and whole:
                most = max(most, own / whole, whole / own)
        return most * 1.0001

    def exact(self, explained: str) -> float:
        """The score of a page in the whole index, by what the engine says of it here."""
        tree = json.loads(explained)
        return float(tree["value"] + sum(self._corrections(tree)))

    def _corrections(self, node: dict[str, Any]) -> Iterator[float]:
        marked = _MARK.match(node["description"])
        if marked:
            leaf = self._leaves[int(marked[1]) - 1]
            yield self._score(leaf, node) - node["value"]
            return
        for one in node.get("details", ()):
            yield from self._corrections(one)

    def _score(self, leaf: _Leaf, node: dict[str, Any]) -> float:
        said = {one["description"].partition(",")[0]: one["value"] for one in _below(node)}
        often, length = said["freq"], said["dl"]
        norm = _K1 * (1 - _B + _B * length / self._whole.mean(leaf.field))
        return float(leaf.weight * leaf.rarity * (_K1 + 1) * often / (often + norm))


def _below(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for one in node.get("details", ()):
        yield from _below(one)


def read_counts(explained: str) -> tuple[int, float]:
    """The pages that the engine counts, and the mean length of a field, by the score of one word."""
    said = {
        one["description"].partition(",")[0]: one["value"] for one in _below(json.loads(explained))
    }
    return int(said["N"]), float(said["avgdl"])
