"""Processes, other machines and the simulator's stage carry partitions alike."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from gossamer.cluster.partition_processes import Processes
from gossamer.cluster.remote.connection_tls import ConnectionTls
from gossamer.cluster.remote.remote_carrier import RemoteCarrier
from gossamer.core.clock import SystemClock, VirtualClock
from gossamer.core.poller import Poller
from gossamer.lab.simulator.simulated_connections import Mishaps
from gossamer.lab.simulator.simulated_disk import SimulatedDisk
from gossamer.lab.simulator.virtual_actors import Actor, Stage
from tests.cluster.remote.remote_forks import Forks
from tests.cluster.remote.tls_files import make_files, switch_on
from tests.conformance.carrier_suite import CarrierSuite
from tests.misbehaving.certificates import Authority


class TestProcesses(CarrierSuite):
    @pytest.fixture(autouse=True)
    def _carrier(self) -> None:
        self._poller = Poller()
        self.carrier = Processes(self._poller)

    def poller(self) -> Poller:
        return Poller()

    def go_on(self) -> None:
        self._poller.wait(0.05)


class TestNetwork(CarrierSuite):
    @pytest.fixture(autouse=True)
    def _carrier(self) -> Iterator[None]:
        self._poller = Poller()
        self.carrier = RemoteCarrier(self._poller, Forks(), SystemClock(), crawl="test", lease=1.0)
        yield
        self.carrier.close()

    def poller(self) -> Poller:
        return Poller()

    def go_on(self) -> None:
        self._poller.wait(0.05)


class TestNetworkWithTls(TestNetwork):
    """The same, encrypted."""

    @pytest.fixture(autouse=True)
    def _carrier(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        self._poller = Poller()
        switch_on(make_files(Authority(), tmp_path), monkeypatch)
        self.carrier = RemoteCarrier(
            *(self._poller, Forks(), SystemClock()),
            crawl="test",
            lease=1.0,
            tls=ConnectionTls.from_environment(),
        )
        yield
        self.carrier.close()


class TestStage(CarrierSuite):
    @pytest.fixture(autouse=True)
    def _carrier(self) -> None:
        self._clock = VirtualClock()
        disk = SimulatedDisk(self._clock, Random(1))
        self.carrier = self._stage = Stage(self._clock, disk, Random(2), Mishaps())
        self._stage.on_stage = self._leader = Actor("leader")
        self._stage.poller()

    def poller(self) -> Poller:
        return self._stage.poller()

    def go_on(self) -> None:
        self._clock.advance(0.01)
        for follower in self._stage.followers():
            self._stage._step(follower)
        self._stage.on_stage = self._leader
