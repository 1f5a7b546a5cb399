"""Parquet files of a crawl, read with a look at checksums; one that cannot be read is reported in one
line."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gossamer.core.errors import DamageError

if TYPE_CHECKING:
    import pyarrow
    from pyarrow.dataset import Dataset, ParquetFileFormat


def read_columns(path: Path, columns: list[str] | None = None) -> "pyarrow.Table":
    """Columns of a Parquet file; `DamageError` when it is none."""
    from pyarrow import ArrowException, parquet

    try:
        return parquet.read_table(path, columns=columns, page_checksum_verification=True)
    except (ArrowException, OSError, ValueError) as error:
        said = " ".join(str(error).split())
        raise DamageError(path, f"is not a Parquet file of this crawl ({said})") from None


def checked_parquet() -> "ParquetFileFormat":
    """Options of datasets for Parquet files: the checksum of each page is checked, if it has one."""
    from pyarrow.dataset import ParquetFileFormat, ParquetFragmentScanOptions

    options = ParquetFragmentScanOptions(page_checksum_verification=True)
    return ParquetFileFormat(default_fragment_scan_options=options)


def read_dataset(rows: "Dataset", folder: Path, **options: Any) -> Iterator["pyarrow.RecordBatch"]:
    """The batches of a table; `DamageError` when one of its files cannot be read."""
    from pyarrow import ArrowException

    try:
        yield from rows.to_batches(**options)
    except (ArrowException, OSError) as error:
        said = " ".join(str(error).split())
        raise DamageError(folder, f"holds a file that cannot be read ({said})") from None


def file_notes(file: Path) -> dict[bytes, bytes]:
    """Read the key-value notes of a file."""
    from pyarrow import ArrowException, parquet

    try:
        return dict(parquet.read_schema(file).metadata or {})
    except (ArrowException, OSError, ValueError) as error:
        raise damage_of(file, error) from None


def column_names(file: Path) -> list[str]:
    from pyarrow import ArrowException, parquet

    try:
        names: list[str] = parquet.read_schema(file).names
    except (ArrowException, OSError, ValueError) as error:
        raise damage_of(file, error) from None
    return names


def count_rows(file: Path) -> int:
    from pyarrow import ArrowException, parquet

    try:
        return int(parquet.read_metadata(file).num_rows)
    except (ArrowException, OSError, ValueError) as error:
        raise damage_of(file, error) from None


def damage_of(file: Path, error: Exception) -> DamageError:
    said = " ".join(str(error).split())
    return DamageError(file, f"is not a Parquet file of a crawl ({said})")
