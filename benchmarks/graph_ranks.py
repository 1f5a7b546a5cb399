"""Rankings and structure of cnr-2000, beside SciPy and networkit on one core; and PageRank of mapped files.

    python -m benchmarks.graph_ranks --peer PYTHON

PYTHON is the interpreter of an environment with networkit and SciPy; without it there is only Gossamer.
Seconds are those of the processor, the least of several runs: other programs on the machine count for little
then. With `--mapped 4`, a graph of four million pages is made and ranked out of mapped files instead.
"""

import argparse
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.cnr import find_cnr_2000

_RUNS = 7
_SEARCHES = 100
_TRUE = 1e-15
"""How still the independent solver has to stand before it is taken for the truth."""


def clocked(work: Callable[[], Any], runs: int = _RUNS) -> tuple[float, Any]:
    """The least processor time of some runs, and what came out."""
    work()
    best, found = np.inf, None
    for _ in range(runs):
        began = time.process_time()
        found = work()
        best = min(best, time.process_time() - began)
    return best, found


def read(path: Path) -> tuple[Any, Any]:
    """The graph as offsets and targets, read without Gossamer: peers read it too."""
    with gzip.open(path) if path.suffix == ".gz" else open(path, "rb") as file:
        rows = [np.array(line.split(), np.uint32) for line in file.readlines()[1:]]
    offsets = np.concatenate(([0], np.cumsum([len(row) for row in rows]))).astype(np.int64)
    return offsets, np.concatenate(rows)


def ours(offsets: Any, targets: Any, folder: Path) -> dict[str, float]:
    from gossamer.graph.rank.arcs import Arcs
    from gossamer.graph.rank.bow_tie import bow_tie
    from gossamer.graph.rank.components import strong_components, weak_components
    from gossamer.graph.rank.graph_pagerank import pagerank, total_weights
    from gossamer.graph.rank.hits import hits
    from gossamer.graph.rank.hyperball import hyperball
    from gossamer.graph.rank.power_law import fit_power_law

    arcs = Arcs(offsets, targets)
    back, nodes = arcs.transposed(), np.arange(len(arcs), dtype=np.uint32)
    seconds = {}
    seconds["PageRank to 1e-9"], found = clocked(lambda: pagerank(back, total_weights(arcs)))
    np.save(folder / "ours.npy", found.ranks)
    print(f"PageRank: {found.sweeps} sweeps, error at most {found.error:.2g}")
    work: dict[str, Callable[[], Any]] = {
        "strong components": lambda: strong_components(arcs),
        "weak components": lambda: weak_components(arcs),
        "HITS of all pages": lambda: hits(arcs, nodes),
        "bow-tie": lambda: bow_tie(arcs, back),
        "power law of in-degrees": lambda: fit_power_law(back.degrees()),
    }
    results = {name: clocked(one) for name, one in work.items()}
    seconds |= {name: spent for name, (spent, _) in results.items()}
    kept = {name: results[f"{name} components"][1] for name in ("strong", "weak")}
    found = results["HITS of all pages"][1]
    kept |= {"hubs": found.hubs, "authorities": found.authorities}
    for precision in (6, 8):
        name = f"HyperBall, {1 << precision} registers"
        seconds[name], found = clocked(
            lambda precision=precision: hyperball(back, precision=precision, threads=1), 1
        )
        print(
            f"{name}: {found.mean():.2f} mean, {found.effective_diameter():.2f} effective diameter"
        )
        kept[f"harmonic of {1 << precision}"] = found.harmonic
    np.savez(folder / "kept.npz", **kept)
    return seconds


