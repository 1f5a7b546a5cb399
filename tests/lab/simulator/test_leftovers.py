"""What a killed simulation left in memory is gone when the next one begins."""

import os
from pathlib import Path

from gossamer.lab.simulator.leftovers import simulation_folder


def dead_process() -> int:
    """The number of a process that has ended."""
    pid = os.fork()
    if not pid:
        os._exit(0)
    os.waitpid(pid, 0)
    return pid


def test_folders_of_dead_processes_go_and_others_stay(tmp_path: Path) -> None:
    names = (f"{dead_process()}-a", f"{os.getppid()}-b", f"{os.getpid()}-c", "old")
    dead, *others = (tmp_path / f"gossamer-simulation-{name}" for name in names)
    for folder in (dead, *others, tmp_path / "something else"):
        (folder / "crawl").mkdir(parents=True)
    with simulation_folder(tmp_path) as own:
        assert not dead.exists()
        assert all(folder.exists() for folder in others)
        assert own.name.startswith(f"gossamer-simulation-{os.getpid()}-")
    assert not own.exists()
    assert (tmp_path / "something else").exists()
