"""One host: its pages over time, its robots.txt, and what was found out about its URLs."""

import numpy as np
from msgspec import Struct

from gossamer.core.url import Spelling
from gossamer.dashboard.checkpoint_reading import (
    NOTHING_FOUND,
    HostFindings,
    RobotsOfOrigin,
    checkpoint_of,
)
from gossamer.dashboard.host_now import HostNow
from gossamer.dashboard.hosts_then import hosts_then
from gossamer.dashboard.live_state import ask_hosts
from gossamer.dashboard.paging import Text
from gossamer.dashboard.record_access import ArchivePlace, LostError, find_in_index, read_response
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.tables.host_table import CountedHost, hosts_of
from gossamer.dashboard.tables.page_table import PageChoice, PageLine, pages_of
from gossamer.dashboard.view_protocol import NotThereError, SortableAsked, View
from gossamer.dashboard.views.chart_marks import ChartMark, read_marks

_BARS = 60
_SHORTEST = 60.0
"""Seconds of a timeline, however close together the visits are."""
_LONGEST = 1 << 16
"""Characters of a robots.txt that are shown."""
_MOST_ORIGINS = 4
_SOME = 10
"""Of its last pages."""


class HostAsked(SortableAsked, frozen=True):
    name: Text = ""


class Bar(Struct, frozen=True):
    """A stretch of time."""

    begin: float
    """Seconds since 1970."""
    visits: int


class StoredRobots(Struct, frozen=True):
    """A robots.txt as it is in the archive."""

    url: str
    fetched: str
    """When, in 14 digits."""
    status: int
    text: str
    trouble: str = ""


class OneHost(Struct, frozen=True):
    """All that is known of a host."""

    host: CountedHost
    timeline: list[Bar]
    """Its visits over time, in stretches of the same length."""
    marks: list[ChartMark]
    """Commands and events in that time."""
    outcomes: dict[str, int]
    statuses: dict[str, int]
    media_types: dict[str, int]
    latest: list[PageLine]
    robots: list[RobotsOfOrigin]
    """What is known of its robots.txt, for each origin …"""
    robots_txt: list[StoredRobots]
    """… and the files themselves."""
    findings: HostFindings
    checkpoint: float
    """As of when robots.txt and findings are, in seconds since 1970."""
    now: HostNow | None
    """What the running crawl says, or else its last checkpoint."""
    is_live: bool
    """Did the running crawl answer?"""
    unread: int


def look(crawl: ShownCrawl, asked: HostAsked) -> OneHost:
    name = asked.name.strip().lower()
    hosts, gathered = hosts_of(crawl)
    number = hosts.find(name)
    if number < 0:
        raise NotThereError(
            f"{name or 'no host'}: no visit to this host is recorded; look at /hosts"
        )
    pages, chosen, known = pages_of(crawl), PageChoice(host=name), checkpoint_of(crawl)
    latest = pages.find(gathered, chosen, "fetched_at", True, 0, _SOME).lines
    robots = known.robots.get(name, [])
    origins = dict.fromkeys(
        [robots_of_origin.origin for robots_of_origin in robots]
        + [_origin(line.url) for line in latest]
    )
    found, timeline = ask_hosts(crawl, [name]), _timeline(pages.times(gathered, chosen))
    return OneHost(
        hosts.line(number),
        timeline,
        read_marks(crawl, timeline[0].begin) if timeline else [],
        pages.count(gathered, chosen, "outcome"),
        {s: n for s, n in pages.count(gathered, chosen, "status").items() if s != "0"},
        {t: n for t, n in pages.count(gathered, chosen, "media_type").items() if t},
        latest,
        robots,
        [
            stored_robots
            for origin in [*origins][:_MOST_ORIGINS]
            for stored_robots in _robots_txt(crawl, origin)
        ],
        known.findings.get(name, NOTHING_FOUND),
        known.made,
        next(iter(found), None) if found is not None else hosts_then(crawl).look(name),
        found is not None,
        gathered.unread,
    )


def _timeline(times: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> list[Bar]:
    """
    >>> _timeline(np.array([5_000_000, 5_000_000, 6_000_000]))[0]
    Bar(begin=5.0, visits=2)
    """
    if not len(times):
        return []
    first = int(times.min())
    seconds = (times - first) / 1e6  # small numbers: those since 1970 cannot be cut finely
    span = max(float(seconds.max()), _SHORTEST)
    counts, edges = np.histogram(seconds, _BARS, (0.0, span))
    return [
        Bar(first / 1e6 + begin, count)
        for begin, count in zip(edges[:-1].tolist(), counts.tolist(), strict=True)
    ]


def _origin(url: str) -> str:
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.partition('/')[0]}"


def _robots_txt(crawl: ShownCrawl, origin: str) -> list[StoredRobots]:
    """The last one of an origin."""
    url = Spelling(crawl.settings.url.rules).parse(f"{origin}/robots.txt")
    captures = sorted(find_in_index(crawl, url), key=lambda one: one[0]) if url is not None else []
    captures = [capture for capture in captures if capture[1].mime != "warc/revisit"]
    if url is None or not captures:
        return []
    moment, entry = captures[-1]
    try:
        place = ArchivePlace(entry.filename, int(entry.offset), int(entry.length))
        message = read_response(crawl, place)
    except LostError as error:
        return [StoredRobots(url.text, moment, 0, "", str(error))]
    body = message.body(message.headers, _LONGEST).decode("utf-8", "replace")
    return [StoredRobots(url.text, moment, message.status, body[:_LONGEST])]


HOST = View(
    path="/host",
    title="Host",
    about="One host: visits over time, robots.txt, patterns, outcomes.",
    asked=HostAsked,
    answer=OneHost,
    look=look,
    template="host.html",
    is_in_menu=False,
)
