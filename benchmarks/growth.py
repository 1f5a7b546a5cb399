"""What a page costs as the crawl grows: at 10 thousand, 100 thousand and a million known URLs.

    python -m benchmarks.growth [--known 1000000] [--window 3000]

A simulated web that is much larger than the crawl is crawled without waiting, everything on. At each size the
CPU time of the next pages is taken, together with the memory that the process holds.
"""

import argparse
import resource
import tempfile
from collections.abc import Iterator
from pathlib import Path

import gossamer
from benchmarks.memory import resident_bytes
from benchmarks.report import Row, print_rows
from gossamer.core.settings import DnsSettings
from gossamer.lab import Web, serve

_SIZES = (10_000, 100_000, 1_000_000, 10_000_000)


def measure(known: int = 1_000_000, window: int = 3000) -> list[Row]:
    sizes = [size for size in _SIZES if size <= known]
    web = Web(seed=7, pages=40 * known, hosts=2000)
    with serve(web) as served, tempfile.TemporaryDirectory() as work:
        job = gossamer.Crawl(
            *(served.web.url(site, 0) for site in range(500)),
            out=Path(work) / "out",
            settings=gossamer.Settings(dns=DnsSettings(servers=(served.dns_address,))),
            scope="all",
            delay=0,
            allow_private=True,
        )
        job.owns_process = True  # as on the command line
        return list(_windows(job, sizes, window))


def _windows(job: gossamer.Crawl, sizes: list[int], window: int) -> Iterator[Row]:
    ahead = list(sizes)
    began: tuple[float, int] | None = None
    for _ in job.turns():
        summary = job.summary()
        if began is None and summary.unique_urls + summary.undecided >= ahead[0]:
            began = _cpu_seconds(), summary.pages
        elif began is not None and summary.pages - began[1] >= window:
            pages = summary.pages - began[1]
            cost = (_cpu_seconds() - began[0]) / pages
            figures = {
                "pages": summary.pages,
                "µs CPU/page": cost * 1e6,
                "memory": resident_bytes(),
            }
            yield Row("growth", f"{ahead.pop(0):,} URLs known", "gossamer", figures)
            began = None
            if not ahead:
                job.stop()
                return


def _cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--known", type=int, default=1_000_000)
    parser.add_argument("--window", type=int, default=3000)
    arguments = parser.parse_args()
    print_rows(measure(arguments.known, arguments.window))


if __name__ == "__main__":
    main()
