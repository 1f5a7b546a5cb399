"""Journals of the version before, which did not say how far commands that happen once were done."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

import gossamer
from gossamer.core.directory import Directory
from gossamer.core.disk.journal import Journal
from gossamer.engine.control import send_command
from gossamer.engine.control.command_checks import catch_up
from gossamer.engine.control.command_journal import CommandJournal, RecordedCommands
from gossamer.engine.control.commands import (
    AddSeeds,
    Change,
    Command,
    Pause,
    RecordedCommand,
    RevisitNow,
)
from gossamer.engine.control.control_state import look
from gossamer.lab import Web, serve
from tests.engine.control.telling import job

COMMANDS: list[Command] = [
    AddSeeds(("http://removed.test/",)),
    RevisitNow(("http://a.test/",)),
    Change("crawl.max_pages", 2),
    AddSeeds(("http://removed-too.test/",)),
]
NEW = AddSeeds(("http://new.test/",))


def write_as_before(folder: Path) -> None:
    journal = Journal(folder)
    for number, command in enumerate(COMMANDS, 1):
        journal.append(1, msgspec.msgpack.encode(RecordedCommand(number, 0.0, "test", command)))
        journal.commit()
    journal.close()


@pytest.fixture
def out(tmp_path: Path) -> Iterator[Path]:
    """A crawl of the version before, whose owner has removed seeds by hand since they were ordered."""
    with serve(Web(seed=4, pages=3, hosts=1)) as served:
        job(served, tmp_path / "out", max_pages=1).run()
        for file in Directory(tmp_path / "out").control.iterdir():
            file.unlink()
        write_as_before(Directory(tmp_path / "out").control)
        yield tmp_path / "out"


def seeds_of(out: Path) -> tuple[str, ...]:
    return Directory(out).look().crawl.seeds


def test_seeds_that_were_removed_by_hand_stay_removed(out: Path) -> None:
    before = seeds_of(out)
    assert look(out).settings == {"crawl.max_pages": 2}, "settings count as they did"
    for _ in range(2):
        send_command(out, Pause())
        assert seeds_of(out) == before
    send_command(out, NEW)
    send_command(out, Pause())
    assert seeds_of(out) == (*before, *NEW.urls)
    assert Directory(out).look().crawl.max_pages == 2


def test_they_stay_removed_when_the_crawl_is_resumed(out: Path) -> None:
    before = seeds_of(out)
    for pages in (2, 3):
        gossamer.Crawl.resume(out, changes={"crawl.max_pages": pages}).run()
        assert seeds_of(out) == before


def test_a_new_order_is_caught_up_with_all_the_same(out: Path) -> None:
    """Somebody was killed before the new seeds were in `crawl.toml`."""
    CommandJournal(Directory(out).control).write(NEW, "test", 0.0)
    found = catch_up(Directory(out).look(), RecordedCommands(Directory(out).control))
    assert found.crawl.seeds == (*seeds_of(out), *NEW.urls)


def test_partitions_still_do_what_they_have_not_done(tmp_path: Path) -> None:
    write_as_before(tmp_path)
    for number in range(5, 8):
        journal = CommandJournal(tmp_path)
        assert [one.number for one in journal.once_after(0)] == [1, 2, 4, *range(5, number)]
        assert [one.number for one in journal.once_after(2)] == [4, *range(5, number)]
        journal.note_done(2)
        assert journal.write(NEW, "test", 0.0).number == number
        assert [one.number for one in journal.once_after(2)] == [4, *range(5, number + 1)]
        journal.close()
    assert [one.number for one in RecordedCommands(tmp_path).unfinished] == [5, 6, 7]
