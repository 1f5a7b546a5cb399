"""Machines of a Ray cluster are cut off from the others, or stopped, and come back.

Each node of Ray has a network of its own, and reaches the web by itself: one that is cut off could go on to
ask hosts for as long as it likes. The server's log tells which process asked. `make ray` has one cut. More
and longer ones: GOSSAMER_FAR=long.
"""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from tests.cluster.remote.crawl_of_machines import (
    PAGES,
    PARTITIONS,
    CrawlOfMachines,
    crawling,
    incarnations,
    longest_rest,
)
from tests.cluster.remote.network import Machine, why_not
from tests.cluster.remote.ray_machines import ClusterOfMachines
from tests.cluster.remote.remote_checking import Politeness, assert_complete
from tests.cluster.remote.remote_crawling import download, home_of
from tests.cluster.remote.web_at_machines import assert_one_life_at_a_time
from tests.engine.engine_crawling import asked
from tests.needs import needs
from tests.processes import wait_until

IS_LONG = os.environ.get("GOSSAMER_FAR") == "long"
_HINDRANCE = why_not() if find_spec("ray") else "it is not installed"
pytestmark = [
    pytest.mark.timeout(3600),
    pytest.mark.skipif(bool(_HINDRANCE), reason=needs("ray", _HINDRANCE)),
]
_BEFORE_RAY_KNOWS = 60.0
"""Seconds after which Ray still takes a machine for alive that is cut off: it needs 65."""
only_long = pytest.mark.skipif(not IS_LONG, reason="it takes minutes; GOSSAMER_FAR=long runs it")


@pytest.fixture(scope="module")
def cluster() -> Iterator[ClusterOfMachines]:
    """In a folder with a short name: Ray has sockets in the file system, whose names must not be long."""
    with TemporaryDirectory(prefix="r") as folder:
        made = ClusterOfMachines(Path(folder), 3)
        try:
            made.open()
            yield made
        finally:
            made.close()


class Cut(NamedTuple):
    seconds: float
    lease: float
    machines: int = 1


@pytest.mark.parametrize(
    "cut",
    [
        pytest.param(Cut(5.0, lease=2.0), id="5 s"),
        pytest.param(Cut(20.0, lease=3.0), id="20 s", marks=only_long),
        pytest.param(Cut(60.0, lease=5.0), id="60 s", marks=only_long),
        pytest.param(Cut(20.0, lease=3.0, machines=2), id="two machines", marks=only_long),
    ],
)
def test_machines_are_cut_off(cluster: ClusterOfMachines, tmp_path: Path, cut: Cut) -> None:
    """For longer than a lease: their partitions go on elsewhere, and nobody is asked by both."""
    with crawling(cluster, tmp_path, lease=cut.lease, seconds=cut.seconds) as crawl:
        left = len(cluster.workers) - cut.machines
        with cut_off(cluster.workers[: cut.machines], cut.seconds):
            wait_until(lambda: are_all_up(tmp_path, machines=left), _BEFORE_RAY_KNOWS)
        restarts = check(crawl, tmp_path, f"{cut.machines} cut off for {cut.seconds:g} s")
        assert restarts >= 1


@only_long
def test_a_cut_that_is_shorter_than_a_lease(cluster: ClusterOfMachines, tmp_path: Path) -> None:
    """What was said meanwhile arrives late, and that is all."""
    with crawling(cluster, tmp_path, lease=20.0, seconds=5.0) as crawl:
        with cut_off(cluster.workers[:1], 5.0):
            pass
        assert check(crawl, tmp_path, "1 cut off for 5 s of a lease of 20") == 0


@only_long
@pytest.mark.parametrize("seconds", [10.0, 60.0])
def test_a_machine_stands_still(cluster: ClusterOfMachines, tmp_path: Path, seconds: float) -> None:
    """It wakes up in the belief that no time has passed."""
    with crawling(cluster, tmp_path, lease=3.0, seconds=seconds) as crawl:
        cluster.signal(cluster.workers[:1], signal.SIGSTOP)
        time.sleep(seconds)
        cluster.signal(cluster.workers[:1], signal.SIGCONT)
        assert check(crawl, tmp_path, f"1 stopped for {seconds:g} s") >= 1


@only_long
def test_the_head_is_cut_off_with_the_supervisor(
    cluster: ClusterOfMachines, tmp_path: Path
) -> None:
    """All partitions end, and begin again when somebody can be reached."""
    with crawling(cluster, tmp_path, lease=3.0, seconds=20.0) as crawl:
        with cut_off([cluster.head], 20.0):
            pass
        assert check(crawl, tmp_path, "head and supervisor cut off for 20 s") >= 1


@only_long
def test_the_head_alone_is_cut_off(cluster: ClusterOfMachines, tmp_path: Path) -> None:
    """Lines do not pass through it: the supervisor, on another machine, and its partitions go on."""
    start_at = cluster.workers[-1]
    with crawling(cluster, tmp_path, lease=3.0, seconds=20.0, start_at=start_at) as crawl:
        with cut_off([cluster.head], 20.0):
            pass
        assert check(crawl, tmp_path, "only the head cut off for 20 s") == 0


@contextmanager
def cut_off(machines: list[Machine], seconds: float) -> Iterator[None]:
    """For so many seconds, or longer if need be."""
    until = time.monotonic() + seconds
    for machine in machines:
        machine.pull_out()
    try:
        yield
        time.sleep(max(0.0, until - time.monotonic()))
    finally:
        for machine in machines:
            machine.plug_in()


def are_all_up(path: Path, *, machines: int) -> bool:
    """Are all partitions at work, on so many machines?"""
    told = home_of(path).summary().machines
    count = sum(len(share.partitions) for share in told.values())
    return (len(told), count) == (machines, PARTITIONS)


def check(crawl: CrawlOfMachines, path: Path, what: str) -> int:
    """The crawl ends, and all is as if nothing had happened. Returns how often partitions were restarted."""
    crawl.run_to_end()
    requests = crawl.web.requests()
    politeness = Politeness(requests)
    restarts = home_of(path).summary().exchange["restarts"]
    print(
        f"\n{what}: {restarts} restarts, {len(incarnations(requests))} lives that asked", end=", "
    )
    print(
        f"{asked(crawl.web).total() - PAGES} pages asked again, {crawl.lost} nodes lost", end="; "
    )
    print(f"{politeness} of {crawl.gap:.4f}", end="; ")
    print(f"hosts waited for a new incarnation for up to {longest_rest(requests):.1f} s")
    assert_complete(crawl.web, download(path))
    assert_one_life_at_a_time(requests)
    politeness.check(crawl.gap)
    return restarts
