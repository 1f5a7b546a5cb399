"""Announcements of hosts about changes, weighed by how often they proved to be right.

    Last-Modified          when the last change was, between two visits or before the first one
    ETag, Last-Modified    unchanged, by a 304; now and then the whole page is asked for, to be sure
    sitemaps, feeds        a page that changed since it was visited is due at once; one of which nothing is
                           said can wait
    changefreq, max-age    groups of pages of a host: what a word means there is learned from visits

All but the last come from hosts that are believed (`honesty`). The last need no belief: where everybody is
said to change daily, the group is the host. Of lists, a host is heard about its own pages only.
"""

from collections.abc import Iterable, Sequence
from math import log2
from typing import NamedTuple

from msgspec import Struct
from xxhash import xxh3_64_intdigest

from gossamer.core.http import freshness, parse_date
from gossamer.core.records import Candidate, Entry, Judged, LinkKind, Page, Via, Visit
from gossamer.core.settings import RevisitSettings
from gossamer.policy.revisit.honesty import ChangeSource, Honesty
from gossamer.policy.revisit.listed_changes import ListedPages
from gossamer.policy.revisit.page_groups import NO_GROUP, number_of
from gossamer.policy.revisit.page_memory import PageMemory
from gossamer.policy.revisit.sightings import Sight

WORDS = 2
"""A page belongs to this many groups by what is said of it: how often it changes, how long it may be kept."""
_CHECKED = 16
"""Every so many visits the whole page is asked for, though it could say that it has not changed."""
_MOST_AT_ONCE = 500
"""Pages of one list that are due at once; the others are when it is read again."""
_MOST_FINDS = 50
"""Changes that one reading of a list counts for, when it is chosen which lists to watch."""
_JUST_NOW = 1 / 1440
"""Days: a minute. Who says that a page changed just now, says it at every visit: that is no word at all."""
_NEW = 7.0
"""Days. A page that is younger may have no change behind it."""
_OLDEST = 20 * 365.25
"""Days before which nothing changed: computers whose clock begins with 1970 say so."""
_LISTS = (ChangeSource.SITEMAP, ChangeSource.FEED)
_NAMED = (LinkKind.SITEMAP, LinkKind.FEED)


class HostClaim(NamedTuple):
    """A host's claim about the time since the visit before, for `Honesty`."""

    host: int
    source_kind: ChangeSource
    says_changed: bool
    weight: float = 1.0


class ChangeSeen(NamedTuple):
    """Evidence of changes from a visit, with the claims that are trusted."""

    sight: int
    interval: float
    """Days that it is about."""
    detail: float = 0.0
    claims: Sequence[HostClaim] = ()
    waited: float = 0.0
    """Days since the visit before."""
    is_changed: bool = False


class ObservationsState(Struct, frozen=True, array_like=True):
    honesty: bytes = b""
    listed: bytes = b""


