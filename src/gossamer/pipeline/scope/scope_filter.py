"""The URL filter."""

from collections.abc import Callable, Iterable, Sequence, Set
from copy import copy

import msgspec
from msgspec.structs import replace

from gossamer.core.durable import Durable
from gossamer.core.mistakes import Mistakes
from gossamer.core.outcomes import Refusal
from gossamer.core.page_links import Links
from gossamer.core.records import REQUISITES, Candidate, Link, LinkKind, Via, Visit
from gossamer.core.settings import ScopeSettings
from gossamer.core.url import Url, parse
from gossamer.core.url_patterns import UrlPatterns
from gossamer.pipeline.scope.actions import find_action

ScopeRule = Callable[[Link], bool]
"""A user's own test: True keeps the link."""

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[str]).decode


class Scope(Durable):
    """Judges links by the settings and by where the seeds are.

    >>> from gossamer.core.url import parse
    >>> scope = Scope(ScopeSettings(kind="host"), [parse("http://a.test/docs/")], max_url=2048)
    >>> scope.judge(Link("http://a.test/docs/", parse("http://a.test/x")), depth=1) is None
    True
    >>> scope.judge(Link("http://a.test/docs/", parse("http://b.test/")), depth=1)
    <Refusal.OUT_OF_SCOPE: 'out_of_scope'>
    """

    name = "scope"

    def __init__(
        self,
        settings: ScopeSettings,
        seeds: Iterable[Url],
        max_url: int,
        rule: ScopeRule | None = None,
        schemes: Iterable[str] = ("http", "https"),
        mistakes: Mistakes | None = None,
        personal_hosts: frozenset[str] = frozenset(),
    ) -> None:
        """`personal_hosts` are asked with a login: what their links do is done in that person's name."""
        self._mistakes = mistakes or Mistakes()
        self._max_url = max_url
        self._rule = rule
        self._take(settings)
        self._careful = frozenset() if settings.follow_actions else personal_hosts
        self._schemes = tuple(f"{scheme}:" for scheme in schemes)
        self._roots: set[str] = set()
        self._extensions: list[str] = []
        """URLs that were made a scope root after the seeds …"""
        self._noted = 0
        """… and how many of them are recorded."""
        self._is_root = _ROOT_TESTS[settings.kind]
        for seed in seeds:
            self._roots |= _ROOTS_OF[settings.kind](seed)

    def change(self, settings: ScopeSettings) -> None:
        """Go by other settings from now on; the kind stays."""
        self._take(replace(settings, kind=self._settings.kind))

    def changed(self, settings: ScopeSettings) -> "Scope":
        """Another scope with the same scope roots, which goes by these settings."""
        other = copy(self)
        other.change(settings)
        return other

    def _take(self, settings: ScopeSettings) -> None:
        self._settings = settings
        self._include = UrlPatterns("scope.include", settings.include)
        self._exclude = UrlPatterns("scope.exclude", settings.exclude)

    def extend(self, url: Url) -> bool:
        """Let another URL be a scope root: what a seed redirects to. Was it none before?"""
        roots = _ROOTS_OF[self._settings.kind](url)
        is_new = not roots <= self._roots
        if is_new:
            self._roots |= roots
            self._extensions.append(url.text)
        return is_new

    # Recorded.

    def note(self) -> bytes:
        return _encode(self._extensions[self._noted :]) if self._extensions[self._noted :] else b""

    def noted(self) -> None:
        self._noted = len(self._extensions)

    def replay(self, notes: Sequence[bytes]) -> None:
        for url in (parse(text) for note in notes for text in _decode(note)):
            if url is not None:
                self.extend(url)
        self.noted()

    def checkpoint(self) -> bytes:
        """The URLs that were made a scope root; `replay` takes them in."""
        return _encode(self._extensions)

    # Links.

    def judge(self, link: Link, depth: int) -> Refusal | None:
        """The reason why the link is not to be followed; None when it is."""
        refusal = self._judge_by_settings(link, depth)
        if refusal is None and self._rule is not None:
            return self._judge_by_function(self._rule, link)
        return refusal

    def judge_at(self, links: Links, place: int, depth: int) -> Refusal | None:
        """The same of a link in columns; a record of it is made only for a rule that wants to see one."""
        if self._rule is not None or self._careful:
            return self.judge(links[place], depth)
        target, kind, rel = links.targets[place], links.kinds[place], links.rels[place]
        return self._judge_parts(links.source, target, kind, rel, depth)

    def find_actions(self, links: Sequence[Link]) -> Set[int]:
        """The keys of URLs that do something, as some link of a page says; others there may have no words."""
        if not self._careful:
            return frozenset()
        return {link.target.key for link in links if self._judge_action(link) is not None}

    def judge_again(self, visit: Visit | Candidate) -> Refusal | None:
        """The reason why a waiting URL is not fetched any more: settings may have been changed since.

        Of the link that led to it, its words and its rel are not known any more. So nofollow and the user's
        own test had their say when it was found. A seed was named by the user: it may only be excluded.
        """
        via = visit.via
        if via is Via.LINK:
            link = Link(visit.source, visit.url)
        elif via in _NAMED:
            return Refusal.EXCLUDED if self._is_excluded(visit.url.text) else None
        elif (kind := _KINDS.get(via)) is not None:
            link = Link(visit.source, visit.url, kind)
        else:  # nobody's link: the crawl itself asks
            return None
        return self._judge_by_settings(link, visit.depth)

    def _judge_by_settings(self, link: Link, depth: int) -> Refusal | None:
        refusal = self._judge_parts(link.source, link.target, link.kind, link.rel, depth)
        return self._judge_action(link) if refusal is None else refusal

    def _judge_parts(
        self, source: str, url: Url, kind: LinkKind, rel: str, depth: int
    ) -> Refusal | None:
        """Judge a link by all but what it does."""
        settings, text = self._settings, url.text
        if not text.startswith(self._schemes) or _leaves_the_web(source, text):
            return Refusal.SCHEME
        if len(text) > self._max_url:
            return Refusal.URL_TOO_LONG
        if kind in REQUISITES:
            return Refusal.EXCLUDED if self._is_excluded(text) else None
        if settings.nofollow and "nofollow" in rel:
            return Refusal.NOFOLLOW
        if 0 <= settings.max_depth < depth:
            return Refusal.TOO_DEEP
        if not self._is_root(self._roots, url):
            return Refusal.OUT_OF_SCOPE
        if self._is_excluded(text):
            return Refusal.EXCLUDED
        return None if self._is_included(text) else Refusal.NOT_INCLUDED

    def _judge_action(self, link: Link) -> Refusal | None:
        """Refuse links that would act in a person's name; without a login, links are not looked at."""
        if not self._careful or link.target.host not in self._careful:
            return None
        return Refusal.ACTION if find_action(link) else None

    def _judge_by_function(self, rule: ScopeRule, link: Link) -> Refusal | None:
        try:
            return None if rule(link) else Refusal.CUSTOM
        except Exception as error:  # it is the program's code, and the crawl goes on
            self._mistakes.note("the scope function", link.target.text, error)
            return Refusal.CUSTOM_ERROR

    def _is_excluded(self, text: str) -> bool:
        return self._exclude.find(text)

    def _is_included(self, text: str) -> bool:
        return not self._include or self._include.find(text)


