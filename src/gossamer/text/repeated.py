"""Rows of texts that repeat a page.

A version before this one let worker processes outlive their run, so that a page could get a row from them
and another one from the next run.
"""

from pathlib import Path
from typing import Any, BinaryIO

from gossamer.core.disk.disk_files import delete, write_whole
from gossamer.text.capture_plan import Prints


def delete_repeated(folder: Path) -> None:
    """Keep the first row of each page. A file of which nothing is left goes."""
    from pyarrow import parquet

    prints = Prints()
    for file in sorted(folder.glob("*.parquet")):
        table = parquet.read_table(file)
        is_first = [prints.add(digest) for digest in table.column("digest").to_pylist()]
        if not any(is_first) and is_first:
            delete(file)
        elif not all(is_first):
            _write(file, table.filter(is_first))


def _write(file: Path, table: Any) -> None:
    from pyarrow import parquet

    def fill(stream: BinaryIO) -> None:
        parquet.write_table(table, stream, compression="zstd")

    write_whole(file, fill)
