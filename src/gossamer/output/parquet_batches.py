"""Reading a Parquet file some rows at a time, whichever version of Gossamer wrote it."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gossamer.core.parquet import damage_of

if TYPE_CHECKING:
    import pyarrow

_ROWS_AT_ONCE = 8192


def read_batches(
    file: Path, columns: Sequence[str], rows_at_once: int = _ROWS_AT_ONCE
) -> Iterator["pyarrow.RecordBatch"]:
    """Rows with these columns, in this order; those that the file does not have are null."""
    from pyarrow import ArrowException, RecordBatch, nulls, parquet

    try:
        with parquet.ParquetFile(file, page_checksum_verification=True) as rows:
            there = [name for name in columns if name in rows.schema_arrow.names]
            for batch in rows.iter_batches(rows_at_once, columns=there):
                found = dict(zip(batch.schema.names, batch.columns, strict=True))
                arrays = [found.get(name, nulls(batch.num_rows)) for name in columns]
                yield RecordBatch.from_arrays(arrays, list(columns))
    except (ArrowException, OSError, ValueError) as error:
        raise damage_of(file, error) from None


def find_rows(
    file: Path, columns: Sequence[str], name: str, value: str
) -> Iterator["pyarrow.RecordBatch"]:
    """Rows that have a value in a column of text; the other columns are only read where it stands.

    Least and greatest values are of no help: texts stand in no order.
    """
    from pyarrow import compute

    if not any(_has(batch, value) for batch in read_batches(file, [name])):
        return
    for batch in read_batches(file, columns):
        found = batch.filter(compute.equal(batch.column(name), value))
        if found.num_rows:
            yield found


def _has(batch: "pyarrow.RecordBatch", value: str) -> bool:
    from pyarrow import compute

    return bool(compute.any(compute.equal(batch.column(0), value)).as_py())
