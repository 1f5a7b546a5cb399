"""The whole ring on the simulator's virtual clock, for benchmarks of crawls that never end."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

from gossamer.core.clock import VirtualClock
from gossamer.core.disk import disk_files
from gossamer.core.settings import Settings
from gossamer.lab.living_web import LivingWeb
from gossamer.lab.simulator.leftovers import simulation_folder
from gossamer.lab.simulator.simulated_connections import Mishaps
from gossamer.lab.simulator.simulated_disk import SimulatedDisk
from gossamer.lab.simulator.simulated_network import Network
from gossamer.lab.simulator.simulated_world import SimulatedCrawl, SimulatedWorld
from gossamer.lab.simulator.virtual_actors import Stage

START = 1_800_000_000.0


def crawl_simulated(
    web: LivingWeb,
    clock: VirtualClock,
    network: Network,
    settings: Settings,
    kills: Sequence[float] = (),
    pace: float = 0.0,
) -> None:
    """Crawl until the settings end it. It is killed at each time in `kills`, and goes on at once.

    With `pace` it waits for up to so many seconds between two turns, as a busy process does. Then more
    pages come together in a turn.
    """
    disk = SimulatedDisk(clock, Random(1))
    stage = Stage(clock, disk, Random(2), Mishaps(), pace)
    world = SimulatedWorld(stage, network, Random(3), clock.now)
    before, disk_files.system = disk_files.system, disk
    left = sorted(kills)

    def look() -> None:
        if left and clock.now() >= left[0]:
            left.pop(0)
            stage.kill_all()

    try:
        with simulation_folder() as folder:
            out, is_over = folder / "crawl", False
            while not is_over:
                crawl = _make(web, out, settings, world)
                is_over = stage.play(stage.enter(crawl.turns), look)
                crawl._assignment.directory.close()
                stage.clear()
    finally:
        disk_files.system = before


def _make(web: LivingWeb, out: Path, settings: Settings, world: SimulatedWorld) -> SimulatedCrawl:
    if (out / "crawl.toml").exists():
        return SimulatedCrawl.resume(out, world=world)
    return SimulatedCrawl(web.seed_url, out=out, settings=settings, world=world)
