"""References between pages: the links table, read once, reduced to what the report needs."""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct

from gossamer.core.url_patterns import UrlPatterns
from gossamer.report.contents import Use
from gossamer.report.crawled_site import Site

LINK_COLUMNS = ("source", "target", "kind", "anchor", "refused", "fetched_at")

_TO_PAGES = frozenset({"a", "area", "frame", "next", "refresh"})
"""Kinds of links that a reader can follow."""
REQUISITES = frozenset({"image", "script", "style", "media"})
_NAMED = frozenset({"canonical", "translation", "alternate", "sitemap", "feed"})
"""Kinds of links that search engines and feed readers follow, and readers do not see."""

Batch = Mapping[str, list[Any]]


class Reference(Struct, frozen=True):
    """A link on a page."""

    source: str
    target: str
    kind: str
    anchor: str


class Outward(Struct):
    """Links to a URL outside of the crawl: the first one, and their number."""

    page: str
    anchor: str
    kind: str
    count: int = 0
    linked: str = ""
    """What the page links to, if that redirects there."""


_LEFT_OUT = frozenset({"out_of_scope", "nofollow"})
"""Why links were not followed that may well be asked for; what a user excluded is not."""


class References:
    """The links of a site: counts for each target, and the links to report."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self.counts: Counter[str] = Counter()
        """Links that readers and pages follow, by target; those of a page to itself do not count."""
        self.first: dict[str, str] = {}
        """A page that links to it."""
        self.listed: dict[str, str] = {}
        """What sitemaps name, and one that does."""
        self.canonical: dict[str, str] = {}
        """The URL that a page prefers for itself, if it is another one."""
        self.second_canonical: dict[str, str] = {}
        """Another one, of a page that names two."""
        self.translations: dict[str, list[str]] = {}
        """The pages that a page names as itself in other languages."""
        self.to_trouble: list[Reference] = []
        """Links to what is broken, at once or after redirects."""
        self.mixed: list[Reference] = []
        """Parts of pages with TLS that come without."""
        self.not_followed: Counter[str] = Counter()
        """Links that were not followed because of nofollow, by target."""
        self.arcs = (array("q"), array("q"))
        """Links that a reader can follow, redirects resolved: from and to, as numbers of the site's pages."""
        self.outward: dict[str, Outward] = {}
        """What the crawl left out, by URL."""
        self.unchecked = 0
        """Links to what the crawl has not visited."""
        self._named_canonical: dict[str, str] = {}
        self._is_empty = True

    def take(self, batches: Iterable[Batch]) -> "References":
        """Read rows of the links table, as columns of `LINK_COLUMNS`."""
        for batch in batches:
            for row in zip(*(batch[name] for name in LINK_COLUMNS), strict=True):
                self._take(*row)
                self._is_empty = False
        self.to_trouble += self._without_links()
        return self

    def take_named(
        self, named: Mapping[tuple[str, str], Use], excluded: UrlPatterns
    ) -> "References":
        """Note what pages name in ways that the crawl does not follow, by target and kind."""
        for (target, kind), use in named.items():
            link = Reference(use.page, target, kind, "")
            if kind == "canonical":
                self._prefer(use.page, target)
            end = self._site.follow(target).end
            if self._site.get(end) is not None:
                if self._site.trouble_of(target, kind):
                    self.to_trouble += [link]
            elif not excluded.find(end):
                self._note_outward(link, end, use.count)
        return self

    def _take(
        self, source: str, target: str, kind: str, anchor: str, refused: str | None, at: int | None
    ) -> None:
        page = self._site.get(source)
        if page is None or (at is not None and at != page.has_links_of):
            return  # an older version of the page had it, or a page that the crawl made up
        if kind in _TO_PAGES or kind in REQUISITES:
            self._refer(Reference(source, target, kind, anchor or ""), refused)
        elif kind in _NAMED:
            self._name(Reference(source, target, kind, anchor or ""), refused)

    def _leave(self, link: Reference, end: str, refused: str | None) -> None:
        """Note a link, or a redirect behind it, that leads to where the crawl was not to go."""
        is_own = urlsplit(end).hostname == urlsplit(link.source).hostname
        if refused == "nofollow" and is_own:
            return  # the site asks for it to be left alone, and may mean it
        if refused in _LEFT_OUT or end in self._site.left_out:
            self._note_outward(link, end, 1)

    def _note_outward(self, link: Reference, end: str, count: int) -> None:
        linked = link.target if link.target != end else ""
        first = Outward(link.source, link.anchor, link.kind, linked=linked)
        self.outward.setdefault(end, first).count += count

    def _name(self, link: Reference, refused: str | None) -> None:
        """Take what a page or a list names, and readers do not follow."""
        if link.kind == "sitemap":
            self.listed.setdefault(link.target, link.source)
        elif link.kind == "translation":
            self.translations.setdefault(link.source, []).append(link.target)
        elif link.kind == "canonical":
            self._prefer(link.source, link.target)
        if self._site.trouble_of(link.target, link.kind):
            self.to_trouble.append(link)
        elif (
            link.kind != "sitemap"
            and self._site.get(end := self._site.follow(link.target).end) is None
        ):
            self._leave(link, end, refused)

    def _prefer(self, source: str, target: str) -> None:
        if self._named_canonical.setdefault(source, target) != target:
            self.second_canonical[source] = target
        if target != source:
            self.canonical[source] = target

    def _without_links(self) -> Iterator[Reference]:
        """Failed URLs that are in no row of links: seeds, sitemaps that a robots.txt names, and everything
        if the crawl stored no links. What a page linked to in an earlier version is left out."""
        known = {link.target for link in self.to_trouble}
        reached = known.union(*(self._site.follow(url).urls for url in known))
        for page in self._site:
            if page.url in reached or not page.is_named_for_itself(self._is_empty):
                continue
            if self._site.trouble_of(page.url, page.via):
                yield Reference(page.source, page.url, page.via, "")

    def _refer(self, link: Reference, refused: str | None) -> None:
        if link.source != link.target:
            self.counts[link.target] += 1
            self.first.setdefault(link.target, link.source)
        if refused == "nofollow":
            self.not_followed[link.target] += 1
        if link.kind in REQUISITES and _is_mixed(link):
            self.mixed.append(link)
        trail = self._site.follow(link.target)
        end = self._site.get(trail.end)
        if end is not None and link.kind in _TO_PAGES:
            self.arcs[0].append(self._site.number(link.source))
            self.arcs[1].append(self._site.number(trail.end))
        if end is None:
            self.unchecked += 1
            self._leave(link, trail.end, refused)
        elif self._site.trouble_of(link.target, link.kind):
            self.to_trouble.append(link)


def _is_mixed(link: Reference) -> bool:
    return urlsplit(link.source).scheme == "https" and urlsplit(link.target).scheme == "http"
