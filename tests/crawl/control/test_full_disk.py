"""An order that the disk refuses is taken as a whole or not at all: in the journal and in `crawl.toml`."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gossamer.base.directory import Directory
from gossamer.base.disk import files
from gossamer.base.settings import Settings
from gossamer.crawl.control import history_of_orders, tell
from gossamer.crawl.control.checks import catch_up
from gossamer.crawl.control.order_journal import OrdersOnRecord
from gossamer.crawl.control.orders import AddSeeds, Change
from gossamer.crawl.control.patterns import OrderError
from gossamer.crawl.control.state import look
from gossamer.lab import Web, serve
from tests.crawl.control.telling import job


class FullDisk(files.System):
    """Refuses one operation, or all from one on."""

    def __init__(self, good: int, bad: int) -> None:
        self._good = good
        self._bad = bad
        self.has_refused = False

    def _ask(self) -> None:
        self._good -= 1
        if self._good < 0 < self._bad:
            self._bad -= 1
            self.has_refused = True
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def write(self, descriptor: int, data: memoryview) -> int:
        self._ask()
        return super().write(descriptor, data)

    def sync(self, descriptor: int) -> None:
        self._ask()
        super().sync(descriptor)

    def rename(self, source: Path, target: Path) -> None:
        self._ask()
        super().rename(source, target)


@contextmanager
def full(good: int, bad: int) -> Iterator[FullDisk]:
    before, files.system = files.system, FullDisk(good, bad)
    try:
        yield files.system
    finally:
        files.system = before


@pytest.fixture
def out(tmp_path: Path) -> Path:
    with serve(Web(seed=4, pages=3, hosts=1)) as served:
        job(served, tmp_path / "out", max_pages=1).run()
    return tmp_path / "out"


def settings_of_next_run(out: Path) -> Settings:
    """By `crawl.toml`, and by the journal if the one could not get its name."""
    return catch_up(Directory(out).look(), OrdersOnRecord(Directory(out).control))


def told(out: Path) -> list[object]:
    return [one.order for one in history_of_orders(out)]


@pytest.mark.parametrize("bad", [1, 1000])
def test_both_or_neither(out: Path, bad: int) -> None:
    """Whatever is refused, and whether there is room again the next moment or not."""
    orders, refused = list[object](), list[str]()
    seeds = list(Directory(out).look().crawl.seeds)
    pages = Directory(out).look().crawl.max_pages
    for good in range(30):
        for order in (Change("crawl.max_pages", 100 + good), AddSeeds((f"http://{good}.test/",))):
            with full(good, bad) as disk:
                try:
                    tell(out, order)
                except OrderError as error:
                    refused.append(str(error))
                else:
                    orders.append(order)
                    pages = order.value if isinstance(order, Change) else pages
                    seeds += order.urls if isinstance(order, AddSeeds) else ()
            settings = settings_of_next_run(out)
            assert told(out) == orders
            assert (settings.crawl.max_pages, [*settings.crawl.seeds]) == (pages, seeds)
            assert look(out).settings.get("crawl.max_pages", pages) == pages
    assert settings == Directory(out).look(), "they are in `crawl.toml`"
    assert not disk.has_refused, "in the end it takes fewer operations"
    assert len(refused) > 5
    assert {said.rpartition(": ")[2] for said in refused} == {
        "No space left on device; the order was not taken"
    }
    assert [one.number for one in history_of_orders(out)] == [*range(1, len(orders) + 1)]
