"""An index that is searched.

Shards are searched one after the other, and what they find is put in order together. A page that is found has
its copies with it; of one host only the best few are shown first.
"""

from collections import Counter
from collections.abc import Sequence
from math import log
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from gossamer.base.errors import DirectoryError
from gossamer.base.settings import SearchSettings
from gossamer.harvest.index.fields import Shown, key_of, key_text, read_shown, words_field
from gossamer.harvest.index.manifest import read_manifest, shard_folder
from gossamer.harvest.index.matching import Finder, Matcher, has_condition
from gossamer.harvest.index.query import (
    Any,
    Condition,
    Node,
    Phrase,
    QueryError,
    Where,
    parse_query,
    words_of,
)
from gossamer.harvest.index.shard import open_shard
from gossamer.harvest.index.snippet import Snippet, make_snippet
from gossamer.harvest.index.spelling import suggest
from gossamer.harvest.index.terms import GROUPS, group_of, terms_of

if TYPE_CHECKING:
    import tantivy

MOST_OF_HOST = 2
"""Of one host so many are shown before pages of others."""
_DEEPER = 5
"""So many times as many are looked at, so that there are other hosts to show."""
_MOST_ALIKE = 25
"""Words by which a page is compared with others …"""
_MOST_TERMS = 400
"""… chosen among its most frequent ones …"""
_MOST_READ = 40_000
"""… in so many characters."""


class Hit(Struct, frozen=True):
    """A page that was found."""

    url: str
    title: str
    snippet: Snippet
    score: float
    language: str
    media_type: str
    moment: int
    """Published, changed or else fetched: seconds since 1970."""
    also: tuple[str, ...]
    """Other URLs with the same content."""


class SearchResults(Struct, frozen=True):
    """What a search found."""

    hits: tuple[Hit, ...]
    total: int
    """Pages that have all that was asked for."""
    suggestion: str = ""
    """What the words may have been meant to be; empty when they look right."""


class _Place(NamedTuple):
    """Where a page lies."""

    shard: int
    segment: int
    number: int


class _Match(NamedTuple):
    """A page that the engine found."""

    score: float
    place: _Place
    site: int
    group: int


