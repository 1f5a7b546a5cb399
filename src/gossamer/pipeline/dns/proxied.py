"""Names behind a proxy: the proxy looks them up, so here each name is its own address."""

from gossamer.core.disk.disk_cache import DiskCache
from gossamer.pipeline.dns.dns_answer import NameAnswer
from gossamer.pipeline.dns.resolver import DnsStatistics

_NOTHING = DnsStatistics(0, 0, 0, 0, 0, 0, 0, 0)


class ProxiedNames:
    """Takes the resolver's place, and knows every name at once.

    >>> ProxiedNames().lookup("example.org").addresses
    ('example.org',)
    """

    def lookup(self, host: str) -> NameAnswer | None:
        return NameAnswer((host,), float("inf"), None, "")

    def start(self, host: str) -> None:
        raise AssertionError("every name is known")

    @property
    def has_news(self) -> bool:
        return False

    def finished(self) -> list[str]:
        return []

    def next_timeout(self) -> float | None:
        return None

    def tick(self) -> None:
        """There is nothing to wait for."""

    def move_in(self, disk_cache: DiskCache) -> None:
        """There is nothing to keep."""

    def close(self) -> None:
        """There is nothing open."""

    def statistics(self) -> DnsStatistics:
        return _NOTHING
