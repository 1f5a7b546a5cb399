"""The last gate before the inbox: what is in scope and not too much is written down."""

from collections.abc import Sequence

from gossamer.core.clock import Clock
from gossamer.core.settings import ListenSettings
from gossamer.core.url import Url
from gossamer.engine.inbox import Announcement, InboxWriter
from gossamer.push.abuse import Abuse, Counts, RefusedError
from gossamer.push.floods import HourlyLimit
from gossamer.push.territory import Territory

_ALL = ""


class Gathering:
    """Takes URLs of one host at a time, all of them or none."""

    def __init__(
        self,
        settings: ListenSettings,
        territory: Territory,
        writer: InboxWriter,
        clock: Clock,
        counts: Counts,
    ) -> None:
        self._territory = territory
        self._writer = writer
        self._counts = counts
        self._in_all = HourlyLimit(settings.urls_per_hour, clock)
        self._of_host = HourlyLimit(settings.host_urls_per_hour, clock)

    def choose(self, urls: Sequence[Url], source: str) -> list[Url]:
        """Choose the URLs in scope; if there are none, all are refused."""
        wanted = [url for url in urls if self._territory.holds(url, source)]
        if not wanted:
            raise RefusedError(422, Abuse.FOREIGN_HOST, "not in the scope of this crawl")
        if len(wanted) < len(urls):
            self._counts.refuse(Abuse.FOREIGN_HOST, times=len(urls) - len(wanted))
        return wanted

    def write(self, protocol: str, source: str, urls: Sequence[Url]) -> None:
        """Write down URLs in scope, if there are not too many; they are durable when this returns."""
        host, count = urls[0].host, len(urls)
        if not self._in_all.has_room(_ALL, count):
            raise RefusedError(429, Abuse.TOO_MANY)
        if not self._of_host.has_room(host, count):
            raise RefusedError(429, Abuse.TOO_MANY_OF_HOST)
        self._in_all.take(_ALL, count)
        self._of_host.take(
            host, count
        )  # even if the disk is full: what it refuses is kept in memory
        self._writer.write(Announcement(source, [url.text for url in urls]))
        self._counts.taken[protocol] += count
        self._writer.tidy(self._territory.read_by_all)
