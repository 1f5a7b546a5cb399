"""The last visit of each URL, and the targets of redirects."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from gossamer.core.latest_versions import VisitFinding, found_by
from gossamer.core.outcomes import Outcome, ParseFailure, Truncation
from gossamer.report.error_words import is_error_title

Row = Mapping[str, Any]

COLUMNS = (
    *("url", "status", "outcome", "fetched_at", "seconds", "via", "media_type", "title"),
    *("duplicate_of", "same_text_as", "near_of", "similarity", "is_soft_error", "is_indexable"),
    *(
        "is_followable",
        "redirect_to",
        "is_unchanged",
        "truncated",
        "parse_failure",
        "source",
        "redirect_refused",
        "detail",
        "body_bytes",
    ),
)

HTML = ("text/html", "application/xhtml+xml")
_ERRORS = frozenset(
    {
        *(Outcome.DNS_NOT_FOUND, Outcome.DNS_FAILED, Outcome.ROBOTS_UNREACHABLE),
        *(Outcome.CONNECT_FAILED, Outcome.CONNECT_TIMEOUT, Outcome.TLS_FAILED, Outcome.RESET),
        *(Outcome.EMPTY_REPLY, Outcome.TIMEOUT, Outcome.TOO_SLOW, Outcome.BAD_RESPONSE),
        *(
            Outcome.HEADERS_TOO_LARGE,
            Outcome.FETCH_FAILED,
            Outcome.PRIVATE_ADDRESS,
            Outcome.BAD_URL,
        ),
    }
)
"""Outcomes that a reader of the site would meet, too."""
_UNDECODED = ("bad gzip:", "bad x-gzip:", "bad deflate:", "bad br:", "bad zstd:")
"""How the details of an answer begin of which the Content-Encoding could not be undone."""
_WITH_CONTENT = frozenset({200, 203, 204, 205})
"""Statuses of answers that a reader takes for a page."""
_CUT_SHORT = frozenset({Truncation.DISCONNECT, Truncation.TIME})
"""The server did not send all of it; a limit of the crawl's own says nothing of the site."""
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MADE_UP = "probe"
"""How URLs are known that the crawl made up, to see what a host says to what does not exist."""
_MOST_STEPS = 50
_NEEDS_NO_LINK = frozenset({"seed", "push"})


class VisitedUrl(Struct, frozen=True):
    """A URL, by its last visit; if that found nothing new, by the one that has its content."""

    url: str
    status: int
    """0 if there was no answer."""
    outcome: str
    seconds: float
    """How long the last visit took."""
    is_seed: bool
    is_html: bool
    title: str
    copy_of: tuple[str, str, float] | None
    """Of which URL it is a copy, how (same, text or near), and how much they are alike."""
    is_soft_error: bool
    is_indexable: bool
    is_followable: bool
    redirect_to: str
    has_links_of: int
    """The visit at which its links were seen, in microseconds."""
    via: str = ""
    """How the crawl came to know it."""
    source: str = ""
    """The page or robots.txt that named it first."""
    is_cut_short: bool = False
    """Did the connection end, or time run out, before all of it had come?"""
    is_damaged: bool = False
    """Is it not what its type says, such as a PDF that no program can open, or a gzip that ends early?"""
    is_empty: bool = False
    """Did a successful answer have no content?"""
    detail: str = ""
    """What a person should know about a failure."""

    @property
    def is_page(self) -> bool:
        """Is it something to read: neither a redirect nor an error?"""
        return self.outcome == Outcome.FETCHED and not self.redirect_to and not self.trouble

    @property
    def trouble(self) -> str:
        """The reason why a link to it fails; empty if it does not."""
        if self.outcome in _ERRORS:
            return self.outcome
        if self.outcome != Outcome.FETCHED:
            return ""
        if self.status >= 400:
            return str(self.status)
        if self.status in _REDIRECTS and not self.redirect_to:
            return "redirect_to_nowhere"
        if self.is_cut_short:
            return "cut_short"
        if self.is_damaged:
            return "damaged"
        return "soft_error" if self.is_soft_error else ""

    def is_named_for_itself(self, has_no_links: bool) -> bool:
        """Is it a seed, a sitemap that a robots.txt names, or anything where no links were kept?"""
        if self.via == "robots":
            return False
        of_robots = self.via == "sitemap" and self.source.endswith("/robots.txt")
        return has_no_links or of_robots or self.via in _NEEDS_NO_LINK


