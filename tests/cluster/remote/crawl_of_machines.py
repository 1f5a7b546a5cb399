"""A crawl on a cluster of machines to which something happens, and what its log says about that."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path

from gossamer.lab import LoggedRequest, Web
from tests.cluster.remote.network import Machine
from tests.cluster.remote.ray_machines import ClusterOfMachines
from tests.cluster.remote.web_at_machines import WebAtMachines, incarnation_of
from tests.engine.engine_crawling import by_host
from tests.processes import wait_until

PAGES, PARTITIONS = 300, 6
_WEB = Web(seed=6, pages=PAGES, hosts=60)
_ADDRESSES = 40
"""Hosts share some of them, so that machines have to take turns."""
_FIRST = 40
"""Requests before something happens."""
_LONGEST = 36
"""Pages of the largest host that come after that: it makes the crawl last."""
_SECONDS = 300.0


class CrawlOfMachines:
    """It takes longer than what happens meanwhile, because its hosts are asked so seldom."""

    def __init__(
        self,
        cluster: ClusterOfMachines,
        path: Path,
        *,
        lease: float,
        seconds: float,
        start_at: Machine | None = None,
    ) -> None:
        """`seconds` that something takes. `start_at` is the machine of the supervisor, if not the head's."""
        self._cluster = cluster
        self._log = path / "log"
        self.gap = (seconds + 2 * lease) / _LONGEST
        self.web = WebAtMachines(_WEB, cluster.machines, addresses=_ADDRESSES)
        self._command = cluster.run(
            *("crawl", self.web.seed_url, "--ray", cluster.address, "--scope", "all"),
            *(
                "--storage",
                f"file://{path / 'storage'}",
                "--partitions",
                f"{PARTITIONS}",
                "--quiet",
            ),
            *("--allow-private", "--dns", self.web.dns_address, f"--delay={self.gap}"),
            *("--set", f"politeness.address_delay={self.gap}", "--set", "politeness.factor=0"),
            *("--set", "politeness.per_address=1", "--set", f"crawl.lease={lease}"),
            log=self._log,
            machine=start_at or cluster.head,
        )
        self.lost = 0
        """Nodes that Ray ended."""

    @property
    def is_running(self) -> bool:
        return self._command.poll() is None

    def get_going(self) -> None:
        wait_until(lambda: len(self.web.requests()) >= _FIRST or not self.is_running, _SECONDS)

    def run_to_end(self) -> None:
        """New nodes come for those that Ray has ended."""
        deadline = time.monotonic() + _SECONDS
        while self.is_running and time.monotonic() < deadline:
            self.lost += self._cluster.replace_lost()
            wait_a_moment(self._command)
        assert self._command.poll() == 0, self._log.read_text()

    def kill(self) -> None:
        self._command.kill()
        self._command.wait()


def wait_a_moment(command: subprocess.Popen[bytes]) -> None:
    """For its end, but not for long."""
    with suppress(subprocess.TimeoutExpired):
        command.wait(0.2)


@contextmanager
def crawling(
    cluster: ClusterOfMachines,
    path: Path,
    *,
    lease: float,
    seconds: float,
    start_at: Machine | None = None,
) -> Iterator[CrawlOfMachines]:
    """A crawl that is under way."""
    crawl = CrawlOfMachines(cluster, path, lease=lease, seconds=seconds, start_at=start_at)
    with crawl.web:
        try:
            crawl.get_going()
            yield crawl
        finally:
            crawl.kill()


def incarnations(requests: list[LoggedRequest]) -> set[str]:
    return {*map(incarnation_of, requests)}


def longest_rest(requests: list[LoggedRequest]) -> float:
    """The longest time for which a host was left alone when it went from one incarnation to the next."""
    rests = [
        after.start - before.end
        for some in by_host(requests).values()
        for before, after in pairwise(some)
        if incarnation_of(before) != incarnation_of(after)
    ]
    return max(rests, default=0.0)
