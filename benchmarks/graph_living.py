"""The graph of a crawl that never ends, of real sites that change: merged beside the running crawl.

    python -m benchmarks.graph_living FOLDER FOLDER … [--visits 300] [--increments 10] [--urls 1000]

Each folder, which has an index.html, is copied, served on loopback, and changes on the way: pages gain and
lose links, vanish, come back, move elsewhere, and new ones appear. One process crawls all of them, and visits
pages again, without an end. After so many visits each time, what is new is merged into the graph while the
crawl goes on; another graph is built from nothing of the same tables: all files must be the same, byte by
byte. In the end the crawl is stopped, and `links in` of random URLs is compared with a scan of the table.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

from benchmarks.graph_sites import QuietHandler, build, compare_with_scan, files_of
from gossamer.graph import Choice, Graph
from gossamer.graph.build import GraphBuilder
from gossamer.graph.published_graph import Published

_DAY = 20.0
"""Seconds of a day of the crawl: its pages are due several times in a minute."""
_PART = 0.04
"""The part of all pages that changes between two merges."""


class ChangingSite:
    """A copy of a folder, whose pages change by chance."""

    def __init__(self, folder: Path, chance: Random) -> None:
        self.folder, self._chance = folder, chance
        self.moves: dict[str, str] = {}
        self.visits = 0
        self._gone: list[tuple[Path, bytes]] = []
        self._made = 0

    def change(self) -> Counter[str]:
        """Change some pages; says what was done, and how often."""
        pages = sorted(self.folder.rglob("*.html"))
        count = max(3, int(_PART * len(pages)))
        done = Counter[str]()
        for page in self._chance.sample(pages, min(count, len(pages))):
            if page != self.folder / "index.html":
                kind = self._chance.choice(["gain", "gain", "lose", "vanish", "move"])
                getattr(self, f"_{kind}")(page, pages)
                done[kind] += 1
        self._come_back(done)
        self._appear(done)
        return done

    def _gain(self, page: Path, pages: Sequence[Path]) -> None:
        other = self._path(self._chance.choice(pages))
        link = f'<p><a href="{other}">see also {self._chance.randrange(1000)}</a></p>'.encode()
        page.write_bytes(page.read_bytes().replace(b"</body>", link + b"</body>"))

    def _lose(self, page: Path, pages: Sequence[Path]) -> None:
        before, found, after = page.read_bytes().rpartition(b"<a href=")
        page.write_bytes(before + (b"<a name=" if found else b"") + after)

    def _vanish(self, page: Path, pages: Sequence[Path]) -> None:
        self._gone.append((page, page.read_bytes()))
        page.unlink()

    def _move(self, page: Path, pages: Sequence[Path]) -> None:
        self.moves[self._path(page)] = self._path(self._chance.choice(pages))

    def _come_back(self, done: "Counter[str]") -> None:
        """Of pages that have gone or moved, one of two."""
        for page, text in self._gone[::2]:
            page.write_bytes(text)
            done["come back"] += 1
        self._gone = self._gone[1::2]
        for path in [*self.moves][::2]:
            del self.moves[path]
            done["move back"] += 1

    def _appear(self, done: "Counter[str]") -> None:
        self._made += 1
        page = self.folder / f"new-{self._made}.html"
        page.write_text(
            f'<title>New {self._made}</title><body><a href="/index.html">home</a></body>'
        )
        self._link_from_storage(page)
        done["appear"] += 1

    def _link_from_storage(self, page: Path) -> None:
        storage = self.folder / "index.html"
        link = f'<p><a href="{self._path(page)}">{page.stem}</a></p>'.encode()
        storage.write_bytes(storage.read_bytes().replace(b"</body>", link + b"</body>"))

    def _path(self, page: Path) -> str:
        return f"/{page.relative_to(self.folder)}"


class _Handler(QuietHandler):
    def __init__(self, *arguments: Any, site: ChangingSite, **options: Any) -> None:
        self._site = site
        super().__init__(*arguments, directory=str(site.folder), **options)

    def send_head(self) -> Any:
        self._site.visits += 1
        to = self._site.moves.get(self.path)
        if to is None:
            return super().send_head()
        self.send_response(301)
        self.send_header("Location", to)
        self.send_header("Content-Length", "0")
        self.end_headers()
        return None


@contextmanager
def served(site: ChangingSite) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, site=site))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/index.html"
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def crawling(out: Path, seeds: Sequence[str], visits: int) -> Iterator["subprocess.Popen[str]"]:
    """A continuous crawl in a process of its own; stopped in the end."""
    knobs: dict[str, Any] = {"revisit.day": _DAY, "revisit.shortest": 0.1, "revisit.longest": 5.0}
    knobs |= {"politeness.factor": 0, "politeness.address_delay": 0, "store.warc": "false"}
    knobs |= {"store.tables_every": 2, "store.rows": 8000}
    command = [sys.executable, "-m", "gossamer.cli", "crawl", *seeds, "-o", str(out)]
    command += ["--delay", "0.01", "--allow-private", "--continuous", "--quiet", "--json"]
    command += ["--visits-per-day", str(4 * visits)]
    command += [word for name, one in knobs.items() for word in ("--set", f"{name}={one}")]
    with open(out.with_name("said"), "w") as said:
        process = subprocess.Popen(command, stdout=said, stderr=said, text=True)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()
        assert process.returncode in (0, 130, 143), out.with_name("said").read_text()


def merge_beside(out: Path, beside: Path) -> tuple[float, float]:
    """Merge what is new, the crawl going on; build the same tables from nothing; CPU seconds of both."""
    while True:
        start = time.process_time()
        words = GraphBuilder(out, Choice()).run()
        next(words)  # from now on, the tables that are taken in are kept as they are
        _link_tables(out, beside)
        for _ in words:
            pass
        merged, rebuild = time.process_time() - start, build(beside, is_rebuild=True)
        if _sources(out) == _sources(beside):  # else the crawl wrote in just that moment
            return merged, rebuild


def _link_tables(out: Path, beside: Path) -> None:
    shutil.rmtree(beside, ignore_errors=True)
    pinned = out / "graph" / "work" / "tables"
    for folder in (out, pinned):
        for table in ("pages", "links"):
            (beside / table).mkdir(parents=True, exist_ok=True)
            for path in (folder / table).glob("*.parquet"):
                target = beside / table / path.name
                target.unlink(missing_ok=True)
                os.link(path, target)


def _check_alike(out: Path, beside: Path, number: int) -> None:
    one, other = files_of(out), files_of(beside)
    differ = [name for name in one.keys() | other.keys() if one.get(name) != other.get(name)]
    if differ:
        shutil.copytree(out.parent, out.parent.with_name("unlike"), dirs_exist_ok=True)
    assert not differ, f"increment {number} is not as if built at once: {sorted(differ)}"


def _has_news(out: Path, beside: Path) -> bool:
    """Are there rows of links that the last graph had not?"""
    names = {path.name: path.stat().st_size for path in out.glob("links/*.parquet")}
    return bool(names) and names != {
        path.name: path.stat().st_size for path in beside.glob("links/*.parquet")
    }


def _sources(crawl: Path) -> Any:
    return Published(crawl / "graph").manifest().sources


def measure(out: Path, sites: Sequence[ChangingSite], process: Any, options: Any) -> None:
    print("| requests | URLs | links | redirects | merged in | from nothing | the same |")
    print("|---|---|---|---|---|---|---|")
    total, beside = Counter[str](), out.with_name("beside")
    for number in range(1, options.increments + 1):
        wanted = sum(site.visits for site in sites) + options.visits
        while sum(site.visits for site in sites) < wanted or not _has_news(out, beside):
            assert process.poll() is None, out.with_name("said").read_text()
            time.sleep(0.2)
        merged, rebuild = merge_beside(out, beside)
        _check_alike(out, beside, number)
        graph, moves = Graph.open(out), Graph.open(out, "redirect").arcs
        requests = sum(site.visits for site in sites)
        print(
            f"| {requests:,} | {len(graph):,} | {graph.arcs:,} | {moves:,} "
            f"| {merged:.2f} s | {rebuild:.2f} s | yes |",
            flush=True,
        )
        for site in sites:
            total += site.change()
    print("changes: " + ", ".join(f"{kind} {count}" for kind, count in sorted(total.items())))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--visits", type=int, default=300)
    parser.add_argument("--increments", type=int, default=10)
    parser.add_argument("--urls", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = Random(options.seed)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        sites = []
        for number, one in enumerate(options.folders):
            copied = shutil.copytree(one, Path(folder) / f"site-{number}")
            sites.append(ChangingSite(copied, chance))
        seeds = [stack.enter_context(served(site)) for site in sites]
        out = Path(folder) / "crawl"
        with crawling(out, seeds, options.visits) as process:
            measure(out, sites, process, options)
        build(out)
        compare_with_scan(out, options.urls)


if __name__ == "__main__":
    main()
