"""An order that the disk refuses is taken as a whole or not at all: in the journal and in `crawl.toml`."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gossamer.base.clock import SystemClock
from gossamer.base.directory import Directory
from gossamer.base.disk import files
from gossamer.base.settings import Settings
from gossamer.crawl.control import history_of_orders, tell
from gossamer.crawl.control.checks import catch_up
from gossamer.crawl.control.desk import open_for_stopped
from gossamer.crawl.control.order_journal import (
    OrderJournal,
    OrdersOnRecord,
    read_in_force,
)
from gossamer.crawl.control.orders import AddSeeds, BlockUrls, Change
from gossamer.crawl.control.patterns import OrderError
from gossamer.crawl.control.state import look
from gossamer.lab import Web, serve
from tests.crawl.control.telling import job


class BadDisk(files.System):
    """Refuses what it is told to."""

    def __init__(self, good_syncs: int = 0) -> None:
        self.good_syncs = good_syncs
        self.is_well = False

    def sync(self, descriptor: int) -> None:
        self.good_syncs -= 1
        self._refuse_if(self.good_syncs < 0)
        super().sync(descriptor)

    def truncate(self, descriptor: int, length: int) -> None:
        self._refuse_if(True)
        super().truncate(descriptor, length)

    def _refuse_if(self, is_asked: bool) -> None:
        if is_asked and not self.is_well:
            raise OSError(errno.EIO, os.strerror(errno.EIO))


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


@pytest.mark.parametrize("good_syncs", [0, 1], ids=["the order", "its seal"])
@pytest.mark.parametrize("tries", [1, 3])
def test_what_was_refused_is_taken_back_when_the_disk_is_well_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, good_syncs: int, tries: int
) -> None:
    """The disk refuses to sync and to cut: that is made good before anything else."""
    journal = OrderJournal(tmp_path)
    journal.write(BlockUrls("a.test"), "test", 0.0)
    disk = BadDisk(good_syncs)
    monkeypatch.setattr(files, "system", disk)
    for _ in range(tries):
        with pytest.raises(OSError, match="Input/output error"):
            journal.write(BlockUrls("refused.test"), "test", 0.0)
    disk.is_well = True
    assert journal.write(BlockUrls("b.test"), "test", 0.0).number == 2
    journal.close()
    assert read_in_force(tmp_path).blocked == {"a.test": 1, "b.test": 2}


@pytest.mark.parametrize("act", ["turn", "close"])
def test_what_was_refused_does_not_wait_for_another_order(
    out: Path, monkeypatch: pytest.MonkeyPatch, act: str
) -> None:
    """It is taken back before anybody else is answered, and at the end."""
    with Directory(out) as directory:
        desk = open_for_stopped(directory, SystemClock())
        disk = BadDisk(1)
        monkeypatch.setattr(files, "system", disk)
        with pytest.raises(OrderError, match="Input/output error; the order was not taken"):
            desk.take(BlockUrls("refused.test"), "test")
        assert read_in_force(directory.control).blocked, "that could not be helped"
        desk.turn(lambda ordered: None)  # the disk is still bad: nobody minds
        disk.is_well = True
        desk.turn(lambda ordered: None) if act == "turn" else desk.close()
        assert read_in_force(directory.control).blocked == {}
        desk.close()
