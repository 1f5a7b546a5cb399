"""The world of a simulated crawl."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import cast

from gossamer.cluster.crawl import Crawl
from gossamer.cluster.supervised import Supervised
from gossamer.core.clock import SystemClock
from gossamer.core.poller import Poller
from gossamer.core.settings import DnsSettings, FetchSettings, Settings
from gossamer.engine.assignment import Assignment
from gossamer.engine.stateful_components import Components
from gossamer.lab.simulator.simulated_dns import SimulatedChannel
from gossamer.lab.simulator.simulated_fetcher import SimulatedFetcher
from gossamer.lab.simulator.simulated_network import Network
from gossamer.lab.simulator.user_script import Script, ScriptedEntrance
from gossamer.lab.simulator.virtual_actors import Stage
from gossamer.lab.simulator.virtual_poller import VirtualPoller
from gossamer.pipeline.dns import Resolver
from gossamer.pipeline.dns.dns_channel import Channel


class SimulatedWorld:
    """Fulfils `World`: virtual time, the simulated web, chance from a seed."""

    def __init__(
        self, stage: Stage, network: Network, chance: Random, wall: Callable[[], float]
    ) -> None:
        """`wall` is the machine's clock on the wall, which people may set."""
        self.stage = stage
        self.clock = SystemClock(wall, stage.clock.now)
        self.chance = chance
        self.longest_wait = 3600.0  # nobody looks on
        self._network = network
        self.script: Script | None = None
        """What people tell the crawl."""

    def poller(self) -> Poller:
        return self.stage.poller()

    def fetcher(self, settings: FetchSettings, agent: str, poller: Poller) -> SimulatedFetcher:
        assert isinstance(poller, VirtualPoller)
        return SimulatedFetcher(settings, agent, poller, self.clock, self._network)

    def resolver(self, fetch: FetchSettings, dns: DnsSettings, poller: Poller) -> Resolver:
        assert isinstance(poller, VirtualPoller)

        def open_channel(timeout: float) -> SimulatedChannel:
            return SimulatedChannel(self._network, poller)

        return Resolver(dns, poller, self.clock, cast(Callable[[float], Channel], open_channel))

    def door(self, state: Path, poller: Poller) -> ScriptedEntrance | None:
        return ScriptedEntrance(self.script, poller) if self.script is not None else None


class SimulatedCrawl(Crawl):
    """A crawl whose partitions are carried by the stage, and can be looked at."""

    def components(self) -> list[tuple[Components, Settings]]:
        """The components of this life with their settings, those of partitions that have died included."""
        run, found = self._run, []
        if isinstance(run, Supervised):
            found = [(share.ring, share.settings) for share in run.shares.values()]
        elif run is not None:
            found = [(run.ring, self.settings)]
        return [(ring.components, settings) for ring, settings in found if ring is not None]

    def _take(self, assignment: Assignment) -> None:
        super()._take(assignment)
        world = assignment.world
        assert isinstance(world, SimulatedWorld)
        self.carrier = lambda poller: world.stage
        self.owns_partitions = False
