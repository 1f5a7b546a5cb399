"""How small and how quick a compressed graph is, and whether one that is large is built in bounded memory.

    python -m benchmarks.graph cnr [--rounds 5]
    python -m benchmarks.graph scale [--links 20000000] [--memory 384] [--words 5 5 5] [--folder DIR]

`cnr` takes cnr-2000 of LAW (325,557 pages, 3,216,152 links; `graph/cnr-2000.graph-txt.gz` in the folder that
GOSSAMER_DATA names) and measures bits per link and links per second of CPU time on one core, kernels warm,
beside SciPy and, if they are installed, networkit and igraph.

`scale` writes a links table with the link model of the simulated web, or takes the one that is in DIR/web,
and builds its graph in a process of its own. That is killed three times on the way, each time when a step has
said so many words, and started again. Said are the time of all runs, the most memory of one, and bits per
link; then links are counted in the table and in the graph, and rows are compared.

Targets: at most 3.55 bits per link with window 7 and chain 3, 3.13 with 70 and 100, 2.85 turned round; 10
million links/s at random, 60 million in order, 5 million when building; 1 GB for 200 million links.
"""

import argparse
import gzip
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.cnr import find_cnr_2000
from gossamer.graph import Choice, Graph
from gossamer.graph.build import GraphBuilder
from gossamer.graph.bv import BVGraph, BVWriter
from gossamer.graph.bv.transposing import transpose
from gossamer.lab.linking import BRANCHES, MENU
from gossamer.lab.simulated_sites import Sites

_SEED = 7
_PAGES_PER_HOST = 1000
_TOGETHER = 100_000


def read_text(path: Path) -> tuple[Any, Any]:
    """A graph in LAW's text format."""
    with gzip.open(path, "rt") as file:
        nodes = int(file.readline())
        rows = [np.array(line.split(), np.uint32) for line in file][:nodes]
    return np.cumsum([0, *map(len, rows)], dtype=np.int64), np.concatenate(rows)


def quickest(rounds: int, do: Callable[[], object]) -> float:
    """CPU seconds of the quickest of some rounds; the first, which may compile, does not count."""
    do()
    times = []
    for _ in range(rounds):
        start = time.process_time()
        do()
        times.append(time.process_time() - start)
    return min(times)


