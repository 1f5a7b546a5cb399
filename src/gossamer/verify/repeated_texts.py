"""The table of texts: is there one row for each page?"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from gossamer.engine.earlier_crawls import print_of
from gossamer.verify.finding import Finding, attempt, problem

_NAME = "text/*.parquet"


def inspect_repeated(path: Path) -> Iterator[Finding]:
    """Look for rows that repeat a page."""
    if not any((path / "text").glob("*.parquet")):
        return
    finding, repeated = attempt(_NAME, _count_repeated, path / "text")
    if repeated is None:
        yield finding
    elif repeated:
        said = f"{repeated} rows repeat a page; `gossamer text {path}` deletes them"
        yield problem(_NAME, said)


def _count_repeated(folder: Path) -> int:
    prints = np.fromiter(map(print_of, _digests(folder)), np.uint64)
    return len(prints) - len(np.unique(prints))


def _digests(folder: Path) -> Iterator[str]:
    from pyarrow import parquet

    for file in sorted(folder.glob("*.parquet")):
        with parquet.ParquetFile(file) as rows:
            for batch in rows.iter_batches(columns=["digest"]):
                yield from batch.column(0).to_pylist()
