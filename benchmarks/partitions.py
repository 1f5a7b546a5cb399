"""How throughput grows with the number of partitions: many hosts, one connection each, no waiting.

    python -m benchmarks.partitions [--pages 20000] [--hosts 2000] [--partitions 1 2] [--rounds 1]

A simulated web of 2,000 hosts is crawled from the root of each host, all features on, without budgets.
Server and crawler share the machine, so that what two partitions can bring depends on what the server leaves
them, and on what cores share. Two things tell the price of working together from that of sharing a machine:
the same number of crawls side by side that know nothing of each other (`apart`), each of its part of
the hosts, and the crawler's processor time for a page, which says what every further core would bring.
"""

import argparse
import multiprocessing
import resource
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import gossamer
from benchmarks.report import Row, print_rows
from benchmarks.sim_server import cpu_seconds
from gossamer.core.settings import BudgetSettings, DnsSettings
from gossamer.lab import ServedWeb, Web, serve

_processes = multiprocessing.get_context("fork")


def measure(
    pages: int = 20_000, hosts: int = 2000, counts: Sequence[int] = (1, 2), rounds: int = 1
) -> list[Row]:
    """Crawl so many pages with each number of partitions, and apart; the fastest of each."""
    with serve(Web(seed=7, pages=20 * pages, hosts=hosts)) as served:
        _crawl(served, range(hosts), 500)  # so that nobody pays for what is done once
        rows = [row for _ in range(rounds) for row in _round(served, pages, counts)]
    best: dict[str, Row] = {}
    for row in sorted(rows, key=lambda row: row.figures["pages/s"]):
        best[row.name] = row
    return [best[row.name] for row in rows[: len(best)]]


def _round(served: ServedWeb, pages: int, counts: Sequence[int]) -> list[Row]:
    hosts, rows = range(served.web.hosts), []
    for count in counts:
        crawl = partial(_crawl, served, hosts, pages, count)
        rows.append(_time(served, f"{count} partition{'s' * (count > 1)}", pages, crawl))
        if count > 1:
            apart = partial(_crawl_apart, served, pages, count)
            rows.append(_time(served, f"{count} apart", pages, apart))
    return rows


def _time(served: ServedWeb, name: str, pages: int, crawl: Callable[[], None]) -> Row:
    """Run it; what it took, the server's share of it apart."""
    before = own_cpu_seconds(), sum(cpu_seconds(served.pid)), time.monotonic()
    crawl()
    after = own_cpu_seconds(), sum(cpu_seconds(served.pid)), time.monotonic()
    crawler, server, seconds = (late - early for late, early in zip(after, before, strict=True))
    figures = {
        "pages": pages,
        "pages/s": pages / seconds,
        "µs CPU/page": 1e6 * crawler / pages,
        "server µs CPU/page": 1e6 * server / pages,
        "cores": (crawler + server) / seconds,
    }
    return Row("partitions", f"{served.web.hosts:,} hosts", name, figures)


def _crawl(served: ServedWeb, sites: Sequence[int], pages: int, partitions: int = 1) -> None:
    with tempfile.TemporaryDirectory() as work:
        job = gossamer.Crawl(
            *(served.web.url(site, 0) for site in sites),
            out=Path(work) / "out",
            settings=gossamer.Settings(
                dns=DnsSettings(servers=(served.dns_address,)), budget=BudgetSettings(kind="off")
            ),
            scope="all",
            delay=0,
            allow_private=True,
            max_pages=pages,
            partitions=partitions,
        )
        assert job.run().pages == pages


def _crawl_apart(served: ServedWeb, pages: int, count: int) -> None:
    """As many crawls at a time, each from its part of the hosts."""
    parts = [range(number, served.web.hosts, count) for number in range(count)]
    crawls = [_processes.Process(target=_crawl, args=(served, p, pages // count)) for p in parts]
    for crawl in crawls:
        crawl.start()
    for crawl in crawls:
        crawl.join()
        assert crawl.exitcode == 0


def own_cpu_seconds() -> float:
    """Processor time of this process and of those it has waited for."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def growth(rows: Sequence[Row]) -> list[str]:
    """What more partitions bring, against one and against as many crawls that share nothing."""
    found = {row.name: row.figures for row in rows if row.benchmark == "partitions"}
    lines = []
    for name, many in found.items():
        count = int(name.split()[0])
        if not name.endswith("partitions"):
            continue
        one, apart = found.get("1 partition", many), found[f"{count} apart"]
        wall = many["pages/s"] / one["pages/s"]
        alone = count * one["µs CPU/page"] / many["µs CPU/page"]
        lines.append(
            f"- {name}: {wall:.2f} × the pages per second of one beside the server, of "
            f"{apart['pages/s'] / one['pages/s']:.2f} × that crawls apart reach there; {alone:.2f} × by "
            "processor time for a page, that is, with a core for each"
        )
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--hosts", type=int, default=2000)
    parser.add_argument("--partitions", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=1)
    arguments = parser.parse_args()
    rows = measure(arguments.pages, arguments.hosts, arguments.partitions, arguments.rounds)
    print_rows(rows)
    print("\n".join(["", *growth(rows)]))


if __name__ == "__main__":
    main()