class Observations:
    """Knows which hosts to believe, and what lists said of pages."""

    def __init__(self, settings: RevisitSettings, state: ObservationsState | None = None) -> None:
        before = state or ObservationsState()
        self._day, self._is_on = settings.day, settings.believe
        self._shortest = settings.shortest * settings.day
        self.honesty = Honesty(before.honesty)
        self._listed = ListedPages(before.listed)
        self._due: list[Candidate] = []
        self._finds: list[tuple[int, int]] = []

    # Lists.

    def note_list(self, judged: Judged) -> None:
        """Take in what a sitemap or feed says; of any other page nothing is."""
        page, entries = judged.document.page, judged.document.entries
        if not self._is_on or not (entries or page.status == 304):
            return
        key = page.visit.url.key
        if not entries:
            self._listed.note_unchanged(key, page.started)
            return
        url, source_kind = page.visit.url, _source_kind_of(judged)
        own = [entry for entry in entries if entry.url.host == url.host and entry.url.key != key]
        if own:
            self._note_entries(source_kind, page.visit, own, page.started)

    def _note_entries(
        self, source_kind: ChangeSource, visit: Visit, entries: Sequence[Entry], now: float
    ) -> None:
        latest = now - _JUST_NOW * self._day
        self._listed.note(source_kind, visit.url.key, entries, now, latest)
        heeded, others = self._listed.changed(source_kind, entries, now - self._shortest)
        host = number_of(visit.url.host)
        if self.honesty.may_be_right(host, source_kind):
            named = (*heeded, *others)[:_MOST_FINDS]
            self._finds += [(visit.url.key, _find(entries[at])) for at in named]
        if self.honesty.believes(host, source_kind):
            self._due += [
                Candidate(entries[at].url, 1, Via.PUSH, visit.url.text)
                for at in heeded[:_MOST_AT_ONCE]
            ]

    def due_now(self) -> list[Candidate]:
        """Pages that have changed, as those say who are believed."""
        due, self._due = self._due, []
        return due

    def finds(self) -> list[tuple[int, int]]:
        """Lists, by the keys of their URLs, and changes that they told of: it is worth to read them again."""
        finds, self._finds = self._finds, []
        return finds

    # Pages.

    def asks_for_all(self, visit: Visit, memory: PageMemory) -> bool:
        """Is a whole page to be asked for, whether it has changed or not?"""
        if not self._is_on:
            return False
        host = number_of(visit.url.host)
        return _is_check(memory) or self.honesty.hides_changes(host, ChangeSource.FIELDS)

    def see_first(self, page: Page) -> ChangeSeen | None:
        """A page that was never seen before, and says since when it is as it is.

        If that is not long ago it may be new; so it only says that nothing has changed since.
        """
        days = self._age(page, page.headers.get("last-modified"))
        if days is None or not self._believes(page, ChangeSource.FIELDS):
            return None
        return ChangeSeen(Sight.DATED if days > _NEW else Sight.UNCHANGED, days, days)

    def see_again(self, judged: Judged, memory: PageMemory, is_changed: bool) -> ChangeSeen:
        """A page that was visited before; `memory` has when, and the words of its host at that time.

        A list changes with each page that it names, so what its fields say of it is another matter.
        """
        page, before = judged.document.page, memory.visited
        now = page.started
        interval = max(now - before, 0.0) / self._day
        sight = Sight.CHANGED if is_changed else Sight.UNCHANGED
        if not self._is_on or now <= before or judged.document.entries:
            return ChangeSeen(sight, interval)
        claims = [*self._claims(page, memory)]
        if is_changed:
            days = self._days_since_change(page, before)
            if days is not None:
                return ChangeSeen(Sight.DATED, interval, days, claims, interval, True)
        elif memory.visits == 1 and not memory.days:  # it was seen before its host was believed
            days = self._age(page, page.headers.get("last-modified") or memory.last_modified)
            if days is not None and days > interval and self._believes(page, ChangeSource.FIELDS):
                return ChangeSeen(Sight.DATED, days, days, claims, interval)
        return ChangeSeen(sight, interval, 0.0, claims, interval, is_changed)

    def judge(self, seen: ChangeSeen, chance: float) -> None:
        """Compare what was said with what was found; `chance` is that of a change since the visit before."""
        is_changed = seen.is_changed
        for claim in seen.claims:
            self.honesty.note(
                *(claim.host, claim.source_kind),
                says_changed=claim.says_changed,
                is_changed=is_changed,
                chance=chance,
                weight=claim.weight,
            )

    def _claims(self, page: Page, memory: PageMemory) -> Iterable[HostClaim]:
        host, now, before = number_of(page.visit.url.host), page.started, memory.visited
        says_changed = self._fields_say(page, memory)
        if says_changed is not None:
            yield HostClaim(host, ChangeSource.FIELDS, says_changed)
        for source_kind in _LISTS:
            word = self._listed.word(source_kind, page.visit.url.key)
            if word is not None and word.said and word.read > before:
                part = min((word.read - before) / (now - before), 1.0)
                says_changed = word.said > before
                yield HostClaim(host, source_kind, says_changed, 1.0 if says_changed else part)

    def _fields_say(self, page: Page, memory: PageMemory) -> bool | None:
        """Has it changed, by its own fields? None when that cannot be compared with what it is."""
        if page.status != 200:
            return None
        etag, days = page.headers.get("etag"), self._age(page, page.headers.get("last-modified"))
        if etag and etag == memory.etag:
            return False
        if days is not None and page.started - days * self._day > memory.visited:
            return True
        return (
            None if days is None or (etag and memory.etag) else False
        )  # or they contradict each other

    def _days_since_change(self, page: Page, before: float) -> float | None:
        """The days since the last change, by trusted claims: after the visit before."""
        found = []
        if self._believes(page, ChangeSource.FIELDS):
            found.append(self._age(page, page.headers.get("last-modified")))
        for source_kind in _LISTS:
            word = self._listed.word(source_kind, page.visit.url.key)
            if word is not None and word.said and self._believes(page, source_kind):
                found.append((page.started - word.said) / self._day)
        most = (page.started - before) / self._day
        return min((one for one in found if one is not None and one < most), default=None)

    def _age(self, page: Page, text: str) -> float | None:
        """The age of a date in days; None when it is none, just now, or cannot be true."""
        date = parse_date(text) if text and self._is_on else None
        if date is None or date > page.started - _JUST_NOW * self._day:
            return None
        days = (page.started - date) / self._day
        return days if days < _OLDEST else None

    def _believes(self, page: Page, source_kind: ChangeSource) -> bool:
        return self.honesty.believes(number_of(page.visit.url.host), source_kind)

    # The next visit.

    def remember_keeping(self, page: Page, memory: PageMemory) -> None:
        """Remember for how long the host expects no change of the page."""
        seconds = freshness(page.headers, page.started)
        if seconds is not None:
            memory.keep = max(seconds, 0.0) / self._day
        elif page.status != 304:
            memory.keep = -1.0

    def groups(self, visit: Visit, memory: PageMemory) -> tuple[int, int]:
        """The groups of a page by what is said of it."""
        if not self._is_on:
            return NO_GROUP, NO_GROUP
        word, host = self._listed.word(ChangeSource.SITEMAP, visit.url.key), visit.url.host
        often = number_of(f"{host} often {word.often}") if word and word.often else NO_GROUP
        if memory.keep < 0:
            return often, NO_GROUP
        size = round(log2(memory.keep * self._day + 1))
        return often, number_of(f"{host} keep {size}")

    def announced_share(self, visit: Visit, since: float) -> float:
        """The part of a page's changes that will be told; 0 for one that no list has named since then."""
        found, host = 0.0, number_of(visit.url.host)
        for source_kind in _LISTS if self._is_on else ():
            word = self._listed.word(source_kind, visit.url.key)
            if word is not None and word.said and word.read >= since:
                found = max(found, self.honesty.announced_share(host, source_kind))
        return found

    def visited(self, visit: Visit, now: float, heeds: bool | None = None) -> None:
        """A page was visited; with `heeds`, the next word about it is worth a visit at once."""
        if self._is_on:
            self._listed.visited(visit.url.key, now, heeds)

    def state(self) -> ObservationsState:
        return ObservationsState(self.honesty.dump(), self._listed.dump())


def _find(entry: Entry) -> int:
    return xxh3_64_intdigest(f"{entry.url.key} {entry.lastmod}".encode())


def _source_kind_of(judged: Judged) -> ChangeSource:
    """Feeds have links of their own kind."""
    kinds = (link.kind for link in judged.document.links)
    named = next((kind for kind in kinds if kind in _NAMED), LinkKind.SITEMAP)
    return ChangeSource.FEED if named is LinkKind.FEED else ChangeSource.SITEMAP


def _is_check(memory: PageMemory) -> bool:
    return memory.visits % _CHECKED == _CHECKED - 1
