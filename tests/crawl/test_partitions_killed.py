"""Kill single partitions and the supervisor anywhere: the crawl ends as if nothing had happened.

One crawl that is hit three times; `make soak` does ten larger ones that are hit ten times each
(GOSSAMER_KILLED_CRAWLS=10).
"""

import json
import os
import random
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest

from gossamer.lab import Web, serve
from gossamer.lab.behaviours import Robots
from tests.crawl.checking import assert_valid
from tests.crawl.crawling import asked, query
from tests.crawl.test_kill import CRAWLS, HOSTS, KILLS, PAGES, _assert_polite, command
from tests.processes import children_of

PARTITIONS = 3
BEFORE, AFTER = 3.0, 2.0
"""Seconds around a kill whose work may be undone: what the next commit would have held, and what
partitions without a supervisor had under way when they stopped."""


class Victim:
    """A crawl of several partitions, as a shell would see it."""

    def __init__(self, arguments: list[str]) -> None:
        self.process = subprocess.Popen(
            arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def partitions(self) -> list[int]:
        """The processes of the partitions, as far as they are there."""
        return children_of(self.process.pid)

    def hit_partition(self, chance: random.Random) -> bool:
        """Kill one of them; was there one?"""
        found = self.partitions()
        if not found:
            return False
        try:
            os.kill(chance.choice(found), signal.SIGKILL)
        except ProcessLookupError:
            return False
        return True

    def hit_supervisor(self, chance: random.Random) -> None:
        """Kill the supervisor, sometimes with a partition that is stopped; the kernel sees to the others."""
        found = self.partitions()
        if found and chance.random() < 0.3:
            with suppress(ProcessLookupError):
                os.kill(chance.choice(found), signal.SIGSTOP)
        self.process.kill()
        self.process.communicate()

    def wait(self, seconds: float) -> bool:
        """Did it end within this time?"""
        try:
            self.output, self.complaints = self.process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            return False
        return True


@pytest.mark.timeout(400)
@pytest.mark.parametrize("seed", range(43, 43 + CRAWLS))  # the first hits both kinds of process
def test_killed_at_random_moments(tmp_path: Path, seed: int) -> None:
    out, chance = tmp_path / "out", random.Random(seed)
    kills: list[float] = []
    web = Web(seed=seed, pages=PAGES, hosts=HOSTS, behaviours=(Robots(crawl_delay=0.1),))
    with serve(web) as served:
        arguments = command(served, out)
        arguments[arguments.index("--partitions") + 1] = str(PARTITIONS)
        victim = Victim(arguments)
        while True:
            if victim.wait(300 if len(kills) >= KILLS else chance.uniform(0.2, 4.0)):
                if "died again and again" not in victim.complaints:
                    break
                victim = Victim(command(served, out))  # as it advises
            elif chance.random() < 0.6:
                if victim.hit_partition(chance):
                    kills.append(time.time())
            else:
                victim.hit_supervisor(chance)
                kills.append(time.time())
                if not (out / "crawl.toml").exists():  # killed before it had begun
                    shutil.rmtree(out, ignore_errors=True)
                has_begun = out.exists()
                victim = Victim(command(served, out) if has_begun else arguments)
        assert victim.process.returncode == 0, victim.complaints
        summary = json.loads(victim.output)
        requests, counts, reach = served.requests(), asked(served), served.web.reachable()
        web = served.web
    assert len(kills) >= KILLS, "it was finished before the last kill: the web is too small"
    assert summary["stopped_by"] == "finished"
    assert summary["partitions"] == PARTITIONS
    assert set(counts) == reach.asked, "exactly the truth was fetched"
    rows = query(out, "select url from pages where status > 0")
    assert sorted(url for (url,) in rows) == sorted(reach.asked), "each is on record once"
    assert summary["pages"] == len(reach.asked)
    undone = sum(any(-BEFORE <= one.start - kill <= AFTER for kill in kills) for one in requests)
    assert sum(counts.values()) - len(counts) <= undone
    assert_valid(out)
    _assert_polite(web, served, requests)
