"""Pages that are searched as one index: those of all shards on this machine, or of their first tier."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from gossamer.base.settings import SearchSettings
from gossamer.harvest.index.fields import Shown, key_text, make_schema, read_shown
from gossamer.harvest.index.matching import Matcher, rarity_of
from gossamer.harvest.index.query import Node, words_of
from gossamer.harvest.index.shard import told

if TYPE_CHECKING:
    import tantivy

_MOST_EQUALS = 10_000
"""Pages with one score among which the first by their keys are looked for."""

_NOISE = 1e-6


class Ask(Struct, frozen=True):
    """What a part is asked, in a form that can travel."""

    node: Node
    needs_all: bool
    """All that is asked for, or some of the words?"""
    groups: tuple[str, ...]
    """The languages of the whole index, as groups of fields."""
    settings: SearchSettings
    linked: dict[str, tuple[str, ...]] = {}
    """The pages that link to each URL that is asked about."""


class PageAddress(NamedTuple):
    """Where a page lies."""

    segment: int
    number: int


class Match(NamedTuple):
    """A page that was found. The best comes first; of equals, the one with the smaller key."""

    score: float
    key: int
    site: int
    group: int
    place: PageAddress
    part: int = 0


def in_order(found: Sequence[Match]) -> list[Match]:
    """The best first, each page once: while a page moves to another tier, it may be in both."""
    first: dict[int, Match] = {}
    for one in _equals_by_key(sorted(found, key=lambda one: -one.score)):
        first.setdefault(one.key, one)
    return [*first.values()]


def _equals_by_key(found: Sequence[Match]) -> Iterator[Match]:
    """Equals stand in the order of their keys."""
    begin = 0
    for at in range(1, len(found) + 1):
        if at == len(found) or not are_equal(found[begin].score, found[at].score):
            yield from sorted(found[begin:at], key=lambda one: one.key)
            begin = at


def are_equal(one: float, other: float) -> bool:
    """The engine adds up in another order in each segment, so the last digits say nothing."""
    return abs(one - other) <= _NOISE * max(one, other)


class IndexPart:
    """A part of an index whose files are on this machine."""

    def __init__(self, searcher: "tantivy.Searcher", folder: Path) -> None:
        self.searcher = searcher
        self._folder = folder
        self.schema = make_schema()

    def __len__(self) -> int:
        return self.searcher.num_docs

    def best(self, ask: Ask, limit: int) -> tuple[list[Match], int]:
        """The best pages, and how many there are."""
        return self.best_of(self.query(ask), limit)

    def query(self, ask: Ask) -> "tantivy.Query":
        from tantivy import Query

        matcher = Matcher(
            self.schema,
            ask.groups,
            ask.settings,
            self._rarity,
            lambda url: ask.linked.get(url, ()),
        )
        query = matcher.strict(ask.node) if ask.needs_all else matcher.loose(ask.node)
        # Where no word counts, what a page is worth does.
        return query if any(words_of(ask.node)) else Query.const_score_query(query, 1.0)

    def _rarity(self, field: str, term: str) -> float:
        return rarity_of(len(self), self.frequency(field, term))

    def best_of(self, query: "tantivy.Query", limit: int) -> tuple[list[Match], int]:
        """The engine leaves it open which of several equals it returns; so all of these are looked at."""
        limit = max(1, limit)
        depth = limit + 1
        while True:
            result = self._search(query, depth)
            hits = result.hits
            is_cut = len(hits) == depth and are_equal(hits[limit - 1][0], hits[-1][0])
            if not is_cut or depth > _MOST_EQUALS:
                break
            depth *= 4
        found = in_order(self._matches(hits))[:limit]
        return found, result.count  # type: ignore[attr-defined]  # the library's stub forgets it

    def _search(self, query: "tantivy.Query", depth: int) -> "tantivy.SearchResult":
        return told(
            self._folder, lambda: self.searcher.search(query, depth, weight_by_field="worth")
        )

    def _matches(self, hits: "Sequence[tuple[float, tantivy.DocAddress]]") -> list[Match]:
        at = [place for _, place in hits]
        numbers = (self._column(name, at) for name in ("number", "site", "group"))
        places = (PageAddress(one.segment_ord, one.doc) for one in at)
        scores = (score for score, _ in hits)
        return [*map(Match, scores, *numbers, places)]

    def _column(self, name: str, at: "list[tantivy.DocAddress]") -> list[int]:
        return [int(value or 0) for value in self.searcher.fast_field_values(name, at)]

    def find(self, key: int) -> Match | None:
        """The page with a key."""
        from tantivy import Query

        query = Query.term_query(self.schema, "key", key_text(key), "basic")
        found, _ = self.best_of(query, 1)
        return found[0] if found else None

    def shown(self, place: PageAddress) -> Shown:
        from tantivy import DocAddress

        def read() -> Shown:
            return read_shown(self.searcher.doc(DocAddress(*place)))

        return told(self._folder, read)

    def frequency(self, field: str, term: str) -> int:
        """In how many pages a word stands."""
        return self.searcher.doc_freq(field, term)

    def words(self, beginning: str, most: int) -> list[tuple[str, int]]:
        """Words of titles, headings and links, and in how many pages they stand."""
        return self.searcher.terms_with_prefix("unstemmed", beginning, limit=most)
