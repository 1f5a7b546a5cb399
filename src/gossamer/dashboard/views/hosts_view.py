"""All hosts: what they gave, what they said, and what was found out about them."""

from msgspec import Struct

from gossamer.dashboard.checkpoint_reading import NOTHING_FOUND, AtCheckpoint, checkpoint_soon
from gossamer.dashboard.host_now import HostNow
from gossamer.dashboard.host_order import HostColumn, order_as_shown, order_hosts
from gossamer.dashboard.hosts_then import hosts_then
from gossamer.dashboard.live_state import ask_hosts
from gossamer.dashboard.paging import ROWS, PageNumber, Paging, Text, page_of
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.tables.host_table import CountedHost, hosts_of
from gossamer.dashboard.tables.page_table import pages_of
from gossamer.dashboard.view_protocol import Asked, View

_NOT_READ = AtCheckpoint(0.0, [], {}, {})
"""A large checkpoint is still being read; the page says that something is, and asks again."""


class HostListAsked(Asked, frozen=True):
    """A choice of hosts, and the column to sort by."""

    name: Text = ""
    """A part of the name."""
    sort: HostColumn = "pages"
    down: bool = True
    """The greatest first?"""
    page: PageNumber = 1


class HostSeen(Struct, frozen=True):
    """A host in the list."""

    host: CountedHost
    robots: str
    """What its robots.txt said; empty when that is not known."""
    crawl_delay: float | None
    traps: int
    rules: int
    """DUST rules."""
    found: int
    """All that was found out about its URLs: traps, rules, mirrors, soft errors."""
    now: HostNow | None
    """What the running crawl says, or else its last checkpoint; None of a host that a busy crawl left out."""


class Hosts(Struct, frozen=True):
    """Some hosts."""

    hosts: list[HostSeen]
    paging: Paging
    is_live: bool
    """Did the running crawl answer?"""
    checkpoint: float
    """As of when robots.txt, traps and rules are, in seconds since 1970."""
    damaged: list[str]
    """Files that cannot be read."""


def look(crawl: ShownCrawl, asked: HostListAsked) -> Hosts:
    pages_of(crawl).glance()  # reading begins, and goes on while the checkpoint is read
    read = checkpoint_soon(crawl)
    known = read or _NOT_READ
    table, gathered = hosts_of(crawl)
    numbers = table.matching(asked.name.strip())
    begin = (asked.page - 1) * ROWS
    order, is_reading = order_hosts(crawl, table, read, numbers, asked.sort, asked.down)
    lines = {line.name: line for line in map(table.line, order[begin : begin + ROWS].tolist())}
    asked_now = ask_hosts(crawl, [*lines]) if lines else None
    is_live = asked_now is not None
    now = {host_now.name: host_now for host_now in asked_now or ()}
    damaged = list[str]()
    if not is_live and read is not None:
        then = hosts_then(crawl)
        now, damaged = {name: then.look(name) for name in lines}, [*then.damaged]
    names = order_as_shown([*lines], now, asked.sort, asked.down)
    return Hosts(
        [see(lines[name], known, now.get(name)) for name in names],
        page_of(asked.page, len(numbers), gathered.unread + (read is None or is_reading)),
        is_live,
        known.made,
        gathered.damaged + damaged,
    )


def see(line: CountedHost, known: AtCheckpoint, now: HostNow | None) -> HostSeen:
    """A host with what the checkpoint says of it."""
    found = known.findings.get(line.name, NOTHING_FOUND)
    robots = known.robots.get(line.name, [])
    delays = [origin.crawl_delay for origin in robots if origin.crawl_delay is not None]
    return HostSeen(
        line,
        robots[-1].said if robots else "",
        max(delays, default=None),
        len(found.traps),
        len(found.rules),
        len(found),
        now,
    )


HOSTS = View(
    path="/hosts",
    title="Hosts",
    about="Hosts with their figures, sorted by a column.",
    asked=HostListAsked,
    answer=Hosts,
    look=look,
    template="hosts.html",
)
