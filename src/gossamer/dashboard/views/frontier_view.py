"""The frontier: waiting URLs by level and by host, and the reason for their order."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Annotated, Literal

from msgspec import Meta, Struct

from gossamer.core.records import Via, Visit
from gossamer.dashboard.cached_frontier import (
    MOST,
    PartitionWaiting,
    ask_next,
    read_queue,
    read_urls,
    read_waiting,
)
from gossamer.dashboard.crawl_snapshot import snapshot_of
from gossamer.dashboard.paging import ROWS, PageNumber, Paging, Text, page_of
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.tables.waiting_table import WaitingChoice
from gossamer.dashboard.view_protocol import SortableAsked, View
from gossamer.engine.crawl_figures import FigureNow, show_figures
from gossamer.engine.live_queries import NextFound
from gossamer.pipeline.frontier.frontier_checkpoint import QueueName, WaitingHost
from gossamer.policy.order.order_registry import ORDERS

_PATIENCE = 0.15
"""Seconds that a filter waits for the frontier to be read."""
_MOST_DECISIONS = 20
_FIGURES = ("waiting", "growth_per_second", "hosts", "deferred", "held", "set_aside", "scheduled")


Numbers = Annotated[str, Meta(pattern="^([0-9]{1,9}|[0-9]{0,9}-[0-9]{0,9}|)\\Z")]
_BEYOND = 10**9


ViaName = Annotated[str, Meta(pattern=f"^({'|'.join(Via)}|)\\Z")]


class FrontierAsked(SortableAsked, frozen=True):
    """Which URLs; with `text`, `level`, `depth`, `queue` or `via`, all that wait are looked through."""

    host: Annotated[str, Meta(max_length=300)] = ""
    """Only URLs of this host."""
    text: Text = ""
    """A part of the URL, in any case."""
    level: Numbers = ""
    """A level, or levels from one to another: 2, 0-3, 5-."""
    depth: Numbers = ""
    """Links from a seed, in the same way."""
    queue: Literal["", "under_way", "at_its_host", "in_front_queue", "tried_again", "due_again"] = (
        ""
    )
    """Where in the frontier it is."""
    via: ViaName = ""
    """How it was found: seed, link, sitemap …"""
    page: PageNumber = 1
    """Of the URLs that were found."""
    most: Annotated[int, Meta(ge=1, le=MOST)] = 20

    @property
    def vias(self) -> tuple[str, ...]:
        """Values of `via`."""
        return tuple(via.value for via in Via)

    @property
    def is_filtered(self) -> bool:
        return any((self.text, self.level, self.depth, self.queue, self.via))


class NextVisit(Struct, frozen=True):
    """A URL that waits."""

    url: str
    host: str
    level: int
    """0 is the best."""
    depth: int
    via: str
    """How it came to be known: a seed, a link …"""
    source: str
    """The page that named it first."""
    attempt: int
    """How often it was tried before."""
    is_return: bool
    """Was it visited before, and is due again?"""
    ready: float
    """From when on its host may be asked, in seconds since 1970."""
    why: str = ""
    """What decided its level, by the word of a crawl that runs."""
    expected: str = ""
    """What the redundancy filter expects of it, from what similar ones brought."""


class FoundUrl(Struct, frozen=True):
    """A URL of the frontier that a filter has found."""

    url: str
    host: str
    level: int
    depth: int
    queue: str
    via: str
    source: str
    attempt: int


class FoundUrls(Struct, frozen=True):
    """The URLs that a filter has found, as of the last checkpoint."""

    lines: list[FoundUrl]
    paging: Paging
    moment: float
    """Of the checkpoint, in seconds since 1970."""
    looked_through: int
    """URLs."""
    is_whole: bool
    """Were all looked through? If not, the frontier has more than a million."""
    is_reading: bool = False
    """Is the frontier still being read? It was not looked through yet then."""


class Level(Struct, frozen=True):
    level: int
    front: int
    """URLs in the front queue."""
    behind: int
    """URLs of this level that wait at their hosts."""

    @property
    def total(self) -> int:
        return self.front + self.behind


class FrontierSeen(Struct, frozen=True):
    """The waiting URLs, as of the last checkpoint."""

    order: str
    """The name of the crawl order, with its options."""
    order_means: str
    moment: float | None
    """Of the last checkpoint, the oldest of all partitions, in seconds since 1970."""
    figures: list[FigureNow]
    """Those that all pages have in common, as of now."""
    waiting: int
    """URLs known but not visited, as of now."""
    in_queues: int
    """Of the checkpoint: those in front queues, at their hosts or to be tried again; `deferred` are not."""
    hosts: int
    """With URLs waiting or under way, as of now."""
    is_estimate: bool
    """Are figures of hosts and of levels behind the front queues estimates?"""
    levels: tuple[Level, ...]
    is_live: bool
    """Is `next` the crawl's own word of this moment? If not, it is of the checkpoint, as all else."""
    next: tuple[NextVisit, ...]
    """Which URL of which host is asked for next; with `host`, the URLs of that host."""
    front: tuple[NextVisit, ...]
    """The first URLs of each front queue."""
    largest: tuple[WaitingHost, ...]
    """Hosts with the most URLs."""
    deferred: int
    """URLs over their domain's budget, put off to later rounds."""
    held: int
    """URLs held back because similar ones brought nothing new."""
    undecided: int
    """URLs that may be new or known: the next merge of the seen set decides."""
    later: int
    """Visits that failed and are tried again at their time."""
    scheduled: int
    """Pages that are due again, as of now."""
    budgets: dict[str, int]
    """Pages per round, for the domains with the highest ranks."""
    found: FoundUrls | None
    """With a filter: the URLs that it finds."""
    decisions: tuple[str, ...]
    """Patterns, hosts and spellings that were found not to be worth following."""

    @property
    def most(self) -> int:
        """Of a level, for the scale of a picture."""
        return max((level.total for level in self.levels), default=0)


