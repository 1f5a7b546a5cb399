"""A look at what waits, for people: nothing is changed, and little is read, however much waits.

A host does not know how many URLs it has on disk. So what is said of a host with some there is an estimate.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from heapq import nlargest, nsmallest
from itertools import islice

from msgspec.structs import replace

from gossamer.core.disk.chunks import ADDRESS_SIZE, Chunks, chunk_length
from gossamer.core.protocols import HostView, WaitingView
from gossamer.core.records import Visit
from gossamer.pipeline.frontier.frontier_hosts import HostTable
from gossamer.pipeline.frontier.sample import Group
from gossamer.pipeline.frontier.try_again_later import Later
from gossamer.pipeline.frontier.waiting_host import Host, unpark
from gossamer.pipeline.frontier.waiting_line import HostLine
from gossamer.pipeline.frontier.waiting_url import decode, read_host

_MOST_HOSTS = 20_000
"""Hosts that are looked at for one question."""
_RECORD = 80
"""Bytes of a URL on disk, about."""
_OF_A_HOST = 20
"""URLs of one host that are looked at for what comes next."""


def view_host(hosts: HostTable, name: str, ready: float) -> HostView:
    """One host; `ready` is for one that has no URLs and rests."""
    host = _glance(hosts, name)
    return HostView(name, 0, False, ready, -1) if host is None else _view(host)


def view_hosts(hosts: HostTable, most: int) -> tuple[list[HostView], bool]:
    """Those with the most URLs; were all hosts looked at?"""
    names = islice(_names(hosts), _MOST_HOSTS)
    views = (_view(host) for name in names if (host := _glance(hosts, name)) is not None)
    return nlargest(most, views, key=lambda view: view.waiting), len(hosts) <= _MOST_HOSTS


def view_next(hosts: HostTable, most: int, name: str, now: float) -> list[WaitingView]:
    """URLs in the order in which they would be handed out if nothing else came: of one host, or of all."""
    names: Iterable[str] = [name] if name else islice(_names(hosts), _MOST_HOSTS)
    found = [host for one in names if (host := _glance(hosts, one)) is not None and host.has_urls]
    first = nsmallest(most, found, key=lambda host: (max(host.ready, now), host.level))
    of_each = most if name else min(most, _OF_A_HOST)
    rows = [
        (place, max(host.ready, now), visit.level, number, WaitingView(visit, host.ready))
        for number, host in enumerate(first)
        for place, visit in enumerate(_first(host, hosts.chunks, of_each))
    ]
    return [row[-1] for row in nsmallest(most, rows, key=lambda row: row[:4])]


def names_waiting(hosts: HostTable) -> set[str]:
    """All hosts with URLs behind the front queues."""
    return {*hosts.parked, *(name for name, host in hosts.present.items() if host.has_urls)}


def with_later(views: list[HostView], later: Later, name: str = "") -> list[HostView]:
    """The same, with what is to be tried later; by the number of URLs. Only of one host, if one is named.

    What has so much to be tried later that it is on disk is left out.
    """
    counts, first = Counter[str](), dict[str, float]()
    for again, _, record in later.near:
        host = read_host(record)
        if not name or host == name:
            counts[host] += 1
            first[host] = min(again, first.get(host, again))
    found = [
        replace(host_view, waiting=host_view.waiting + counts.pop(host_view.name, 0))
        for host_view in views
    ]
    found = [
        replace(host_view, ready=max(host_view.ready, first[host_view.name]))
        if _has_only_later(host_view)
        else host_view
        for host_view in found
    ]
    found += [HostView(host, count, False, first[host], -1) for host, count in counts.items()]
    return sorted(found, key=lambda view: -view.waiting)


def _has_only_later(view: HostView) -> bool:
    return view.waiting > 0 and view.level < 0


def view_groups(hosts: HostTable, most: int) -> Iterator[Group]:
    """Each host with URLs: how many wait there, and the first of them."""
    for name in islice(_names(hosts), _MOST_HOSTS):
        if (host := _glance(hosts, name)) is not None and host.has_urls:
            yield Group(_view(host).waiting, _first(host, hosts.chunks, most))


def view_later(later: Later, hosts: HostTable, most: int, name: str) -> list[WaitingView]:
    """The URLs to be tried later, in their order: of one host, or of all."""
    wanted = (one for one in later.near if not name or read_host(one[2]) == name)
    found = []
    for again, _, record in nsmallest(max(0, most), wanted):
        host = _glance(hosts, read_host(record))
        found.append(WaitingView(decode(record), max(again, host.ready if host else again)))
    return found


def _names(hosts: HostTable) -> Iterator[str]:
    yield from hosts.present
    yield from hosts.parked


def _glance(hosts: HostTable, name: str) -> Host | None:
    """The host as it is; a parked one stays parked."""
    if (host := hosts.present.get(name)) is not None:
        return host
    parked = hosts.parked.get(name)
    return unpark(name, parked) if parked is not None else None


def _view(host: Host) -> HostView:
    on_disk = chunk_length(host.bundle) if host.bundle and not host.is_near_on_disk else 0
    waiting = len(host.near)
    for line in host.lines.values():
        waiting += len(line.head) + len(line.tail)
        on_disk += _chain_length(line)
    more = max(1, on_disk // _RECORD) if on_disk else 0
    level = host.level if host.has_urls else -1
    return HostView(
        *(host.name, waiting + more, more > 0, host.ready, level, host.is_held, host.connections)
    )


def _chain_length(line: HostLine) -> int:
    """Bytes of a line on disk, but for what is in its head."""
    starts = range(ADDRESS_SIZE if line.is_head_on_disk else 0, len(line.chain), ADDRESS_SIZE)
    return sum(chunk_length(bytes(line.chain[at : at + ADDRESS_SIZE])) for at in starts)


def _first(host: Host, chunks: Chunks, most: int) -> list[Visit]:
    """The first URLs of a host, by level; of a long line only what one read brings."""
    records = [record for _, _, record in nsmallest(most, host.near)]
    if host.bundle and not host.is_near_on_disk:
        records += chunks.read(host.bundle)[host.taken :][:most]
    for level in sorted(host.lines):
        line = host.lines[level]
        if len(records) < most:
            records += _first_of_line(line, chunks)[:most]
    visits = [decode(record) for record in records]
    return sorted(visits, key=lambda visit: visit.level)[:most]


def _first_of_line(line: HostLine, chunks: Chunks) -> list[bytes]:
    if line.head:
        return line.head[::-1]
    if line.chain:
        return chunks.read(bytes(line.chain[:ADDRESS_SIZE]))[line.taken :]
    return line.tail
