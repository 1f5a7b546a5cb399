"""What the dashboard costs a crawl: alone, with ten open dashboards, and under a flood of requests.

    python -m benchmarks.dashboard_load [--pages 6000] [--rounds 3]

Each run crawls the same simulated web in a process of its own. The kinds take turns, so that what else the
machine does falls on all of them alike. A dashboard is a connection that listens to the live overview, and
loads the page of hosts every second. The flood is 10,000 requests, 50 at a time, over and over.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import NamedTuple

import msgspec

from gossamer.lab import Web, serve

DASHBOARDS = 10
FLOOD, AT_ONCE = 10_000, 50
_CRAWL = """
import resource, sys, time
import gossamer
seed, dns, out, pages, delay = sys.argv[1:]
settings = gossamer.Settings(dns=type(gossamer.Settings().dns)(servers=(dns,)))
crawl = gossamer.Crawl(seed, out=out, settings=settings, scope="all", delay=float(delay), factor=0,
                       allow_private=True, max_pages=int(pages))
begun = time.monotonic()
summary = crawl.run()
used = resource.getrusage(resource.RUSAGE_SELF)
print(summary.pages, time.monotonic() - begun, used.ru_utime + used.ru_stime)
"""


class Run(NamedTuple):
    pages_per_second: float
    cpu_per_page: float
    answered: int
    """Requests that the dashboard answered meanwhile."""


class Crowd:
    """Who looks at the dashboard, in threads; counts what was answered."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._is_over = threading.Event()
        self._threads: list[threading.Thread] = []
        self.answered = 0

    def open_dashboards(self) -> None:
        for _ in range(DASHBOARDS):
            self._begin(self._listen)
            self._begin(self._reload)

    def flood(self) -> None:
        for _ in range(AT_ONCE):
            self._begin(self._hammer)

    def leave(self) -> None:
        self._is_over.set()
        for thread in self._threads:
            thread.join()

    def _begin(self, work: object) -> None:
        thread = threading.Thread(target=work)  # type: ignore[arg-type]
        thread.start()
        self._threads.append(thread)

    def _listen(self) -> None:
        line = HTTPConnection("127.0.0.1", self._port, timeout=5)
        try:
            line.request("GET", "/events?of=/")
            stream = line.getresponse()
            while not self._is_over.is_set() and stream.readline():
                pass
        except (OSError, HTTPException):
            pass
        finally:
            line.close()

    def _reload(self) -> None:
        while not self._is_over.wait(1.0):
            self._ask("/hosts")

    def _hammer(self) -> None:
        for _ in range(FLOOD // AT_ONCE):
            if self._is_over.is_set():
                return
            self._ask("/api/")

    def _ask(self, path: str) -> None:
        line = HTTPConnection("127.0.0.1", self._port, timeout=5)
        try:
            line.request("GET", path)
            line.getresponse().read()
            self.answered += 1
        except (OSError, HTTPException):
            pass
        finally:
            line.close()


@contextmanager
def dashboard(out: Path) -> Iterator[int]:
    """The dashboard of a crawl that begins now, as `gossamer serve` runs it; its port."""
    while not (out / "crawl.toml").exists():
        time.sleep(0.05)
    command = (sys.executable, "-m", "gossamer", "serve", str(out), "--port", "0", "--no-password")
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    said = process.stdout.readline()
    try:
        yield int(said.split("http://127.0.0.1:")[1].split("/")[0])
    finally:
        process.terminate()
        process.wait()


def run(kind: str, web: Web, pages: int, delay: float) -> Run:
    with tempfile.TemporaryDirectory() as folder, serve(web) as served:
        out = Path(folder) / "crawl"
        arguments = (served.seed_url, served.dns_address, str(out), str(pages), str(delay))
        crawl = subprocess.Popen(
            [sys.executable, "-c", _CRAWL, *arguments], stdout=subprocess.PIPE, text=True
        )
        answered = 0
        if kind != "alone":
            with dashboard(out) as port:
                crowd = Crowd(port)
                crowd.open_dashboards() if kind == "dashboards" else crowd.flood()
                said = crawl.communicate()[0]
                crowd.leave()
                answered = crowd.answered
        else:
            said = crawl.communicate()[0]
        done, seconds, cpu = map(float, said.split())
        return Run(done / seconds, cpu / done, answered)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pages", type=int, default=6000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--delay", type=float, default=0.05)
    asked = parser.parse_args()
    web = Web(seed=9, pages=4 * asked.pages, hosts=100)
    runs: dict[str, list[Run]] = {"alone": [], "dashboards": [], "flood": []}
    for _ in range(asked.rounds):
        for kind, found in runs.items():
            found.append(run(kind, web, asked.pages, asked.delay))
            print(kind, msgspec.json.encode(found[-1]).decode(), flush=True)
    alone = statistics.median(one.pages_per_second for one in runs["alone"])
    print("| | pages/s | of alone | CPU ms a page | requests answered |\n|---|---|---|---|---|")
    for kind, found in runs.items():
        speed = statistics.median(one.pages_per_second for one in found)
        cpu = statistics.median(one.cpu_per_page for one in found)
        answered = sum(one.answered for one in found)
        print(f"| {kind} | {speed:.0f} | {speed / alone:.1%} | {cpu * 1e3:.2f} | {answered:,} |")


if __name__ == "__main__":
    main()
