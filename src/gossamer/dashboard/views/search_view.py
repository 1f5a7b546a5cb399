"""Pages by what they say: questions to the text index of the crawl."""

from collections.abc import Iterator
from typing import Annotated
from urllib.parse import urlsplit

from msgspec import Meta, Struct

from gossamer.core.errors import GossamerError
from gossamer.dashboard.cached_index import open_index
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.view_protocol import Asked, View
from gossamer.dashboard.views.question import narrowed
from gossamer.graph.published_graph import find_published
from gossamer.search import Hit
from gossamer.search.build import Index
from gossamer.search.matching import asked_about
from gossamer.search.query import Condition, QueryError, parse_query

ON_A_PAGE = 10
MOST_PAGES = 20
"""Who has looked at this many would do better with another question; and each one makes the search deeper."""
_LONGEST_TITLE = 300
_MOST_OTHERS = 10
_MOST_LINK_BYTES = 32 << 20
"""Of a links table that is looked through for one question; a larger one needs the graph."""

Words = Annotated[str, Meta(max_length=2000)]
Word = Annotated[str, Meta(max_length=300)]


class SearchAsked(Asked, frozen=True):
    q: Words = ""
    """Words; "a phrase"; OR; -not; site: inurl: intitle: lang: type: after: before: link: related:"""
    site: Word = ""
    """Of this host, or of one below it."""
    lang: Word = ""
    type: Word = ""
    """The media type, its last part, or the ending of the file's name."""
    after: Word = ""
    """A day, such as 2026-03-31."""
    before: Word = ""
    page: Annotated[int, Meta(ge=1, le=MOST_PAGES)] = 1
    all_tiers: bool = False
    """Search all pages, even if the best ones have enough hits."""

    @property
    def is_narrowed(self) -> bool:
        return bool(self.site or self.lang or self.type or self.after or self.before)


class FoundPage(Struct, frozen=True):
    """A page that was found."""

    url: str
    host: str
    title: str
    snippet: str
    marks: tuple[tuple[int, int], ...]
    """Where words of the question begin and end in the snippet."""
    score: float
    language: str
    media_type: str
    moment: int
    """Published, changed or else fetched: seconds since 1970."""
    others: tuple[str, ...]
    """URLs with the same content, or nearly the same; the first of them."""
    other_count: int

    @property
    def pieces(self) -> Iterator[tuple[str, bool]]:
        """The snippet in pieces, each with whether it is a word of the question."""
        at = 0
        for begin, end in self.marks:
            yield self.snippet[at:begin], False
            yield self.snippet[begin:end], True
            at = end
        yield self.snippet[at:], False

    @property
    def related(self) -> str:
        """The question for pages about the same."""
        return f'related:"{self.url}"'


class SearchSeen(Struct, frozen=True):
    """The results of a query."""

    question: str
    """As the index was asked: the words, and the other fields as conditions."""
    pages: int = 0
    """In the index."""
    total: int = 0
    """Pages that have all that was asked for."""
    is_whole: bool = True
    """Were all pages asked? If not, `total` counts those of the first tier only."""
    suggestion: str = ""
    """What the words may have been meant to be."""
    hits: tuple[FoundPage, ...] = ()
    has_more: bool = False
    problem: str = ""
    """Why there is no answer, in one line: what, and what to do."""


def look(crawl: ShownCrawl, asked: SearchAsked) -> SearchSeen:
    names = ("site", "lang", "type", "after", "before")
    question = narrowed(asked.q, {name: getattr(asked, name) for name in names})
    try:
        index = open_index(crawl)
        if not question:
            return SearchSeen("", len(index))
        _check_links(crawl, question)
        return _search(index, question, asked)
    except GossamerError as error:
        return SearchSeen(question, problem=str(error))


def _search(index: Index, question: str, asked: SearchAsked) -> SearchSeen:
    last = asked.page * ON_A_PAGE
    found = index.search(question, last + 1, all_tiers=asked.all_tiers)
    suggestion = ""
    if found.suggestion and asked.q.strip():
        better = index.search(asked.q, 1).suggestion if asked.is_narrowed else found.suggestion
        suggestion = better
    return SearchSeen(
        question,
        len(index),
        found.total,
        found.is_whole,
        suggestion,
        tuple(map(_found, found.hits[last - ON_A_PAGE : last])),
        len(found.hits) > last and asked.page < MOST_PAGES,
    )


def _found(hit: Hit) -> FoundPage:
    return FoundPage(
        hit.url,
        urlsplit(hit.url).hostname or "",
        hit.title[:_LONGEST_TITLE],
        hit.snippet.text,
        hit.snippet.marks,
        hit.score,
        hit.language,
        hit.media_type,
        hit.moment,
        hit.also[:_MOST_OTHERS],
        len(hit.also),
    )


def _check_links(crawl: ShownCrawl, question: str) -> None:
    """Refuse `link:` without a graph, as all links would have to be read for each query."""
    if not any(asked_about(parse_query(question), Condition.LINK)):
        return
    size = sum(file.stat().st_size for file in (crawl.path / "links").glob("*.parquet"))
    if size > _MOST_LINK_BYTES and find_published(crawl.path) is None:
        raise QueryError(
            f"link: needs the graph of so large a crawl; make it with: gossamer graph build {crawl.path}"
        )


SEARCH = View(
    path="/search",
    title="Search",
    about="Full-text search, the best pages first.",
    asked=SearchAsked,
    answer=SearchSeen,
    look=look,
    template="search.html",
)
