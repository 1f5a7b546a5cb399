"""The cost of partitions on other machines: connections over loopback and remote storage, beside processes.

    python -m benchmarks.ray_cost [--pages 3000] [--hosts 300] [--partitions 4]

The same web is crawled to the same number of pages by so many partitions: as processes, as processes with a
home, and as forks that have only their home in common and call over loopback (`forks`). All share this
machine, so pages a second say little; processor time for a page says what it costs. Ray's own processes are
not in it.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gossamer
from benchmarks.partitions import own_cpu_seconds
from benchmarks.report import Row, print_rows
from gossamer.core.settings import BudgetSettings, DnsSettings, StoreSettings
from gossamer.lab import ServedWeb, Web, serve


class _Run:
    """Crawls of one size."""

    def __init__(self, served: ServedWeb, pages: int, commit_pages: int) -> None:
        self._served = served
        self._pages = pages
        self._commit_pages = commit_pages

    def near(self, name: str, count: int, with_storage: bool) -> Row:
        """As processes."""
        with tempfile.TemporaryDirectory() as work:
            storage = {"storage": f"file://{work}/home"} if with_storage else {}
            crawl = self._make(Path(work), count, **storage)
            return self._time(name, crawl, own_cpu_seconds)

    def far(self, name: str, count: int, launcher: Any, cpu: Callable[[], float]) -> Row:
        """Elsewhere."""
        with tempfile.TemporaryDirectory() as work:
            crawl = self._make(Path(work), count, storage=f"file://{work}/home")
            crawl.go_remote(launcher, "127.0.0.1")
            return self._time(name, crawl, cpu)

    def _make(self, work: Path, count: int, **knobs: Any) -> gossamer.Crawl:
        served = self._served
        settings = gossamer.Settings(
            dns=DnsSettings(servers=(served.dns_address,)),
            budget=BudgetSettings(kind="off"),
            store=StoreSettings(commit_pages=self._commit_pages),
        )
        seeds = (served.web.url(host, 0) for host in range(served.web.hosts))
        given = {"scope": "all", "delay": 0, "allow_private": True, "max_pages": self._pages}
        return gossamer.Crawl(
            *seeds, out=work / "out", settings=settings, partitions=count, **given, **knobs
        )

    def _time(self, name: str, crawl: gossamer.Crawl, cpu: Callable[[], float]) -> Row:
        before, began = cpu(), time.monotonic()
        summary = crawl.run()
        seconds, used = time.monotonic() - began, cpu() - before
        sent = summary.exchange.get("sent", 0)
        figures = {
            "pages": summary.pages,
            "pages/s": summary.pages / seconds,
            "µs CPU/page": 1e6 * used / summary.pages,
            "links/s": sent / seconds,
        }
        return Row("far", f"{self._served.web.hosts:,} hosts", name, figures)


def measure(pages: int, hosts: int, partitions: int, commit_pages: int) -> list[Row]:
    with serve(Web(seed=7, pages=20 * pages, hosts=hosts)) as served:
        run = _Run(served, pages, commit_pages)
        _Run(served, 300, 0).near("warm", 1, with_storage=False)
        rows = [
            run.near(f"{partitions} processes", partitions, with_storage=False),
            run.near(f"{partitions} processes, home", partitions, with_storage=True),
        ]
        from tests.cluster.remote.remote_forks import Forks

        rows.append(run.far(f"{partitions} forks", partitions, Forks(), own_cpu_seconds))
    return rows


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=3000)
    parser.add_argument("--hosts", type=int, default=300)
    parser.add_argument("--partitions", type=int, default=4)
    parser.add_argument("--commit-pages", type=int, default=50)
    given = parser.parse_args()
    print_rows(measure(given.pages, given.hosts, given.partitions, given.commit_pages))
