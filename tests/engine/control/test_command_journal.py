"""The command journal: what is active is what was written, however long it is and whoever reads it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest

from gossamer.core.errors import DamageError
from gossamer.engine.control import command_journal
from gossamer.engine.control.active_commands import ActiveCommands, fold
from gossamer.engine.control.command_journal import CommandJournal, read_active_commands
from gossamer.engine.control.commands import (
    BlockUrls,
    Change,
    Command,
    DelayHost,
    GoOn,
    Pause,
    Prioritise,
    RecordedCommand,
    RevisitNow,
    UnblockUrls,
)

COMMANDS: list[Command] = [
    *(Pause(), BlockUrls("a.test"), DelayHost("a.test", 2.0), Prioritise("b.test", 3), GoOn()),
    *(BlockUrls("b.test/*"), UnblockUrls("a.test"), Change("politeness.delay", 5.0), Pause()),
    *(DelayHost("a.test"), Prioritise("b.test", 0), RevisitNow(("http://a.test/",))),
]


def folded(commands: list[Command]) -> ActiveCommands:
    found = ActiveCommands()
    for number, command in enumerate(commands, 1):
        found = fold(found, RecordedCommand(number, 0.0, "test", command))
    return found


def test_what_is_in_force_is_a_fold_over_all_orders(tmp_path: Path) -> None:
    for count, command in enumerate(COMMANDS, 1):
        journal = CommandJournal(tmp_path)  # each time again, as after a crash
        assert journal.write(command, "test", float(count)).number == count
        assert read_active_commands(tmp_path) == journal.active_commands == folded(COMMANDS[:count])
    assert folded(COMMANDS) == ActiveCommands(
        12,
        is_paused=True,
        blocked={"b.test/*": 6},
        priorities={"b.test": (0, 11)},
        settings={"politeness.delay": (5.0, 8)},
    )


def test_a_long_journal_begins_anew_and_forgets_nothing_that_counts(tmp_path: Path) -> None:
    with (
        patch.object(command_journal, "_LONGEST", 500),
        patch.object(command_journal, "_MOST_FILES", 3),
    ):
        journal = CommandJournal(tmp_path)
        for _ in range(20):
            for command in COMMANDS:
                journal.note_done(journal.write(command, "test", 0.0).number)
    assert len(list(tmp_path.glob("*.log"))) <= 4
    again = CommandJournal(tmp_path)
    assert again.active_commands == journal.active_commands == folded(COMMANDS * 20)
    assert again.once_after(239)[-1].number == 240


def test_settings_that_crawl_toml_has_are_settled(tmp_path: Path) -> None:
    journal = CommandJournal(tmp_path)
    journal.write(Change("politeness.delay", 5.0), "test", 0.0)
    journal.write(Pause(), "test", 0.0)
    assert journal.active_commands.changes == {"politeness.delay": 5.0}
    journal.settle()
    assert CommandJournal(tmp_path).active_commands == ActiveCommands(2, is_paused=True)


def test_no_order_is_forgotten_before_it_is_done(tmp_path: Path) -> None:
    """Seeds and revisits of a crawl that does not run: thousands of them, in more files than are kept."""
    commands = [RevisitNow((f"http://a.test/{number}",)) for number in range(3000)]
    with (
        patch.object(command_journal, "_LONGEST", 20_000),
        patch.object(command_journal, "_MOST_FILES", 3),
    ):
        journal = CommandJournal(tmp_path)
        for command in commands:
            journal.write(command, "test", 0.0)
        journal.close()
        again = CommandJournal(tmp_path)
        assert [one.command for one in again.once_after(0)] == commands
        assert [one.number for one in again.once_after(2990)] == [*range(2991, 3001)]
        before = len(list(tmp_path.glob("*.log")))
        again.note_done(2000)
        again.write(Pause(), "test", 0.0)
        again.close()
        again = CommandJournal(tmp_path)
        assert [one.number for one in again.unfinished] == [*range(2001, 3001)]
        assert again.once_after(1999)[0].number == 2000, "somebody has lost what it had recorded"
        again.note_done(3000)
        for _ in range(400):
            again.write(Pause(), "test", 0.0)
    assert before > 10
    assert len(list(tmp_path.glob("*.log"))) <= 4, "what is done may go"
    assert CommandJournal(tmp_path).unfinished == ()


LARGE = RevisitNow(tuple(f"http://a.test/{number:050}" for number in range(300)))
"""A command of many sectors."""


def written(folder: Path, *commands: Command) -> list[int]:
    """Write commands; returns where each of them ended, its answer included."""
    journal, ends = CommandJournal(folder), list[int]()
    for command in commands:
        journal.write(command, "test", 0.0)
        ends.append(file_of(folder).stat().st_size)
    return ends


def file_of(folder: Path) -> Path:
    [file] = folder.glob("*.log")
    return file


def forget_answers(folder: Path) -> None:
    """As if the process had been killed before it answered."""
    (folder / "end").unlink()


@pytest.mark.parametrize("large", [GoOn(), LARGE], ids=["small", "large"])
def test_a_torn_tail_is_an_order_that_nobody_answered(tmp_path: Path, large: Command) -> None:
    """Wherever the file ends: a command is there as a whole, or not at all."""
    _, before, after = written(tmp_path, *COMMANDS[:2], large)
    file, whole = file_of(tmp_path), file_of(tmp_path).read_bytes()
    for length in sorted({*range(before, after, 97), *range(before, before + 30), after - 1}):
        file.write_bytes(whole[:length])
        forget_answers(tmp_path)
        again = CommandJournal(tmp_path)
        assert again.active_commands.number in (2, 3)
        assert again.active_commands.blocked == folded(COMMANDS[:2]).blocked
        number = again.active_commands.number
        assert again.write(GoOn(), "test", 0.0).number == number + 1
        assert CommandJournal(tmp_path).active_commands.number == number + 1


def test_a_power_cut_may_leave_holes_in_an_order_that_nobody_answered(tmp_path: Path) -> None:
    """The length of the file is on disk, and some sectors of the command are not."""
    _, before, after = written(tmp_path, *COMMANDS[:2], LARGE)
    file, answer = file_of(tmp_path), 9 + 18 + 9
    whole = file.read_bytes()[: after - answer]
    for start in range(before // 512, len(whole) // 512 + 1):
        torn, at = bytearray(whole), max(before, start * 512)
        torn[at : (start + 3) * 512] = bytes(len(torn[at : (start + 3) * 512]))
        file.write_bytes(torn)
        forget_answers(tmp_path)
        again = CommandJournal(tmp_path)
        assert again.active_commands == folded(COMMANDS[:2])
        assert again.write(GoOn(), "test", 0.0).number == 3


def test_a_damaged_order_that_was_answered_is_no_torn_one(tmp_path: Path) -> None:
    """Whichever byte of its record is another one."""
    first, second, _ = written(tmp_path, *COMMANDS[:2], LARGE)
    file, whole = file_of(tmp_path), file_of(tmp_path).read_bytes()
    command = (9 + 18 + 9) + 9
    for at in (
        *range(first, second - command),
        second + 5,
        second + 2000,
        len(whole) - command - 1,
    ):
        damaged = bytearray(whole)
        damaged[at] ^= 1
        file.write_bytes(damaged)
        with pytest.raises(DamageError, match="does not hold the commands that were written"):
            read_active_commands(tmp_path)


def test_answered_orders_that_are_cut_off_or_deleted_are_missed(tmp_path: Path) -> None:
    """A block was forgotten, and the crawl went on without it: a shorter journal looks like a torn one."""
    *_, last = written(tmp_path, *COMMANDS[:2])
    file, whole = file_of(tmp_path), file_of(tmp_path).read_bytes()
    for length in range(last):
        file.write_bytes(whole[:length])
        with pytest.raises(DamageError, match="does not hold the commands that were written"):
            read_active_commands(tmp_path)
    file.unlink()
    with pytest.raises(DamageError, match=r"journal-000000\.log is missing"):
        CommandJournal(tmp_path)
    file.write_bytes(whole)
    (tmp_path / "end").unlink()  # by an earlier version
    assert read_active_commands(tmp_path) == folded(COMMANDS[:2])


def test_an_order_of_a_later_version_is_said_to_be_one(tmp_path: Path) -> None:
    journal = CommandJournal(tmp_path)
    journal._journal.append(1, b"\x81\xa3abc\x01")
    journal._journal.commit()
    with pytest.raises(DamageError, match="holds a command that cannot be read"):
        read_active_commands(tmp_path)


@contextmanager
def meanwhile(step: str, act: Callable[[], object], times: int) -> Iterator[list[int]]:
    """Let somebody act before a step of a look at the journal, so many times; counts the looks."""
    do, looks = getattr(command_journal, step), list[int]()

    def first_act(*arguments: object) -> object:
        looks.append(len(looks))
        if len(looks) <= times:
            act()
        return do(*arguments)

    with patch.object(command_journal, step, first_act):
        yield looks


@pytest.mark.parametrize("step", ["find_end", "holds_answer"])
@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("longest", [1 << 20, 1], ids=["the same file", "another file each time"])
def test_an_order_that_comes_while_somebody_reads_is_no_damage(
    tmp_path: Path, step: str, times: int, longest: int
) -> None:
    with (
        patch.object(command_journal, "_LONGEST", longest),
        patch.object(command_journal, "_MOST_FILES", 1),
    ):
        journal = CommandJournal(tmp_path)
        journal.write(BlockUrls("a.test"), "test", 0.0)
        with meanwhile(step, lambda: journal.write(Pause(), "test", 0.0), times):
            found = read_active_commands(tmp_path)
    assert found.blocked == {"a.test": 1}
    assert found.number in range(1, times + 2)
    assert read_active_commands(tmp_path) == journal.active_commands


def test_damage_is_told_while_orders_come(tmp_path: Path) -> None:
    """Those that come later do not heal it, and nobody waits for them to end."""
    ends = written(tmp_path, *COMMANDS)
    journal = CommandJournal(tmp_path)
    with file_of(tmp_path).open("r+b") as file:
        file.seek(ends[3] + 12)
        file.write(b"?")
    with (
        meanwhile("find_end", lambda: journal.write(Pause(), "test", 0.0), 1000) as looks,
        pytest.raises(DamageError, match="does not hold the commands that were written"),
    ):
        read_active_commands(tmp_path)
    assert len(looks) == 2
