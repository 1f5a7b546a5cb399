"""The crawls whose costs are counted, and how one of them is run."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from msgspec import Struct, convert

from gossamer.core.clock import VirtualClock
from gossamer.core.settings import Settings
from gossamer.lab.behaviours import Behaviour
from gossamer.lab.simulated_web import Web
from gossamer.lab.simulator.leftovers import IN_MEMORY
from gossamer.lab.simulator.simulated_connections import Mishaps
from gossamer.lab.simulator.simulated_disk import SimulatedDisk
from gossamer.lab.simulator.simulated_network import Delivery, Network
from gossamer.lab.simulator.simulated_world import SimulatedCrawl, SimulatedWorld
from gossamer.lab.simulator.virtual_actors import Stage
from gossamer.lab.url_answer import LabLink

_START = 1_800_000_000.0
_ROUND = 600.0
"""Virtual seconds between two visits of a page, where pages are visited again."""
_PACE = 0.1
"""Virtual seconds that a turn may take: several pages arrive meanwhile, as in a crawl that is busy."""
_BEHAVIOURS = ("redirects", "errors", "duplicates", "gzip", "chunked", "robots")
_SETTINGS: dict[str, dict[str, Any]] = {
    "scope": {"kind": "all"},
    "fetch": {"allow_private": True},
    "dns": {"families": ["ipv4"]},
}

Paused = Callable[[], AbstractContextManager[object]]
"""Makes a context in which nothing is counted."""


class FixedCrawl(Struct, frozen=True):
    """A crawl that does the same each time."""

    about: str
    pages: int
    """Ordinary pages of the web; redirects, copies and errors come on top."""
    hosts: int
    partitions: int = 1
    delay: float = 0.0
    links: int = 0
    """Links to other pages of its web that each page has beside the usual ten."""
    rounds: int = 0
    """How often each page is visited, in a crawl that goes on; 0 for one visit."""


CRAWLS = {
    "start": FixedCrawl("one page: the costs of starting and ending", pages=1, hosts=1),
    "deep": FixedCrawl("few hosts with many pages each", pages=60, hosts=4),
    "linked": FixedCrawl("the same with more links on each page", pages=60, hosts=4, links=100),
    "broad": FixedCrawl("many hosts, one or two pages each", pages=40, hosts=30, delay=1.0),
    "shared": FixedCrawl("two partitions", pages=40, hosts=6, partitions=2),
    "again": FixedCrawl("each page is visited three times", pages=15, hosts=3, rounds=2),
}


class Size(Struct, frozen=True):
    """By what costs are divided."""

    pages: int
    links: int


class MoreLinks(Behaviour):
    """Puts further links on each page, to pages that other pages name as well."""

    name = "more-links"

    def __init__(self, count: int) -> None:
        self._count = count

    def links(self, web: Web, site: int, index: int) -> Sequence[LabLink]:
        urls = list(web.urls())
        return [LabLink(url) for url in Random(f"{site} {index}").choices(urls, k=self._count)]


class UncountedNetwork(Network):
    """A simulated web whose own work is left out of the counts."""

    paused: Paused

    def ask(self, host: str, target: str, address: str, fields: Sequence[str] = ()) -> Delivery:
        with self.paused():
            return super().ask(host, target, address, fields)

    def address_of(self, name: str) -> str | None:
        with self.paused():
            return super().address_of(name)


def run(crawl: FixedCrawl, seed: int, counting: AbstractContextManager[Paused]) -> Size:
    """Run a crawl from its start to its end, and count meanwhile."""
    clock, chance = VirtualClock(_START), Random(f"stage {seed}")
    stage = Stage(clock, SimulatedDisk(clock, chance), chance, Mishaps(), _PACE)
    web = Web(seed, crawl.pages, crawl.hosts, behaviours=[*_BEHAVIOURS, *_more_links(crawl)])
    network = UncountedNetwork(web, clock, crawl.hosts)
    world = SimulatedWorld(stage, network, Random(f"world {seed}"), clock.now)
    settings = _settle(crawl)
    with TemporaryDirectory(prefix="gossamer-costs-", dir=IN_MEMORY) as folder:
        with counting as network.paused:
            played = SimulatedCrawl(
                web.seed_url, out=Path(folder) / "crawl", settings=settings, world=world
            )
            if not stage.play(stage.enter(played.turns), _nothing):
                raise RuntimeError("the crawl was killed")
        summary = played.summary()
        played._assignment.directory.close()
    return Size(summary.pages, summary.links)


def _more_links(crawl: FixedCrawl) -> list[Behaviour]:
    return [MoreLinks(crawl.links)] if crawl.links else []


def _settle(crawl: FixedCrawl) -> Settings:
    settings: dict[str, dict[str, Any]] = {
        **_SETTINGS,
        "crawl": {"partitions": crawl.partitions},
        "politeness": {"delay": crawl.delay, "factor": 0.0},
    }
    if crawl.rounds:
        settings["crawl"]["max_seconds"] = crawl.rounds * _ROUND
        settings["revisit"] = {
            "continuous": True,
            "policy": "uniform",
            "shortest": _ROUND / 86_400,
            "longest": _ROUND / 86_400,
        }
    return convert(settings, Settings)


def _nothing() -> None:
    """Nobody looks on."""
