"""The log of a process that is gone."""

from pathlib import Path
from random import Random

import pytest

from gossamer.core.clock import VirtualClock
from gossamer.core.disk import disk_files
from gossamer.engine.event_log.log_files import LogFiles
from gossamer.lab.simulator.simulated_disk import Killed, SimulatedDisk


def test_who_was_killed_in_the_simulator_adds_no_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its folder would stand in the way of the crawl that begins next (seeds 7000204, 7002181)."""
    disk = SimulatedDisk(VirtualClock(1.0), Random(1))
    monkeypatch.setattr(disk_files, "system", disk)
    log = LogFiles(tmp_path / "log", 1000, 2)
    disk.is_dead = True
    with pytest.raises(Killed):
        log.append("killed")
    assert list(tmp_path.iterdir()) == []
    disk.is_dead = False
    log.append("started")
    assert (tmp_path / "log" / "crawl.log").read_text() == "started\n"
