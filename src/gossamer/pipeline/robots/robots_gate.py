"""May this URL be fetched now? Decided from memory alone: the fetching is the ring's."""

from collections import Counter
from collections.abc import Callable, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from gossamer.core.disk.disk_cache import DiskCache
from gossamer.core.durable import Durable
from gossamer.core.records import Page
from gossamer.core.settings import RobotsSettings
from gossamer.core.url import Url, base, join, parse
from gossamer.pipeline.robots.origin_cache import KnownRobots, Memory
from gossamer.pipeline.robots.robots_answer import RobotsAnswer, answer_of
from gossamer.pipeline.robots.robots_rules import product_token
from gossamer.pipeline.robots.robots_verdict import Explanation, Verdict, explain
from gossamer.pipeline.robots.settling import WEB, Settling

# Looking a member up in its class would take a good part of the time of a decision.
_ALLOWED, _DISALLOWED = Verdict.ALLOWED, Verdict.DISALLOWED
_UNKNOWN, _UNREACHABLE = Verdict.UNKNOWN, Verdict.UNREACHABLE

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[KnownRobots]).decode


Timing = Callable[[float, float, float, bool], tuple[float, float, float]]
"""From what is known of a robots.txt (events, days), the seconds since it was read before, and whether it has
changed since, to what is known of it now, and the seconds until it is due again."""


class GateStatistics(Struct, frozen=True):
    origins: int
    """Origins that something is known of."""
    bytes: int
    """What that takes up, estimated."""
    rules: int
    """Exchanges that brought rules."""
    unavailable: int
    """Exchanges that said: no robots.txt here."""
    unreachable: int
    """Exchanges that failed."""
    redirects: int
    """Exchanges that led elsewhere, or nowhere."""
    evicted: int
    """Origins that went to the disk cache for lack of room."""
    fetched_back: int = 0
    """Of these, the ones that were asked for again and found there."""


