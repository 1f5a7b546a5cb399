"""Numbered files."""

from collections.abc import Callable
from pathlib import Path


def serial_of(path: Path) -> int:
    """The last number before the suffixes, as in `00000-00041.parquet`.

    >>> serial_of(Path("00000-00041.parquet"))
    41
    """
    return int(path.name.lstrip(".").partition(".")[0].rpartition("-")[2])


def delete_from(folder: Path, pattern: str, is_unwanted: Callable[[int], bool]) -> None:
    """Delete the numbered files that match a pattern and whose number is not wanted.

    Drafts of such files, which a crash left behind, go too.
    """
    for path in folder.glob(pattern):
        if is_unwanted(serial_of(path)):
            path.unlink()
    for draft in folder.glob(f".{pattern}.tmp"):
        draft.unlink()
