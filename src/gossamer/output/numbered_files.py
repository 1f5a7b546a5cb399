"""Numbered files."""

from collections.abc import Callable, Container
from pathlib import Path

from gossamer.core.disk.disk_files import delete
from gossamer.core.errors import DamageError


def serial_of(path: Path) -> int:
    """The last number before the suffixes, as in `00000-00041.parquet`.

    >>> serial_of(Path("00000-00041.parquet"))
    41
    """
    return int(path.name.lstrip(".").partition(".")[0].rpartition("-")[2])


def check_numbered(folder: Path, pattern: str, count: int, elsewhere: Container[int] = ()) -> None:
    """Complain when one of the files numbered below `count` is neither here nor `elsewhere`."""
    there = {serial_of(path) for path in folder.glob(pattern) if path.is_file()}
    for serial in range(count):
        if serial not in there and serial not in elsewhere:
            raise DamageError(folder / pattern, f"lacks the file numbered {serial}")


def delete_from(folder: Path, pattern: str, is_unwanted: Callable[[int], bool]) -> None:
    """Delete the numbered files that match a pattern and whose number is not wanted.

    Drafts of such files, which a crash left behind, go too.
    """
    for path in folder.glob(pattern):
        if is_unwanted(serial_of(path)):
            delete(path)
    for draft in folder.glob(f".{pattern}.tmp"):
        delete(draft)
