"""A finished ranking of an earlier crawl, as `gossamer graph rank` left it, for orders that go by it."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from gossamer.base.errors import SettingsError

RANKS_FILE = Path("graph", "ranks.parquet")
"""Where it is in a crawl directory."""


def read_ranks(directory: Path, column: str) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
    """The keys of all pages that have a number in this column, in ascending order, and these numbers."""
    import pyarrow as pa
    from pyarrow import parquet

    path = directory / RANKS_FILE
    if not path.is_file():
        raise SettingsError(f"{path} does not exist; make it with: gossamer graph rank {directory}")
    try:
        file = parquet.ParquetFile(path)
        names = [field.name for field in file.schema_arrow if _is_number(field.type)]
        if column not in names:
            raise SettingsError(f"{path} has no ranking {column!r}; it has: {', '.join(names)}")
        table = file.read(columns=["url", column])
    except (pa.ArrowException, OSError) as error:
        raise SettingsError(f"{path} cannot be read: {error}") from None
    table = table.filter(table[column].is_valid())
    keys = np.array(
        [xxh3_64_intdigest(url.encode()) for url in table["url"].to_pylist()], np.uint64
    )
    order = np.argsort(keys)
    return keys[order], table[column].to_numpy().astype(np.float64)[order]


def _is_number(kind: object) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))
