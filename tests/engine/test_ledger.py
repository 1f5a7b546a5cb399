"""What a partition has recorded, after a kill and a power cut."""

from itertools import count
from pathlib import Path
from random import Random

import pytest

from gossamer.core.clock import VirtualClock
from gossamer.core.disk import disk_files
from gossamer.engine import ledger as ledger_module
from gossamer.engine.ledger import Checkpoint, Ledger, Progress
from gossamer.lab.simulator.simulated_disk import Killed, SimulatedDisk


@pytest.mark.parametrize("seed", range(5))
def test_what_was_found_after_a_kill_outlives_the_power(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Who goes on from a group deletes what only the groups before it needed. So it must stay."""
    disk = SimulatedDisk(VirtualClock(), Random(seed))
    monkeypatch.setattr(disk_files, "system", disk)
    Ledger.begin(tmp_path)
    ledger = Ledger(tmp_path)
    disk.kill_after = 2  # the group is written, but not synced
    with pytest.raises(Killed):
        ledger.commit({"room": b"7"}, Progress(time=5.0))
    disk.is_dead = False
    Ledger.secure(tmp_path)
    found = Ledger.read(tmp_path).notes("room")
    disk.cut_power()
    left = Ledger.read(tmp_path).notes("room")
    assert found == left == [b"7"]


@pytest.mark.parametrize("seed", range(5))
def test_a_checkpoint_that_was_found_outlives_the_power(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    disk = SimulatedDisk(VirtualClock(), Random(seed))
    monkeypatch.setattr(disk_files, "system", disk)
    Ledger.begin(tmp_path)
    ledger = Ledger(tmp_path)
    number = ledger.rotate()
    disk.kill_after = 3  # it has its name, but the folder is not synced
    with pytest.raises(Killed):
        ledger.publish(Checkpoint(number=number))
    disk.is_dead = False
    Ledger.secure(tmp_path)
    disk.cut_power()
    assert Ledger.read_checkpoint(tmp_path).number == number


@pytest.mark.parametrize("number", range(1, 4))
def test_a_commit_is_on_record_as_a_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """Whatever tears it: a second Ctrl-C, memory that is used up. Closing the ledger is no commit."""
    Ledger.begin(tmp_path)
    ledger = Ledger(tmp_path)
    ledger.commit({"one": b"1", "two": b"1"}, Progress(seconds=1.0))
    encode, calls = ledger_module._encode, count(1)

    def fail(thing: object) -> bytes:
        if next(calls) == number:
            raise MemoryError
        return encode(thing)

    monkeypatch.setattr(ledger_module, "_encode", fail)
    with pytest.raises(MemoryError):
        ledger.commit({"one": b"2", "two": b"2"}, Progress(seconds=2.0))
    ledger.close()
    record = Ledger.read(tmp_path)
    assert (record.notes("one"), record.notes("two")) == ([b"1"], [b"1"])
    assert record.progress.seconds == 1.0


def test_has_commits_as_soon_as_there_is_one_and_where_nobody_can_say(tmp_path: Path) -> None:
    Ledger.begin(tmp_path)
    assert not Ledger.has_commits(tmp_path)
    ledger = Ledger(tmp_path)
    assert not Ledger.has_commits(tmp_path)
    ledger.commit({}, Progress(time=5.0))
    assert Ledger.has_commits(tmp_path)
    ledger.close()
    (tmp_path / "checkpoint").unlink()
    assert Ledger.has_commits(tmp_path), "a record that cannot be read may have had some"
