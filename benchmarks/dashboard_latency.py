"""How long the dashboard of a crawl takes to answer: a million pages of 100,000 hosts.

    python -m benchmarks.dashboard_latency [--pages 1000000] [--hosts 100000] [--links 10] [--rounds 20]
                                           [--folder FOLDER] [--keep FILE]

A small crawl of the simulated web is run for real. Then its tables are made large: rows are added with the
writers of the crawl, file by file as a crawl does it, and its last checkpoint learns of the files, and of the
robots.txt of every host and of some thousand traps and rules. The rows point to records of the small crawl,
so that each page has one. Then `gossamer serve` runs in a process of its own, and every path is asked for:
the first answer, which waits for the tables to be laid out, and then so many in turn. Prints for each path
the median and the 95th of 100 in milliseconds, the time of the processor for each, which does not depend on
who else is at work, and what the server has in memory.

A million pages with ten links each take about 700 MB of disk, and some minutes to be written.
"""

import argparse
import os
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

import msgspec
from msgspec.structs import replace

import gossamer
from gossamer.analyzers.redundancy.redundancy_filter import RedundancyState, read_state
from gossamer.core.directory import Directory
from gossamer.core.disk.disk_manifest import MANIFEST, ManifestState, ManifestWriter
from gossamer.core.parquet import read_columns
from gossamer.dashboard.views import VIEWS
from gossamer.engine.ledger import Checkpoint, Ledger
from gossamer.lab import Web, serve
from gossamer.output import Store, StoreState, read_store_state
from gossamer.output.links_table import LINKS
from gossamer.output.pages_table import PAGES, page_columns
from gossamer.output.parquet_table import StoredTable
from gossamer.output.spool import pack
from gossamer.pipeline.robots import KnownRobots
from gossamer.pipeline.robots.robots_rules import Rule

_ROWS = 100_000
"""As `store.rows` has it: links in a file; of pages, a quarter."""
_BATCH = 1000
_BEGIN = 1_700_000_000_000_000
_LIMIT = 300.0
"""Milliseconds that an answer may take."""


def make_crawl(folder: Path, pages: int, hosts: int, links: int) -> None:
    """A crawl directory of so many pages."""
    web = Web(seed=3, pages=300, hosts=12, behaviours=("correct", "robots", "errors"))
    with serve(web) as served:
        gossamer.Crawl(
            served.seed_url,
            out=folder,
            scope="all",
            delay=0,
            max_pages=200,
            servers=(served.dns_address,),
            allow_private=True,
        ).run()
    Growth(folder, pages, hosts, links).grow()