class Gate(Durable):
    """Remembers what each origin's robots.txt says to us, and decides accordingly.

    An origin is UNKNOWN until its robots.txt was asked for: fetch `request(origin)`, hand the
    page to `learn`, fetch what that returns, until it returns None. From then on `verdict`
    answers from memory, until the knowledge expires and the origin is UNKNOWN again.

    >>> from gossamer.core.outcomes import Outcome
    >>> from gossamer.core.records import Visit
    >>> gate = Gate(RobotsSettings(), "Gossamer")
    >>> url = parse("https://example.org/private/a")
    >>> gate.verdict(url, now=0).value
    'unknown'
    >>> page = Page(Visit(gate.request(url.origin)), Outcome.FETCHED, started=0, status=200,
    ...             body=b"User-agent: *\\nDisallow: /private/")
    >>> gate.learn(url.origin, page, now=1)
    >>> gate.verdict(url, now=2).value
    'disallowed'
    """

    name = "robots"

    def __init__(self, settings: RobotsSettings, product: str) -> None:
        self._settings = settings
        self._obey = settings.obey
        self._product = product_token(product)
        self._settling = Settling(settings, self._product)
        self._memory = Memory(settings.cached_origins, settings.cached_bytes)
        self._hops: dict[str, int] = {}
        """Redirects followed so far, for origins whose robots.txt is being looked for."""
        self._answers: Counter[RobotsAnswer] = Counter()
        self._given_up: set[str] = set()
        """Origins whose pages are given up because nothing else is left."""
        self._news: set[str] = set()
        """Origins that something was learned of since the last commit."""
        self.timing: Timing | None = None
        """Who says when a robots.txt is due again, in a crawl that never ends; when it expires, it is."""
        self._replayed: list[tuple[str, float]] = []
        """Delays that were recorded: memory may have no room for all origins that were asked lately."""

    def verdict(self, url: Url, now: float) -> Verdict:
        """May this URL be fetched now?"""
        if not self._obey:
            return _ALLOWED
        entry = self._memory.use(url.origin)
        if entry is None or now >= entry.expires:
            return _UNKNOWN if url.origin.startswith(WEB) else _ALLOWED
        if entry.rules is None:
            return _UNREACHABLE
        return _ALLOWED if entry.rules.is_allowed(url.path) else _DISALLOWED

    def explain(self, url: Url, now: float) -> Explanation:
        """The verdict on a URL, with what led to it."""
        verdict = self.verdict(url, now)
        if not self._obey:
            return Explanation(verdict, "robots.txt is not obeyed: robots.obey is off")
        if not url.origin.startswith(WEB):
            return Explanation(verdict, "robots.txt applies to http and https only")
        return explain(verdict, self._memory.use(url.origin), url.path)

    def request(self, origin: str) -> Url:
        """The URL of an origin's robots.txt: the first to be fetched."""
        self._hops.pop(origin, None)
        url = parse(f"{origin}/robots.txt")
        assert url is not None, f"{origin!r} is not an origin of a web URL"
        return url

    def learn(self, origin: str, page: Page, now: float) -> Url | None:
        """Take in one exchange about an origin's robots.txt.

        Returns the URL to be fetched next, after a redirect, or None when it is settled.
        """
        answer = answer_of(page)
        self._answers[answer] += 1
        if answer is RobotsAnswer.REDIRECT:
            target = self._follow(origin, page)
            if target is not None:
                return target
            answer = RobotsAnswer.UNAVAILABLE
        elif _is_of_another(page, origin):
            # Often the same host with https: its own robots.txt has just been read.
            self._settle(page.visit.url.origin, page, answer, now)
        self._hops.pop(origin, None)
        self._settle(origin, page, answer, now)
        return None

    def look(self, origin: str) -> KnownRobots | None:
        """All that is known of an origin, as a plain record."""
        return self._memory.look(origin)

    def has_given_up(self, origin: str) -> bool:
        """Has robots.txt failed so often in a row that its host's pages are given up?"""
        if origin in self._given_up:
            return True
        known, limit = self._memory.look(origin), self._settings.give_up
        return bool(limit) and known is not None and known.failures >= limit

    def give_up(self, origin: str) -> None:
        """Give the pages of an origin up, in this run, as long as its robots.txt fails."""
        self._given_up.add(origin)

    def is_silent(self, origin: str) -> bool:
        """Did nobody answer at all when robots.txt was asked for the last time, and is there no older copy?

        Who answers, if only to say that we are to come later, is not silent.
        """
        known = self._memory.look(origin)
        return known is not None and known.failures > 0 and not (known.is_reachable or known.status)

    @property
    def most_failures(self) -> int:
        """Failures in a row after which a host's pages are given up; 0 when they never are."""
        return self._settings.give_up

    def retry_at(self, origin: str) -> float:
        """The time when an origin's robots.txt may be asked for again; 0 when it may be at once."""
        known = self._memory.look(origin)
        return known.expires if known is not None else 0.0

    def ask_afresh(self, origin: str) -> None:
        """Have a robots.txt that failed asked for at once; what it failed before still counts."""
        known = self._memory.look(origin)
        if known is not None and known.failures:
            self._memory.keep(replace(known, expires=0.0))

    def delay(self, origin: str) -> float:
        """The Crawl-delay that an origin asks of us, within the ceiling; 0 when it asks none."""
        known = self._memory.look(origin)
        if known is None or known.crawl_delay is None:
            return 0.0
        return min(known.crawl_delay, self._settings.max_crawl_delay)

    def forbids_all(self, origin: str) -> bool:
        """Is nothing of an origin allowed, because its robots.txt says so?"""
        entry = self._memory.use(origin) if self._obey else None
        return entry is not None and entry.rules is not None and entry.rules.forbids_all

    def sitemaps(self, origin: str) -> tuple[str, ...]:
        """The URLs of the sitemaps that an origin's robots.txt names."""
        known = self._memory.look(origin)
        return known.sitemaps if known is not None else ()

    def crawl_delays(self) -> list[tuple[str, float]]:
        """Origins that something is known of, and the delay that each asks for, however long."""
        known = [(robots.origin, robots.crawl_delay or 0.0) for robots in self._memory]
        return known + self._replayed

    # Recorded.

    def note(self) -> bytes:
        known = [one for origin in self._news if (one := self._memory.look(origin)) is not None]
        return _encode(known) if known else b""

    def noted(self) -> None:
        self._news.clear()
        self._replayed.clear()

    def replay(self, notes: Sequence[bytes]) -> None:
        """Take in what was noted; rules that were picked out for another agent are left out."""
        for note in notes:
            for known in _decode(note):
                if known.product == self._product:
                    self._memory.keep(known)
                    self._replayed.append((known.origin, known.crawl_delay or 0.0))

    def checkpoint(self) -> bytes:
        """All that is known, the least recently used first; `replay` takes it in."""
        return _encode(list(self._memory))

    def statistics(self) -> GateStatistics:
        return GateStatistics(
            origins=len(self._memory),
            bytes=self._memory.bytes,
            rules=self._answers[RobotsAnswer.RULES] + self._answers[RobotsAnswer.UNCHANGED],
            unavailable=self._answers[RobotsAnswer.UNAVAILABLE],
            unreachable=self._answers[RobotsAnswer.UNREACHABLE],
            redirects=self._answers[RobotsAnswer.REDIRECT],
            evicted=self._memory.evicted,
            fetched_back=self._memory.fetched_back,
        )

    def move_in(self, disk_cache: DiskCache) -> None:
        """From now on, keep there what memory has no room for."""
        self._memory.disk_cache = disk_cache

    def close(self) -> None:
        if self._memory.disk_cache is not None:
            self._memory.disk_cache.close()

    def _settle(self, origin: str, page: Page, answer: RobotsAnswer, now: float) -> None:
        self._news.add(origin)
        former = self._memory.look(origin)
        known = self._settling.settle(origin, page, answer, former, now)
        can_compare = former is not None and former.is_reachable and not known.failures
        if self.timing is not None and former is not None and can_compare:
            known = self._time(self.timing, known, former, now)
        self._memory.keep(known)

    def _time(
        self, timing: Timing, known: KnownRobots, former: KnownRobots, now: float
    ) -> KnownRobots:
        """It was read again, and may be due before it expires: by how often it was found to have changed."""
        is_changed = not known.says_the_same(former)
        events, days, seconds = timing(former.events, former.days, now - former.learned, is_changed)
        due = now + max(seconds, self._settings.min_age)
        return replace(known, events=events, days=days, expires=min(known.expires, due))

    def _follow(self, origin: str, page: Page) -> Url | None:
        """The next hop, relative to this one; None when there is none or there were too many.

        The rules found at the end are those of the origin that was asked for first
        (RFC 9309, 2.3.1.2).
        """
        hops = self._hops.get(origin, 0) + 1
        start = base(page.url) if page.location else None
        target = join(start, page.location) if start is not None else None
        if target is None or hops > self._settings.max_redirects:
            return None
        if not target.origin.startswith(WEB):
            return None
        self._hops[origin] = hops
        return target


def _is_of_another(page: Page, origin: str) -> bool:
    """Did redirects lead to the very robots.txt of another origin?"""
    home = page.visit.url.origin
    return home != origin and page.url == f"{home}/robots.txt"
