"""Repeat the experiments of Cho and others, and write a page with pictures.

python -m benchmarks.cho_figures cnr-2000.graph-txt.gz [--out FOLDER] [--pages N] [--hosts N] [--seed N]
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from benchmarks.cho_figures.cho_page import write_page
from benchmarks.cho_figures.experiments import draw, run_experiments
from gossamer.lab import Web
from gossamer.lab.crawl_orders.known_web import read_graph


def main(words: Sequence[str] | None = None) -> None:
    """Crawl the graph and the simulated web in each order; write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "graph", type=Path, help="number of nodes, then successors of each; may be .gz"
    )
    parser.add_argument("--out", type=Path, default=Path("build/ordering"))
    parser.add_argument("--pages", type=int, default=20_000, help="of the simulated web")
    parser.add_argument("--hosts", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args(words)
    web = Web(given.seed, given.pages, given.hosts)
    findings = run_experiments(read_graph(given.graph), web, print)
    given.out.mkdir(parents=True, exist_ok=True)
    draw(findings, given.out)
    command = f"python -m benchmarks.cho_figures {given.graph.name}"
    (given.out / "README.md").write_text(write_page(findings, command), "utf-8")
    print(f"\nthe page is {given.out / 'README.md'}")


if __name__ == "__main__":
    main()
