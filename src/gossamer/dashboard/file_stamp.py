"""The version of a file, for what is kept of its content: a path alone does not say that it was rewritten."""

from collections.abc import Iterable
from pathlib import Path

Stamp = tuple[int, int, int] | None


def stamp(file: Path) -> Stamp:
    """Inode, time of the last change in nanoseconds, and size; None when the file is not there."""
    try:
        about = file.stat()
    except FileNotFoundError:
        return None
    return about.st_ino, about.st_mtime_ns, about.st_size


def stamps(files: Iterable[Path]) -> tuple[tuple[str, Stamp], ...]:
    """Names and versions of several files."""
    return tuple((str(file), stamp(file)) for file in files)
