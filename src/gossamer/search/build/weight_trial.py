"""An index in memory, asked questions whose answer is known: how well do these weights find it?"""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from gossamer.core.settings import SearchSettings
from gossamer.search.build.known_items import KnownItem, hold_out
from gossamer.search.fields import (
    IndexedPage,
    key_of,
    make_ranked,
    make_schema,
    register_analysers,
    weights_of,
)
from gossamer.search.index_part import IndexPart
from gossamer.search.terms import GROUPS
from gossamer.search.text_index import TextIndex

DEEPEST = 100
"""Who is not among this many counts as not found."""
_MEMORY = 1 << 28


class Success(Struct, frozen=True):
    """Measures of how well known pages are found.

    >>> Success.of([1, 2, 0, 20])
    Success(questions=4, mean_reciprocal_rank=0.3875, at_1=0.25, at_10=0.5)
    """

    questions: int
    mean_reciprocal_rank: float
    """The mean of 1 / rank; a page that is not found counts 0."""
    at_1: float
    """The part of all questions whose page came first."""
    at_10: float

    @classmethod
    def of(cls, ranks: Sequence[int]) -> "Success":
        count = max(1, len(ranks))
        reciprocal = sum(1 / rank for rank in ranks if rank)
        at = (sum(0 < rank <= most for rank in ranks) / count for most in (1, 10))
        return cls(len(ranks), reciprocal / count, *at)


class IndexTrial:
    """Pages in an index in memory, which is asked as a search asks."""

    def __init__(self, pages: Sequence[IndexedPage], settings: SearchSettings) -> None:
        from tantivy import Index

        index = Index(make_schema())
        register_analysers(index)
        writer = index.writer(_MEMORY, num_threads=1)
        weights, groups = weights_of(settings), set[str]()
        for page in pages:
            groups.add(page.words_group)
            writer.add_document(make_ranked(page, 0, weights))
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        self._part = IndexPart(index.searcher(), Path("trial"))
        self._groups = tuple(group for group in GROUPS if group in groups)
        self._numbers = {key_of(page.url): number for number, page in enumerate(pages)}
        self._settings = settings

    def find(
        self, question: str, limit: int = DEEPEST, settings: SearchSettings | None = None
    ) -> list[int]:
        """The places of the best pages for a question, the best first."""
        index = TextIndex.of(self._part, self._groups, settings or self._settings, None)
        return [self._numbers[match.key] for match in index.ranked(question, limit)]


class KnownItemTrial:
    """Pages in such an index, each without what is held out of it."""

    def __init__(
        self, pages: Sequence[IndexedPage], items: Sequence[KnownItem], settings: SearchSettings
    ) -> None:
        held = {item.page: item for item in items}
        seen = (
            hold_out(page, held[number]) if number in held else page
            for number, page in enumerate(pages)
        )
        self._trial = IndexTrial([*seen], settings)

    def ranks(self, items: Sequence[KnownItem], settings: SearchSettings) -> list[int]:
        """The rank of each known page, from 1; 0 if it was not found."""
        return [self._rank(item, settings) for item in items]

    def _rank(self, item: KnownItem, settings: SearchSettings) -> int:
        found = self._trial.find(item.question, DEEPEST, settings)
        return found.index(item.page) + 1 if item.page in found else 0
