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
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from gossamer.lab import Web, serve
from gossamer.lab.behaviours import Robots
from tests.engine.engine_checking import assert_valid
from tests.engine.engine_crawling import asked, query
from tests.engine.test_kill import (
    CRAWLS,
    HOSTS,
    KILLS,
    PAGES,
    Kill,
    _assert_polite,
    a_moment,
    assert_undone,
    command,
)
from tests.patience import PATIENCE
from tests.processes import children_of, has_gone, wait_until

PARTITIONS = 3


class Victim:
    """A crawl of several partitions, as a shell would see it."""

    def __init__(self, arguments: list[str]) -> None:
        self.process = subprocess.Popen(
            arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def partitions(self) -> list[int]:
        """The processes of the partitions, as far as they are there."""
        return children_of(self.process.pid)

    def hit_partition(self, chance: random.Random, look: Callable[[], Kill]) -> Kill | None:
        """Kill one of them, if there is one; what it leaves is looked at before it is started again."""
        self.process.send_signal(signal.SIGSTOP)
        found = self.partitions()
        try:
            if not found:
                return None
            for pid in found:  # what they recorded meanwhile is not what was there
                self._send(pid, signal.SIGSTOP)
            victim = chance.choice(found)
            self._send(victim, signal.SIGKILL)
            wait_until(lambda: has_gone(victim))
            return look()
        finally:
            for pid in (*found, self.process.pid):
                self._send(pid, signal.SIGCONT)

    def hit_supervisor(self, chance: random.Random, look: Callable[[], Kill]) -> Kill:
        """Kill the supervisor, sometimes with a partition that is stopped; the kernel sees to the others."""
        found = self.partitions()
        if found and chance.random() < 0.3:
            self._send(chance.choice(found), signal.SIGSTOP)
        self.process.kill()
        self.process.communicate()
        wait_until(lambda: all(map(has_gone, found)))
        return look()

    @staticmethod
    def _send(pid: int, number: int) -> None:
        with suppress(ProcessLookupError):
            os.kill(pid, number)

    def wait(self, seconds: float) -> bool:
        """Did it end within this time?"""
        try:
            self.output, self.complaints = self.process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            return False
        return True


@pytest.mark.parametrize("seed", range(43, 43 + CRAWLS))  # the first hits both kinds of process
def test_killed_at_random_moments(tmp_path: Path, seed: int) -> None:
    out, chance = tmp_path / "out", random.Random(seed)
    kills: list[Kill] = []
    web = Web(seed=seed, pages=PAGES, hosts=HOSTS, behaviours=(Robots(crawl_delay=0.1),))
    with serve(web) as served:
        arguments = command(served, out)
        arguments[arguments.index("--partitions") + 1] = str(PARTITIONS)
        victim = Victim(arguments)
        look = partial(Kill.look, served, out)
        while True:
            if len(kills) < KILLS:
                has_come, process = a_moment(served, chance), victim.process
                wait_until(lambda: has_come() or process.poll() is not None)  # noqa: B023
            if len(kills) >= KILLS or victim.process.poll() is not None:
                assert victim.wait(PATIENCE), "it ends"
                if "crashed again and again" not in victim.complaints:
                    break
                victim = Victim(command(served, out))  # as it advises
            elif chance.random() < 0.6:
                kill = victim.hit_partition(chance, look)
                kills += [kill] if kill is not None else []
            else:
                kills.append(victim.hit_supervisor(chance, look))
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
    assert sorted(url for (url,) in rows) == sorted(reach.asked), "each is recorded once"
    assert summary["pages"] == len(reach.asked)
    assert_undone(served, requests, kills)
    assert_valid(out)
    _assert_polite(web, served, requests)
