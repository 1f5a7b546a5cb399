"""The files of a log: `log/crawl.log`, and older ones with a number behind it, 1 for the latest."""

import os
from contextlib import suppress
from pathlib import Path

from gossamer.core.disk import disk_files

_NAME = "crawl.log"


def log_files(folder: Path) -> list[Path]:
    """The files, oldest first."""
    older = [path for path in folder.glob(f"{_NAME}.*") if path.suffix[1:].isdigit()]
    older.sort(key=lambda path: -int(path.suffix[1:]))
    latest = folder / _NAME
    return [*older, latest] if latest.is_file() else older


class LogFiles:
    """Appends lines. A file is open only while that happens, so nobody has to close it."""

    def __init__(self, folder: Path, most_bytes: int, most_files: int) -> None:
        """`most_files` counts the latest one, too."""
        self._folder = folder
        self._path = folder / _NAME
        self._most_bytes = most_bytes
        self._most_files = most_files
        self._is_ready = False
        self._owner = os.getpid()

    def append(self, line: str) -> None:
        """Add a line; a disk that refuses it has none."""
        data = f"{line}\n".encode(errors="backslashreplace")
        with suppress(OSError):
            self._make_ready()
            self._rotate(len(data))
            self._write(data)

    def _make_ready(self) -> None:
        """A line that a crash has torn ends where it was torn."""
        if self._is_ready:
            return
        if self._path.is_file() and self._path.stat().st_size:
            with self._path.open("rb") as file:
                file.seek(-1, os.SEEK_END)
                is_torn = file.read(1) != b"\n"
            if is_torn:
                self._write(b"\n")
        self._is_ready = True

    def _rotate(self, size: int) -> None:
        """Begin another file when this one is full. A fork of the process leaves that to its parent."""
        if os.getpid() != self._owner or not self._path.is_file():
            return
        before = self._path.stat().st_size
        if not before or before + size <= self._most_bytes:
            return
        last = self._most_files - 1
        for path in log_files(self._folder):
            number = int(path.suffix[1:]) if path != self._path else 0
            if number >= last:
                path.unlink(missing_ok=True)
            else:
                path.replace(self._folder / f"{_NAME}.{number + 1}")

    def _write(self, data: bytes) -> None:
        descriptor = disk_files.system.open_end(self._path)
        try:
            os.write(descriptor, data)
        finally:
            os.close(descriptor)
