"""A crawl on the nodes of a Ray cluster, which are killed with all that is on them, disks included.

Ray listens on every network that there is, whatever address it is given. So `make ray`, a part of `make
test`, runs this where there is only loopback. More and longer: GOSSAMER_RAY_PAGES, GOSSAMER_RAY_KILLS.
"""

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import IO, Any

import pytest
from tools.loopback_only import networks

import gossamer
from gossamer.cluster.remote.ray_workers import RayLauncher
from gossamer.core.settings import Settings, StoreSettings
from gossamer.lab import Web, serve
from tests.cluster.remote.ray_cluster import Cluster
from tests.cluster.remote.ray_nodes import ENVIRONMENT
from tests.cluster.remote.remote_checking import Politeness, assert_complete, closest
from tests.cluster.remote.remote_crawling import download, home_of
from tests.dashboard.faces import Visitor
from tests.engine.engine_crawling import DNS, asked
from tests.needs import needs
from tests.processes import wait_until

PAGES = int(os.environ.get("GOSSAMER_RAY_PAGES", "300"))
KILLS = int(os.environ.get("GOSSAMER_RAY_KILLS", "1"))
NODES = 3 if KILLS > 1 else 2
DELAY = 0.02
KNOBS: Any = {
    **{"delay": DELAY, "address_delay": DELAY, "factor": 0.0, "allow_private": True},
    **{"per_address": 1},  # several at a time would be allowed, so that gaps could not be seen
    **{"lease": 5.0, "partitions": 2 * NODES},
}
pytestmark = [
    pytest.mark.timeout(3600),
    pytest.mark.skipif(find_spec("ray") is None, reason=needs("ray", "it is not installed")),
    pytest.mark.skipif(
        bool(networks()),
        reason=needs(
            "ray", "it listens on every network; make ray runs it where there is only loopback"
        ),
    ),
]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """In a folder with a short name: Ray has sockets in the file system, whose names must not be long."""
    with TemporaryDirectory(prefix="r") as folder:
        made = Cluster(Path(folder), NODES)
        try:
            made.open()
            yield made
        finally:
            made.close()


