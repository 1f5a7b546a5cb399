"""Summarise each file of a table: once for a finished one, in a thread of its own."""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Condition, Thread
from typing import Generic, NamedTuple, TypeVar

from gossamer.core.errors import DamageError, GossamerError
from gossamer.core.whole_files import check_table_file, missing_files

Part = TypeVar("Part")

PATIENCE = 10.0
"""Seconds that those who ask wait for a few files that are not read yet, all together …"""
_FEW = 8
_PATIENCE_FOR_MANY = 0.5
"""… for more files than these …"""
_GLANCE = 0.1
"""… and for each of those who ask when these are over: the answer says how many files there are."""

_Stamp = tuple[int, int, int]


class Gathered(NamedTuple, Generic[Part]):
    """The columns that were taken from a table."""

    parts: list[Part]
    """One for each file, in the order of partitions and of time."""
    unread: int
    """Files that are still to be read."""
    damaged: list[str]
    """Files that cannot be read: why."""
    mark: tuple[tuple[str, _Stamp], ...]
    """Of which files; anything made of the parts is kept with this."""


class TableGathering(Generic[Part]):
    """The files of one table of a crawl."""

    def __init__(self, folder: Path, take: Callable[[Path], Part]) -> None:
        """`take` reads a file; it is called by one thread at a time."""
        self._folder = folder
        self._take = take
        self._parts: dict[Path, tuple[_Stamp, Part | str]] = {}
        self._wanted: dict[Path, _Stamp] = {}
        self._change = Condition()
        self._patience = PATIENCE
        """What is left of it until all files are read."""
        self._thread: Thread | None = None

    def glance(self) -> Gathered[Part]:
        """The files that are read already. Nobody waits; reading begins, if need be."""
        files = self._list()
        with self._change:
            self._wanted = files
            if self._missing():
                self._work()
            return self._sum_up(files)

    def look(self) -> Gathered[Part]:
        """All files as they are now; those that are new are waited for, but not for long."""
        files = self._list()
        with self._change:
            self._wanted = files
            begun = time.monotonic()
            if self._count_missing() > _FEW:
                self._patience = min(self._patience, _PATIENCE_FOR_MANY)
            until = begun + max(_GLANCE, self._patience)
            for gone in self._parts.keys() - files.keys():
                del self._parts[gone]
            while self._missing() and (left := until - time.monotonic()) > 0:
                self._work()
                self._change.wait(left)
            waited = time.monotonic() - begun
            self._patience = self._patience - waited if self._missing() else PATIENCE
            return self._sum_up(files)

    def _sum_up(self, files: dict[Path, _Stamp]) -> Gathered[Part]:
        known = [(path, self._parts[path]) for path in files if path in self._parts]
        found = [(path, stamp, part) for path, (stamp, part) in known if stamp == files[path]]
        return Gathered(
            [part for _, _, part in found if not isinstance(part, str)],
            len(files) - len(found),
            [part for _, _, part in found if isinstance(part, str)] + self._say_missing(),
            tuple((path.name, stamp) for path, stamp, _ in found),
        )

    def _say_missing(self) -> list[str]:
        try:
            gone = missing_files(self._folder.parent, self._folder.name)
        except (GossamerError, OSError) as error:
            return [str(error)]
        return [str(DamageError(path, "is missing")) for path in gone]

    def _list(self) -> dict[Path, _Stamp]:
        found = {}
        for path in sorted(self._folder.glob("[0-9]*.parquet")):
            with suppress(FileNotFoundError):
                about = path.stat()
                found[path] = about.st_ino, about.st_mtime_ns, about.st_size
        return found

    def wait(self) -> None:
        """Read all files there are now, however long it takes."""
        files = self._list()
        with self._change:
            self._wanted = files
            while self._missing():
                self._work()
                self._change.wait()

    @property
    def count(self) -> int:
        """Files there are now."""
        return len(self._list())

    def _count_missing(self) -> int:
        return sum(
            path not in self._parts or self._parts[path][0] != stamp
            for path, stamp in self._wanted.items()
        )

    def _missing(self) -> Path | None:
        """The latest file that is not read."""
        for path in reversed(self._wanted):
            if path not in self._parts or self._parts[path][0] != self._wanted[path]:
                return path
        return None

    def _work(self) -> None:
        if self._thread is None or not self._thread.is_alive():
            self._thread = Thread(target=self._read_on, name="gathering", daemon=True)
            self._thread.start()

    def _read_on(self) -> None:
        while True:
            with self._change:
                path = self._missing()
                if path is None:
                    self._thread = None
                    return
                stamp = self._wanted[path]
            part: Part | str
            try:
                check_table_file(path)
                part = self._take(path)
            except (GossamerError, OSError) as error:
                part = str(error)
            with self._change:
                self._parts[path] = stamp, part
                self._change.notify_all()