def peers(offsets: Any, targets: Any, folder: Path) -> dict[str, dict[str, float]]:
    """What SciPy and networkit take; also the truth, to compare with."""
    import networkit
    import scipy.sparse as sparse
    from scipy.sparse.csgraph import connected_components

    networkit.setNumberOfThreads(1)
    count = len(offsets) - 1
    sources = np.repeat(np.arange(count), np.diff(offsets))
    graph = networkit.GraphFromCoo((sources, targets.astype(np.int64)), n=count, directed=True)
    matrix = sparse.csr_matrix((np.ones(len(targets)), targets, offsets), shape=(count, count))
    degrees = np.maximum(np.diff(offsets), 1)
    steps = (sparse.diags(1 / degrees) @ matrix).T.tocsr()

    def power(tolerance: float) -> Any:
        old, change = np.full(count, 1 / count), np.inf
        while change > tolerance:
            new = 0.85 * (steps @ old)
            new += (1 - new.sum()) / count
            old, change = new, np.abs(new - old).sum()
        return old

    def their_pagerank() -> Any:
        kind = networkit.centrality
        sinks = kind.SinkHandling.DistributeSinks
        found = kind.PageRank(graph, damp=0.85, tol=1e-9, distributeSinks=sinks)
        found.norm = kind.Norm.L1_NORM
        return found.run()

    def their_hits() -> Any:
        turned, old = matrix.T.tocsr(), np.full(count, 1 / count)
        change = np.inf
        while change > 1e-9:
            found = turned @ (matrix @ old) if change < np.inf else turned @ old
            new = found / found.sum()
            old, change = new, np.abs(new - old).sum()
        return old

    np.save(folder / "truth.npy", power(_TRUE))
    components = networkit.components
    seconds, ranks = clocked(their_pagerank, 3)
    np.save(folder / "networkit.npy", np.array(ranks.scores()))
    strong = clocked(lambda: components.StronglyConnectedComponents(graph).run())[0]
    weak = clocked(lambda: components.WeaklyConnectedComponents(graph).run())[0]
    hits_spent, authorities = clocked(their_hits, 1)
    found = np.load(folder / "kept.npz")
    said = [
        f"HITS: authorities off by {np.abs(found['authorities'] - authorities).sum():.2g} in L1"
    ]
    for kind in ("strong", "weak"):
        number, labels = connected_components(matrix, connection=kind)
        is_same = _are_alike(found[kind], labels)
        said.append(f"{kind} components: {number:,}, the same as SciPy's: {is_same}")
    said += _check_distances(matrix, found)
    (folder / "said.txt").write_text("\n".join(said))
    return {
        "networkit": {
            "PageRank to 1e-9": seconds,
            "strong components": strong,
            "weak components": weak,
        },
        "SciPy": {
            "PageRank to 1e-9": clocked(lambda: power(1e-9), 3)[0],
            "strong components": clocked(lambda: connected_components(matrix, connection="strong"))[
                0
            ],
            "weak components": clocked(lambda: connected_components(matrix, connection="weak"))[0],
            "HITS of all pages": hits_spent,
        },
    }


def _are_alike(ours: Any, theirs: Any) -> bool:
    """Do two ways to number components put the same nodes together?"""
    pairs = len(np.unique(ours.astype(np.int64) << 32 | theirs.astype(np.int64)))
    return bool(pairs == len(np.unique(ours)) == len(np.unique(theirs)))


def _check_distances(matrix: Any, found: Any) -> list[str]:
    """Compare HyperBall with searches from some pages along links turned round, by SciPy."""
    from scipy.sparse.csgraph import dijkstra

    some = np.random.default_rng(2).choice(matrix.shape[0], _SEARCHES, replace=False)
    turned, truth = matrix.T.tocsr(), []
    began = time.process_time()
    for page in some.tolist():
        distances = dijkstra(turned, indices=page, unweighted=True)
        distances[page] = np.inf
        truth.append((1 / distances).sum())
    spent = (time.process_time() - began) / len(some)
    exact = np.array(truth)
    lines = [f"harmonic centrality by search: {spent:.3f} s for each of {len(some)} pages"]
    for registers in (64, 256):
        off = (found[f"harmonic of {registers}"][some] - exact)[exact > 0] / exact[exact > 0]
        rms, worst = np.sqrt((off**2).mean()), np.abs(off).max()
        lines.append(
            f"HyperBall, {registers} registers: off by {rms:.1%} (rms), {worst:.1%} at most"
        )
    return lines