_NEVER_PAGES = frozenset({"image", "script", "style"})
"""Kinds of links for which a browser can use no HTML."""
_MAY_BE_EMPTY = frozenset({*_NEVER_PAGES, "media"})
"""Scripts and style sheets without content do no harm; images may only count readers."""


class Trail(Struct, frozen=True):
    """The end of a chain of redirects."""

    urls: tuple[str, ...]
    """From the first to the last; one URL alone is no redirect."""
    is_endless: bool = False
    """Does it lead back to where it was, or on for ever?"""

    @property
    def steps(self) -> int:
        return len(self.urls) - 1

    @property
    def end(self) -> str:
        return self.urls[-1]


class Site:
    """All URLs that were visited, but those that the crawl made up."""

    def __init__(self, rows: Iterable[Row]) -> None:
        """From rows of the pages table, the visits to each URL in the order they were made."""
        self._pages: dict[str, VisitedUrl] = {}
        self._numbers: dict[str, int] = {}
        self.left_out: set[str] = set()
        """Where redirects lead that were out of the crawl's scope."""
        for row in rows:
            if row["via"] != _MADE_UP:
                self._take(row)

    def __iter__(self) -> Iterator[VisitedUrl]:
        return iter(self._pages.values())

    def __len__(self) -> int:
        return len(self._pages)

    def get(self, url: str) -> VisitedUrl | None:
        return self._pages.get(url)

    def number(self, url: str) -> int:
        """The place of a URL that was visited among all of them."""
        return self._numbers[url]

    def trouble_of(self, url: str, kind: str) -> str:
        """The reason why a link of this kind fails; empty if it does not, or if nothing is known."""
        trail = self.follow(url)
        end = self.get(trail.end)
        if trail.is_endless:
            return "redirect_loop"
        if end is None:
            return ""
        if kind in _NEVER_PAGES and end.is_page and end.is_html and not end.is_empty:
            return "text/html"
        return end.trouble or ("empty" if end.is_empty and kind not in _MAY_BE_EMPTY else "")

    def mark_soft_error(self, url: str) -> None:
        """Note that a page says of itself that there is no such page."""
        self._pages[url] = replace(self._pages[url], is_soft_error=True)

    def follow(self, url: str) -> Trail:
        """Follow redirects from a URL, as far as the crawl has seen them."""
        urls = [url]
        while (page := self._pages.get(urls[-1])) is not None and page.redirect_to:
            if page.redirect_to in urls or len(urls) > _MOST_STEPS:
                return Trail((*urls, page.redirect_to), is_endless=True)
            urls.append(page.redirect_to)
        return Trail(tuple(urls))

    def _take(self, row: Row) -> None:
        before = self._pages.get(row["url"])
        self._numbers.setdefault(row["url"], len(self._numbers))
        if row["redirect_refused"] == "out_of_scope" and row["redirect_to"]:
            self.left_out.add(row["redirect_to"])
        found = found_by(row["outcome"], row["status"], row["is_unchanged"])
        if found is not VisitFinding.SAME or before is None:
            self._pages[row["url"]] = _read(row)


def _read(row: Row) -> VisitedUrl:
    detail = row["detail"] or ""
    is_known = row["status"] == 304 and row["is_unchanged"]  # by the crawl before: it is a page
    return VisitedUrl(
        url=row["url"],
        status=200 if is_known else row["status"] or 0,
        outcome=row["outcome"],
        seconds=row["seconds"] or 0.0,
        is_seed=row["via"] == "seed",
        is_html=row["media_type"] in HTML,
        title=row["title"] or "",
        copy_of=_copy_of(row),
        is_soft_error=bool(row["is_soft_error"]) or is_error_title(row["title"] or ""),
        is_indexable=row["is_indexable"] is not False,
        is_followable=row["is_followable"] is not False,
        redirect_to=row["redirect_to"] or "",
        has_links_of=row["fetched_at"],
        via=row["via"],
        source=row["source"] or "",
        is_cut_short=row["truncated"] in _CUT_SHORT,
        is_damaged=row["parse_failure"] == ParseFailure.BROKEN or detail.startswith(_UNDECODED),
        is_empty=row["body_bytes"] == 0 and row["status"] in _WITH_CONTENT,
        detail=detail,
    )


def _copy_of(row: Row) -> tuple[str, str, float] | None:
    if row["duplicate_of"]:
        return row["duplicate_of"], "same", 1.0
    if row["same_text_as"]:
        return row["same_text_as"], "text", 1.0
    if row["near_of"]:
        return row["near_of"], "near", round(row["similarity"] or 0.0, 3)
    return None
