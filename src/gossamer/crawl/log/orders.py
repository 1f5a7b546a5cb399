"""Orders that a crawl was given, as entries of its log. They stand in a journal of their own."""

from collections.abc import Iterator
from pathlib import Path

from gossamer.base.directory import Directory
from gossamer.base.events import LogEvent
from gossamer.crawl.control.order_journal import history_of_orders
from gossamer.crawl.control.orders import say
from gossamer.crawl.log.entry import LogEntry, tame


def read_orders(path: Path) -> Iterator[LogEntry]:
    """All orders, the first one first, each with where it came from."""
    for one in history_of_orders(path):
        yield LogEntry(one.time, "info", LogEvent.ORDER, tame(f"{say(one.order)} ({one.origin})"))


class OrdersFollower:
    """Hands out orders that are new since the last call. It reads the journal only when that has grown."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._folder = Directory(path).control
        self._size = -1
        self._told = 0

    def more(self) -> Iterator[LogEntry]:
        size = sum(file.stat().st_size for file in self._folder.glob("journal-*.log"))
        if size != self._size:
            self._size = size
            orders = list(read_orders(self._path))
            new, self._told = orders[self._told :], len(orders)
            yield from new
