"""An index that is searched.

All shards are searched together, as one index (`together`). A page that is found has its copies with it; of
one host only the best few are shown first. Of pages with the same score, the one with the smaller key comes
first, so that it does not matter how the index was cut.

With tiers, the first is asked alone. If it has enough pages with all that is asked for, that is the answer;
if not, all tiers are asked as one index. So an answer is one of the best pages or one of all pages, and never
a mixture.
"""

from collections import Counter
from collections.abc import Sequence
from math import log
from pathlib import Path
from typing import Self

from msgspec import Struct

from gossamer.core.errors import DirectoryError
from gossamer.core.settings import SearchSettings
from gossamer.search.combined_scores import open_together
from gossamer.search.fields import Shown, key_of, words_field
from gossamer.search.index_manifest import IndexManifest, check_shards, read_manifest, shard_folder
from gossamer.search.index_part import Ask, IndexPart, Match, SearchPart
from gossamer.search.matching import Finder, asked_about, has_condition
from gossamer.search.query import (
    MOST_WORDS,
    All,
    Any,
    Condition,
    Node,
    Phrase,
    QueryError,
    Where,
    is_text,
    keep_words,
    parse_query,
    without_quotes,
    words_of,
)
from gossamer.search.scoring import Term
from gossamer.search.shard_files import check_shard
from gossamer.search.snippet import Snippet, make_snippet
from gossamer.search.spelling_suggestions import suggest
from gossamer.search.terms import GROUPS, terms_asked, terms_of

MOST_OF_HOST = 2
"""Of one host this many are shown before pages of others."""
_DEEPER = 5
"""So many times as many are looked at, so that there are other hosts to show."""
_BEST_PAGES = 1
"""The part with the pages of the first tier; 0 is the one with all."""
_MOST_ALIKE = 25
"""Words by which a page is compared with others …"""
_MOST_TERMS = 400
"""… chosen among its most frequent ones …"""
_MOST_READ = 40_000
"""… in this many characters."""


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
    """The results of a query."""

    hits: tuple[Hit, ...]
    total: int
    """Pages that have all that was asked for."""
    suggestion: str = ""
    """What the words may have been meant to be; empty when they look right."""
    is_whole: bool = True
    """Were all pages asked? If not, those of the first tier were enough, and `total` counts only these."""


