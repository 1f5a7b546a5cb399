"""A disk that loses what was not synced, writes short, and fails when it is told to."""

import os
import random
import weakref
from pathlib import Path
from typing import BinaryIO

from gossamer.core.disk.disk_files import System


class Disk(System):
    """Remembers how much of each file is durable, so that the power can be cut."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        self._folder = folder
        self._chance = chance
        self._durable: dict[str, int] = {}
        self._calls_left = 0
        self._error: OSError | None = None
        self.has_failed = False
        self._opened: list[weakref.ref[BinaryIO]] = []

    def open(self, path: Path) -> BinaryIO:
        file = super().open(path)
        self._opened = [*(one for one in self._opened if one() is not None), weakref.ref(file)]
        return file

    def fail_after(self, calls: int, error: int) -> None:
        """Let one call fail: that after so many others."""
        self._calls_left, self._error = calls, OSError(error, os.strerror(error))

    def heal(self) -> None:
        self._error, self.has_failed = None, False

    def write(self, descriptor: int, data: memoryview) -> int:
        is_short = len(data) > 1 and self._chance.random() < 0.3
        some = data[: self._chance.randrange(1, len(data))] if is_short else data
        written = super().write(descriptor, some)
        self._fail_if_told()  # although something came through
        return written

    def sync(self, descriptor: int) -> None:
        self._fail_if_told()
        super().sync(descriptor)
        self._durable[_path_of(descriptor)] = os.fstat(descriptor).st_size

    def truncate(self, descriptor: int, length: int) -> None:
        self._fail_if_told()
        super().truncate(descriptor, length)
        path = _path_of(descriptor)
        self._durable[path] = min(length, self._durable.get(path, length))

    def rename(self, source: Path, target: Path) -> None:
        self._fail_if_told()
        super().rename(source, target)
        self._durable.pop(str(source), None)
        self._durable.pop(str(target), None)

    def cut_power(self) -> None:
        """Close every file without a word to its owner, and lose what was not synced.

        File objects are told. They would close their number again when they are collected, and by then it
        may be that of another file.
        """
        for file in (one() for one in self._opened):
            if file is not None:
                file.close()
        for name in os.listdir("/proc/self/fd"):
            try:
                path = os.readlink(f"/proc/self/fd/{name}")
            except FileNotFoundError:  # the listing itself
                continue
            if path.startswith(f"{self._folder}/"):
                os.close(int(name))
        for path, length in self._durable.items():
            if os.path.exists(path):
                os.truncate(path, min(length, os.stat(path).st_size))

    def scatter_garbage(self) -> None:
        """What else a crash may leave: torn tails of growing files, drafts, files too many."""
        growing = [*self._folder.rglob("*.spool"), *sorted(self._folder.rglob("*.warc.gz"))[-1:]]
        for path in growing:
            with open(path, "ab") as file:
                file.write(self._chance.randbytes(self._chance.randrange(500)))
        for name in (
            "pages/.00000-00003.parquet.tmp",
            "links/.00000-00090.parquet.tmp",
            "links/00000-00091.parquet",
            "warc/..cdxj-00000-00002.run.tmp",
            "warc/.cdxj-00000-00092.run",
            "warc/gossamer-20300101000000-00000-00093.warc.gz",
            "state/00000/output/pages-000094.spool",
        ):
            (self._folder / name).write_bytes(self._chance.randbytes(100))

    def _fail_if_told(self) -> None:
        self._calls_left -= 1
        if self._error is not None and self._calls_left < 0:
            error, self._error, self.has_failed = self._error, None, True
            raise error


def _path_of(descriptor: int) -> str:
    return os.readlink(f"/proc/self/fd/{descriptor}")
