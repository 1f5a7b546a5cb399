"""The referee: looks at every request as it happens, and at everything in the end."""

from bisect import bisect_left
from collections import Counter
from pathlib import Path

import pyarrow.parquet as parquet

from gossamer.base.settings import Settings
from gossamer.crawl.summary import Summary
from gossamer.lab.server.log import Request
from gossamer.lab.web import Web
from gossamer.verify import inspect

_ROUNDING = 1e-6
_ON_THE_WAY = 0.1
"""Seconds that a request may be under way before its server has read it."""


class Foul(AssertionError):  # noqa: N818 - what a referee calls
    """A promise was broken."""


class Referee:
    """Knows the truth about a web, and what a crawl has promised."""

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web = web
        self._delay = settings.politeness.delay
        self._last: dict[str, Request] = {}
        self._asked: dict[str, Request] = {}
        self._crashes: list[float] = []
        self.truth = web.reachable().asked
        self.requests = 0
        self.again = 0
        """Requests for what had been asked for before, after a crash."""

    def note_crash(self, time: float) -> None:
        self._crashes.append(time)

    def see(self, request: Request) -> None:
        """A server was asked."""
        self.requests += 1
        url = f"http://{request.host}{request.path}"
        is_robots = self._web.is_robots(url)
        self._check_gap(request, is_robots)
        if is_robots:
            return
        if not self._web.is_allowed(url):
            raise Foul(f"robots.txt forbids {url}")
        self._check_once(url, request)

    def _check_gap(self, request: Request, is_robots: bool) -> None:
        before = self._last.get(request.host)
        # A Crawl-delay is not known before the robots.txt that asks for it has been read.
        delay = 0.0 if is_robots else self._web.crawl_delay(request.host)
        gap = max(self._delay, delay)
        if before is not None and request.start - before.end < gap - _ROUNDING:
            raise Foul(
                f"{request.host} was asked again after {request.start - before.end:.3f} s instead of "
                f"{gap} s: {before.path}, then {request.path}"
            )
        self._last[request.host] = request

    def _check_once(self, url: str, request: Request) -> None:
        before = self._asked.get(url)
        self._asked[url] = request
        if before is None or before.status == 0 or before.status >= 500 or before.status == 429:
            return
        if not self._web_is_whole(url):
            return
        self.again += 1
        place = bisect_left(self._crashes, before.start - _ON_THE_WAY)
        if place == len(self._crashes) or self._crashes[place] > request.start:
            raise Foul(f"{url} was asked for twice, and nobody had crashed")

    def _web_is_whole(self, url: str) -> bool:
        """Does the page arrive whole? If not, it may be tried again."""
        answer = self._web.answer(url)
        return answer is not None and answer.transfer.is_complete

    def check_end(self, out: Path, summary: Summary) -> None:
        """The crawl says that it is finished."""
        if summary.stopped_by != "finished":
            raise Foul(f"it ended as {summary.stopped_by!r}")
        self._compare("asked for", set(self._asked), self.truth)
        answered = {url for url, one in self._asked.items() if one.status}
        visits = [
            (row["url"], row["status"])
            for path in sorted((out / "pages").glob("*.parquet"))
            for row in parquet.read_table(path, columns=["url", "status"]).to_pylist()
        ]
        twice = [url for url, count in Counter(url for url, _ in visits).items() if count > 1]
        if twice:
            raise Foul(f"{len(twice)} pages are on record twice, {twice[0]} for one")
        rows = [url for url, status in visits if status is not None]
        for url, status in visits:
            if status is not None and url in self._asked and status != self._asked[url].status:
                raise Foul(f"{url} is on record with {status}, not {self._asked[url].status}")
        self._compare("on record", set(rows), answered)
        if summary.pages != len(rows):
            raise Foul(f"{summary.pages} pages were counted, {len(rows)} are on record")
        for finding in inspect(out):
            if finding.is_problem:
                raise Foul(f"{finding.what}: {finding.said}")

    def _compare(self, what: str, found: set[str], truth: set[str]) -> None:
        if missing := sorted(truth - found):
            raise Foul(f"{len(missing)} URLs were never {what}, {missing[0]} for one")
        if surplus := sorted(found - truth):
            raise Foul(f"{len(surplus)} URLs were {what} without need, {surplus[0]} for one")
