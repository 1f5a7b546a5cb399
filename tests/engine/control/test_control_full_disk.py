"""A command that the disk refuses is taken as a whole or not at all: in the journal and in `crawl.toml`."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gossamer.core.clock import SystemClock
from gossamer.core.directory import Directory
from gossamer.core.disk import disk_files
from gossamer.core.settings import Settings
from gossamer.engine.control import command_history, send_command
from gossamer.engine.control.command_checks import catch_up
from gossamer.engine.control.command_handler import open_for_stopped
from gossamer.engine.control.command_journal import (
    CommandJournal,
    RecordedCommands,
    read_active_commands,
)
from gossamer.engine.control.command_patterns import CommandError
from gossamer.engine.control.commands import AddSeeds, BlockUrls, Change
from gossamer.engine.control.control_state import look
from gossamer.lab import Web, serve
from tests.engine.control.telling import job


class BadDisk(disk_files.System):
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


class FullDisk(disk_files.System):
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
    before, disk_files.system = disk_files.system, FullDisk(good, bad)
    try:
        yield disk_files.system
    finally:
        disk_files.system = before


@pytest.fixture
def out(tmp_path: Path) -> Path:
    with serve(Web(seed=4, pages=3, hosts=1)) as served:
        job(served, tmp_path / "out", max_pages=1).run()
    return tmp_path / "out"


def settings_of_next_run(out: Path) -> Settings:
    """By `crawl.toml`, and by the journal if the one could not get its name."""
    return catch_up(Directory(out).look(), RecordedCommands(Directory(out).control))


def told(out: Path) -> list[object]:
    return [one.command for one in command_history(out)]


@pytest.mark.parametrize("bad", [1, 1000])
def test_both_or_neither(out: Path, bad: int) -> None:
    """Whatever is refused, and whether there is room again the next moment or not."""
    commands, refused = list[object](), list[str]()
    seeds = list(Directory(out).look().crawl.seeds)
    pages = Directory(out).look().crawl.max_pages
    for good in range(30):
        for command in (Change("crawl.max_pages", 100 + good), AddSeeds((f"http://{good}.test/",))):
            with full(good, bad) as disk:
                try:
                    send_command(out, command)
                except CommandError as error:
                    refused.append(str(error))
                else:
                    commands.append(command)
                    pages = command.value if isinstance(command, Change) else pages
                    seeds += command.urls if isinstance(command, AddSeeds) else ()
            settings = settings_of_next_run(out)
            assert told(out) == commands
            assert (settings.crawl.max_pages, [*settings.crawl.seeds]) == (pages, seeds)
            assert look(out).settings.get("crawl.max_pages", pages) == pages
    assert settings == Directory(out).look(), "they are in `crawl.toml`"
    assert not disk.has_refused, "in the end it takes fewer operations"
    assert len(refused) > 5
    assert {said.rpartition(": ")[2] for said in refused} == {
        "No space left on device; the command was not taken"
    }
    assert [one.number for one in command_history(out)] == [*range(1, len(commands) + 1)]


@pytest.mark.parametrize("good_syncs", [0, 1], ids=["the command", "its watermark"])
@pytest.mark.parametrize("tries", [1, 3])
def test_what_was_refused_is_taken_back_when_the_disk_is_well_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, good_syncs: int, tries: int
) -> None:
    """The disk refuses to sync and to cut: that is made good before anything else."""
    journal = CommandJournal(tmp_path)
    journal.write(BlockUrls("a.test"), "test", 0.0)
    disk = BadDisk(good_syncs)
    monkeypatch.setattr(disk_files, "system", disk)
    for _ in range(tries):
        with pytest.raises(OSError, match="Input/output error"):
            journal.write(BlockUrls("refused.test"), "test", 0.0)
    disk.is_well = True
    assert journal.write(BlockUrls("b.test"), "test", 0.0).number == 2
    journal.close()
    assert read_active_commands(tmp_path).blocked == {"a.test": 1, "b.test": 2}


@pytest.mark.parametrize("act", ["turn", "close"])
def test_what_was_refused_does_not_wait_for_another_order(
    out: Path, monkeypatch: pytest.MonkeyPatch, act: str
) -> None:
    """It is taken back before anybody else is answered, and at the end."""
    with Directory(out) as directory:
        command_handler = open_for_stopped(directory, SystemClock())
        disk = BadDisk(1)
        monkeypatch.setattr(disk_files, "system", disk)
        with pytest.raises(CommandError, match="Input/output error; the command was not taken"):
            command_handler.take(BlockUrls("refused.test"), "test")
        assert read_active_commands(directory.control).blocked, "that could not be helped"
        command_handler.turn(lambda recorded: None)  # the disk is still bad: nobody minds
        disk.is_well = True
        command_handler.turn(lambda recorded: None) if act == "turn" else command_handler.close()
        assert read_active_commands(directory.control).blocked == {}
        command_handler.close()
