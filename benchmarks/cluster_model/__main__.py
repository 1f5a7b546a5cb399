"""Measure small runs, and compute what 1 to 1,000 machines would do, and which part is too small first.

python -m benchmarks.cluster_model [--cores N] [--memory GB] [--network GBITS] [--kept MILLIONS] [--out FILE]
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from benchmarks.cluster_model.cluster_page import (
    figure_table,
    find,
    limit_lines,
    load_table,
    write_page,
)
from benchmarks.cluster_model.figures import Machines
from benchmarks.cluster_model.measuring import measure


def main(words: Sequence[str] | None = None) -> None:
    """Print the tables; with `--out`, write them as a page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=1200, help="of the crawl that is measured")
    parser.add_argument("--cores", type=int, default=8, help="of a machine; each has a partition")
    parser.add_argument("--memory", type=float, default=32.0, help="of a machine, in GB")
    parser.add_argument("--network", type=float, default=10.0, help="of a machine, in Gbit/s")
    parser.add_argument("--kept", type=float, default=100.0, help="pages stored, in millions")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args(words)
    machines = Machines(given.cores, given.memory * 1e9, given.network * 1e9 / 8, given.kept * 1e6)
    found = find(measure(given.seed, given.pages), machines)
    for lines in (figure_table(found.measured), load_table(found.loads), limit_lines(found)):
        print("\n".join(lines) + "\n")
    if given.out is not None:
        given.out.write_text(write_page(found, "python -m benchmarks.cluster_model"), "utf-8")


if __name__ == "__main__":
    main()
