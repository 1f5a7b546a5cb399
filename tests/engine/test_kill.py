"""Kill it anywhere, resume, and the crawl ends as if nothing had happened.

One crawl that is killed three times; `make soak` does ten larger ones that are killed ten times each
(GOSSAMER_KILLED_CRAWLS=10). The simulator kills crawls at every kind of write (`tests/lab/simulator`).
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

import gossamer
from gossamer.lab import LoggedRequest, ServedWeb, Web, serve
from gossamer.lab.behaviours import Robots
from tests.engine.engine_checking import assert_valid
from tests.engine.engine_crawling import asked, by_host, query, url_of
from tests.patience import PATIENCE
from tests.processes import wait_until

CRAWLS = int(os.environ.get("GOSSAMER_KILLED_CRAWLS", "1"))
KILLS, PAGES, HOSTS = (10, 5000, 250) if CRAWLS > 1 else (3, 1800, 100)
"""The largest host alone takes seconds for what the kills leave, by its delay, on any machine."""
DELAY = 0.02
CLOCK_NOISE = 0.0005


class Kill(NamedTuple):
    """A crawl that was killed, and what it leaves."""

    time: float
    """When all requests had been dealt with."""
    committed: set[str]

    @classmethod
    def look(cls, served: ServedWeb, out: Path) -> "Kill":
        for _ in range(2):  # what was sent before it was killed is answered before the second
            served.requests()
        try:
            pages = gossamer.open(out).pages.to_table(columns=["url"])
        except gossamer.GossamerError:  # killed before it had begun
            return cls(time.time(), set())
        return cls(time.time(), set(pages["url"].to_pylist()))


def command(served: ServedWeb, out: Path) -> list[str]:
    program = [sys.executable, "-m", "gossamer.cli"]
    if (out / "crawl.toml").exists():
        return [*program, "resume", str(out), "--json"]
    return [
        *(*program, "crawl", served.seed_url, "-o", str(out), "--scope", "all", "--json"),
        *("--partitions", "1"),
        *("--dns", served.dns_address, "--allow-private", "--delay", str(DELAY)),
        *("--set", "politeness.factor=0.1", "--set", "politeness.address_delay=0"),
        *("--set", "politeness.per_address=1000", "--set", "store.rows=700"),
        *("--set", "store.checkpoint_every=1.0", "--set", "store.warc_size=3000000"),
        *("--set", "politeness.retries=0", "--set", "robots.give_up=1"),
    ]


def a_moment(served: ServedWeb, chance: random.Random) -> Callable[[], bool]:
    """Says whether a moment has come: mostly after some requests, sometimes while the crawl still begins.

    All moments together leave half of the web for the last life.
    """
    if chance.random() < 0.25:
        due = time.monotonic() + chance.uniform(0.2, 1.0)
        return lambda: time.monotonic() >= due
    wanted = len(served.requests()) + chance.randrange(1, PAGES // KILLS // 2)
    return lambda: len(served.requests()) >= wanted


@pytest.mark.parametrize("seed", range(21, 21 + CRAWLS))
def test_killed_at_random_moments(tmp_path: Path, seed: int) -> None:
    out, moments = tmp_path / "out", random.Random(seed)
    kills: list[Kill] = []
    web = Web(seed=seed, pages=PAGES, hosts=HOSTS, behaviours=(Robots(crawl_delay=0.1),))
    with serve(web) as served:
        while True:
            process = subprocess.Popen(
                command(served, out), stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
            if len(kills) == KILLS:
                output, complaints = process.communicate(timeout=PATIENCE)
                break
            has_come = a_moment(served, moments)
            wait_until(lambda: has_come() or process.poll() is not None)  # noqa: B023
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                process.communicate()
                kills.append(Kill.look(served, out))
                continue
            output, complaints = process.communicate()
            if process.returncode == 0:
                break  # it was finished before the last kill
            assert process.returncode == 1, complaints
            assert b"holds no crawl" in complaints, "killed before it had begun"
        assert process.returncode == 0, complaints
        summary = json.loads(output)
        requests, counts, reach = served.requests(), asked(served), served.web.reachable()
        web = served.web
    assert len(kills) == KILLS, "it was finished before the last kill: the web is too small"
    assert summary["stopped_by"] == "finished"
    assert set(counts) == reach.asked, "exactly the truth was fetched"
    rows = query(out, "select url from pages where status > 0")
    assert sorted(url for (url,) in rows) == sorted(reach.asked), "each is recorded once"
    assert summary["pages"] == len(reach.asked)
    assert_undone(served, requests, kills)
    assert_valid(out)
    _assert_polite(web, served, requests)


def assert_undone(served: ServedWeb, requests: list[LoggedRequest], kills: list[Kill]) -> None:
    """Between two requests for a page there was a kill that undid the first: it was not recorded."""
    times = defaultdict(list)
    for request in sorted(requests):
        if not served.web.is_robots(url := url_of(served, request)):
            times[url].append(request.start)
    for url, starts in times.items():
        for first, second in pairwise(starts):
            assert any(
                first <= kill.time <= second and url not in kill.committed for kill in kills
            ), url


def _assert_polite(web: Web, served: ServedWeb, requests: list[LoggedRequest]) -> None:
    for host, visits in by_host(requests).items():
        for earlier, later in pairwise(visits):
            # A Crawl-delay is not known before the robots.txt that asks for it has been read.
            is_known = not web.is_robots(url_of(served, later))
            gap = max(DELAY, web.crawl_delay(host) if is_known else 0.0)
            assert later.start - earlier.end >= gap - CLOCK_NOISE, f"{host}: {earlier} {later}"
    for request in requests:
        url = url_of(served, request)
        assert web.is_robots(url) or web.is_allowed(url)
