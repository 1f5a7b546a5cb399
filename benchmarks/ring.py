"""What a page costs in a whole crawl, step by step, from the lease to the commit.

    python -m benchmarks.ring [--pages 5000] [--hosts 0] [--rounds 3] [URL | FOLDER …]

A crawl with everything on, in this process, against nginx or a server that is there already; with --hosts,
a simulated web of so many hosts with one connection each. Every step of a turn is timed by the CPU clock,
without the steps inside it; the best of all rounds counts. `ring` is all but what `benchmarks.page` looks at.
"""

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.report import Row, print_rows
from benchmarks.sites import SITES, documentation
from gossamer import Crawl
from gossamer.core.settings import BudgetSettings, DnsSettings, Settings
from gossamer.lab import Web, serve

_CONNECTIONS = 16
_PAGE = ("parse", "content", "traps", "store")
"""Steps that `benchmarks.page` looks at."""


class StepTimer:
    """Times methods of objects, each without those that it calls."""

    def __init__(self) -> None:
        self.costs: Counter[str] = Counter()
        self._inner = [0.0]
        """Time of the timed methods inside the one that runs, for each that runs."""

    def time(self, step: str, owner: Any, *names: str) -> None:
        """From now on, what these methods take is this step's."""
        for name in names:
            setattr(owner, name, self._timed(step, getattr(owner, name)))

    def _timed(self, step: str, work: Callable[..., Any]) -> Callable[..., Any]:
        clock, inner, costs = time.thread_time, self._inner, self.costs

        def timed(*arguments: Any, **named: Any) -> Any:
            began = clock()
            inner.append(0.0)
            try:
                return work(*arguments, **named)
            finally:
                took = clock() - began
                costs[step] += took - inner.pop()
                inner[-1] += took

        return timed


def _time_steps(job: Any, timer: StepTimer) -> None:
    """Time the steps of a crawl that has begun."""
    ring, solo = job.ring, job._run
    components, approach = ring.components, ring._approach
    for step, owner, *names in (
        ("lease", approach, "lease"),
        ("start", components.fetcher, "start"),
        ("transfer", ring.idle_time, "wait"),
        ("finished", components.fetcher, "finished"),
        ("arrivals", approach, "arrivals"),
        ("parse", components.parsers, "parse"),
        ("content", components.content, "judge"),
        (
            "traps",
            components.redundancy,
            "look",
            "respell",
            "note_new",
            "place",
            "to_offer",
            "turns_away",
        ),
        ("store", components.store, "write"),
        ("links", ring, "_keep"),
        ("admit", ring, "admit"),
        ("seen", components.seen, "admit"),
        ("put", components.frontier, "put"),
        ("put back", ring, "_put_back", "_reorder"),
        ("order", components.ordering, "place"),
        ("commit", solo._job.commits, "make_if_due"),
        ("loop", solo, "_is_over", "_free_slots"),
    ):
        timer.time(step, owner, *names)


def measure(job: Crawl) -> dict[str, float]:
    """Run a crawl; microseconds per page of each step, after its first pages."""
    timer, turns = StepTimer(), job.turns()
    ring = _warm_up(job, turns)
    _time_steps(job, timer)
    first, began, count = ring.counters.pages, time.thread_time(), 0
    for _ in turns:
        count += 1
        if job.stopped_by or ring.idle_time.is_idle:
            break
    took, pages = time.thread_time() - began, ring.counters.pages - first
    turns.close()
    figures = {f"{step} µs": cost / pages * 1e6 for step, cost in timer.costs.items()}
    whole = took / pages * 1e6
    figures["rest µs"] = whole - sum(figures.values())
    figures["ring µs"] = whole - sum(figures[f"{step} µs"] for step in _PAGE)
    return {**figures, "all µs": whole, "pages": pages, "pages/turn": pages / count}


def _warm_up(job: Any, turns: Iterator[Any]) -> Any:
    for _ in turns:
        if job.ring.counters.pages >= 100:
            break
    return job.ring


@contextmanager
def _site(place: str) -> Iterator[str]:
    if place.startswith("http"):
        yield place
    else:
        with documentation(Path(place)) as start:
            yield start


def crawl_site(place: str, pages: int) -> dict[str, float]:
    with _site(place) as start, tempfile.TemporaryDirectory() as work:
        return measure(
            Crawl(
                start,
                out=f"{work}/out",
                delay=0,
                per_host=_CONNECTIONS,
                allow_private=True,
                max_pages=pages,
            )
        )


def crawl_hosts(hosts: int, pages: int) -> dict[str, float]:
    web = Web(seed=7, pages=20 * pages, hosts=hosts)
    with serve(web) as served, tempfile.TemporaryDirectory() as work:
        dns, budget = DnsSettings(servers=(served.dns_address,)), BudgetSettings(kind="off")
        return measure(
            Crawl(
                *(served.web.url(site, 0) for site in range(hosts)),
                out=f"{work}/out",
                settings=Settings(dns=dns, budget=budget),
                scope="all",
                delay=0,
                allow_private=True,
                max_pages=pages,
            )
        )


def _least(runs: list[dict[str, float]]) -> dict[str, float]:
    return min(runs, key=lambda run: run["ring µs"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("places", nargs="*", help="URLs, or folders for nginx")
    parser.add_argument("--pages", type=int, default=5000)
    parser.add_argument("--hosts", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    pages, rounds = arguments.pages, range(arguments.rounds)
    places = arguments.places or [str(site.folder) for site in SITES if site.folder.is_dir()]
    rows = []
    if arguments.hosts:
        runs = [crawl_hosts(arguments.hosts, pages) for _ in rounds]
        rows.append(Row("ring", f"{arguments.hosts} hosts", "gossamer", _least(runs)))
    else:
        rows = [
            Row("ring", place, "gossamer", _least([crawl_site(place, pages) for _ in rounds]))
            for place in places
        ]
    print_rows(rows)


if __name__ == "__main__":
    main()
