"""Nodes of a Ray cluster on this machine: each is a group of processes, with a disk of its own."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from tests.processes import children_of

HOST = "127.0.0.2"
_SECONDS = 180.0
_UP = b"Ray runtime started"
_HEADLESS = 15
"""Seconds after which nodes and drivers end by themselves, when their head has gone; by default a minute."""
ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_gcs_rpc_server_reconnect_timeout_s": f"{_HEADLESS}",
}


class RayNode:
    """`ray start`, with a folder for its disk. Nobody outside is asked or told anything."""

    def __init__(
        self,
        folder: Path,
        port: int,
        *,
        is_head: bool = False,
        cores: int = 2,
        host: str = HOST,
        head: str = HOST,
        environment: Mapping[str, str] = ENVIRONMENT,
    ) -> None:
        """`host` is the address of this node, `head` that of the one that knows all nodes."""
        self.disk = folder / "disk"
        self.disk.mkdir(parents=True)
        where = [f"--port={port}", "--head"] if is_head else [f"--address={head}:{port}"]
        arguments = [
            *(sys.executable, "-m", "ray.scripts.scripts", "start", "--block", *where),
            *(f"--node-ip-address={host}", f"--num-cpus={cores}", "--object-store-memory=80000000"),
            *(["--include-dashboard=false"] if is_head else []),
            *([f"--temp-dir={folder / 'ray'}"] if is_head else []),
        ]
        environment = {**os.environ, **environment, "TMPDIR": str(self.disk)}
        self._place = folder / "log"
        self._log = self._place.open("wb")
        self._process = subprocess.Popen(
            arguments, env=environment, stdout=self._log, stderr=self._log, start_new_session=True
        )

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    @property
    def is_up(self) -> bool:
        """Does it belong to its cluster, as it says itself?"""
        assert self.is_running, f"a node did not come:\n{self._place.read_text()}"
        return _UP in self._place.read_bytes()

    @property
    def is_used(self) -> bool:
        """Are there partitions?"""
        return any(self.disk.glob("gossamer-*"))

    def ray_processes(self) -> list[int]:
        """Those that Ray started, the parents first."""
        found = [self._process.pid] if self.is_running else []
        for pid in found:
            found += children_of(pid)
        return found

    def processes(self) -> list[int]:
        """All of them: partitions are no children of Ray's processes, but have the same disk."""
        disk = f"TMPDIR={self.disk}\0".encode()
        found = self.ray_processes()
        for path in Path("/proc").glob("[0-9]*/environ"):
            with suppress(OSError):
                if int(path.parent.name) not in found and disk in path.read_bytes():
                    found.append(int(path.parent.name))
        return found

    def signal(self, *numbers: int) -> None:
        """Send signals to all processes, one after the other."""
        pids = self.processes()
        for number in numbers:
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, number)

    def kill(self) -> None:
        """All at once, and the disk with them."""
        if not self.is_running:
            return
        self.signal(signal.SIGSTOP, signal.SIGKILL)  # nobody sees the others die
        self._process.wait()
        self._log.close()
        shutil.rmtree(self.disk, ignore_errors=True)


def free_port() -> int:
    with socket.create_server((HOST, 0)) as found:
        port: int = found.getsockname()[1]
        return port


def wait_for_nodes(count: int) -> None:
    """Until so many nodes are alive, as the cluster sees it."""
    import ray

    deadline = time.monotonic() + _SECONDS
    while sum(node["Alive"] for node in ray.nodes()) < count:
        assert time.monotonic() < deadline, "the nodes did not come"
        time.sleep(0.1)


def wait_for_head(head: RayNode, port: int) -> None:
    deadline = time.monotonic() + _SECONDS
    while time.monotonic() < deadline and head.is_running:
        with suppress(OSError), socket.create_connection((HOST, port), 1.0):
            return
        time.sleep(0.1)
    raise AssertionError("the head did not come")
