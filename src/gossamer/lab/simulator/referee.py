"""The referee: looks at every request as it happens, and at everything in the end."""

from collections import Counter
from math import inf
from pathlib import Path
from typing import NamedTuple

import msgspec

from gossamer.core.parquet import read_columns
from gossamer.core.settings import Settings
from gossamer.engine.stateful_components import Components
from gossamer.engine.summary import Summary
from gossamer.engine.timeline import read_timeline
from gossamer.lab.server.request_log import LoggedRequest
from gossamer.lab.simulated_web import Web
from gossamer.lab.simulator.politeness_check import Foul, PolitenessCheck
from gossamer.pipeline.dns import Resolver
from gossamer.verify import inspect

_ON_THE_WAY = 60.0
"""Seconds that a request may take to its server."""


class RecordedVisit(NamedTuple):
    """A visit as it is recorded."""

    url: str
    status: int | None
    is_retired: bool
    partition: int


class Referee:
    """Knows the truth about a web, and what a crawl has promised."""

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web = web
        self._settings = settings
        self.manners = PolitenessCheck(web, settings)
        self._asked: dict[str, LoggedRequest] = {}
        self._asked_lately: set[str] = set()
        """URLs that were asked for since the last crash."""
        revisit = settings.revisit
        self._returns_after = revisit.shortest * revisit.day if revisit.continuous else inf
        """Seconds after which a page may be visited again."""
        self.requests = 0
        self.again = 0
        """Requests for what had been asked for before, after a crash."""

    def note_crash(self) -> None:
        """A process crashed: what was asked for until now may be asked for again."""
        self._asked_lately.clear()
        self.manners.note_crash()

    def see(self, request: LoggedRequest) -> None:
        """A server is asked. It reads the request somewhat later, and then its sender may be dead."""
        self.requests += 1
        url = f"http://{request.host}{request.path}"
        is_robots = self._web.is_robots(url)
        self.manners.see(request, is_robots)
        if is_robots:
            return
        if not self._web.is_allowed(url):
            raise Foul(f"robots.txt forbids {url}")
        self._check_once(url, request)

    def _check_once(self, url: str, request: LoggedRequest) -> None:
        before, is_recent = self._asked.get(url), url in self._asked_lately
        self._asked[url] = request
        self._asked_lately.add(url)
        if before is None or before.status == 0 or before.status >= 500 or before.status == 429:
            return
        if not self._web_is_whole(url) or self._is_due(before, request):
            return
        self.again += 1
        if is_recent:
            raise Foul(f"{url} was asked for twice, and nobody had crashed")

    def _is_due(self, before: LoggedRequest, request: LoggedRequest) -> bool:
        """May a page be visited again? A server reads a request somewhat later than it was sent."""
        return request.start - before.start >= self._returns_after - _ON_THE_WAY

    def _web_is_whole(self, url: str) -> bool:
        """Does the page arrive whole? If not, it may be tried again."""
        answer = self._web.answer(url)
        return answer is not None and answer.transfer.is_complete

    def check_memory(self, components: Components, settings: Settings) -> None:
        """Do components keep no more in memory than they may? Those whose limit is a count, that is."""
        assert isinstance(components.resolver, Resolver)
        held = {
            "dns.cache_size": (components.resolver.statistics().cached, settings.dns.cache_size),
            "robots.cached_origins": (
                components.gate.statistics().origins,
                settings.robots.cached_origins,
            ),
            "fetch.max_transfers": (components.fetcher.in_flight, settings.fetch.transfers),
        }
        for name, (count, most) in held.items():
            if count > most:
                raise Foul(f"{count} are held in memory, and {name} is {most}")

    def check_limit(self, out: Path, summary: Summary, limit: int) -> None:
        """The crawl says that it has as many pages as it was to have."""
        if summary.stopped_by != "max_pages":
            raise Foul(f"it ended as {summary.stopped_by!r}, with {summary.pages} pages of {limit}")
        if summary.pages != limit:
            raise Foul(f"max_pages is {limit}, and {summary.pages} pages were counted")
        self._check_counts(out, summary)

    def check_end(self, out: Path, summary: Summary) -> None:
        """The crawl says that it is finished."""
        if summary.stopped_by != "finished":
            raise Foul(f"it ended as {summary.stopped_by!r}")
        _compare("asked for", set(self._asked), self._web.reachable().asked)
        answered = {url for url, request in self._asked.items() if request.status}
        visits = self._check_counts(out, summary)
        _compare("recorded", {row.url for row in visits if row.status is not None}, answered)
        self._check_books(len(visits), summary)
        self._check_kept(visits)
        for finding in inspect(out):
            if finding.is_problem:
                raise Foul(f"{finding.what}: {finding.said}")

    def check_rounds(self, out: Path, summary: Summary) -> None:
        """A crawl that visits pages again, for ever, was stopped after some time."""
        if summary.stopped_by != "max_time":
            raise Foul(f"it ended as {summary.stopped_by!r}")
        _compare("asked for", set(self._asked), self._web.reachable().asked)
        visits = self._check_counts(out, summary)
        times = Counter(row.url for row in visits)
        most = self._settings.revisit.gone_after
        gone = {row.url for row in visits if row.status in (404, 410) and times[row.url] >= most}
        due = summary.scheduled + summary.waiting + summary.in_flight
        truth = len(times) - len(gone)
        if due != truth:
            raise Foul(f"{due} pages are due again, and {truth} were visited and are not gone")
        for finding in inspect(out):
            if finding.is_problem:
                raise Foul(f"{finding.what}: {finding.said}")

    def _check_counts(self, out: Path, summary: Summary) -> list[RecordedVisit]:
        """Do counters, tables and archive agree?"""
        visits = _read_visits(out)
        twice = [url for url, count in Counter(row.url for row in visits).items() if count > 1]
        if twice and not self._settings.revisit.continuous:
            raise Foul(f"{len(twice)} pages are recorded twice, {twice[0]} for one")
        answered = [row for row in visits if row.status is not None]
        for row in answered:
            if row.url in self._asked and row.status != self._asked[row.url].status:
                truth = self._asked[row.url].status
                raise Foul(f"{row.url} is recorded with {row.status}, not {truth}")
        rows, retired = len(answered), sum(row.is_retired for row in answered)
        counts = {
            "pages were counted": (summary.pages, rows),
            "statuses were counted": (sum(summary.statuses.values()), rows),
            "pages are in the archive": (self._count_archived(out), rows - retired),
            "retired pages were counted": (summary.retired, retired),
            "pages are at the top of the timeline": (_highest(out), rows),
        }
        for said, (count, truth) in counts.items():
            if count != truth:
                raise Foul(f"{count} {said}, {truth} are recorded")
        return visits

    def _check_kept(self, visits: list[RecordedVisit]) -> None:
        """Does the archive keep as many pages as it may, and no more? Each partition has its share."""
        most, partitions = self._settings.store.max_stored_pages, self._settings.crawl.partitions
        for partition in range(partitions if most else 0):
            share = max(1, most // partitions + (partition < most % partitions))
            rows = [row for row in visits if row.partition == partition and row.status is not None]
            kept = sum(not row.is_retired for row in rows)
            if kept != min(share, len(rows)):
                raise Foul(
                    f"partition {partition} keeps {kept} of {len(rows)} pages, and {share} may be kept"
                )

    def _count_archived(self, out: Path) -> int:
        lines = (out / "warc" / "index.cdxj").read_bytes().splitlines()
        urls = (msgspec.json.decode(line.split(b" ", 2)[2])["url"] for line in lines)
        return sum(not self._web.is_robots(url) for url in urls)

    def _check_books(self, rows: int, summary: Summary) -> None:
        """Has every URL that was found an end, and every message?"""
        waiting = summary.waiting + summary.undecided + summary.deferred + summary.held
        if summary.unique_urls != rows + waiting:
            raise Foul(f"{summary.unique_urls} URLs were found, {rows} recorded, {waiting} wait")
        exchange = summary.exchange
        if exchange.get("sent", 0) != exchange.get("received", 0):
            raise Foul(f"{exchange['sent']} messages were sent, {exchange['received']} received")
        if exchange.get("waiting_bytes", 0):
            raise Foul(f"{exchange['waiting_bytes']} bytes wait to be received, for ever")


def _highest(out: Path) -> int:
    """The most pages of any point of time. It need not be the last one: clocks are set back."""
    return int(read_timeline(out).column("pages").max(initial=0))


def _read_visits(out: Path) -> list[RecordedVisit]:
    columns = ["url", "status", "is_retired"]
    return [
        RecordedVisit(
            row["url"], row["status"], bool(row["is_retired"]), int(path.name.partition("-")[0])
        )
        for path in sorted((out / "pages").glob("*.parquet"))
        for row in read_columns(path, columns).to_pylist()
    ]


def _compare(what: str, found: set[str], truth: set[str]) -> None:
    if missing := sorted(truth - found):
        raise Foul(f"{len(missing)} URLs were never {what}, {missing[0]} for one")
    if surplus := sorted(found - truth):
        raise Foul(f"{len(surplus)} URLs were {what} without need, {surplus[0]} for one")
