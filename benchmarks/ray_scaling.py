"""What it costs to have partitions on a Ray cluster, with all of Ray's own processes.

    python -m tools.loopback_only python -m benchmarks.ray_scaling [--nodes 1 2 4] [--pages 6000] [--rounds 3]

The same web is crawled to the same number of pages by two partitions for each node: as processes with
remote storage, and on so many Ray nodes of this machine. Processor time is that of all processes but the
web's: the supervisor and the partitions (`own`), and what Ray runs beside them (`Ray's`: head, raylets,
agents, and an actor for each partition). What a page costs is the difference of a crawl and of one of a
sixth of its length. Ray's processor time while nothing is crawled is measured as well.
Ray listens on every network, so this runs where there is only loopback.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from tests.cluster.remote.ray_cluster import Cluster
from tests.processes import adopting_orphans
from tools.loopback_only import networks

import gossamer
from benchmarks.process_tree import cpu_of, descendants
from benchmarks.report import Row, print_rows
from gossamer.cluster.frames import Frame, FrameKind, encode
from gossamer.cluster.partition_member import Member
from gossamer.cluster.remote.ray_workers import RayLauncher
from gossamer.cluster.supervisor import Supervisor
from gossamer.core.settings import BudgetSettings, DnsSettings
from gossamer.lab import ServedWeb, Web, serve

_EACH = 2
"""Partitions of a node."""
_IDLE = 10.0
"""Seconds for which a cluster without work is looked at."""


class _Cost(NamedTuple):
    own: float
    rays: float


class _Run(NamedTuple):
    """One crawl; seconds of processor time are the crawl's own and Ray's."""

    pages: float
    seconds: float
    own: float
    rays: float
    sent: float
    sent_bytes: float


class _Clock:
    """Processor time of the crawl's own processes, and of Ray's."""

    def __init__(self, served: ServedWeb, cluster: Cluster | None) -> None:
        self._web = frozenset({served.pid})
        self._cluster = cluster

    def read(self) -> _Cost:
        rays: list[int] = []
        for node in self._cluster.all_nodes() if self._cluster is not None else []:
            rays += node.ray_processes()
        own = set(descendants(os.getpid(), self._web)) - {*rays}
        return _Cost(cpu_of([*own]), cpu_of(rays))


@contextmanager
def _counting_bytes() -> Iterator[dict[str, int]]:
    """Bytes of batches from one partition to another, as they go over lines."""
    seen, take = {"bytes": 0}, Supervisor._take

    def count(self: Supervisor, member: Member, frame: Frame) -> None:
        if frame.kind == FrameKind.BATCH:
            seen["bytes"] += len(encode(frame))
        take(self, member, frame)

    with patch.object(Supervisor, "_take", count):
        yield seen


def _crawl(
    served: ServedWeb, pages: int, count: int, launcher: RayLauncher | None, clock: _Clock
) -> "_Run":
    with tempfile.TemporaryDirectory() as work, _counting_bytes() as seen:
        crawl = gossamer.Crawl(
            *(served.web.url(host, 0) for host in range(served.web.hosts)),
            out=Path(work) / "out",
            settings=gossamer.Settings(
                dns=DnsSettings(servers=(served.dns_address,)), budget=BudgetSettings(kind="off")
            ),
            **_knobs(work, pages, count),
        )
        if launcher is not None:
            crawl.go_remote(launcher, launcher.host)
        began, (own, rays) = time.monotonic(), clock.read()
        summary = crawl.run()
        seconds, (own_then, rays_then) = time.monotonic() - began, clock.read()
    cost = _Cost(own_then - own, rays_then - rays)
    return _Run(summary.pages, seconds, *cost, summary.exchange["sent"], seen["bytes"])


def _compare(short: "_Run", long: "_Run") -> dict[str, float]:
    """What a page costs when the crawl is under way: what it takes to begin and to end is left out."""
    more = _Run(*(late - early for late, early in zip(long, short, strict=True)))
    page = 1e6 * (more.own + more.rays) / more.pages
    return {
        "pages/s": more.pages / more.seconds,
        "µs CPU/page": page,
        "own": 1e6 * more.own / more.pages,
        "Ray's": 1e6 * more.rays / more.pages,
        "links/s": more.sent / more.seconds,
        "bytes/link": more.sent_bytes / more.sent,
    }


def _knobs(work: str, pages: int, count: int) -> dict[str, Any]:
    given = {"scope": "all", "delay": 0, "allow_private": True, "max_pages": pages}
    return {**given, "partitions": count, "storage": f"file://{work}/home"}


def _add_up(runs: list[_Run]) -> _Run:
    return _Run(*map(sum, zip(*runs, strict=True)))


def _measure_nodes(served: ServedWeb, nodes: int, pages: int, rounds: int) -> list[Row]:
    """Both by turns, on a machine that may have other things to do."""
    hosts, count = f"{served.web.hosts:,} hosts", _EACH * nodes
    lengths = (pages // 6, pages)
    with tempfile.TemporaryDirectory(prefix="r") as folder:
        cluster = Cluster(Path(folder), nodes)
        try:
            cluster.open()
            clock = _Clock(served, cluster)
            _crawl(
                served, 50 * count, count, RayLauncher("auto"), clock
            )  # fork servers are there then
            made = [
                [
                    _crawl(served, one, count, RayLauncher("auto") if is_remote else None, clock)
                    for is_remote in (False, True)
                    for one in lengths
                ]
                for _ in range(rounds)
            ]
            before = clock.read().rays
            time.sleep(_IDLE)
            idle = 100 * (clock.read().rays - before) / _IDLE
        finally:
            cluster.close()
    near_short, near_long, far_short, far_long = (
        _add_up([*some]) for some in zip(*made, strict=True)
    )
    near, far = _compare(near_short, near_long), _compare(far_short, far_long)
    near["µs CPU/page"], near["Ray's"] = near["own"], 0.0  # its nodes wait meanwhile
    far["idle, % of a core"] = idle
    far["× CPU"] = far["µs CPU/page"] / near["µs CPU/page"]
    far["× own"] = far["own"] / near["own"]
    return [
        Row("ray_scaling", hosts, f"{count} processes", near),
        Row("ray_scaling", hosts, f"{count} on {nodes} node{'s' * (nodes > 1)}", far),
    ]


def measure(nodes: list[int], pages: int, hosts: int, rounds: int) -> list[Row]:
    with serve(Web(seed=7, pages=20 * pages, hosts=hosts)) as served, adopting_orphans():
        _crawl(served, 300, 2, None, _Clock(served, None))
        return [row for count in nodes for row in _measure_nodes(served, count, pages, rounds)]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--pages", type=int, default=6000)
    parser.add_argument("--hosts", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    if networks():
        sys.exit("call it with python -m tools.loopback_only: Ray listens on every network")
    print_rows(measure(arguments.nodes, arguments.pages, arguments.hosts, arguments.rounds))
