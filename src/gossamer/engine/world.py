"""The world of a crawl: time, randomness, waiting, and the network come from outside.

The ring and its components, the job, the partitions and their supervisor read no clock and open no socket by
themselves. They ask a `World`. The real one is here; the simulator (`lab/simulator`) has another one, with
virtual time and a simulated web. Files are the same in both: `core/disk/disk_files.py` has their seam.
"""

import logging
from pathlib import Path
from random import Random, SystemRandom
from typing import Protocol

from gossamer.core.clock import Clock, SystemClock
from gossamer.core.poller import Poller
from gossamer.core.protocols import Fetching, Resolving
from gossamer.core.settings import DnsSettings, FetchSettings
from gossamer.engine.control.control_socket import ControlSocket
from gossamer.engine.control.control_transport import Entrance
from gossamer.pipeline.dns import ProxiedNames, Resolver
from gossamer.pipeline.fetch import open_fetcher

_log = logging.getLogger("gossamer")


class World(Protocol):
    """One for a whole crawl; its partitions share it."""

    @property
    def clock(self) -> Clock:
        """The time, the same for all partitions."""

    @property
    def chance(self) -> Random:
        """Numbers that nobody can foresee, where no seed is asked for."""

    @property
    def longest_wait(self) -> float:
        """Seconds between two checks for commands and questions from outside."""

    def poller(self) -> Poller:
        """The poller of a process: one for each partition, one for the supervisor."""

    def fetcher(self, settings: FetchSettings, agent: str, poller: Poller) -> Fetching:
        """The fetcher, which asks servers."""

    def resolver(self, fetch: FetchSettings, dns: DnsSettings, poller: Poller) -> Resolving:
        """The resolver, which finds addresses."""

    def door(self, state: Path, poller: Poller) -> Entrance | None:
        """The socket for commands in this folder; None when there is no such thing."""


class RealWorld:
    """The machine's clock, real sockets, real name servers."""

    def __init__(self) -> None:
        self.clock: Clock = SystemClock()
        self.chance: Random = SystemRandom()
        self.longest_wait = 0.5

    def poller(self) -> Poller:
        return Poller()

    def fetcher(self, settings: FetchSettings, agent: str, poller: Poller) -> Fetching:
        return open_fetcher(settings, agent, poller, self.clock)

    def resolver(self, fetch: FetchSettings, dns: DnsSettings, poller: Poller) -> Resolving:
        return ProxiedNames() if fetch.proxy else Resolver(dns, poller, self.clock)

    def door(self, state: Path, poller: Poller) -> ControlSocket | None:
        try:
            return ControlSocket(state, poller)
        except OSError as error:
            _log.warning(
                "%s: no socket can be created (%s), so `gossamer control` cannot reach this crawl; "
                "it continues, and Ctrl-C ends it",
                *(state, error.strerror or error),
            )
            return None
