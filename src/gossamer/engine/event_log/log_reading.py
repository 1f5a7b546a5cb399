"""The log of a crawl, read again; and read on while it grows."""

import os
from collections.abc import Iterator
from pathlib import Path

from gossamer.core.directory import Directory, check_is_crawl
from gossamer.engine.event_log.log_entry import LogEntry, decode
from gossamer.engine.event_log.log_files import log_files


def read_log(path: Path) -> Iterator[LogEntry]:
    """All entries of the crawl in a directory, oldest first. Lines that a crash has torn are left out."""
    check_is_crawl(path)
    for file in log_files(Directory(path).log):
        try:
            text = file.read_text("utf-8", errors="replace")
        except FileNotFoundError:  # it was the oldest, and has gone meanwhile
            continue
        for line in text.split("\n"):
            if (entry := decode(line)) is not None:
                yield entry


class LogFollower:
    """Hands out what is new in a log since the last call, also when files were put aside meanwhile."""

    def __init__(self, path: Path) -> None:
        check_is_crawl(path)
        self._folder = Directory(path).log
        self._read: dict[int, int] = {}
        """Bytes of each file that were read, by its number in the file system."""

    def more(self) -> Iterator[LogEntry]:
        """Whole lines that are new."""
        for file in log_files(self._folder):
            try:
                with file.open("rb") as open_file:
                    number = os.fstat(open_file.fileno()).st_ino
                    open_file.seek(self._read.get(number, 0))
                    lines = open_file.read().rpartition(b"\n")[0]
            except FileNotFoundError:
                continue
            if lines:
                self._read[number] = self._read.get(number, 0) + len(lines) + 1
                for line in lines.decode(errors="replace").split("\n"):
                    if (entry := decode(line)) is not None:
                        yield entry
