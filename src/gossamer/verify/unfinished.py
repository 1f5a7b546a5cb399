"""A table file that a crawl had not finished when it was killed: is it what was written to it?

No manifest names it recorded, but readers read it. A file that was complete is in the lines that were added
to the manifest after the last commit. One that was *published* has the first rows of the spool, and is what
the same rows become when they are written again: to the byte, if the same version of Arrow writes them. So
damage is seen wherever it lies, in pages of rows or in the footer.
"""

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gossamer.core.disk.disk_manifest import MANIFEST, describe_damage, read_manifest
from gossamer.output.parquet_table import Description, rows_of, write_rows
from gossamer.verify.table_file import read_table

if TYPE_CHECKING:
    import pyarrow

_DAMAGED = "is damaged: it has other rows than the spool"


def inspect_unfinished(
    file: Path, work: Path, description: Description[Any], items: list[Any]
) -> str:
    """Compare a file with what there is recorded; `ValueError` if it is damaged.

    `work` is the folder of the manifest; `items` are those of the spool.
    """
    found = read_table(file)
    name = f"{file.parent.name}/{file.name}"
    later = read_manifest(work / MANIFEST)
    if later is not None and name in later:
        if said := describe_damage(file, later.versions(name), is_whole=True):
            raise ValueError(said)
    else:
        _compare(file, found, description, items)
    return f"{found.num_rows} rows of a file that is not finished; a resumed crawl writes it again"


def _compare(
    file: Path, found: "pyarrow.Table", description: Description[Any], items: list[Any]
) -> None:
    """It was published: with all items of the spool, or with the first ones."""
    rows, count = 0, 0
    while count < len(items) and rows < found.num_rows:
        rows += description.count(items[count : count + 1])
        count += 1
    wanted = rows_of(description, items[:count])
    if not found.slice(0, rows).equals(wanted):
        raise ValueError(_DAMAGED)
    if rows != found.num_rows:
        return
    made = BytesIO()
    write_rows(wanted, made, description.repeated)
    is_same = made.getvalue() == file.read_bytes()
    if not is_same and _is_of_this_version(file, made):
        raise ValueError("is damaged: its metadata does not match the rows that were written")


def _is_of_this_version(file: Path, made: BytesIO) -> bool:
    """Are both files of the same version of Arrow?"""
    from pyarrow import parquet

    writers = [parquet.read_metadata(one).created_by for one in (file, BytesIO(made.getvalue()))]
    return bool(writers[0] == writers[1])
