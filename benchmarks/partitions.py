"""How throughput grows with the number of partitions: many hosts, one connection each, no waiting.

    python -m benchmarks.partitions [--pages 20000] [--hosts 2000] [--partitions 1 2] [--keep FILE]

A simulated web of 2,000 hosts is crawled from the root of each host, all features on, without budgets.
Server and crawler share the machine, so that what two partitions can bring depends on the cores that the
server leaves them. Therefore processor time is reported apart: the crawler's for each page says what
every further core would bring, whatever else the machine does meanwhile.
"""

import argparse
import json
import os
import resource
import tempfile
import time
from pathlib import Path

import gossamer
from benchmarks.sim_server import cpu_seconds
from gossamer.base.settings import BudgetSettings, DnsSettings
from gossamer.lab import ServedWeb, Web, serve

Result = dict[str, float]


def own_cpu_seconds() -> float:
    """Processor time of this process and of those it has waited for."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def measure(served: ServedWeb, partitions: int, pages: int) -> Result:
    """Crawl so many pages; returns what it took."""
    with tempfile.TemporaryDirectory() as work:
        job = gossamer.Crawl(
            *(served.web.url(site, 0) for site in range(served.web.hosts)),
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
        before = own_cpu_seconds(), sum(cpu_seconds(served.pid)), time.monotonic()
        summary = job.run()
        crawler, server, seconds = (
            after - start
            for after, start in zip(
                (own_cpu_seconds(), sum(cpu_seconds(served.pid)), time.monotonic()),
                before,
                strict=True,
            )
        )
    return {
        "partitions": partitions,
        "pages": summary.pages,
        "seconds": round(seconds, 2),
        "pages_per_second": round(summary.pages / seconds, 1),
        "crawler_cpu": round(crawler, 2),
        "server_cpu": round(server, 2),
        "crawler_us_per_page": round(1e6 * crawler / summary.pages, 1),
        "cores_used": round((crawler + server) / seconds, 2),
        "messages": summary.exchange.get("sent", 0),
        "left_out": summary.exchange.get("left_out", 0),
    }


def report(results: list[Result]) -> str:
    """A table, and what it says."""
    names = list(results[0])
    lines = ["| " + " | ".join(names) + " |", "|" + "---|" * len(names)]
    lines += ["| " + " | ".join(str(one[name]) for name in names) + " |" for one in results]
    first = results[0]
    for one in results[1:]:
        wall = one["pages_per_second"] / first["pages_per_second"]
        alone = one["partitions"] * first["crawler_us_per_page"] / one["crawler_us_per_page"]
        lines.append(
            f"\n{one['partitions']} partitions: {wall:.2f} × the pages per second of one, with "
            f"{os.cpu_count()} cores for crawler and server together; {alone:.2f} × by the "
            "crawler's processor time for a page: what it would be with a core for each."
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--hosts", type=int, default=2000)
    parser.add_argument("--partitions", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--keep", type=Path, help="write the figures to this file, as JSON")
    arguments = parser.parse_args()
    web = Web(seed=7, pages=20 * arguments.pages, hosts=arguments.hosts)
    with serve(web) as served:
        measure(served, 1, 500)  # so that nobody pays for what is done once
        results = [measure(served, count, arguments.pages) for count in arguments.partitions]
    print(report(results))
    if arguments.keep:
        arguments.keep.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
