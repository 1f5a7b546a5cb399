"""A crawl that never ends, over real sockets, of a web that lives fast: how fresh are its copies?

    python -m benchmarks.continuous [--pages 400] [--day 15] [--days 20] [--kills 0] [--policy freshness]

The living web is a process of its own in which a day takes some seconds. The crawl is another one, which may
be killed on the way. In the end the server's log says when each page was visited, and the web says when it
changed: so freshness, age and captured updates are exact. The lab plays the same web with the same budget for
as many days on a virtual clock; both figures are told. After a kill there is a pause, until the next process
asks for the first page: the lab is given the same pauses. The log also shows whether the gap was kept for
each host, and the tables whether each page is due again, once.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow.parquet as parquet

from gossamer.core.clock import SystemClock
from gossamer.core.settings import RevisitSettings
from gossamer.lab import ServedWeb, serve
from gossamer.lab.freshness.freshness_webs import known
from gossamer.lab.freshness.year import crawl_virtually
from gossamer.lab.living_web import LivingWeb, WebClock, averages, captured, visits_in
from gossamer.policy.revisit import ChangeModel
from gossamer.policy.revisit.page_groups import LEVELS

_DELAY = 0.02
_SHORTEST = 0.05
"""The least time between two visits of a page, in days."""
_LONGEST = 30.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("--pages", type=int, default=400)
    add("--hosts", type=int, default=20)
    add("--day", type=float, default=15.0, help="seconds of a day")
    add("--days", type=float, default=20.0)
    add("--warm", type=float, default=5.0, help="days at the beginning that do not count")
    add("--visits", type=float, default=0.3, help="visits per page and day")
    add("--kills", type=int, default=0)
    add("--policy", default="freshness")
    add("--partitions", type=int, default=1)
    add("--seed", type=int, default=7)
    arguments = parser.parse_args()
    clock = WebClock(SystemClock(), day=arguments.day)
    web = LivingWeb(arguments.seed, arguments.pages, arguments.hosts, clock=clock)
    with serve(web) as served, tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "crawl"
        kills: list[float] = []
        print(json.dumps(_crawl(served, out, arguments, clock, kills)))
        _judge(served, web, clock, arguments, kills)
        _compare_records(served, out, arguments)


def _crawl(
    served: ServedWeb,
    out: Path,
    arguments: argparse.Namespace,
    clock: WebClock,
    kills: list[float],
) -> dict[str, Any]:
    """Crawl until the last day; `kills` becomes the days on which a process was killed."""
    begin = [*_gossamer("crawl"), served.seed_url, "-o", str(out), *_options(served, arguments)]
    go_on = [*_gossamer("resume"), str(out), "--quiet", "--json"]
    random = Random(arguments.seed)
    ends = sorted(random.uniform(1.0, arguments.days) for _ in range(arguments.kills))
    for end in (*ends, arguments.days):
        before = len(served.requests())
        process = _start(go_on if (out / "crawl.toml").exists() else begin)
        _wait_until(clock, end)
        while len(served.requests()) == before:  # nobody is stopped before it has done something
            time.sleep(0.5)
        if len(kills) < arguments.kills:
            process.kill()
            kills.append(clock.days())
            process.communicate()
    process.send_signal(signal.SIGTERM)
    said, errors = process.communicate()
    if not said:
        raise RuntimeError(errors)
    summary: dict[str, Any] = json.loads(said)
    names = ("pages", "scheduled", "waiting", "unchanged", "stopped_by", "statuses")
    return {name: summary[name] for name in names}


def _gossamer(command: str) -> list[str]:
    return [sys.executable, "-m", "gossamer.cli", command]


def _options(served: ServedWeb, arguments: argparse.Namespace) -> list[str]:
    knobs = {
        "revisit.day": arguments.day,
        "revisit.shortest": _SHORTEST,
        "revisit.longest": _LONGEST,
        "politeness.address_delay": 0,
        "budget.kind": '"off"',
        "politeness.factor": 0,
        "detect.soft_errors": "false",
    }
    return [
        *("--scope", "all", "--delay", str(_DELAY), "--allow-private", "--dns", served.dns_address),
        *("--continuous", "--visits-per-day", str(arguments.visits * arguments.pages)),
        *("--revisit", arguments.policy, "--partitions", str(arguments.partitions), "--quiet"),
        *("--json", *(word for name, one in knobs.items() for word in ("--set", f"{name}={one}"))),
    ]


def _start(command: list[str]) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ}
    )


def _wait_until(clock: WebClock, day: float) -> None:
    while clock.days() < day:
        time.sleep(0.05)


def _judge(
    served: ServedWeb,
    web: LivingWeb,
    clock: WebClock,
    arguments: argparse.Namespace,
    kills: Sequence[float],
) -> None:
    visits = visits_in(served.requests(), web, clock)
    changes = web.evolution.changes(0, arguments.days)
    found = averages(changes, visits, arguments.warm, arguments.days)
    seen = captured(changes, visits)
    late = changes.times > arguments.warm
    requests = len(served.requests())
    print(f"fresh {found.freshness():.3f}, with pages that are not known {found.coverage():.3f}")
    print(f"age {found.age():.2f} days; captured {seen[late].mean():.3f} of {late.sum():,} changes")
    print(f"{requests:,} requests, {requests / arguments.days:.1f} a day")
    _tell_apart(found.freshness(), "", _play_in_lab(web, arguments, ()))
    if kills:
        begun = np.sort([clock.days_at(request.start) for request in served.requests()])
        pauses = _pauses(kills, begun)
        together = sum(end - begin for begin, end in pauses)
        print(f"{len(kills)} kills, pauses of {together:.1f} days together")
        _tell_apart(
            found.freshness(), " with the same pauses", _play_in_lab(web, arguments, pauses)
        )


def _tell_apart(fresh: float, how: str, expected: float) -> None:
    print(f"in the lab{how} fresh {expected:.3f}; over sockets {fresh / expected - 1:+.1%}")


def _pauses(kills: Sequence[float], begun: npt.NDArray[np.float64]) -> list[tuple[float, float]]:
    """From each kill to the next request; who is killed before the first one makes no pause of its own."""
    ends = np.append(begun, np.inf)[np.searchsorted(begun, kills)].tolist()
    first = {end: kill for kill, end in reversed([*zip(kills, ends, strict=True)])}
    return [(kill, end) for end, kill in sorted(first.items())]


def _play_in_lab(
    web: LivingWeb, arguments: argparse.Namespace, pauses: Sequence[tuple[float, float]]
) -> float:
    """How fresh the copies of a virtual crawl are."""
    settings = RevisitSettings(
        policy=arguments.policy,
        visits_per_day=arguments.visits * arguments.pages,
        shortest=_SHORTEST,
        longest=_LONGEST,
    )
    truth, model = known(web, arguments.days), ChangeModel(LEVELS, half_life=settings.half_life)
    visits = crawl_virtually(truth, settings, model, pauses=pauses).visits
    return averages(truth.changes, visits, arguments.warm, arguments.days).freshness()


def _compare_records(served: ServedWeb, out: Path, arguments: argparse.Namespace) -> None:
    hosts: dict[str, list[float]] = defaultdict(list)
    for request in served.requests():
        hosts[request.host].append(request.start)
    gaps = [b - a for times in hosts.values() for a, b in pairwise(sorted(times))]
    print(f"least gap of a host {min(gaps):.3f} s of {_DELAY} s")
    rows = [
        row
        for file in sorted((out / "pages").glob("*.parquet"))
        for row in parquet.read_table(file, columns=["url", "fetched_at", "status"]).to_pylist()
    ]
    times: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        times[row["url"]].append(row["fetched_at"].timestamp())
    shortest = _SHORTEST * arguments.day
    soon = sum(
        b - a < shortest - 0.01 for some in times.values() for a, b in pairwise(sorted(some))
    )
    print(f"{len(rows):,} visits of {len(times):,} URLs recorded; {soon} came before they were due")
    done = subprocess.run(
        [*_gossamer("verify"), str(out)], capture_output=True, text=True, check=False
    )
    print(f"verify: {done.stdout.splitlines()[-1]}")


if __name__ == "__main__":
    main()
