"""The index of the archive, as all partitions saw it: they have it in common, or each has its own."""

from heapq import merge
from itertools import groupby
from pathlib import Path

from gossamer.core.disk.disk_files import System
from gossamer.core.disk.disk_manifest import replace_listed

INDEX = "warc/index.cdxj"


def join_indexes(parts: list[Path], index: Path, on: System | None = None) -> None:
    """Write each line that one of the parts has, once, in order."""
    sources = [part.open("rb") for part in parts]
    try:
        lines = (line for line, _ in groupby(merge(*sources)))
        replace_listed(index, lambda file: file.writelines(lines), on)
    finally:
        for source in sources:
            source.close()
