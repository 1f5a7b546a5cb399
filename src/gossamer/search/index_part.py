"""Pages that are searched as one index: those of all shards on this machine, or of their first tier."""

from collections.abc import Iterator, Sequence
from math import log2
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from msgspec import Struct

from gossamer.core.settings import SearchSettings
from gossamer.search.fields import Shown, key_text, make_schema, read_shown
from gossamer.search.matching import Matcher
from gossamer.search.query import Node, words_of
from gossamer.search.scoring import (
    MarkedMatcher,
    PartCounts,
    Term,
    TermFinder,
    read_counts,
)
from gossamer.search.shard import reporting_errors

if TYPE_CHECKING:
    import tantivy

_MOST_EQUALS = 10_000
"""Pages with one score among which the first by their keys are looked for."""

_NOISE = 1e-6
_TRIES = 100
"""Words of a field of which one is looked for that stands in a page that is still there."""


class Ask(Struct, frozen=True):
    """A query for a part, in a form that can be sent."""

    node: Node
    needs_all: bool
    """All that is asked for, or some of the words?"""
    groups: tuple[str, ...]
    """The languages of the whole index, as groups of fields."""
    settings: SearchSettings
    linked: dict[str, tuple[str, ...]] = {}
    """The pages that link to each URL that is asked about."""


class PageAddress(NamedTuple):
    """The position of a page in the index."""

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


class SearchPart(Protocol):
    """Pages that are searched together, here or on another machine."""

    def __len__(self) -> int: ...

    def best(self, ask: Ask, limit: int) -> tuple[list[Match], int]:
        """The best pages by its own statistics, and how many there are."""

    def count(self, ask: Ask) -> int:
        """The number of pages."""

    def counts(self, terms: Sequence[Term]) -> PartCounts:
        """The counts that the whole index needs to weigh rare words."""

    def best_in(
        self, whole: PartCounts, terms: Sequence[Term], ask: Ask, limit: int
    ) -> tuple[list[Match], int]:
        """The best pages by the statistics of the whole index, and how many there are."""

    def find(self, key: int) -> Match | None:
        """The page with a key."""

    def shown(self, one: Match) -> Shown:
        """Return the stored fields of a page that was found."""

    def frequency(self, field: str, term: str) -> int:
        """In how many pages a word stands."""

    def words(self, beginning: str, most: int) -> list[tuple[str, int]]:
        """Words of titles, headings and links, and in how many pages they stand."""


def terms_in(ask: Ask) -> list[Term]:
    """The terms that have to be counted before a question can be answered."""
    finder = TermFinder(make_schema(), ask.groups, ask.settings, None)
    (finder.strict if ask.needs_all else finder.loose)(ask.node)
    return [*finder.terms]


