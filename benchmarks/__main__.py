"""`make bench`: every benchmark that compares whole crawls, in one run with one report.

python -m benchmarks [--rounds 3] [--quick] [--keep FOLDER]
"""

import argparse
from pathlib import Path

from benchmarks import growth, partitions, polite, site
from benchmarks.report import Row, keep, print_rows, ratios


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="smaller crawls, for a first look")
    parser.add_argument("--keep", type=Path, help="write bench.json, bench.md and bench.svg there")
    arguments = parser.parse_args()
    rows: list[Row] = site.measure(arguments.rounds)
    rows += partitions.measure(6000 if arguments.quick else 20_000, rounds=arguments.rounds)
    rows += growth.measure(100_000 if arguments.quick else 1_000_000)
    rows += polite.measure(seconds=10 if arguments.quick else 30)
    print_rows(rows)
    said = [*ratios(rows), *partitions.growth(rows)]
    print("\n".join(["", *said]))
    if arguments.keep:
        keep(rows, said, arguments.keep)


if __name__ == "__main__":
    main()