def measure_cnr(rounds: int) -> None:
    offsets, targets = read_text(find_cnr_2000())
    back = transpose(offsets, targets)
    order = np.random.default_rng(1).permutation(len(offsets) - 1)
    print("| graph | window | chain | bits per link | build | in order | at random |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, rows in (("cnr-2000", (offsets, targets)), ("turned round", back)):
            for window, chain in ((7, 3), (70, 100)):
                _measure_one(Path(folder) / "a", name, rows, window, chain, order, rounds)
        _compare(BVGraph(Path(folder) / "a"), offsets, targets, order, rounds)


def _measure_one(
    path: Path, name: str, rows: Any, window: int, chain: int, order: Any, rounds: int
) -> None:
    def build() -> None:
        with BVWriter(path, window, chain) as writer:
            writer.add(*rows)

    links = len(rows[1])
    building = quickest(1 if window > 7 else rounds, build)
    graph = BVGraph(path)
    found = graph.unpack()
    assert (found[0] == rows[0]).all(), "the round trip is exact"
    assert (found[1] == rows[1]).all(), "the round trip is exact"
    in_order = quickest(rounds, lambda: [None for _ in graph.rows()])
    at_random = quickest(rounds, lambda: graph.successors_of(order))
    speeds = " | ".join(f"{links / one / 1e6:.1f}" for one in (building, in_order, at_random))
    bits = 8 * graph.bytes / links
    print(f"| {name} | {window} | {chain} | {bits:.3f} | {speeds} |", flush=True)


def _compare(graph: BVGraph, offsets: Any, targets: Any, order: Any, rounds: int) -> None:
    """The same rows in the same order, by libraries that keep the whole graph in memory."""
    from scipy import sparse

    links, nodes = len(targets), len(offsets) - 1
    ones = np.ones(links, np.int8)
    matrix = sparse.csr_array((ones, targets.astype(np.int32), offsets.astype(np.int32)))
    spent = quickest(rounds, lambda: matrix[order])
    print(
        f"\nSciPy CSR, 8 bits and 32 per link: {links / spent / 1e6:.1f} million links/s at random"
    )
    try:
        import networkit
    except ImportError:
        return
    sources = np.repeat(np.arange(nodes), np.diff(offsets)).astype(np.uint64)
    kept = networkit.Graph(nodes, directed=True)
    start = time.process_time()
    kept.addEdges((sources, targets.astype(np.uint64)))
    print(f"networkit: built at {links / (time.process_time() - start) / 1e6:.1f} million links/s")
    some = order[:20_000].tolist()
    spent = quickest(rounds, lambda: [[*kept.iterNeighbors(node)] for node in some])
    count = int(np.diff(offsets)[order[:20_000]].sum())
    print(f"networkit: {count / spent / 1e6:.1f} million links/s at random, from Python")


def write_web(folder: Path, links: int) -> Iterator[int]:
    """A table of about so many links, by the link model of the simulated web; says how many there are."""
    import pyarrow as pa
    from pyarrow import compute, parquet

    pages = max(1000, links // 20)
    sites = Sites(_SEED, pages, max(1, pages // _PAGES_PER_HOST))
    sizes = np.array(sites.sizes)
    starts = np.cumsum([0, *sizes])
    hosts = np.repeat(np.arange(len(sizes)), sizes)
    names = pa.array([f"http://{name}/" for name in sites.names])
    numbers = compute.cast(pa.array(np.arange(pages) - starts[hosts]), pa.string())
    urls = compute.binary_join_element_wise(names.take(pa.array(hosts)), numbers, ".html", "")
    folder.mkdir(parents=True)
    empty = pa.array([""])
    kinds = pa.array(["a"]).dictionary_encode()
    for number, begin in enumerate(range(0, pages, _TOGETHER)):
        nodes = np.arange(begin, min(begin + _TOGETHER, pages))
        sources, targets = _links_of(nodes, hosts, sizes, starts, number)
        zeros = pa.array(np.zeros(len(sources), np.int32))
        places = pa.array((sources - begin).astype(np.int32))
        few = pa.DictionaryArray.from_arrays(places, urls[begin : begin + _TOGETHER])
        rows = pa.table(
            {
                "source": few,
                "target": urls.take(pa.array(targets)),
                "kind": kinds.take(zeros),
                "rel": empty.dictionary_encode().take(zeros),
            }
        )
        parquet.write_table(rows, folder / f"00000-{number:05}.parquet", compression="zstd")
        yield len(sources)


def _links_of(nodes: Any, hosts: Any, sizes: Any, starts: Any, seed: int) -> tuple[Any, Any]:
    """Menu, tree, chance with a power law within the host, and a few links to others."""
    chance = np.random.default_rng(seed)
    host = hosts[nodes]
    size, start, count = sizes[host], starts[host], len(nodes)
    index = nodes - start
    columns = [start + np.minimum(menu, size - 1) for menu in range(MENU)]
    columns += [start + (size * chance.random(count) ** 3).astype(np.int64) for _ in range(8)]
    columns.append(start + np.maximum(index - 1, 0) // BRANCHES)
    for child in range(1, BRANCHES + 1):
        columns.append(
            start + np.where(index * BRANCHES + child < size, index * BRANCHES + child, 0)
        )
    for _ in range(3):
        other = (len(sizes) * chance.random(count) ** 3).astype(np.int64)
        deep = np.where(chance.random(count) < 0.25, sizes[other] * chance.random(count) ** 3, 0)
        columns.append(starts[other] + deep.astype(np.int64))
    targets = np.stack(columns, axis=1).ravel()
    sources = np.repeat(nodes, len(columns))
    is_link = sources != targets
    return sources[is_link], targets[is_link]


def measure_scale(links: int, memory: int, words: list[int], folder: Path) -> None:
    crawl = folder / "web"
    if not (crawl / "crawl.toml").exists():
        shutil.rmtree(crawl, ignore_errors=True)
        sum(write_web(crawl / "links", links))
        _make_crawl(crawl)
    shutil.rmtree(crawl / "graph", ignore_errors=True)
    _warm_up()
    deaths = [*zip(_STEPS, words, strict=True)]
    runs = [_build(crawl, memory, *death) for death in (*deaths, ("", 0))]
    for (step, count), (spent, cpu, _) in zip(deaths, runs, strict=False):
        print(f"killed at word {count} of {step!r}: {spent:.0f} s, {cpu:.0f} s of CPU")
    spent, cpu, _ = runs[-1]
    most = max(most for _, _, most in runs)
    print(
        f"the last run: {spent:.0f} s, {cpu:.0f} s of CPU; all: {sum(r[1] for r in runs):.0f} s of CPU"
    )
    graph = Graph.open(crawl)
    print(f"{graph.arcs:,} links, {len(graph):,} URLs; --memory {memory}; at most {most:.0f} MB")
    back = graph.backward
    assert isinstance(back, BVGraph)
    bits = [8 * one.bytes / graph.arcs for one in (graph.forward, back)]
    size = graph.known.bytes / len(graph) if graph.known else 0
    print(f"{bits[0]:.2f} bits per link, {bits[1]:.2f} turned round, {size:.1f} bytes per URL")
    _check_rows(crawl, graph)


_STEPS = ("reading URLs", "compressing page links", "turning page links round")
"""Steps in which a build is killed."""


def _warm_up() -> None:
    """Have all kernels compiled: the compiler takes memory too."""
    with tempfile.TemporaryDirectory() as folder:
        crawl = Path(folder) / "small"
        sum(write_web(crawl / "links", 20_000))
        _make_crawl(crawl)
        _build(crawl, 64, "", 0)


def _build(crawl: Path, memory: int, step: str, count: int) -> tuple[float, float, float]:
    """Build in a process of its own, which may have to die; its seconds, also of CPU, and most megabytes."""
    command = [sys.executable, "-m", "benchmarks.graph", "build", "--folder", str(crawl)]
    command += ["--memory", str(memory), "--step", step, "--word", str(count)]
    start = time.monotonic()
    running = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert running.stdout is not None
    said = (
        running.stdout.read()
    )  # the system would count what this process has, too, until the other begins
    _, status, used = os.wait4(running.pid, 0)
    assert os.waitstatus_to_exitcode(status) == (-signal.SIGKILL if step else 0)
    return time.monotonic() - start, used.ru_utime + used.ru_stime, int(said) / 1024


def build_or_die(crawl: Path, memory: int, step: str, count: int) -> None:
    """Build the graph of a crawl, and be killed when a step has said so many words."""
    said = 0
    for progress in GraphBuilder(crawl, Choice(), memory << 20).run():
        said += progress.step == step
        if step and said == count:
            _tell_memory()
            os.kill(os.getpid(), signal.SIGKILL)
    _tell_memory()


def _tell_memory() -> None:
    """Say how many kilobytes this process had at most."""
    status = Path("/proc/self/status").read_text().splitlines()
    print(next(line.split()[1] for line in status if line.startswith("VmHWM")), flush=True)


def _make_crawl(crawl: Path) -> None:
    """What makes a folder a crawl."""
    from gossamer.core import settings_file
    from gossamer.core.settings import Settings

    (crawl / "state").mkdir()
    (crawl / "crawl.toml").write_text(settings_file.write(Settings()))


def _check_rows(crawl: Path, graph: Graph) -> None:
    """Compare the rows of pages from some files with the table, and the number of links with that of all."""
    from pyarrow import parquet

    files = sorted((crawl / "links").glob("*.parquet"))
    checked = 0
    for path in files[:: max(1, len(files) // 12)]:
        table = parquet.read_table(path, columns=["source", "target"])
        begin = np.random.default_rng(1).integers(0, max(1, len(table) - 20_000))
        table = table.slice(begin, 20_000)
        wanted: dict[str, set[str]] = {}
        for source, target in zip(*(table.column(n).to_pylist() for n in (0, 1)), strict=True):
            wanted.setdefault(source, set()).add(target)
        for source in [*wanted][1:-1]:  # the first and the last may go on
            node = graph.number(source)
            assert node is not None, source
            assert {*graph.urls(graph.successors(node))} == wanted[source], source
            checked += 1
    print(
        f"rows of {checked:,} pages from {len(files[:: max(1, len(files) // 12)])} files are as in the table"
    )
    counted = sum(int(graph.forward.outdegrees(some).sum()) for some in _pieces_of(len(graph)))
    turned = sum(int(graph.indegrees(some).sum()) for some in _pieces_of(len(graph)))
    rows = sum(_count_links(path) for path in files)
    assert counted == turned == graph.arcs == rows, (counted, turned, graph.arcs, rows)
    print(f"{rows:,} different links are in the table, in the graph, and in the graph turned round")


def _pieces_of(count: int) -> Iterator[Any]:
    return (np.arange(begin, min(begin + (1 << 20), count)) for begin in range(0, count, 1 << 20))


def _count_links(path: Path) -> int:
    """Different links of a file of the table; all links of a page are in one file."""
    from pyarrow import parquet

    table = parquet.read_table(path, columns=["source", "target"])
    return len(table.combine_chunks().group_by(["source", "target"]).aggregate([]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["cnr", "scale", "build"])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--links", type=int, default=20_000_000)
    parser.add_argument("--memory", type=int, default=384)
    parser.add_argument("--words", type=int, nargs=3, default=[1, 1, 1])
    parser.add_argument("--step", default="", help=argparse.SUPPRESS)
    parser.add_argument("--word", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path)
    arguments = parser.parse_args()
    if arguments.what == "cnr":
        measure_cnr(arguments.rounds)
        return
    if arguments.what == "build":
        build_or_die(arguments.folder, arguments.memory, arguments.step, arguments.word)
        return
    with tempfile.TemporaryDirectory() as folder:
        measure_scale(
            arguments.links, arguments.memory, arguments.words, arguments.folder or Path(folder)
        )


if __name__ == "__main__":
    main()