class TextIndex:
    """The index in a folder.

    `linking` tells which pages link to a URL; without it, `link:` finds nothing.
    """

    def __init__(
        self, folder: Path, linking: Finder | None = None, settings: SearchSettings | None = None
    ) -> None:
        manifest = read_manifest(folder)
        if manifest is None:
            crawl = folder.parent
            raise DirectoryError(f"{crawl} has no index; make one with: gossamer index {crawl}")
        shards = [open_shard(shard_folder(folder, one)) for one in range(manifest.shards)]
        self._searchers = [shard.searcher() for shard in shards]
        self._schema = shards[0].schema
        self._groups = [group for group in GROUPS if group in manifest.groups]
        self._matcher = Matcher(self._schema, self._groups, settings or SearchSettings(), linking)

    def __len__(self) -> int:
        return sum(searcher.num_docs for searcher in self._searchers)

    def search(
        self, question: str, limit: int = 10, *, most_of_host: int = MOST_OF_HOST
    ) -> SearchResults:
        """The best pages for a question. With `most_of_host` 0, however many are of one host."""
        node = parse_query(question)
        if has_condition(node, Condition.RELATED):
            return self._related(node, limit)
        words = [*words_of(node)]
        found, total = self._best(self._matcher.strict(node), limit * _DEEPER)
        if len(found) < limit and words:
            known = {one.place for one in found}
            others, _ = self._best(self._matcher.loose(node), limit * _DEEPER)
            found += [one for one in others if one.place not in known]
        hits = self._hits(_spread_hosts(found, most_of_host), words, limit)
        return SearchResults(hits, total, self._suggestion(question, words))

    def page(self, url: str) -> Shown | None:
        """What the index has of a URL, in its one spelling."""
        from tantivy import Query

        query = Query.term_query(self._schema, "key", key_text(key_of(url)), "basic")
        found, _ = self._best(query, 1)
        return self._shown(found[0].place) if found else None

    def _best(self, query: "tantivy.Query", limit: int) -> tuple[list[_Match], int]:
        found, total = list[_Match](), 0
        for number, searcher in enumerate(self._searchers):
            result = searcher.search(query, limit, weight_by_field="worth")
            at = [place for _, place in result.hits]
            columns = (searcher.fast_field_values(name, at) for name in ("site", "group"))
            for (score, place), *rest in zip(result.hits, *columns, strict=True):
                found.append(_Match(score, _Place(number, place.segment_ord, place.doc), *rest))
            total += result.count  # type: ignore[attr-defined]  # the library's stub forgets it
        found.sort(key=lambda one: -one.score)
        return found[:limit], total

    def _shown(self, place: _Place) -> Shown:
        from tantivy import DocAddress

        document = self._searchers[place.shard].doc(DocAddress(place.segment, place.number))
        return read_shown(document)

    def _hits(self, found: Sequence[_Match], words: Sequence[str], limit: int) -> tuple[Hit, ...]:
        """Of pages that are nearly alike, the best one, with the URLs of the others."""
        likes = dict[int, list[_Match]]()
        for one in found:
            likes.setdefault(one.group, []).append(one)
        return tuple(self._hit(some, words) for some in [*likes.values()][:limit])

    def _hit(self, alike: Sequence[_Match], words: Sequence[str]) -> Hit:
        page, *others = (self._shown(one.place) for one in alike)
        also = (*page.also, *(url for one in others for url in (one.url, *one.also)))
        snippet = make_snippet(page.text or page.description, words, page.language)
        said = page.language, page.media_type, page.moment
        return Hit(page.url, page.title, snippet, alike[0].score, *said, also)

    def _related(self, node: Node, limit: int) -> SearchResults:
        if not isinstance(node, Where):
            raise QueryError("related: stands alone; leave the other words out")
        page = self.page(node.value)
        if page is None:
            raise QueryError(f"{node.value} is not in the index; write the URL of a page that is")
        words = self._telling_words(page)
        if not words:
            return SearchResults((), 0)
        found, total = self._best(self._matcher.loose(Any(tuple(map(Phrase, words)))), limit + 1)
        hits = [hit for hit in self._hits(found, words, limit + 1) if hit.url != page.url]
        return SearchResults(tuple(hits[:limit]), max(0, total - 1))

    def _telling_words(self, page: Shown) -> list[str]:
        """The words of a page that are frequent on it and rare elsewhere; none that half of all have."""
        group = group_of(page.language)
        terms = Counter(one for one in terms_of(page.text[:_MOST_READ], group) if len(one) > 1)
        field, pages = words_field(group), len(self)
        worth = {
            term: count * log((1 + pages) / (1 + 2 * self._frequency(field, term)))
            for term, count in terms.most_common(_MOST_TERMS)
        }
        return sorted((one for one in worth if worth[one] > 0), key=lambda one: -worth[one])[
            :_MOST_ALIKE
        ]

    def _frequency(self, field: str, term: str) -> int:
        return sum(searcher.doc_freq(field, term) for searcher in self._searchers)

    def _suggestion(self, question: str, words: Sequence[str]) -> str:
        better = suggest(self._searchers, words, self._groups)
        for word, other in zip(words, better, strict=True):
            if word != other:
                question = question.replace(word, other)
        return question if better != [*words] else ""


def _spread_hosts(found: Sequence[_Match], most: int) -> list[_Match]:
    """The best of each host first, those beyond so many last."""
    seen, first, later = Counter[int](), list[_Match](), list[_Match]()
    for one in found:
        seen[one.site] += 1
        (first if not most or seen[one.site] <= most else later).append(one)
    return first + later
