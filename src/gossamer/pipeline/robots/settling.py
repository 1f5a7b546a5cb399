"""From the last exchange about a robots.txt to what is known of its origin from now on."""

from msgspec.structs import replace

from gossamer.core.http import freshness, retry_after
from gossamer.core.outcomes import Truncation
from gossamer.core.records import Page
from gossamer.core.settings import RobotsSettings
from gossamer.core.url import base, join
from gossamer.pipeline.robots.origin_cache import KnownRobots
from gossamer.pipeline.robots.robots_answer import RobotsAnswer, trouble_of
from gossamer.pipeline.robots.robots_rules import parse

WEB = ("http://", "https://")
_LEAST_WAIT = 1.0
"""Seconds: a server that says `Retry-After: 0` and goes on failing is not asked without a pause."""
_DOUBLINGS = 30  # any ceiling is reached before, and more would overflow


class Settling:
    """Turns an answer into knowledge: pure, but for what it is given."""

    def __init__(self, settings: RobotsSettings, product: str) -> None:
        self._settings = settings
        self._product = product

    def settle(
        self, origin: str, page: Page, answer: RobotsAnswer, former: KnownRobots | None, now: float
    ) -> KnownRobots:
        """The state of an origin after its robots.txt gave this answer."""
        if answer is RobotsAnswer.RULES:
            return self._read(origin, page, now)
        if answer is RobotsAnswer.UNAVAILABLE:
            expires = now + self._lifetime(page, now)
            return KnownRobots(origin, self._product, now, expires, page.status)
        if answer is RobotsAnswer.UNCHANGED and former is not None and former.is_copy:
            expires = now + self._lifetime(page, now)
            return replace(former, learned=now, expires=expires, failures=0, failing_since=0.0)
        return self._fail(origin, page, former, now)

    def _read(self, origin: str, page: Page, now: float) -> KnownRobots:
        robots = parse(page.body, is_cut=page.truncated is not Truncation.NONE)
        lines, crawl_delay, agent = robots.merged(self._product)
        return KnownRobots(
            origin,
            self._product,
            learned=now,
            expires=now + self._lifetime(page, now),
            status=page.status,
            rules=lines,
            agent=agent,
            crawl_delay=crawl_delay,
            sitemaps=_absolute(robots.sitemaps, page.url),
        )

    def _lifetime(self, page: Page, now: float) -> float:
        """Seconds until robots.txt is asked for again: as the server says, within our bounds."""
        fresh = freshness(page.headers, now)
        longest = self._settings.max_age
        return longest if fresh is None else min(max(fresh, self._settings.min_age), longest)

    def _fail(self, origin: str, page: Page, former: KnownRobots | None, now: float) -> KnownRobots:
        """The server failed: go on with a copy if we have one, else allow nothing.

        After 30 days of failure RFC 9309, 2.3.1.4 lets us take it that there is no robots.txt.
        """
        failures = former.failures + 1 if former is not None else 1
        since = former.failing_since if former is not None and former.failures else now
        expires = now + self._wait(failures, page, now)
        if former is not None and self._may_still_use(former, now):
            return replace(former, expires=expires, failures=failures, failing_since=since)
        return KnownRobots(
            origin,
            self._product,
            learned=now,
            expires=expires,
            status=page.status,
            is_reachable=now - since >= self._settings.failure_limit,
            trouble=trouble_of(page),
            failures=failures,
            failing_since=since,
        )

    def _may_still_use(self, former: KnownRobots, now: float) -> bool:
        return former.is_copy and now - former.learned < self._settings.stale_age

    def _wait(self, failures: int, page: Page, now: float) -> float:
        """As long as the server asks for, or as we have it when it does not say; doubled each time."""
        asked = retry_after(page.headers, now)
        first = self._settings.failure_wait if asked is None else max(asked, _LEAST_WAIT)
        return min(first * 2.0 ** min(failures - 1, _DOUBLINGS), self._settings.failure_ceiling)


def _absolute(sitemaps: tuple[str, ...], robots: str) -> tuple[str, ...]:
    """Sitemap URLs as the web knows them; what is none is left out."""
    start = base(robots)
    assert start is not None, "a page came from a URL"
    joined = (join(start, text) for text in sitemaps)
    urls = (url.text for url in joined if url is not None and url.text.startswith(WEB))
    return tuple(dict.fromkeys(urls))
