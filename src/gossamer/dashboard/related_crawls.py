"""Hosts that belong together, and how much of a crawl is theirs: a trap has many hosts and one owner.

Hosts and waiting URLs are counted in the last checkpoint, pages in the last rows of the tables. Both are
samples when there is much: shares are what counts.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from ipaddress import ip_address
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from gossamer.core.errors import GossamerError
from gossamer.core.url import Spelling
from gossamer.core.url.domain import pay_level_domain
from gossamer.core.url_patterns import UrlPatterns
from gossamer.dashboard.cached_frontier import read_all_hosts
from gossamer.dashboard.checkpoint_reading import checkpoint_files
from gossamer.dashboard.file_stamp import stamps
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.engine.control.command_patterns import Patterns
from gossamer.engine.crawl_health import HostFamily
from gossamer.engine.seeds import read_seeds_again

_MOST_HOSTS = 50_000
"""Of a partition, that are looked at; of more, every second, third …"""
_LAST_ROWS = 1_000
"""Of each partition's last table of pages."""
_NAMED = 3
_NOBODYS = "none.invalid"
"""A domain that nobody chose."""


class WaitingFamilies(NamedTuple):
    """By domain, as of the last checkpoint."""

    hosts: Counter[str]
    waiting: Counter[str]
    total: int = 0
    """All hosts, those that were not looked at included …"""
    urls: int = 0
    """… and their URLs, estimated."""


class RecentPages(NamedTuple):
    """The pages that came last."""

    domains: Counter[str]
    addresses: Counter[str]
    """Public ones: at one's own, everything may be."""
    hosts_at: Counter[str]
    """Different hosts, by address."""
    hosts: int = 0


class Families(NamedTuple):
    families: tuple[HostFamily, ...]
    hosts: int
    """That are known in the frontier …"""
    urls_at_hosts: int
    """… and the URLs that wait at them."""
    recent_pages: int
    recent_hosts: int
    """Of these pages, at public addresses."""


_NOTHING_WAITS = WaitingFamilies(Counter(), Counter())
_NO_PAGES = RecentPages(Counter(), Counter(), Counter())


def families_of(crawl: ShownCrawl, *, waits: bool = False) -> Families:
    """The largest families. `waits`: read them now; else a thread does, and they come with a later look."""
    marks = stamps(checkpoint_files(crawl)), stamps(_last_tables(crawl.path))
    if waits:
        waiting, recent = _count_waiting(crawl), _count_recent(crawl.path)
    else:
        waiting = crawl.keep_aside(
            "families", marks[0], lambda: _count_waiting(crawl), _NOTHING_WAITS
        )
        recent = crawl.keep_aside("recent", marks[1], lambda: _count_recent(crawl.path), _NO_PAGES)
    settings = crawl.settings
    stays = settings.scope.kind != "all"
    seeds = read_seeds_again(settings.crawl.seeds, Spelling(settings.url.rules))
    of_seeds = {url.domain for url in seeds} if stays else set[str]()
    include = UrlPatterns("scope.include", settings.scope.include)

    def is_wanted(domain: str) -> bool:
        return domain in of_seeds or _names(include, domain)

    blocked = Patterns(crawl.active_commands.blocked)
    found = (*_by_domain(waiting, recent, is_wanted, blocked), *_by_address(recent))
    return Families(found, waiting.total, waiting.urls, recent.domains.total(), recent.hosts)


def _names(include: UrlPatterns, domain: str) -> bool:
    """Was this domain chosen by an expression of the scope? One that has any domain chooses none.

    >>> _names(UrlPatterns("scope.include", ["a[.]test"]), "a.test")
    True
    >>> _names(UrlPatterns("scope.include", ["."]), "a.test"), _names(UrlPatterns("", []), "a.test")
    (False, False)
    """
    return include.find(f"http://{domain}/") and not include.find(f"http://{_NOBODYS}/")


def _by_domain(
    waiting: WaitingFamilies,
    recent: RecentPages,
    is_wanted: Callable[[str], bool],
    blocked: Patterns[int],
) -> Iterator[HostFamily]:
    largest = dict.fromkeys(
        name
        for counts in (waiting.hosts, waiting.waiting, recent.domains)
        for name, _ in counts.most_common(_NAMED)
    )
    for name in largest:
        yield HostFamily(
            name,
            host_share=_share(waiting.hosts, name),
            waiting_share=_share(waiting.waiting, name),
            page_share=_share(recent.domains, name),
            is_wanted=is_wanted(name),
            is_blocked=blocked.find_host(f"any.{name}") is not None,
        )


def _by_address(recent: RecentPages) -> Iterator[HostFamily]:
    for name, hosts in recent.hosts_at.most_common(_NAMED):
        yield HostFamily(
            name,
            is_address=True,
            host_share=hosts / recent.hosts,
            page_share=recent.addresses[name] / recent.domains.total(),
        )


def _share(counts: Counter[str], name: str) -> float:
    return counts[name] / counts.total() if counts[name] else 0.0


def _count_waiting(crawl: ShownCrawl) -> WaitingFamilies:
    hosts, waiting, total, urls = Counter[str](), Counter[str](), 0, 0
    with suppress(GossamerError, OSError):  # no checkpoint yet, or files of an earlier version
        for part in read_all_hosts(crawl):
            total += len(part)
            step = 1 + len(part) // _MOST_HOSTS
            for host in islice(part, None, None, step):
                domain = pay_level_domain(host.name)
                hosts[domain] += 1
                waiting[domain] += host.waiting
                urls += step * host.waiting
    return WaitingFamilies(hosts, waiting, total, urls)


def _last_tables(path: Path) -> list[Path]:
    """Of each partition, the table of pages that was written last."""
    latest: dict[str, Path] = {}
    for file in sorted((path / "pages").glob("*.parquet")):
        latest[file.name.partition("-")[0]] = file
    return [*latest.values()]


def _count_recent(path: Path) -> RecentPages:
    domains, addresses = Counter[str](), Counter[str]()
    at: dict[str, set[str]] = {}
    for file in _last_tables(path):
        for host, address in _last_rows(file):
            domains[pay_level_domain(host)] += 1
            if address and ip_address(address).is_global:
                addresses[address] += 1
                at.setdefault(address, set()).add(host)
    hosts_at = Counter({address: len(hosts) for address, hosts in at.items()})
    return RecentPages(domains, addresses, hosts_at, len(set[str]().union(*at.values())))


def _last_rows(file: Path) -> list[tuple[str, str]]:
    """Host and address of the last rows; none of a file that has just been replaced."""
    from pyarrow import ArrowException, parquet

    try:
        with parquet.ParquetFile(file) as rows:
            last = rows.num_row_groups - 1
            table = rows.read_row_group(last, ["host", "address"]) if last >= 0 else None
    except (ArrowException, OSError, ValueError, KeyError):
        return []
    if table is None:
        return []
    tail = table.slice(max(0, table.num_rows - _LAST_ROWS)).to_pydict()
    return [*zip(tail["host"], tail["address"], strict=True)]
