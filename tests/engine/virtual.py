"""Crawls of the simulated web in virtual time: waiting costs nothing, and nothing depends on speed.

The crawl is the real one, with its partitions, as the simulator runs it; there are no sockets.
"""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import gossamer
from gossamer.core.clock import VirtualClock
from gossamer.core.disk import disk_files
from gossamer.core.settings import LONGEST_SPAN, BudgetSettings
from gossamer.engine.summary import Summary
from gossamer.lab import LoggedRequest, Web
from gossamer.lab.simulator.simulated_connections import Mishaps
from gossamer.lab.simulator.simulated_disk import SimulatedDisk
from gossamer.lab.simulator.simulated_network import Network
from gossamer.lab.simulator.simulated_world import SimulatedCrawl, SimulatedWorld
from gossamer.lab.simulator.virtual_actors import Stage
from tests.engine.engine_crawling import DNS

START = 1_800_000_000.0
NEVER = LONGEST_SPAN
"""Seconds: nobody reads tables of a crawl that takes no time. It would write them again again and again."""
Look = Callable[[SimulatedCrawl, SimulatedDisk], None]


def crawl_virtually(
    web: Web,
    out: Path,
    addresses: int = 1,
    stops: Sequence[int] = (),
    seeds: Sequence[str] = (),
    look: Look = lambda crawl, disk: None,
    clock: VirtualClock | None = None,
    **knobs: Any,
) -> tuple[Summary, list[LoggedRequest]]:
    """Crawl a web from its seed to the end; what came of it, and what its servers were asked.

    After each number of pages in `stops` it stops, and goes on at once. `seeds` are asked for beside the
    web's own. `look` is called after each step, and may have the disk kill the next partition. `clock` is
    for a web that lives by the same one.
    """
    clock = clock or VirtualClock(START)
    disk = SimulatedDisk(clock, Random(1))
    stage = Stage(clock, disk, Random(2), Mishaps())
    network = Network(web, clock, addresses)
    world = SimulatedWorld(stage, network, Random(3), clock.now)
    for limit in (*stops, 0):
        if network.log:
            crawl = SimulatedCrawl.resume(out, world=world, max_pages=limit)
        else:
            budgets = BudgetSettings(kind="off")
            settings = gossamer.Settings(dns=DNS(families=("ipv4",)), budget=budgets)
            knobs = {"tables_every": NEVER, **knobs, "max_pages": limit, "scope": "all"}
            wanted = (web.seed_url, *seeds)
            crawl = SimulatedCrawl(*wanted, out=out, settings=settings, world=world, **knobs)
        with patch.object(disk_files, "system", disk):
            assert stage.play(stage.enter(crawl.turns), partial(look, crawl, disk))
        stage.clear()
    return crawl.summary(), network.log
