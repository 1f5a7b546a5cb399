"""A look at what waits, for people: nothing is changed, and little is read, however much waits.

A host does not know how many URLs it has on disk. So what is said of a host with some there is an estimate.
"""

from collections.abc import Iterable, Iterator
from heapq import nlargest, nsmallest
from itertools import islice

from gossamer.base.disk.chunks import ADDRESS_SIZE, Chunks, chunk_length
from gossamer.base.protocols import HostView, WaitingView
from gossamer.base.records import Visit
from gossamer.cycle.frontier.host import Host, unpark
from gossamer.cycle.frontier.hosts import HostTable
from gossamer.cycle.frontier.line import HostLine
from gossamer.cycle.frontier.waiting_url import decode

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