class Growth:
    """Adds rows to the tables of a crawl that has ended."""

    def __init__(self, folder: Path, pages: int, hosts: int, links: int) -> None:
        self._folder = folder
        self._pages, self._hosts, self._links = pages, hosts, links
        self._chance = random.Random(7)
        self._names = [column.name for column in page_columns()]
        table = read_columns(next(folder.glob("pages/*.parquet")))
        self._models = [row for row in table.to_pylist() if row["warc_file"]]

    def grow(self) -> None:
        directory = Directory(self._folder)
        state = directory.state
        checkpoint = Ledger.read_checkpoint(state)
        store = read_store_state(Ledger.read(state).latest(Store.name))
        work = state / "output"
        manifest = ManifestWriter(work / MANIFEST, store.manifest or ManifestState())
        pages_at, links_at = self._folder / "pages", self._folder / "links"
        pages = StoredTable(PAGES, pages_at, work, _ROWS // 4, 0, store.pages, manifest)
        links = StoredTable(LINKS, links_at, work, _ROWS, 0, store.links, manifest)
        for first in range(0, self._pages, _BATCH):
            numbers = range(first, min(first + _BATCH, self._pages))
            pages.add([self._row(number) for number in numbers], len(numbers))
            links.add([*map(self._linked, numbers)], len(numbers) * self._links)
        for table in (pages, links):
            table.finish()
        grown = replace(
            store, pages=pages.commit(), links=links.commit(), manifest=manifest.commit()
        )
        self._publish(state, checkpoint, grown)
        for done in (pages, links):
            done.tidy()
            done.close()
        manifest.close()

    def _publish(self, state: Path, checkpoint: Checkpoint, store: StoreState) -> None:
        watch = read_state(checkpoint.components.get("held", b""))
        components = {
            **checkpoint.components,
            "output": msgspec.msgpack.encode(store),
            "held": msgspec.msgpack.encode(self._watched(watch)),
            "robots": msgspec.msgpack.encode([*self._robots()]),
        }
        ledger = Ledger(state, checkpoint.number + 1)
        ledger.publish(replace(checkpoint, number=checkpoint.number + 1, components=components))
        ledger.close()

    def _host(self, number: int) -> str:
        """Few hosts have most of the pages."""
        return f"host-{int(self._hosts * (number * 0.6180339887 % 1.0) ** 3):06}.example"

    def _url(self, number: int) -> str:
        return f"http://{self._host(number)}/section/{number % 97}/page-{number:07}.html"

    def _row(self, number: int) -> tuple[Any, ...]:
        model = self._models[number % len(self._models)]
        chance = self._chance.random()
        told: dict[str, Any] = {
            **model,
            "url": self._url(number),
            "host": self._host(number),
            "outcome": "connect_timeout" if chance < 0.02 else "fetched",
            "status": None if chance < 0.02 else 404 if chance < 0.05 else 200,
            "fetched_at": _BEGIN + number * 40_000,
            "refers_at": None,
            "refers_to": None,
            "title": f"Page {number} of {self._host(number)}",
            "duplicate_of": self._url(number // 2) if chance > 0.95 else None,
            "redirect_to": None,
        }
        return tuple(told[name] for name in self._names)

    def _linked(self, number: int) -> bytes:
        targets = [
            (number * 31 + place * place * 7919) % self._pages for place in range(self._links)
        ]
        count, chance = self._links, self._chance
        return pack(
            [
                f"{self._url(number)} {_BEGIN + number * 40_000}",
                [self._url(target) for target in targets],
                [self._host(target) for target in targets],
                ["a"] * count,
                [f"page {target % 1000}" for target in targets],
                [""] * count,
                ["main"] * count,
                ["nofollow" if chance.random() < 0.05 else None for _ in range(count)],
            ]
        )

    def _robots(self) -> Iterator[KnownRobots]:
        rules = (Rule(False, "/private/"), Rule(False, "/cgi-bin/"))
        for number in range(self._hosts):
            origin = f"http://host-{number:06}.example"
            yield KnownRobots(origin, "gossamer", 1.0, 9e9, 200, rules=rules, agent="*")

    def _watched(self, watch: RedundancyState) -> RedundancyState:
        from gossamer.analyzers.redundancy.dust import RuleKind, RuleStage, RuleState
        from gossamer.analyzers.redundancy.dust.rule import Name
        from gossamer.analyzers.redundancy.shape import Hint
        from gossamer.analyzers.redundancy.traps import PatternState

        some = [f"http://host-{number:06}.example" for number in range(min(5000, self._hosts))]
        traps = [
            PatternState(f"{one}/c/{{n}}", Hint.CALENDAR, 1, 60, 2, 58, 61, 9, 0) for one in some
        ]
        named = [Name(RuleKind.PARAMETER, one, "sid") for one in some]
        rules = [RuleState(name, RuleStage.USED, 3, 4, 0) for name in named]
        return replace(watch, endless=traps, rules=rules)


class Measured(NamedTuple):
    path: str
    status: int
    size: int
    first: float
    """Milliseconds."""
    median: float
    most: float
    """95 of 100 were not slower."""
    processor: float
    """Milliseconds of the server's processor time for each."""


_SERVE = """
import sys
from pathlib import Path
from gossamer.dashboard.dashboard_server import DashboardServer
server = DashboardServer(Path(sys.argv[1]), is_open=True)
server.run(lambda: print(server.url, flush=True))
"""


def measure(folder: Path, rounds: int) -> tuple[list[Measured], dict[str, int]]:
    """Every path of the dashboard, first and then in turn."""
    server = Popen([sys.executable, "-c", _SERVE, str(folder)], stdout=PIPE, text=True)
    assert server.stdout is not None
    try:
        url = server.stdout.readline().strip()
        found = [_measure(url, path, rounds, server.pid) for path in paths(url)]
        return found, _memory(server.pid)
    finally:
        server.terminate()
        server.wait()


def paths(url: str) -> Iterator[str]:
    """Every subject, and those that can be asked in several ways, in each."""
    yield from (one.path for one in VIEWS)
    lines = msgspec.json.decode(_get(url, "/api/pages?down=false&page=50")[2])["lines"]
    page, host = quote(lines[0]["url"], safe=""), quote(lines[0]["host"], safe="")
    yield from ("/hosts?sort=errors", "/hosts?sort=name&down=false&page=1000", "/hosts?name=0042")
    yield from (f"/hosts?sort={name}" for name in ("rest", "delay", "budget", "robots", "waiting"))
    yield from ("/hosts?sort=found", f"/host?name={host}", "/host?name=host-000000.example")
    yield from ("/pages?status=404", "/pages?outcome=connect_timeout&down=false")
    yield from (
        "/pages?url=page-0012345",
        "/pages?url=no-such-thing",
        "/pages?page=15000",
        "/pages?sort=url",
        "/pages?sort=url&page=9000",
        "/pages?sort=media_type&status=404",
    )
    yield from (f"/pages?host={host}", "/pages?mark=duplicate&sort=seconds")
    yield from ("/links?refused=nofollow", "/links?refused=nofollow&page=5000")
    yield from (f"/links?target={page}", f"/page?url={page}", f"/archive/copy?url={page}")
    yield "/page?url=http%3A%2F%2Fnever.example%2F"


def _measure(url: str, path: str, rounds: int, process: int) -> Measured:
    first, status, body = _get(url, path)
    while b"data-unread" in body:  # all of the tables, so that the others are comparable
        _, status, body = _get(url, path)
    before = _processor(process)
    times = sorted(_get(url, path)[0] for _ in range(rounds))
    most = times[min(len(times) - 1, round(0.95 * len(times)))]
    used = (_processor(process) - before) / rounds
    return Measured(path, status, len(body), first, statistics.median(times), most, used)


def _processor(process: int) -> float:
    """Milliseconds that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _get(url: str, path: str) -> tuple[float, int, bytes]:
    connection = HTTPConnection(urlsplit(url).netloc, timeout=600)
    begin = time.perf_counter()
    connection.request("GET", path)
    answer = connection.getresponse()
    body = answer.read()
    took = 1000 * (time.perf_counter() - begin)
    connection.close()
    return took, answer.status, body


def _memory(process: int) -> dict[str, int]:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    wanted = ("RssAnon", "RssFile", "RssShmem", "VmHWM")
    return {
        name: int(value.split()[0]) << 10
        for name, value in (line.split(":", 1) for line in lines)
        if name in wanted
    }


def table(found: list[Measured], memory: dict[str, int], arguments: argparse.Namespace) -> str:
    slow = [one.path for one in found if one.most > _LIMIT]
    busy = [one.path for one in found if one.processor > _LIMIT]
    lines = [
        "# The dashboard of a large crawl",
        "",
        f"{arguments.pages:,} pages of {arguments.hosts:,} hosts, {arguments.links} links each; "
        f"{arguments.rounds} requests for each path, one after the other, over loopback; load of the "
        f"machine at the end {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores. Made by "
        "`python -m benchmarks.dashboard_latency`.",
        "",
        "| path | status | bytes | first, ms | median, ms | 95 of 100, ms | processor, ms |",
        "|---|---|---|---|---|---|---|",
        *(
            f"| `{one.path[:70]}` | {one.status} | {one.size:,} | {one.first:,.0f} | {one.median:,.0f} | "
            f"{one.most:,.0f} | {one.processor:,.0f} |"
            for one in found
        ),
        "",
        f"Slower than {_LIMIT:.0f} ms in 5 of 100: {len(slow)} of {len(found)} paths. More than "
        f"{_LIMIT:.0f} ms of the processor: {', '.join(busy) or 'none'}.",
        "",
        "Memory of the server: "
        + ", ".join(f"{name} {size / 1e6:,.0f} MB" for name, size in memory.items())
        + ". What is mapped from temporary files (RssFile) is the system's to take away.",
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=1_000_000)
    parser.add_argument("--hosts", type=int, default=100_000)
    parser.add_argument("--links", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument(
        "--folder", type=Path, help="keep the crawl there, and use it if it is there"
    )
    parser.add_argument("--keep", type=Path, help="write the figures to this file")
    arguments = parser.parse_args()
    folder = arguments.folder or Path(tempfile.mkdtemp()) / "crawl"
    if not folder.exists():
        make_crawl(folder, arguments.pages, arguments.hosts, arguments.links)
    said = table(*measure(folder, arguments.rounds), arguments)
    print(said)
    if arguments.keep:
        arguments.keep.write_text(said)
    if arguments.folder is None:
        shutil.rmtree(folder.parent)


if __name__ == "__main__":
    main()
