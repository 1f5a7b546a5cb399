"""What a partition has on record, after a kill and a power cut."""

from pathlib import Path
from random import Random

import pytest

from gossamer.base.clock import VirtualClock
from gossamer.base.disk import files
from gossamer.crawl.ledger import Checkpoint, Ledger, Progress
from gossamer.lab.simulator.disk import Killed, SimulatedDisk


@pytest.mark.parametrize("seed", range(5))
def test_what_was_found_after_a_kill_outlives_the_power(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Who goes on from a group deletes what only the groups before it needed. So it must stay."""
    disk = SimulatedDisk(VirtualClock(), Random(seed))
    monkeypatch.setattr(files, "system", disk)
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
    monkeypatch.setattr(files, "system", disk)
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