_NAMED = frozenset({Via.SEED, Via.REQUEST})
"""URLs that came like this were named by the user."""

_KINDS = {
    Via.REDIRECT: LinkKind.REDIRECT,
    Via.SITEMAP: LinkKind.SITEMAP,
    Via.FEED: LinkKind.FEED,
    Via.PUSH: LinkKind.SITEMAP,
    Via.REQUISITE: LinkKind.MEDIA,
}
"""What kind of link led to a URL that came like this."""


def _leaves_the_web(source: str, target: str) -> bool:
    """A page of the web that points to a file of ours, or the like, is up to no good."""
    return not target.startswith("http") and source.startswith("http")


# The part of a seed that is in scope, for each kind of scope.


def _folder(url: Url) -> set[str]:
    path = url.text.partition("?")[0]
    return {path[: path.rindex("/") + 1].partition("://")[2]}


def _is_below(roots: set[str], url: Url) -> bool:
    return url.text.partition("://")[2].startswith(tuple(roots))


def _is_on_host(roots: set[str], url: Url) -> bool:
    return url.host in roots


def _is_in_domain(roots: set[str], url: Url) -> bool:
    return url.domain in roots


_ROOTS_OF: dict[str, Callable[[Url], set[str]]] = {
    "site": _folder,
    "host": lambda url: {url.host},
    "domain": lambda url: {url.domain},
    "all": lambda url: set(),
}

_ROOT_TESTS: dict[str, Callable[[set[str], Url], bool]] = {
    "site": _is_below,
    "host": _is_on_host,
    "domain": _is_in_domain,
    "all": lambda roots, url: True,
}
