"""The world of a simulated crawl."""

from collections.abc import Callable, Iterator
from functools import cached_property
from random import Random
from typing import cast

from gossamer.base.clock import SystemClock
from gossamer.base.poller import Poller
from gossamer.base.settings import DnsSettings, FetchSettings, Settings
from gossamer.cluster.carrier import Carrier, End
from gossamer.cluster.crawl import Crawl
from gossamer.cluster.partition import Partition
from gossamer.cluster.turns import AddressTable
from gossamer.crawl.ring import Rooms
from gossamer.cycle.dns import Resolver
from gossamer.cycle.dns.channel import Channel
from gossamer.lab.simulator.fetcher import SimulatedFetcher
from gossamer.lab.simulator.names import SimulatedChannel
from gossamer.lab.simulator.network import Network
from gossamer.lab.simulator.stage import Stage
from gossamer.lab.simulator.virtual import VirtualPoller


class SimulatedWorld:
    """Fulfils `World`: virtual time, the simulated web, chance from a seed."""

    def __init__(
        self, stage: Stage, network: Network, chance: Random, wall: Callable[[], float]
    ) -> None:
        """`wall` is the machine's clock on the wall, which people may set."""
        self.stage = stage
        self.clock = SystemClock(wall, stage.clock.now)
        self.chance = chance
        self._network = network

    def poller(self) -> Poller:
        return self.stage.poller()

    def fetcher(self, settings: FetchSettings, agent: str, poller: Poller) -> SimulatedFetcher:
        assert isinstance(poller, VirtualPoller)
        return SimulatedFetcher(settings, agent, poller, self.clock, self._network)

    def resolver(self, fetch: FetchSettings, dns: DnsSettings, poller: Poller) -> Resolver:
        assert isinstance(poller, VirtualPoller)

        def open_channel(patience: float) -> SimulatedChannel:
            return SimulatedChannel(self._network, poller)

        return Resolver(dns, poller, self.clock, cast(Callable[[float], Channel], open_channel))


class SimulatedCrawl(Crawl):
    """A crawl whose partitions are carried by the stage, and can be looked at."""

    def rooms(self) -> list[tuple[Rooms, Settings]]:
        """The rooms of this life with their settings, those of partitions that have died included."""
        crawls = [self, *self._shares.values()]
        return [(one._ring.rooms, one.settings) for one in crawls if one._ring is not None]

    @cached_property
    def _shares(self) -> dict[int, Partition]:
        return {}

    def _live(self, number: int, end: End, table: AddressTable | None) -> Iterator[None]:
        share = Partition(self, number, self.partitions, end, table, self._is_delivering)
        self._shares[number] = share
        return share.live()

    def _carrier(self, poller: Poller) -> Carrier:
        assert isinstance(self._world, SimulatedWorld)
        return self._world.stage