class TextIndex:
    """The index in a folder.

    `linking` tells which pages link to a URL; without it, `link:` finds nothing.
    """

    def __init__(
        self, folder: Path, linking: Finder | None = None, settings: SearchSettings | None = None
    ) -> None:
        self._all: SearchPart
        self._all, manifest = open_part(folder)
        best = first_tier(folder, manifest)
        self._best_pages = IndexPart(open_together(best), folder) if best else None
        self._groups = tuple(group for group in GROUPS if group in manifest.groups)
        self._settings = settings or SearchSettings()
        self._linking = linking

    @classmethod
    def of(
        cls,
        part: SearchPart,
        groups: Sequence[str],
        settings: SearchSettings,
        linking: Finder | None,
    ) -> Self:
        """An index that is a part, wherever its files are."""
        index = cls.__new__(cls)
        index._all, index._best_pages = part, None
        index._groups, index._settings, index._linking = tuple(groups), settings, linking
        return index

    def __len__(self) -> int:
        return len(self._all)

    def search(
        self,
        question: str,
        limit: int = 10,
        *,
        most_of_host: int = MOST_OF_HOST,
        all_tiers: bool = False,
    ) -> SearchResults:
        """The best pages for a question. With `most_of_host` 0, however many are of one host.

        With `all_tiers`, the second tier is asked even if the first has enough.
        """
        node, limit = self._shortened(parse_query(question)), max(0, limit)
        if has_condition(node, Condition.RELATED):
            return self._related(node, limit)
        words = [*words_of(node)]
        found, total, is_whole = self._find(node, limit, all_tiers)
        hits = self._hits(_spread_hosts(found, most_of_host), words, limit)
        return SearchResults(hits, total, self._suggestion(question, words), is_whole)

    def ranked(self, question: str, limit: int) -> list[Match]:
        """The best pages for a question, of all tiers and however many of one host."""
        node = self._shortened(parse_query(question))
        found, _ = self._all.best(self._ask(node, needs_all=False), limit)
        return found

    def page(self, url: str) -> Shown | None:
        """The indexed page of a URL in canonical form."""
        found = self._all.find(key_of(url))
        return self._shown(found) if found else None

    def _find(self, node: Node, limit: int, all_tiers: bool) -> tuple[list[Match], int, bool]:
        """Find pages; returns them, the number of matches, and whether all pages were searched."""
        depth, strict = limit * _DEEPER, self._ask(node, needs_all=True)
        loose = self._ask(node, needs_all=False)
        if self._best_pages is not None and not all_tiers:
            total = self._best_pages.count(strict)
            if total >= limit:
                found, _ = self._best_pages.best(loose, depth)
                return [match._replace(part=_BEST_PAGES) for match in found], total, False
        found, _ = self._all.best(loose, depth)
        if not found and (unquoted := without_quotes(node)) != node:
            found, _ = self._all.best(self._ask(unquoted, needs_all=False), depth)
        return found, self._all.count(strict), True

    def _shortened(self, node: Node) -> Node:
        """Of a long question, the rarest words that any page has."""
        words = [*dict.fromkeys(words_of(node))]
        if len(words) <= MOST_WORDS:
            return node
        return keep_words(node, {*(self._rarest(words) or words)[:MOST_WORDS]}) or node

    def _weighed(self, node: Node) -> Node:
        """Of a text, the rarer part of the words a second time: they say what it is about."""
        if not (isinstance(node, All) and is_text(node)):
            return node
        rarest = self._rarest([*dict.fromkeys(words_of(node))])
        rare = {*rarest[: len(rarest) * 2 // 5]}
        again = (part for part in node.parts if isinstance(part, Phrase) and part.text in rare)
        return All((*node.parts, *again))

    def _rarest(self, words: Sequence[str]) -> list[str]:
        """The words that any page has, the rarest first."""
        terms = dict[Term, list[str]]()
        for group in self._groups:
            for word in words:
                for term in terms_asked(word, group):
                    terms.setdefault((words_field(group), term), []).append(word)
        having = Counter[str]()
        for same, pages in zip(terms.values(), self._all.counts([*terms]).having, strict=True):
            for word in same:
                having[word] = max(having[word], pages)
        return sorted((one for one in words if having[one]), key=lambda one: (having[one], one))

    def _shown(self, one: Match) -> Shown:
        part = self._best_pages if one.part == _BEST_PAGES else self._all
        return (part or self._all).shown(one)

    def _ask(self, node: Node, *, needs_all: bool) -> Ask:
        urls = asked_about(node, Condition.LINK)
        node = node if needs_all else self._weighed(node)
        linked = {url: tuple(self._linking(url)) for url in urls} if self._linking else {}
        return Ask(node, needs_all, self._groups, self._settings, linked)

    def _hits(self, found: Sequence[Match], words: Sequence[str], limit: int) -> tuple[Hit, ...]:
        """Of pages that are nearly alike, the best one, with the URLs of the others."""
        likes = dict[int, list[Match]]()
        for match in found:
            likes.setdefault(match.group, []).append(match)
        return tuple(self._hit(some, words) for some in [*likes.values()][:limit])

    def _hit(self, alike: Sequence[Match], words: Sequence[str]) -> Hit:
        page, *others = (self._shown(match) for match in alike)
        also = (*page.also, *(url for one in others for url in (one.url, *one.also)))
        snippet = make_snippet(page.text or page.description, words, page.words_group)
        said = page.language, page.media_type, page.moment
        return Hit(page.url, page.title, snippet, alike[0].score, *said, also)

    def _related(self, node: Node, limit: int) -> SearchResults:
        if not isinstance(node, Where):
            raise QueryError("related: must be the only term of a query; remove the other words")
        page = self.page(node.value)
        if page is None:
            raise QueryError(f"{node.value!r} is not in the index; write the URL of a page that is")
        words = self._distinctive_words(page)
        if not words:
            return SearchResults((), 0)
        alike = self._ask(Any(tuple(map(Phrase, words))), needs_all=False)
        found, total = self._all.best(alike, limit * _DEEPER + 1)  # some are alike, and become one
        hits = [hit for hit in self._hits(found, words, limit + 1) if hit.url != page.url]
        return SearchResults(tuple(hits[:limit]), max(0, total - 1))

    def _distinctive_words(self, page: Shown) -> list[str]:
        """The words of a page that are frequent on it and rare elsewhere; none that half of all have."""
        group = page.words_group
        terms = Counter(one for one in terms_of(page.text[:_MOST_READ], group) if len(one) > 1)
        field, pages = words_field(group), len(self)
        worth = {
            term: count * log((1 + pages) / (1 + 2 * self._all.frequency(field, term)))
            for term, count in terms.most_common(_MOST_TERMS)
        }
        return sorted((one for one in worth if worth[one] > 0), key=lambda one: -worth[one])[
            :_MOST_ALIKE
        ]

    def _suggestion(self, question: str, words: Sequence[str]) -> str:
        better = suggest(self._all, words, self._groups)
        for word, other in zip(words, better, strict=True):
            if word != other:
                question = question.replace(word, other)
        return question if better != [*words] else ""


def open_part(folder: Path, shards: Sequence[int] = ()) -> tuple[IndexPart, IndexManifest]:
    """The pages of all tiers of an index, or of some of its shards; and how it was made."""
    manifest = read_manifest(folder)
    if manifest is None:
        crawl = folder.parent
        raise DirectoryError(f"{crawl} has no index; make one with: gossamer index {crawl}")
    check_shards(folder, shards, manifest.shards)
    folders = [
        shard_folder(folder, shard, tier)
        for shard in (shards or range(manifest.shards))
        for tier in range(manifest.tiers)
    ]
    for path in folders:
        check_shard(path, is_listed=manifest.listed and path.is_dir())
    return IndexPart(open_together(folders), folder), manifest


def first_tier(folder: Path, manifest: IndexManifest) -> list[Path]:
    """The folders of the first tier; none if there is but one tier."""
    return (
        [shard_folder(folder, shard) for shard in range(manifest.shards)]
        if manifest.tiers > 1
        else []
    )


def _spread_hosts(found: Sequence[Match], most: int) -> list[Match]:
    """The best of each host first, those beyond this many last."""
    seen, first, later = Counter[int](), list[Match](), list[Match]()
    for match in found:
        seen[match.site] += 1
        (first if not most or seen[match.site] <= most else later).append(match)
    return first + later
