"""A polite crawl of many hosts: how much of what politeness allows it gets.

    python -m benchmarks.polite [--hosts 500] [--seconds 20] [--warm-up 5]

Everything is on, budgets too. At one page a second and host, 500 hosts allow 500 pages a second; all names
are at a few loopback addresses, so that the limits per server address are lifted.
"""

import argparse
import resource
import tempfile
import time
from pathlib import Path

import gossamer
from benchmarks.report import Row, print_rows
from gossamer.core.settings import DnsSettings
from gossamer.lab import Web, serve


def measure(hosts: int = 500, seconds: float = 20.0, warm_up: float = 5.0) -> list[Row]:
    web = Web(seed=7, pages=hosts * 200, hosts=hosts)
    with serve(web) as served, tempfile.TemporaryDirectory() as work:
        job = gossamer.Crawl(
            *(served.web.url(site, 0) for site in range(hosts)),
            out=Path(work) / "out",
            settings=gossamer.Settings(dns=DnsSettings(servers=(served.dns_address,))),
            scope="all",
            delay=1.0,
            factor=0.0,
            address_delay=0.0,
            per_address=100_000,
            max_seconds=warm_up + seconds,
            allow_private=True,
        )
        before, began = resource.getrusage(resource.RUSAGE_SELF), time.time()
        pages = sum(began + warm_up < one.page.started for one in job)
        after = resource.getrusage(resource.RUSAGE_SELF)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    rate = pages / seconds
    figures = {
        "pages": pages,
        "pages/s": rate,
        "share": rate / hosts,
        "CPU": cpu / (seconds + warm_up),
    }
    return [Row("polite", f"{hosts} hosts, 1 s", "gossamer", figures)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hosts", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--warm-up", type=float, default=5.0)
    arguments = parser.parse_args()
    print_rows(measure(arguments.hosts, arguments.seconds, arguments.warm_up))


if __name__ == "__main__":
    main()
