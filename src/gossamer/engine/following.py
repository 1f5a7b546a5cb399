"""From a page's links, or its redirect, to candidates: which are followed, and why the others are not."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from operator import attrgetter

from gossamer.analyzers.redundancy.worth import name_pattern, pack_context
from gossamer.core.outcomes import Refusal
from gossamer.core.page_links import Links, as_links
from gossamer.core.records import (
    REQUISITES,
    Candidate,
    Followed,
    Judged,
    Link,
    LinkKind,
    Page,
    Via,
    Visit,
)
from gossamer.core.request import RequestUrl
from gossamer.core.settings import Settings
from gossamer.core.url import Url
from gossamer.engine.counters import Counters
from gossamer.engine.inbox import Announcement
from gossamer.engine.stateful_components import Components
from gossamer.pipeline.parse import LOADING
from gossamer.pipeline.scope import Scope
from gossamer.pipeline.seen import Lately

_HOST = attrgetter("host")

Way = tuple[Followed, list[Candidate]]
"""What became of a page's links or redirect, and the candidates among them."""

_VIA = {
    LinkKind.SITEMAP: Via.SITEMAP,
    LinkKind.FEED: Via.FEED,
    **dict.fromkeys(REQUISITES, Via.REQUISITE),
}


_LAST = frozenset({Refusal.DUPLICATE_CONTENT, Refusal.NEAR_DUPLICATE})
"""Links of such pages are followed when nothing else is left."""
_STAYS = frozenset({Via.REQUISITE, Via.REQUEST})
"""What a redirect of these leads to is one of them."""
_FOR_GOOD = (301, 308)
"""Redirects that say that a page has moved."""


def refuses(visit: Visit | Candidate, settings: Settings, scope: Scope) -> Refusal | None:
    """The reason why a waiting URL is not wanted by these settings."""
    if visit.via is Via.REQUISITE and not settings.parse.page_requisites:
        return Refusal.OUT_OF_SCOPE
    return scope.judge_again(visit)


