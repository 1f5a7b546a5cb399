"""How long search, graph, frontier and freshness take in the browser: a million pages of 100,000 hosts.

    python -m benchmarks.dashboard_latency --folder FOLDER
    python -m benchmarks.dashboard_studies FOLDER [--waiting 1000000] [--rounds 20]

FOLDER is a crawl that `benchmarks.dashboard_latency` made large. Once, it is given what these pages show:
graph, ranks and shape by their commands; a text index with some sentences for each page, by the index's own
writer; a frontier with so many waiting URLs, put in and checkpointed by the frontier itself; and it
becomes one that visits pages again. Then a server of its own process answers each path: first, and so many
times more. Prints milliseconds, those of the processor beside them, and what the server has in memory.
"""

import argparse
import os
import shutil
import statistics
import sys
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from itertools import islice
from pathlib import Path
from random import Random
from subprocess import PIPE, Popen
from urllib.parse import quote, urlsplit

from msgspec.structs import replace

from benchmarks.search_texts import BLOCK, block, questions
from gossamer.cli import run
from gossamer.core import settings_file
from gossamer.core.directory import Directory
from gossamer.core.records import Candidate
from gossamer.core.url import parse
from gossamer.engine.ledger import Ledger
from gossamer.output.parquet_batches import read_batches
from gossamer.pipeline.frontier import DiskFrontier
from gossamer.search.fields import FORMAT, IndexedPage, key_of, weights_of
from gossamer.search.index_manifest import IndexManifest, shard_folder, write_manifest
from gossamer.search.shard import ShardWriter

_LETTERS = 400
"""Of the text of a page."""
_LIMIT = 300.0
_SERVE = """
import sys
from pathlib import Path
from gossamer.dashboard.dashboard_server import DashboardServer
server = DashboardServer(Path(sys.argv[1]), is_open=True)
server.run(lambda: print(server.url, flush=True))
"""


def study(folder: Path, waiting: int) -> None:
    """All that the pages show, as far as it is not there."""
    graph = folder / "graph"
    for made, words in (
        ("manifest.json", ["build", "-q"]),
        ("ranks.parquet", ["rank", "-q", "--by", "pagerank,degrees", "--tolerance", "1e-6"]),
        ("shape.json", ["shape"]),
    ):
        if not (graph / made).exists():
            assert run(["graph", *words, str(folder)]) == 0
    if not (folder / "index" / "manifest.json").exists():
        shutil.rmtree(folder / "index", ignore_errors=True)
        make_index(folder)
    if not (folder / "state" / "waiting").exists():
        fill_frontier(folder, waiting)
        (folder / "state" / "waiting").touch()


def urls_of(folder: Path) -> Iterator[str]:
    for file in sorted((folder / "pages").glob("*.parquet")):
        for batch in read_batches(file, ["url"]):
            yield from batch.column(0).to_pylist()


def make_index(folder: Path) -> None:
    settings = settings_file.read(folder / "crawl.toml").search
    weights, urls, number = weights_of(settings), urls_of(folder), 0
    writer = ShardWriter(shard_folder(folder / "index", 0), weights, settings.memory << 20)
    while some := [*islice(urls, BLOCK)]:
        texts = block(number, (number + 1) * BLOCK)
        for url, (_, title, text) in zip(some, texts, strict=False):
            short = text[:_LETTERS]
            page = IndexedPage(url, title, main_text=short, full_text=short, language="en")
            writer.put(page, key_of(url), 1)
        writer.commit()
        number += 1
    writer.close()
    write_manifest(folder / "index", IndexManifest(FORMAT, 1, weights, ("en",)))


