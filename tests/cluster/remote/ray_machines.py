"""A Ray cluster whose nodes have a machine each, on a network that can be cut."""

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from signal import SIGKILL

from tests.cluster.remote.network import Machine, Network
from tests.cluster.remote.ray_nodes import RayNode
from tests.processes import wait_until

_PORT = 6379
_SECONDS = 180.0
_ENVIRONMENT = {"RAY_USAGE_STATS_ENABLED": "0"}


class ClusterOfMachines:
    """A head, which has no partitions, and nodes."""

    def __init__(self, folder: Path, nodes: int) -> None:
        self._folder = folder
        self._network = Network(1 + nodes)
        self.head, *self.workers = self._network.machines
        self.address = f"{self.head.address}:{_PORT}"
        self._nodes: dict[Machine, RayNode] = {}
        self._started = 0

    def open(self) -> None:
        """Nodes come one after the other: those that come at once take each other's names."""
        for machine in self._network.machines:
            self._start(machine)

    def close(self) -> None:
        for node in self._nodes.values():
            node.kill()
            node.signal(SIGKILL)  # what had outlived it
        self._network.close()

    @property
    def machines(self) -> list[Machine]:
        return self._network.machines

    def run(self, *arguments: str, log: Path, machine: Machine) -> subprocess.Popen[bytes]:
        """Start a command of Gossamer on a machine."""
        where = (self.address, machine.address)
        command = [sys.executable, "-m", "tests.cluster.remote.gossamer_at", *where, *arguments]
        with machine.inside(), log.open("wb") as out:
            return subprocess.Popen(
                command, env={**os.environ, **_ENVIRONMENT}, stdout=out, stderr=out
            )

    def signal(self, machines: Iterable[Machine], number: int) -> None:
        """To all processes of these machines at once."""
        for machine in machines:
            self._nodes[machine].signal(number)

    def replace_lost(self) -> int:
        """Ray ends nodes that were away for too long: start others in their place. Returns how many."""
        lost = [machine for machine, node in self._nodes.items() if not node.is_running]
        for machine in lost:
            self._nodes[machine].signal(SIGKILL)  # what has outlived its node
            self._start(machine)
        return len(lost)

    def _start(self, machine: Machine) -> None:
        self._started += 1
        is_head = machine is self.head
        with machine.inside():
            node = self._nodes[machine] = RayNode(
                self._folder / f"{self._started}",
                _PORT,
                is_head=is_head,
                cores=0 if is_head else 2,
                host=machine.address,
                head=self.head.address,
                environment=_ENVIRONMENT,
            )
        wait_until(lambda: node.is_up, _SECONDS)
