"""A real crawl of several documentation sites, whose graph is built bit by bit, beside brute force.

    python -m benchmarks.graph_sites FOLDER FOLDER … [--pages 200] [--increments 10] [--urls 1000]

Each folder, which has an index.html, is served on loopback as a site of its own. All are crawled together, so
many pages at a time. After each time, what is new is merged into the graph, and another graph is built from
nothing of the same tables: all files must be the same, byte by byte. In the end, `links in` of random URLs is
compared with a scan of the links table: sources, texts and kinds; and the graph with the same scan, redirects
resolved.
"""

import argparse
import random
import shutil
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from pyarrow import parquet

import gossamer
from gossamer.graph import Choice, Graph
from gossamer.graph.build import GraphBuilder
from gossamer.graph.published_graph import Published
from gossamer.graph.seen_links import links_in

_REQUISITES = {"image", "script", "style", "media"}


class QuietHandler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *arguments: object) -> None:
        """Nobody reads it."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder on loopback; yields the URL of its first page."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=str(folder)))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/index.html"
    finally:
        server.shutdown()
        server.server_close()


def crawl_on(out: Path, seeds: Sequence[str], pages: int) -> Any:
    knobs: dict[str, Any] = {"delay": 0, "allow_private": True, "per_host": 8, "warc": False}
    if not out.exists():
        return gossamer.Crawl(seeds, out=out, max_pages=pages, **knobs).run()
    return gossamer.Crawl.resume(out, max_pages=pages).run()


def build(crawl: Path, is_rebuild: bool = False) -> float:
    """Build a graph; returns seconds of CPU."""
    start = time.process_time()
    for _ in GraphBuilder(crawl, Choice(), is_rebuild=is_rebuild).run():
        pass
    return time.process_time() - start


def files_of(crawl: Path) -> dict[str, bytes]:
    folder = crawl / "graph" / Published(crawl / "graph").manifest().generation
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def measure_increments(out: Path, seeds: Sequence[str], pages: int, increments: int) -> None:
    print("| pages | URLs | links | merged in | from nothing | the same |")
    print("|---|---|---|---|---|---|")
    beside = out.with_name("beside")
    for number in range(1, increments + 1):
        summary = crawl_on(out, seeds, pages * number)
        merged = build(out)
        shutil.rmtree(beside, ignore_errors=True)
        for table in ("pages", "links"):
            shutil.copytree(out / table, beside / table)
        rebuild = build(beside, is_rebuild=True)
        assert files_of(out) == files_of(beside), f"increment {number} is not as if built at once"
        graph = Graph.open(out)
        print(
            (
                f"| {summary.pages:,} | {len(graph):,} | {graph.arcs:,} | {merged:.2f} s | "
                f"{rebuild:.2f} s | yes |"
            ),
            flush=True,
        )


def compare_with_scan(out: Path, urls: int) -> None:
    rows = parquet.read_table(out / "links").to_pylist()
    into = defaultdict(set)
    for row in rows:
        into[row["target"]].add((row["source"], row["kind"], row["anchor"], row["rel"]))
    graph = Graph.open(out)
    known = graph.urls(range(len(graph)))
    chosen = random.Random(4).sample(known, min(urls, len(known)))
    start, found = time.process_time(), 0
    for url in chosen:
        listed = {(one.source, one.kind, one.anchor, one.rel) for one in links_in(out, [url])}
        assert listed == into[url], url
        found += len(listed)
    spent = (time.process_time() - start) / len(chosen)
    print(f"links in of {len(chosen):,} random URLs: {found:,} links, as a scan finds them")
    print(f"that took {spent:.3f} s each")
    sources = _brute_force(out, rows)
    start = time.process_time()
    for url in chosen:
        node = graph.number(url)
        assert node is not None
        assert {*graph.urls(graph.predecessors(node))} == sources[url], url
    spent = (time.process_time() - start) / len(chosen) * 1e6
    print(f"the graph, redirects resolved: the same; {spent:.0f} µs each with all URLs")


def _brute_force(out: Path, rows: list[dict[str, Any]]) -> dict[str, set[str]]:
    """Which pages link to a URL, or to one that redirects to it."""
    columns = ["url", "redirect_to", "fetched_at"]
    visits = parquet.read_table(out / "pages", columns=columns).to_pylist()
    visits.sort(key=lambda visit: visit["fetched_at"])
    moves = {visit["url"]: visit["redirect_to"] for visit in visits}
    found = defaultdict(set)
    for row in rows:
        target, met = row["target"], set()
        while moves.get(target) and target not in met:
            met.add(target)
            target = moves[target]
        is_link = row["kind"] not in _REQUISITES and row["source"] not in (row["target"], target)
        if is_link:
            found[target].add(row["source"])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--increments", type=int, default=10)
    parser.add_argument("--urls", type=int, default=1000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        seeds = [stack.enter_context(served(one)) for one in arguments.folders]
        out = Path(folder) / "crawl"
        measure_increments(out, seeds, arguments.pages, arguments.increments)
        compare_with_scan(out, arguments.urls)


if __name__ == "__main__":
    main()
