"""A crawl directory with nothing but a ranking."""

from pathlib import Path

import pyarrow as pa
from pyarrow import parquet

from gossamer.core.finished_ranks import RANKS_FILE


def write_ranks(directory: Path, ranks: "dict[str, float | None]") -> Path:
    (directory / RANKS_FILE).parent.mkdir(exist_ok=True, parents=True)
    columns = {
        "url": pa.array(list(ranks), pa.string()),
        "place": pa.array(["core"] * len(ranks), pa.string()),
        "harmonic": pa.array(list(ranks.values()), pa.float64()),
    }
    parquet.write_table(pa.table(columns), directory / RANKS_FILE)
    return directory
