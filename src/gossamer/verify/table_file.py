"""A Parquet file, read whatever is recorded of it."""

from pathlib import Path
from typing import TYPE_CHECKING

from gossamer.core.parquet import read_file

if TYPE_CHECKING:
    import pyarrow


def read_table(file: Path) -> "pyarrow.Table":
    """Read all rows, with the checksums of their pages; `ValueError` if that fails."""
    from pyarrow import ArrowException

    try:
        return read_file(file)
    except (ArrowException, OSError, ValueError) as error:
        raise ValueError(f"is not a Parquet file: {error}") from None
