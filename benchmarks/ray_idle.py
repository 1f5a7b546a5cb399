"""How much memory an idle partition takes up on a Ray node, its actor and its part of the fork server
included.

    python -m tools.loopback_only python -m benchmarks.ray_idle [--partitions 6]

Each partition has asked a few hosts for their first page, and waits since then. Memory is what Linux counts
for a process when it shares out what several have in common (PSS).
Ray listens on every network, so this runs where there is only loopback.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.cluster.remote.ray_cluster import Cluster
from tests.processes import adopting_orphans, children_of
from tools.loopback_only import networks

import gossamer
from benchmarks.process_tree import command_of, pss_of
from benchmarks.report import Row, print_rows
from gossamer.cluster.remote.ray_workers import RayLauncher
from gossamer.core.settings import DnsSettings
from gossamer.lab import Web, serve

_EACH = 4
"""Hosts of a partition."""
_SECONDS = 20.0
"""After the first pages, until memory is looked at."""


def measure(count: int) -> Row:
    web = Web(seed=3, pages=100 * count, hosts=_EACH * count)
    with serve(web) as served, tempfile.TemporaryDirectory(prefix="r") as folder:
        cluster = Cluster(Path(folder), 1)
        try:
            cluster.open()
            launcher = RayLauncher("auto")
            crawl = gossamer.Crawl(
                *(served.web.url(host, 0) for host in range(web.hosts)),
                out=Path(folder) / "out",
                settings=gossamer.Settings(dns=DnsSettings(servers=(served.dns_address,))),
                **{"scope": "all", "delay": 3600, "allow_private": True, "partitions": count},
                storage=f"file://{folder}/home",
            )
            crawl.go_remote(launcher, launcher.host)
            until, figures = time.monotonic() + 120, {}
            for _ in crawl.turns():
                if crawl.summary().pages >= web.hosts:
                    until = min(until, time.monotonic() + _SECONDS)
                if time.monotonic() > until and not figures:
                    figures = look(cluster, count)
                    crawl.stop()
        finally:
            cluster.close()
    return Row("an idle partition, MB", f"{count} on a node", "gossamer", figures)


def look(cluster: Cluster, count: int) -> dict[str, float]:
    processes = {pid: command_of(pid) for node in cluster.all_nodes() for pid in node.processes()}
    actors = [
        pid for pid, command in processes.items() if "ray::" in command and "Partition" in command
    ]
    fork_servers = [
        pid for pid, command in processes.items() if "cluster.remote.fork_server" in command
    ]
    lives = [pid for pid in fork_servers if not children_of(pid)]
    (fork_server,) = {*fork_servers} - {*lives}
    parts = {
        "partition": sum(map(pss_of, lives)) / count,
        "actor": sum(map(pss_of, actors)) / count,
        "its part of the fork server": pss_of(fork_server) / count,
    }
    return {**parts, "together": sum(parts.values())}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--partitions", type=int, default=6)
    arguments = parser.parse_args()
    if found := networks():
        sys.exit(
            f"Ray would listen on {', '.join(found)}: begin with python -m tools.loopback_only"
        )
    with adopting_orphans():
        print_rows([measure(arguments.partitions)])


if __name__ == "__main__":
    main()
