"""What it costs to have partitions on other machines: Ray's nodes beside processes of one machine.

    unshare --map-root-user --net sh -c 'ip link set lo up && python -m benchmarks.far --nodes 1 2 4'
    python -m benchmarks.far --nodes          # without Ray: processes and forks only

The same web is crawled to the same number of pages by so many partitions: as processes, as processes with a
home, as forks that call over loopback (`forks`), and as actors on so many nodes of a Ray cluster (`ray`). All
share this machine, so pages a second say little; processor time for a page says what the engine costs. That
of Ray's own processes is told apart.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gossamer
from benchmarks.partitions import own_cpu_seconds
from benchmarks.report import Row, print_rows
from gossamer.base.settings import BudgetSettings, DnsSettings, StoreSettings
from gossamer.lab import ServedWeb, Web, serve

_TICKS = os.sysconf("SC_CLK_TCK")


class _Run:
    """Crawls of one size."""

    def __init__(self, served: ServedWeb, pages: int, commit_pages: int) -> None:
        self._served = served
        self._pages = pages
        self._commit_pages = commit_pages

    def near(self, name: str, count: int, with_home: bool) -> Row:
        """As processes."""
        with tempfile.TemporaryDirectory() as work:
            home = {"home": f"file://{work}/home"} if with_home else {}
            crawl = self._make(Path(work), count, **home)
            return self._time(name, crawl, own_cpu_seconds)

    def far(self, name: str, count: int, launcher: Any, cpu: Callable[[], float]) -> Row:
        """Elsewhere."""
        with tempfile.TemporaryDirectory() as work:
            crawl = self._make(Path(work), count, home=f"file://{work}/home")
            crawl.go_far(launcher, getattr(launcher, "host", "127.0.0.1"))
            return self._time(name, crawl, cpu)

    def _make(self, work: Path, count: int, **knobs: Any) -> gossamer.Crawl:
        served = self._served
        settings = gossamer.Settings(
            dns=DnsSettings(servers=(served.dns_address,)),
            budget=BudgetSettings(kind="off"),
            store=StoreSettings(commit_pages=self._commit_pages),
        )
        seeds = (served.web.url(host, 0) for host in range(served.web.hosts))
        given = {"scope": "all", "delay": 0, "allow_private": True, "max_pages": self._pages}
        return gossamer.Crawl(
            *seeds, out=work / "out", settings=settings, partitions=count, **given, **knobs
        )

    def _time(self, name: str, crawl: gossamer.Crawl, cpu: Callable[[], float]) -> Row:
        before, began = cpu(), time.monotonic()
        summary = crawl.run()
        seconds, used = time.monotonic() - began, cpu() - before
        sent, size = summary.exchange.get("sent", 0), summary.exchange.get("sent_bytes", 0)
        figures = {
            "pages": summary.pages,
            "pages/s": summary.pages / seconds,
            "µs CPU/page": 1e6 * used / summary.pages,
            "links/s": sent / seconds,
            "bytes/link": size / max(1, sent),
        }
        return Row("far", f"{self._served.web.hosts:,} hosts", name, figures)


def measure(
    pages: int, hosts: int, partitions: int, nodes: list[int], commit_pages: int
) -> list[Row]:
    with serve(Web(seed=7, pages=20 * pages, hosts=hosts)) as served:
        run = _Run(served, pages, commit_pages)
        _Run(served, 300, 0).near("warm", 1, with_home=False)
        rows = [
            run.near(f"{partitions} processes", partitions, with_home=False),
            run.near(f"{partitions} processes, home", partitions, with_home=True),
        ]
        from tests.cluster.far.forks import Forks

        rows.append(run.far(f"{partitions} forks", partitions, Forks(), own_cpu_seconds))
        for count in nodes:
            rows += _on_ray(run, partitions, count)
    return rows


def _on_ray(run: _Run, partitions: int, nodes: int) -> list[Row]:
    from tests.cluster.far.ray_cluster import Cluster

    from gossamer.cluster.far.rays import RayLauncher

    with tempfile.TemporaryDirectory(prefix="r") as work:
        cluster = Cluster(Path(work), nodes)
        try:
            cluster.open()
            launcher = RayLauncher(cluster.address)
            split: dict[str, float] = {}

            def cpu() -> float:
                found = cluster_cpu(cluster)
                for kind, seconds in found.items():
                    split[kind] = seconds - split.get(kind, 0.0)
                return found["partitions"] + own_cpu_seconds()

            warm = run.far("warm", partitions, launcher, own_cpu_seconds)
            row = run.far(f"{partitions} on {nodes} nodes", partitions, launcher, cpu)
            row.figures["µs of Ray/page"] = 1e6 * split["engine"] / warm.figures["pages"]
            return [row]
        finally:
            cluster.close()


def cluster_cpu(cluster: Any) -> dict[str, float]:
    """Seconds of processors so far: of the partitions' processes, and of all else that Ray runs."""
    found = {"partitions": 0.0, "engine": 0.0}
    for node in cluster.all_nodes():
        for pid in node.processes():
            is_partition = b"PartitionActor" in _read(f"/proc/{pid}/cmdline")
            found["partitions" if is_partition else "engine"] += _cpu_of(pid)
    return found


def _cpu_of(pid: int) -> float:
    fields = _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
    return sum(map(int, fields[11:13])) / _TICKS if fields else 0.0


def _read(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError:
        return b""


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=3000)
    parser.add_argument("--hosts", type=int, default=300)
    parser.add_argument("--partitions", type=int, default=4)
    parser.add_argument("--nodes", type=int, nargs="*", default=[1, 2, 4])
    parser.add_argument("--commit-pages", type=int, default=50)
    given = parser.parse_args()
    print_rows(measure(given.pages, given.hosts, given.partitions, given.nodes, given.commit_pages))