def fill_frontier(folder: Path, waiting: int) -> None:
    """URLs that nobody has visited, of the hosts that there are; few hosts have most of them."""
    state = Directory(folder).state
    settings = settings_file.read(folder / "crawl.toml")
    shutil.rmtree(state / "frontier")
    levels = settings.frontier.levels
    frontier = DiskFrontier(state / "frontier", levels, 300, random=Random(3))
    hosts = [*dict.fromkeys(url.split("/", 3)[2] for url in urls_of(folder))]
    chance = Random(5)
    for first in range(0, waiting, BLOCK):
        places = [int(len(hosts) * chance.random() ** 2) for _ in range(BLOCK)]
        urls = (f"http://{hosts[at]}/new/{first + n}" for n, at in enumerate(places))
        some = [Candidate(url, 3) for url in map(parse, urls) if url is not None]
        frontier.put(some, [chance.randrange(levels // 2) for _ in some])
        for _ in range(500):
            visit = frontier.lease(now=float(first))
            if visit is not None:
                frontier.done(visit, ready=first + 100.0)
    packed = frontier.checkpoint()
    frontier.close()
    before = Ledger.read_checkpoint(state)
    ledger = Ledger(state, before.number + 1)
    components = {**before.components, "frontier": packed}
    ledger.publish(replace(before, number=before.number + 1, components=components))
    ledger.close()
    again = replace(settings, revisit=replace(settings.revisit, continuous=True))
    Directory(folder).write_settings(again)


def paths(folder: Path) -> Iterator[str]:
    url = next(urls_of(folder))
    host = url.split("/", 3)[2].partition(":")[0]
    word, *_ = questions(1)
    yield from ("/search", *(f"/search?q={quote(one)}" for one in questions(8)))
    yield f"/search?q={quote(word)}&page=20"
    yield f"/search?q={quote(word)}&site={host}"
    yield f"/search?q={quote(f'related:{url}', safe='')}"
    yield f"/search?q={quote(f'link:{url}', safe='')}"
    yield from ("/graph", "/graph?by=indegree", "/graph?by=outdegree", "/graph/hosts")
    yield from ("/graph/hosts?most=80", f"/graph/near?url={quote(url, safe='')}")
    yield from (f"/graph/near?host={host}", "/graph/near?host=host-000000.example")
    yield from ("/frontier", "/frontier?host=host-000000.example")
    yield from ("/frontier?text=12345", "/frontier?level=2-&sort=found.url", "/frontier?depth=9-")
    yield from ("/freshness", "/freshness?by=rate")


def get(url: str, path: str) -> tuple[float, int, bytes]:
    connection = HTTPConnection(urlsplit(url).netloc, timeout=600)
    begin = time.perf_counter()
    connection.request("GET", path)
    answer = connection.getresponse()
    body = answer.read()
    took = 1000 * (time.perf_counter() - begin)
    connection.close()
    return took, answer.status, body


def spent(process: int) -> float:
    """Milliseconds of the processor that a process has used, whatever else runs on the machine."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(folder: Path, rounds: int) -> None:
    server = Popen([sys.executable, "-c", _SERVE, str(folder)], stdout=PIPE, text=True)
    assert server.stdout is not None
    try:
        url, slow = server.stdout.readline().strip(), []
        print("| path | status | first, ms | its CPU | median, ms | 95 of 100, ms | CPU of one |")
        print("|---|---|---|---|---|---|---|")
        for path in paths(folder):
            begun = spent(server.pid)
            first, status, body = get(url, path)
            while b"data-unread" in body:  # the page says so, and asks again
                _, _, body = get(url, path)
            warm = spent(server.pid)
            times = sorted(get(url, path)[0] for _ in range(rounds))
            each = (spent(server.pid) - warm) / rounds
            median, most = statistics.median(times), times[min(rounds - 1, round(0.95 * rounds))]
            slow += [path] if each > _LIMIT else []
            took = f"{first:,.0f} | {warm - begun:,.0f} | {median:,.0f} | {most:,.0f} | {each:,.0f}"
            print(f"| `{path[:70]}` | {status} | {took} |", flush=True)
        print(f"\nMore than {_LIMIT:.0f} ms of the processor, warm: {', '.join(slow) or 'none'}.")
        lines = Path(f"/proc/{server.pid}/status").read_text().splitlines()
        print("; ".join(line for line in lines if line.startswith(("RssAnon", "RssFile", "VmHWM"))))
        print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    finally:
        server.terminate()
        server.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--waiting", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=20)
    arguments = parser.parse_args()
    study(arguments.folder, arguments.waiting)
    measure(arguments.folder, arguments.rounds)


if __name__ == "__main__":
    main()