class IndexPart:
    """A part of an index whose files are on this machine."""

    def __init__(self, searcher: "tantivy.Searcher", folder: Path) -> None:
        self.searcher = searcher
        self._folder = folder
        self.schema = make_schema()
        self._lengths: dict[str, tuple[int, float]] = {}

    def __len__(self) -> int:
        return self.searcher.num_docs

    def best(self, ask: Ask, limit: int) -> tuple[list[Match], int]:
        return self.best_of(_query(self._matcher(ask), ask), limit)

    def count(self, ask: Ask) -> int:
        query = _query(self._matcher(ask), ask)
        return self._search(query, 1).count  # type: ignore[attr-defined, no-any-return]

    def _matcher(self, ask: Ask) -> Matcher:
        linked = ask.linked
        return Matcher(self.schema, ask.groups, ask.settings, lambda url: linked.get(url, ()))

    def counts(self, terms: Sequence[Term]) -> PartCounts:
        fields = {field for field, _ in terms}
        known = {field: self._count_field(field) for field in fields}
        pages = max((pages for pages, _ in known.values()), default=0) or len(self)
        lengths = {field: pages * mean for field, (_, mean) in known.items()}
        return PartCounts(len(self), pages, lengths, tuple(self.frequency(*term) for term in terms))

    def best_in(
        self, whole: PartCounts, terms: Sequence[Term], ask: Ask, limit: int
    ) -> tuple[list[Match], int]:
        matcher = MarkedMatcher(
            *(self.schema, ask.groups, ask.settings, lambda url: ask.linked.get(url, ())),
            terms=terms,
            own=self.counts(terms),
            whole=whole,
        )
        query = _query(matcher, ask)
        if not matcher.has_leaves:
            return self.best_of(query, limit)
        return self._best_exactly(query, matcher, max(1, limit))

    def _best_exactly(
        self, query: "tantivy.Query", matcher: MarkedMatcher, limit: int
    ) -> tuple[list[Match], int]:
        error, depth, found = matcher.error(), 2 * limit, list[Match]()
        while True:
            result = self._search(query, depth)
            for match in self._matches(result.hits[len(found) :]):
                least = sorted((other.score for other in found), reverse=True)[limit - 1 : limit]
                if least and match.score * error < least[0] * (1 - _NOISE):
                    return in_order(found)[:limit], result.count  # type: ignore[attr-defined]
                found.append(match._replace(score=self._exact_score(query, matcher, match)))
            if len(result.hits) < depth:
                return in_order(found)[:limit], result.count  # type: ignore[attr-defined]
            depth *= 2

    def _exact_score(self, query: "tantivy.Query", matcher: MarkedMatcher, one: Match) -> float:
        from tantivy import DocAddress

        place = DocAddress(*one.place)
        [worth] = self.searcher.fast_field_values("worth", [place])
        return matcher.exact(query.explain(self.searcher, place).to_json()) * log2(
            2 + float(worth or 0)
        )

    def _count_field(self, field: str) -> tuple[int, float]:
        """The pages that the engine counts, and the mean length of a field; nothing where it is empty."""
        from tantivy import Query

        if field not in self._lengths:
            found = (0, 0.0)
            for term, _ in self.searcher.terms_with_prefix(field, "", limit=_TRIES):
                query = Query.term_query(self.schema, field, term, "freq")
                hits = self.searcher.search(query, 1).hits
                if hits:
                    found = read_counts(query.explain(self.searcher, hits[0][1]).to_json())
                    break
            self._lengths[field] = found
        return self._lengths[field]

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
        return reporting_errors(
            self._folder, lambda: self.searcher.search(query, depth, weight_by_field="worth")
        )

    def _matches(self, hits: "Sequence[tuple[float, tantivy.DocAddress]]") -> list[Match]:
        at = [place for _, place in hits]
        numbers = (self._column(name, at) for name in ("number", "site", "group"))
        places = (PageAddress(address.segment_ord, address.doc) for address in at)
        scores = (score for score, _ in hits)
        return [*map(Match, scores, *numbers, places)]

    def _column(self, name: str, at: "list[tantivy.DocAddress]") -> list[int]:
        return [int(value or 0) for value in self.searcher.fast_field_values(name, at)]

    def find(self, key: int) -> Match | None:
        from tantivy import Query

        query = Query.term_query(self.schema, "key", key_text(key), "basic")
        found, _ = self.best_of(query, 1)
        return found[0] if found else None

    def shown(self, one: Match) -> Shown:
        from tantivy import DocAddress

        def read() -> Shown:
            return read_shown(self.searcher.doc(DocAddress(*one.place)))

        return reporting_errors(self._folder, read)

    def frequency(self, field: str, term: str) -> int:
        return self.searcher.doc_freq(field, term)

    def words(self, beginning: str, most: int) -> list[tuple[str, int]]:
        return self.searcher.terms_with_prefix("unstemmed", beginning, limit=most)


def _query(matcher: Matcher, ask: Ask) -> "tantivy.Query":
    from tantivy import Query

    query = matcher.strict(ask.node) if ask.needs_all else matcher.loose(ask.node)
    # Where no word counts, what a page is worth does.
    return query if any(words_of(ask.node)) else Query.const_score_query(query, 1.0)