def test_nodes_are_lost_with_their_disks(cluster: Cluster, tmp_path: Path) -> None:
    storage = os.environ.get("GOSSAMER_RAY_HOME", f"file://{tmp_path / 'storage'}")
    web, chance = Web(seed=6, pages=PAGES, hosts=max(12, PAGES // 40)), Random(7)
    moments = sorted(chance.uniform(0.1, 0.8) * PAGES for _ in range(KILLS))
    with serve(web) as served:
        settings = Settings(
            dns=DNS(servers=(served.dns_address,)), store=StoreSettings(checkpoint_every=10.0)
        )
        crawl = gossamer.Crawl(
            *(served.seed_url,),
            out=tmp_path / "shell",
            settings=settings,
            storage=storage,
            scope="all",
            **KNOBS,
        )
        launcher = RayLauncher("auto")
        crawl.go_remote(launcher, launcher.host)
        names, under_way = set[str](), list[int]()
        for _ in crawl.turns():
            if not names and crawl.summary().pages:
                names = cluster.actors()
            if moments and crawl.summary().pages >= moments[0] and cluster.in_use:
                moments.pop(0)
                under_way.append(crawl.summary().in_flight)
                cluster.replace_one(chance)
        summary = crawl.summary()
        assert (summary.stopped_by, moments) == ("finished", [])
        assert summary.exchange["restarts"] >= 1
        numbers = range(KNOBS["partitions"])
        assert {name.rpartition(":")[0] for name in names} == {
            f"gossamer:{storage.rpartition('/')[2]}:partition-{number:05}" for number in numbers
        }
        politeness = Politeness(served.requests())
        assert_complete(served, download(tmp_path, storage=storage))
        again = Counter(times - 1 for times in asked(served).values())
        print(f"\n{summary.pages:,} pages in {summary.seconds:.0f} s; restarts", end=" ")
        print(f"{summary.exchange['restarts']}; asked again: {dict(again)}; {politeness}")
        print(f"under way in all partitions, when a node was killed: {under_way}")
        print(closest(served.requests()))
        politeness.check(DELAY)
    told = home_of(tmp_path, storage).summary()
    assert told.pages == summary.pages
    assert {name.rpartition("/")[2] for name in told.machines} <= cluster.node_names()
    there = (number for share in told.machines.values() for number in share.partitions)
    assert sorted(there) == [*numbers]


def test_the_head_dies_and_the_crawl_moves(cluster: Cluster, tmp_path: Path) -> None:
    """From three nodes, whose head is killed, to one, to a single machine without Ray, and to four."""
    storage = f"file://{tmp_path / 'storage'}"
    gap = 1.0  # the crawl must not end before its dashboard has begun, which loads everything first
    while len(cluster.nodes) < 3:
        cluster.add()
    with serve(Web(seed=9, pages=300, hosts=12)) as served:
        said = (tmp_path / "said").open("w+")
        crawl = start_command(
            said,
            *(
                "crawl",
                served.seed_url,
                "--ray",
                cluster.address,
                "--storage",
                storage,
                "--scope",
                "all",
            ),
            *("--allow-private", "--dns", served.dns_address, "--partitions", "6"),
            *("--max-pages", "150", "--serve", "--end-at-once", "--serve-port", "0"),
            *(f"--delay={gap}", "--set", "politeness.factor=0", "--set", "crawl.lease=5"),
            *("--set", f"politeness.address_delay={gap}", "--set", "politeness.per_address=1"),
        )
        try:
            machines = shown_machines(tmp_path / "said", crawl)
            nodes = cluster.node_names()  # one that took a lost one's place may have come only now
            wait_until(lambda: len(asked(served)) > 60 or crawl.poll() is not None)
            cluster.lose_head()
            before = len(asked(served))
            status = crawl.wait()
        finally:
            crawl.kill()
            said.close()
        assert sorted(n for one in machines for n in one["partitions"]) == [*range(6)]
        assert {one["name"].rpartition("/")[2] for one in machines} <= nodes
        assert before > 60, "it died before its head did"
        print(f"\nwithout a head: {before} to {len(asked(served))} pages, status {status}")

        cluster.start_over(1)
        assert go_on(tmp_path, "one-node", max_pages=200).run().pages == 200

        alone = gossamer.Crawl.resume(download(tmp_path, "alone"), max_pages=230).run()
        assert (alone.pages, alone.partitions) == (230, 6)

        while len(cluster.nodes) < 4:
            cluster.add()
        last, used = go_on(tmp_path, "four-nodes", max_pages=0), set[int]()
        for _ in last.turns():
            used |= {number for number, node in enumerate(cluster.nodes) if node.is_used}
        assert last.summary().stopped_by == "finished"
        assert len(used) > 1, "partitions are spread"
        assert_complete(served, download(tmp_path))
        Politeness(served.requests()).check(gap)


def start_command(said: IO[str], *arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "gossamer", *arguments, "-q"]
    return subprocess.Popen(command, env={**os.environ, **ENVIRONMENT}, stderr=said)


def shown_machines(said: Path, crawl: subprocess.Popen[bytes]) -> list[dict[str, Any]]:
    """What the dashboard beside a crawl has of its machines, when all partitions are on one."""
    shown = re.compile(r"is shown at (http://127\.0\.0\.1:\d+)/(\?token=[\w-]+)\n")
    wait_until(lambda: bool(shown.search(said.read_text())) or crawl.poll() is not None)
    found = shown.search(said.read_text())
    assert found, said.read_text()
    visitor, machines = Visitor(found[1]), list[dict[str, Any]]()
    visitor.get(f"/{found[2]}")

    def are_complete() -> bool:
        machines[:] = visitor.get("/api/").json["machines"]
        return sum(len(one["partitions"]) for one in machines) == 6

    wait_until(are_complete)
    return machines


def go_on(path: Path, name: str, **knobs: Any) -> gossamer.Crawl:
    """The crawl from remote storage, on the cluster of now."""
    home_of(path).make_shell(path / name)
    crawl, launcher = gossamer.Crawl.resume(path / name, **knobs), RayLauncher("auto")
    crawl.go_remote(launcher, launcher.host)
    return crawl
