"""The real ring, on the simulator's clock, and the virtual crawls of `lab fresh` agree."""

from pathlib import Path
from random import Random

import pytest
from msgspec import convert

from gossamer.core.clock import VirtualClock
from gossamer.core.disk import disk_files
from gossamer.core.settings import Settings
from gossamer.lab.freshness.freshness_webs import KnownWeb, known
from gossamer.lab.freshness.year import crawl_virtually
from gossamer.lab.living_web import LivingWeb, Visits, WebClock, averages, visits_in
from gossamer.lab.simulator.simulated_connections import Mishaps
from gossamer.lab.simulator.simulated_disk import SimulatedDisk
from gossamer.lab.simulator.simulated_network import Network
from gossamer.lab.simulator.simulated_world import SimulatedCrawl, SimulatedWorld
from gossamer.lab.simulator.virtual_actors import Stage
from gossamer.policy.revisit import ChangeModel
from gossamer.policy.revisit.page_groups import LEVELS

DAY = 60.0
"""Seconds: what a fetch takes is little of them."""
DAYS = 20.0
WARM = 6.0
PAGES = 100
VISITS = 40.0


def settings_for(policy: str) -> Settings:
    """Nobody is believed: the virtual crawls hear nothing of what hosts say."""
    revisit = {"continuous": True, "policy": policy, "visits_per_day": VISITS, "day": DAY}
    revisit |= {"believe": False}
    return convert(
        {
            "crawl": {"max_seconds": DAYS * DAY},
            "scope": {"kind": "all"},
            "politeness": {"delay": 0.05, "factor": 0.0},
            "fetch": {"allow_private": True},
            "dns": {"families": ["ipv4"]},
            "store": {"checkpoint_every": 4000.0, "warc": False},
            "budget": {"kind": "off"},
            "detect": {"soft_errors": False, "dust": False},
            "revisit": revisit,
        },
        Settings,
    )


def crawl_really(out: Path, policy: str) -> tuple[LivingWeb, Visits]:
    """The ring, the components and the frontier as they are; the web without sockets."""
    clock = VirtualClock(1_800_000_000.0)
    days = WebClock(clock, DAY)
    web = LivingWeb(7, PAGES, 4, clock=days, epoch=clock.now())
    disk = SimulatedDisk(clock, Random(1))
    stage, network = Stage(clock, disk, Random(2), Mishaps()), Network(web, clock, 4)
    world = SimulatedWorld(stage, network, Random(3), clock.now)
    before, disk_files.system = disk_files.system, disk
    try:
        crawl = SimulatedCrawl(web.seed_url, out=out, settings=settings_for(policy), world=world)
        leader = stage.enter(crawl.turns)
        assert stage.play(leader, lambda: None)
        assert crawl.summary().stopped_by == "max_time"
    finally:
        disk_files.system = before
    return web, visits_in(network.log, web, days)


def fresh(web: KnownWeb, visits: Visits) -> float:
    return averages(web.changes, visits, WARM, DAYS).freshness()


def test_the_ring_keeps_copies_as_fresh_as_the_lab_says(tmp_path: Path) -> None:
    """The ring finds pages by their links, and reads what they say; the lab knows when they change."""
    web, made = crawl_really(tmp_path / "out", "freshness")
    truth = known(web, DAYS)
    settings = settings_for("freshness").revisit
    model = ChangeModel(LEVELS, half_life=settings.half_life)
    virtual = crawl_virtually(truth, settings, model).visits
    assert fresh(truth, made) == pytest.approx(fresh(truth, virtual), rel=0.05)
