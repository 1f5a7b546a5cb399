"""Virtual years of the whole ring, beside the lab: does the lab say what a crawl does?

    python -m benchmarks.years [--pages 200] [--hosts 15] [--days 90] [--visits 0.3] [--policies …]

The lab (`gossamer lab fresh`) has the estimator, the plan and the schedule of a crawl, and is told what
visits see. Here the same web is crawled with the same budget by the whole ring, on the simulator's clock: it
finds pages by their links, asks for robots.txt, fetches, parses and compares pages, and stores them. Both are
judged by the same measures. Of the ring is also told how soon it visits pages that are born on the way; the
lab is told of them. With `--kills 60` the ring is killed as often on the way, and goes on at once.
"""

import argparse
import time
from random import Random
from typing import Any

import numpy as np
from msgspec import convert

from benchmarks.simulated import START, crawl_simulated
from gossamer.core.clock import VirtualClock
from gossamer.core.settings import RevisitSettings, Settings
from gossamer.lab.freshness.freshness_measures import YearsWorth, judge
from gossamer.lab.freshness.freshness_webs import KnownWeb, known
from gossamer.lab.freshness.year import VirtualYear, crawl_virtually
from gossamer.lab.living_web import LivingWeb, WebClock, visits_in
from gossamer.lab.simulator.simulated_network import Network
from gossamer.policy.revisit import ALLOCATIONS, ChangeModel
from gossamer.policy.revisit.page_groups import LEVELS

_COLUMNS = {"freshness": 3, "content": 3, "age": 2, "captured": 3, "penalty": 3}
"""What is told of both, and with how many places."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("--pages", type=int, default=200)
    add("--hosts", type=int, default=15)
    add("--days", type=float, default=90.0)
    add("--warm", type=float, default=15.0, help="days at the beginning that do not count")
    add("--visits", type=float, default=0.3, help="visits per page and day")
    add("--day", type=float, default=15.0, help="seconds of a day")
    add("--delay", type=float, default=0.05, help="seconds between two requests to a host")
    add("--pace", type=float, default=0.0, help="most seconds between two turns")
    add("--kills", type=int, default=0)
    add("--seed", type=int, default=7)
    add("--policies", nargs="+", default=[*ALLOCATIONS])
    add("--discovery", type=float, default=0.1, help="the part of visits that is for new links")
    add("--believe", action="store_true", help="use what hosts say, which the lab does not know")
    arguments = parser.parse_args()
    names = " | ".join(f"{name}, ring | lab" for name in _COLUMNS)
    print(
        f"| policy | {names} | fresh, apart | visits a day, ring | lab | "
        "new pages in a day | in a week | median | seconds, ring | lab |"
    )
    print(f"|---|{'---|' * (2 * len(_COLUMNS) + 8)}", flush=True)
    for policy in arguments.policies:
        _tell(arguments, policy)


def _tell(arguments: argparse.Namespace, policy: str) -> None:
    began = time.process_time()
    truth, found = _crawl(arguments, policy)
    ring = judge(truth, found, arguments.warm, arguments.days)
    took = time.process_time() - began
    lab = judge(truth, _play(truth, arguments, policy), arguments.warm, arguments.days)
    cells = [f"{_cell(ring, name)} | {_cell(lab, name)}" for name in _COLUMNS]
    apart = f"{ring.freshness / lab.freshness - 1:+.1%}"
    seconds = f"{took:.0f} | {time.process_time() - began - took:.0f}"
    visits = f"{ring.visits:.0f} | {lab.visits:.0f}"
    new = _find_new(truth, found, arguments)
    row = (f"`{policy}`", *cells, apart, visits, new, seconds)
    print(f"| {' | '.join(row)} |", flush=True)


def _find_new(truth: KnownWeb, found: VirtualYear, arguments: argparse.Namespace) -> str:
    """How soon pages are visited after their birth: within a day, a week; the median in days."""
    born, first = truth.changes.born, np.full(len(truth), np.inf)
    been = np.flatnonzero(np.diff(found.visits.offsets))
    first[been] = found.visits.times[found.visits.offsets[been]]
    is_new = (born > arguments.warm) & (born < arguments.days - 7)
    late = (first - born)[is_new]
    if not len(late):
        return "| |"
    return f"{np.mean(late <= 1):.1%} | {np.mean(late <= 7):.1%} | {np.median(late):.1f}"


def _cell(worth: YearsWorth, name: str) -> str:
    return f"{getattr(worth, name):.{_COLUMNS[name]}f}"


def _crawl(arguments: argparse.Namespace, policy: str) -> tuple[KnownWeb, VirtualYear]:
    clock = VirtualClock(START)
    days = WebClock(clock, arguments.day)
    web = LivingWeb(arguments.seed, arguments.pages, arguments.hosts, clock=days, epoch=START)
    network, random = Network(web, clock, arguments.hosts), Random(arguments.seed)
    kills = [
        START + random.uniform(1.0, arguments.days) * arguments.day for _ in range(arguments.kills)
    ]
    settings = _settings(arguments, policy)
    crawl_simulated(web, clock, network, settings, kills, arguments.pace)
    visits = visits_in(network.log, web, web.clock)
    return known(web, arguments.days), VirtualYear(visits, [], np.nan)


def _settings(arguments: argparse.Namespace, policy: str) -> Settings:
    sections: dict[str, dict[str, Any]] = {
        "crawl": {"max_seconds": arguments.days * arguments.day},
        "scope": {"kind": "all"},
        "politeness": {"delay": arguments.delay, "factor": 0.0, "address_delay": 0.0},
        "fetch": {"allow_private": True},
        "dns": {"families": ["ipv4"]},
        "store": {
            "warc": False,
            "tables_every": 100 * arguments.day,
        },  # nobody reads them meanwhile
        "budget": {"kind": "off"},
        "detect": {"soft_errors": False, "dust": False},
        "revisit": {
            "continuous": True,
            "policy": policy,
            "visits_per_day": arguments.visits * arguments.pages,
            "believe": arguments.believe,
            "discovery": arguments.discovery,
            "day": arguments.day,
        },
    }
    return convert(sections, Settings)


def _play(truth: KnownWeb, arguments: argparse.Namespace, policy: str) -> VirtualYear:
    settings = RevisitSettings(policy=policy, visits_per_day=arguments.visits * arguments.pages)
    model = ChangeModel(LEVELS, half_life=settings.half_life)
    return crawl_virtually(truth, settings, model)


if __name__ == "__main__":
    main()
