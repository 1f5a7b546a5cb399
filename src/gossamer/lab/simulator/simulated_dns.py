"""A name server of the simulation, behind the real resolver."""

import socket
from typing import NamedTuple

from pycares import errno

from gossamer.lab.simulator.simulated_network import Network
from gossamer.lab.simulator.virtual_poller import VirtualPoller
from gossamer.pipeline.dns.dns_channel import Answered

_TTL = 300
_DISTANCE = 0.02


class _Node(NamedTuple):
    addr: tuple[str, int]
    family: int
    ttl: int


class _Found(NamedTuple):
    """A result of c-ares, as far as it is used."""

    nodes: list[_Node]
    cnames: list[_Node]


class SimulatedChannel:
    """Takes the place of a c-ares channel."""

    def __init__(self, network: Network, poller: VirtualPoller) -> None:
        self.asked = self.open = 0
        self._network = network
        self._poller = poller
        self._waiting: dict[int, Answered] = {}
        self._number = 0

    def ask(
        self, name: str, answered: Answered, family: socket.AddressFamily | None = None
    ) -> None:
        number = self._number = self._number + 1
        self._waiting[number] = answered
        if self._network.trouble_with(name) != "dns":  # else there is no answer, ever
            moment = self._poller.clock.now() + _DISTANCE
            self._poller.call_at(moment, lambda: self._reply(number, name))

    def _reply(self, number: int, name: str) -> None:
        answered = self._waiting.pop(number, None)
        if answered is None:
            return
        address = self._network.address_of(name)
        if address is None:
            answered(None, errno.ARES_ENOTFOUND)
        else:
            found: object = _Found([_Node((address, 0), int(socket.AF_INET), _TTL)], [])
            answered(found, None)  # type: ignore[arg-type]

    def sweep(self) -> None:
        """Do nothing: the resolver's own timers end what waits in vain."""

    def close(self) -> None:
        waiting, self._waiting = self._waiting, {}
        for answered in waiting.values():
            answered(None, errno.ARES_ECANCELLED)