def look(crawl: ShownCrawl, asked: FrontierAsked) -> FrontierSeen:
    parts, at = read_waiting(crawl), snapshot_of(crawl)
    summary = at.summary
    name = crawl.settings.order.name
    host = asked.host.strip().lower()
    said = ask_next(crawl, host, asked.most)
    return FrontierSeen(
        order=name,
        order_means=_meaning(name),
        moment=min((part.time for part in parts if part.time), default=None),
        figures=show_figures(at, _FIGURES),
        waiting=summary.waiting,
        in_queues=sum(part.frontier.waiting for part in parts),
        hosts=summary.hosts,
        is_estimate=any(part.frontier.is_estimate for part in parts),
        levels=tuple(_levels(parts)),
        is_live=said is not None,
        next=tuple(_said(said, parts) if said else _committed(crawl, parts, host, asked.most)),
        front=() if host or said else tuple(_front(parts, asked.most)),
        largest=tuple(_largest(parts, asked.most)),
        deferred=summary.deferred,
        held=summary.held,
        undecided=summary.undecided,
        later=sum(part.frontier.later for part in parts),
        scheduled=summary.scheduled,
        budgets=summary.budgets,
        found=_find(crawl, asked, host) if asked.is_filtered else None,
        decisions=summary.decisions[:_MOST_DECISIONS],
    )


def _find(crawl: ShownCrawl, asked: FrontierAsked, host: str) -> FoundUrls:
    urls = read_urls(crawl, _PATIENCE)
    if urls is None:
        return FoundUrls([], page_of(1, 0), 0.0, 0, is_whole=False, is_reading=True)
    chosen = WaitingChoice(
        asked.text.strip(),
        host,
        _bounds(asked.level),
        _bounds(asked.depth),
        QueueName[asked.queue.upper()] if asked.queue else None,
        Via(asked.via) if asked.via else None,
    )
    table, _, column = asked.sort.partition(".")
    sort = column if table == "found" else ""
    begin = (asked.page - 1) * ROWS
    found, total = urls.find(chosen, sort, asked.down, begin, ROWS)
    lines = [_found(visit, queue) for visit, queue in found]
    return FoundUrls(lines, page_of(asked.page, total), urls.made, urls.count, urls.is_whole)