class Following:
    """Asks the scope about each link, and counts what it refuses."""

    def __init__(self, components: Components, settings: Settings, counters: Counters) -> None:
        self._components = components
        self._settings = settings
        self._counters = counters
        self._lately = Lately()
        self._aside: list[Candidate] = []
        """Links to be followed when nothing else is left."""

    def change(self, settings: Settings) -> bool:
        """Go by other settings from now on. May these want URLs that were refused before?"""
        before, self._settings = self._settings, settings
        self._components.scope.change(settings.scope)
        return (before.scope, before.parse) != (settings.scope, settings.parse)

    def follow(self, judged: Judged) -> Way:
        """Follow the links or the redirect of a page."""
        document = judged.document
        visit = document.page.visit
        refusal = self._refuse_all(judged)
        if refusal is None:
            self._observe(visit.url.host, document.links)
            return self._follow_links(document.links, visit, is_variant=judged.is_variant)
        if refusal in _LAST and self._settings.scope.follow_last:
            self._aside += self._find_unmet(document.links, visit)
        links = [refusal] * len(document.links)
        if links:
            self._counters.count_refusal(refusal, len(links))
        is_redirect = bool(document.page.location)
        return self._follow_redirect(judged, links) if is_redirect else (Followed(links), [])

    def set_aside(self) -> list[Candidate]:
        """Links of copies since the last call, but for those that were offered lately."""
        found, self._aside = self._aside, []
        return found

    def sitemaps(self, named: Iterable[tuple[str, str]]) -> list[Candidate]:
        """Sitemaps that robots.txt files named, each with the naming URL."""
        found = []
        for source, text in named:
            url = self._components.spelling.parse(text)
            if url is None or not self._settings.robots.sitemaps:
                continue
            refusal = self._components.scope.judge(Link(source, url, LinkKind.SITEMAP), 1)
            if refusal is None:
                found.append(Candidate(url, 1, Via.SITEMAP, source))
            else:
                self._counters.count_refusal(refusal)
        return found

    def announced(self, announcements: Iterable[Announcement]) -> list[Candidate]:
        """Own URLs that were announced, as far as the scope wants them.

        They are as far from a seed as pages that a sitemap names. So what they redirect to is no home.
        """
        found, components = [], self._components
        for source, text in (
            (announcement.source, text)
            for announcement in announcements
            for text in announcement.urls
        ):
            url = components.spelling.parse(text)
            if url is None or not components.neighbours.is_own(url.host):
                continue
            refusal = components.scope.judge(Link(source, url, LinkKind.SITEMAP), 1)
            if refusal is None:
                found.append(Candidate(url, 1, Via.PUSH, source))
            else:
                self._counters.count_refusal(refusal)
        return found

    def refuses(self, visit: Visit | Candidate) -> Refusal | None:
        """The reason why a waiting URL is not wanted by these settings."""
        return refuses(visit, self._settings, self._components.scope)

    def _refuse_all(self, judged: Judged) -> Refusal | None:
        """A reason to follow none of a page's links."""
        document = judged.document
        status, via = document.page.status, document.page.visit.via
        if via is Via.PROBE:
            return Refusal.PROBE
        if not (200 <= status < 300 or status == 304):
            return Refusal.BAD_STATUS
        if via is Via.REQUISITE and document.media_type not in LOADING:
            return Refusal.REQUISITE  # what a page needs leads nowhere, unless it loads more
        return judged.refusal

    # Links.

    def _observe(self, source: str, links: Sequence[Link]) -> None:
        """Tell STAR who links to whom; a link that is not to be followed is no recommendation."""
        if links and self._components.admission.is_budgeted:
            columns = as_links(links)
            if any(columns.rels):
                pairs = zip(columns.targets, columns.rels, strict=True)
                targets = {target.host for target, rel in pairs if "nofollow" not in rel}
            else:
                targets = set(map(_HOST, columns.targets))
            targets = self._components.neighbours.keep_own_edges(source, targets)
            self._components.admission.observe(source, targets)

    def _follow_links(
        self, links: Sequence[Link], visit: Visit, *, is_variant: bool = False
    ) -> Way:
        """Follow links. A canonical URL is not behind others if the page counts for nothing itself."""
        # A sitemap is no page, so what it names is no further from a seed than it is itself.
        depth = visit.depth if visit.via is Via.SITEMAP else visit.depth + 1
        columns, source, judge = as_links(links), visit.url.text, self._components.scope.judge_at
        refused: list[Refusal | None] = [None] * len(columns)
        candidates, actions = [], self._components.scope.find_actions(columns)
        pattern = -1
        for place in self._requisites_first(columns):
            refusal, target = judge(columns, place, depth), columns.targets[place]
            if actions and refusal is None and target.key in actions:
                refusal = Refusal.ACTION
            if refusal is not None:
                refused[place] = refusal
                self._counters.count_refusal(refusal)
                continue
            self._lately.meet(target)
            pattern = pattern if pattern >= 0 else name_pattern(source)
            kind, anchor = columns.kinds[place], columns.anchors[place]
            via = _VIA.get(kind, Via.LINK)
            if is_variant and kind is LinkKind.CANONICAL:  # it is the page itself
                kind = LinkKind.ANCHOR
            context = pack_context(
                kind, columns.rels[place], columns.positions[place], anchor, pattern
            )
            candidates.append(Candidate(target, depth, via, source, 0, anchor, context))
        if len(self._components.redundancy.other_forms):
            self._note_links(columns, source)
        return Followed(refused), candidates

    def _note_links(self, columns: Links, source: str) -> None:
        """Links for readers to what other pages called their other forms, and what nobody has read yet."""
        waiting = self._components.redundancy.other_forms
        keys = waiting.keys()
        places = [place for place, target in enumerate(columns.targets) if target.key in keys]
        pattern = name_pattern(source) if places else 0
        for place in places:
            target = columns.targets[place]
            # What is noted waits no longer: another link of this page may have been.
            if target.key in waiting and columns.kinds[place] is LinkKind.ANCHOR:
                link = columns[place]
                if waiting.get(target.key) != source and "nofollow" not in link.rel:
                    packed = pack_context(link.kind, link.rel, link.position, link.anchor, pattern)
                    self._components.redundancy.note_link(target.key, packed)

    def _find_unmet(self, links: Sequence[Link], visit: Visit) -> list[Candidate]:
        """Links that would be followed if the page were no copy."""
        columns, judge, depth = as_links(links), self._components.scope.judge, visit.depth + 1
        actions = self._components.scope.find_actions(columns)
        unmet = (columns[place] for place in self._lately.unmet(columns.targets))
        return [
            Candidate(
                link.target, depth, _VIA.get(link.kind, Via.LINK), visit.url.text, 0, link.anchor
            )
            for link in unmet
            if judge(link, depth) is None and link.target.key not in actions
        ]

    def _requisites_first(self, columns: Links) -> Iterable[int]:
        """Links worth a look; a picture that a page shows and links to is one that it needs."""
        if not self._settings.parse.page_requisites:
            return self._places(columns)
        return chain(
            self._places_of(columns, are_requisites=True),
            self._places_of(columns, are_requisites=False),
        )

    def _places_of(self, columns: Links, *, are_requisites: bool) -> Iterator[int]:
        for place in self._places(columns):
            if (columns.kinds[place] in REQUISITES) is are_requisites:
                yield place

    def _places(self, columns: Links) -> Iterable[int]:
        """Links worth a look: an order that learns from links wants to see those to known pages, too."""
        if self._components.ordering.is_learning:
            return range(len(columns))
        revisits = self._components.revisits
        given_up = () if revisits is None else revisits.tombstones.known
        return self._lately.unmet(columns.targets, given_up)

    # Redirects.

    def _follow_redirect(self, judged: Judged, links: Sequence[Refusal]) -> Way:
        """Follow a redirect, at the same depth; the links on its page have been refused."""
        page, visit, spelling = (
            judged.document.page,
            judged.document.page.visit,
            self._components.spelling,
        )
        revisits = self._components.revisits
        base = spelling.base(page.url)
        target = spelling.join(base, page.location) if base is not None else None
        refusal = self._refuse_redirect(judged, target)
        if refusal is not None:
            self._counters.count_refusal(refusal)
        followed = Followed(links, target.text if target is not None else "", refusal)
        if target is None or refusal is not None:
            return followed, []
        via = visit.via if visit.via in _STAYS else Via.REDIRECT
        if isinstance(visit.url, RequestUrl):
            target = visit.url.after_redirect(page.status, target)
            via = visit.via if isinstance(target, RequestUrl) else Via.REDIRECT
        memory = b"" if revisits is None or page.status not in _FOR_GOOD else revisits.moved(visit)
        there = Candidate(target, visit.depth, via, page.url, visit.hops + 1, memory=memory)
        return followed, [there]

    def _refuse_redirect(self, judged: Judged, target: Url | None) -> Refusal | None:
        if judged.document.page.visit.via is Via.PROBE:
            return Refusal.PROBE
        if judged.refusal is not None:
            return judged.refusal
        return self._judge_redirect(judged.document.page, target)

    def _judge_redirect(self, page: Page, target: Url | None) -> Refusal | None:
        """A reason not to go where a redirect leads; a seed's redirect leads to another seed."""
        visit, components = page.visit, self._components
        if target is None:
            return Refusal.BAD_URL
        if isinstance(visit.url, RequestUrl):
            target = visit.url.after_redirect(page.status, target)
            if (
                isinstance(target, RequestUrl)
                and target.sent.body
                and target.host != visit.url.host
            ):
                return Refusal.BODY_ELSEWHERE
        if target.key == visit.url.key:
            return Refusal.REDIRECT_LOOP
        if visit.hops >= self._settings.fetch.max_redirects:
            return Refusal.TOO_MANY_REDIRECTS
        is_home_page = visit.depth == 0  # only seeds and what they redirect to have this depth
        if is_home_page and target.scheme in ("http", "https") and components.scope.extend(target):
            components.neighbours.send_root(target)
        kind = LinkKind.MEDIA if visit.via is Via.REQUISITE else LinkKind.REDIRECT
        link = Link(page.url, target, kind)
        return components.scope.judge(link, visit.depth)