def ask_peers(python: str, path: Path, folder: Path) -> dict[str, dict[str, float]]:
    command = [python, __file__, "--graph", str(path), "--folder", str(folder), "--as-peer"]
    root = Path(__file__).parents[1]
    environment = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(root)}
    found: dict[str, dict[str, float]] = json.loads(
        subprocess.run(command, stdout=subprocess.PIPE, check=True, env=environment).stdout
    )
    return found


def table(own: dict[str, float], others: dict[str, dict[str, float]]) -> None:
    print("| | Gossamer | " + " | ".join(others) + " |")
    print("|---|---:|" + "---:|" * len(others))
    for name, seconds in own.items():
        cells = [f"{name} | {seconds:.3f} s"]
        for figures in others.values():
            its = figures.get(name)
            cells.append(f"{its:.3f} s, {its / seconds:.1f} ×" if its else "")
        print("| " + " | ".join(cells) + " |")


def mapped(pages: int, folder: Path) -> None:
    """Rank a random web of so many pages, ten links each, most of them to pages nearby, from mapped files."""
    from gossamer.graph.rank.graph_pagerank import pagerank
    from gossamer.graph.rank.unpacking import unpack_mapped

    chance, step = np.random.default_rng(1), 1_000_000

    def rows() -> Any:
        for first in range(0, pages, step):
            count = min(step, pages - first)
            sizes = np.minimum(chance.zipf(1.9, count), 100_000)
            owners = np.repeat(np.arange(first, first + count), sizes)
            near = owners + chance.integers(-1000, 1000, len(owners))
            far = chance.integers(0, pages, len(owners))
            sources = np.where(chance.random(len(owners)) < 0.8, near % pages, far)
            degrees[:] += np.bincount(sources, minlength=pages)
            yield first, np.concatenate(([0], np.cumsum(sizes))), sources

    degrees = np.zeros(pages)
    back = unpack_mapped(rows(), folder)
    Path("/proc/self/clear_refs").write_text("5")  # forget what was most so far
    before, began = memory("VmRSS"), time.perf_counter()
    found = pagerank(back, degrees, block=1 << 22)
    seconds, size = time.perf_counter() - began, (back.links * 4 + len(back) * 8) / 1e6
    print(
        f"{pages:,} pages, {back.links:,} links, {size:,.0f} MB mapped: {found.sweeps} sweeps, "
        f"{seconds:.1f} s; "
        f"{before:,.0f} MB in memory before, at most {memory('VmHWM'):,.0f} MB meanwhile"
    )


def memory(kind: str) -> float:
    """Megabytes of this process."""
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if kind in line) / 1e3


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--graph",
        type=Path,
        help="a text graph; else cnr-2000, in the folder that GOSSAMER_DATA names",
    )
    parser.add_argument("--peer", help="the Python of an environment with networkit and SciPy")
    parser.add_argument("--folder", type=Path, help="where results go from one process to another")
    parser.add_argument("--as-peer", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--mapped", type=int, default=0, help="rank so many million pages, mapped")
    options = parser.parse_args()
    path = options.graph or find_cnr_2000()
    if options.mapped:
        with tempfile.TemporaryDirectory(dir=options.folder) as work:
            mapped(options.mapped * 1_000_000, Path(work))
    elif options.as_peer:
        print(json.dumps(peers(*read(path), options.folder)))
    else:
        with tempfile.TemporaryDirectory(dir=options.folder) as work:
            compare(path, options.peer, Path(work))


def compare(path: Path, python: str | None, folder: Path) -> None:
    own = ours(*read(path), folder)
    others = ask_peers(python, path, folder) if python else {}
    table(own, others)
    if others:
        truth = np.load(folder / "truth.npy")
        print((folder / "said.txt").read_text())
        for name in ("ours", "networkit"):
            off = np.abs(np.load(folder / f"{name}.npy") - truth)
            print(f"{name}: off by {off.sum():.2g} in L1, {off.max():.2g} at most, from the truth")


if __name__ == "__main__":
    sys.exit(main())