def _found(visit: Visit, queue: QueueName) -> FoundUrl:
    return FoundUrl(
        visit.url.text,
        visit.url.host,
        visit.level,
        visit.depth,
        queue.name.lower(),
        visit.via.value,
        visit.source,
        visit.attempt,
    )


def _bounds(text: str) -> tuple[int, int] | None:
    """
    >>> _bounds("3"), _bounds("2-5"), _bounds("4-"), _bounds("-1"), _bounds("")
    ((3, 3), (2, 5), (4, 1000000000), (0, 1), None)
    """
    first, dash, last = text.partition("-")
    if not text:
        return None
    return (int(first or 0), int(last or _BEYOND)) if dash else (int(first), int(first))


def _meaning(order: str) -> str:
    """Describe the crawl order of a name; orders of packages are not known here.

    >>> _meaning("breadth-first"), _meaning("mine")
    ('the closer to a seed, the sooner', '')
    """
    terms = (term.rpartition("*")[2].strip().partition(":")[0] for term in order.split("+"))
    return "; ".join(ORDERS[term].about for term in terms if term in ORDERS)


def _levels(parts: Sequence[PartitionWaiting]) -> Iterator[Level]:
    fronts = zip_longest(*(part.frontier.front for part in parts), fillvalue=0)
    behinds = zip_longest(*(part.frontier.behind for part in parts), fillvalue=0)
    for level, (front, behind) in enumerate(zip_longest(fronts, behinds, fillvalue=(0,))):
        yield Level(level, sum(front), sum(behind))


def _said(said: NextFound, parts: Sequence[PartitionWaiting]) -> Iterator[NextVisit]:
    """By the word of the crawl itself."""
    expected = {url: line for part in parts for url, line in part.expected.items()}
    for next_look in said.urls:
        yield NextVisit(
            *(
                next_look.url,
                next_look.host,
                next_look.level,
                next_look.depth,
                next_look.via,
                next_look.source,
                next_look.attempt,
            ),
            is_return=False,
            ready=0.0 if next_look.is_in_front else next_look.ready,
            why=next_look.why,
            expected=expected.get(next_look.url, ""),
        )


def _committed(
    crawl: ShownCrawl, parts: Sequence[PartitionWaiting], host: str, most: int
) -> list[NextVisit]:
    return _of_host(crawl, host, most) if host else _next(parts, most)


def _next(parts: Sequence[PartitionWaiting], most: int) -> list[NextVisit]:
    """Partitions ask their hosts at the same time: their first ones come first."""
    turns = zip_longest(*(_turns(part) for part in parts))
    return [one for turn in turns for one in turn if one is not None][:most]


def _turns(part: PartitionWaiting) -> Iterator[NextVisit]:
    for visit, ready in part.frontier.next:
        yield _visit(visit, ready, part.expected.get(visit.url.text, ""))


def _front(parts: Sequence[PartitionWaiting], most: int) -> list[NextVisit]:
    firsts = (
        visit
        for level in zip_longest(*(part.frontier.first_in_front for part in parts), fillvalue=())
        for some in level
        for visit in some
    )
    return [_visit(visit, 0.0) for visit in firsts][:most]


def _of_host(crawl: ShownCrawl, host: str, most: int) -> list[NextVisit]:
    visits, ready = read_queue(crawl, host, most)
    return [_visit(visit, ready) for visit in visits if isinstance(visit, Visit)]


def _largest(parts: Sequence[PartitionWaiting], most: int) -> list[WaitingHost]:
    hosts = (host for part in parts for host in part.frontier.largest)
    return sorted(hosts, key=lambda one: (-one.waiting, one.name))[:most]


def _visit(visit: Visit, ready: float, expected: str = "") -> NextVisit:
    return NextVisit(
        visit.url.text,
        visit.url.host,
        visit.level,
        visit.depth,
        visit.via.value,
        visit.source,
        visit.attempt,
        visit.is_return,
        ready,
        expected=expected,
    )


FRONTIER = View(
    path="/frontier",
    title="Frontier",
    about="URLs that come next, by level and by host, and why.",
    asked=FrontierAsked,
    answer=FrontierSeen,
    look=look,
    template="frontier.html",
)
