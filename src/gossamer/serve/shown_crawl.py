"""The crawl that is shown: its directory, and what was read of it, until that is old."""

import time
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

from gossamer.base.directory import Directory, check_is_crawl
from gossamer.base.errors import DirectoryError
from gossamer.base.settings import Settings
from gossamer.crawl.summary import NOTHING, Summary, read_summary

_Read = TypeVar("_Read")


class ShownCrawl:
    """A crawl directory for many readers at once; any thread may ask.

    What is costly to read is kept under a name, with a mark of what it was read from. As long as the mark
    is the same, it is not read again.

    >>> crawl = ShownCrawl(Path("example"))
    Traceback (most recent call last):
    gossamer.base.errors.DirectoryError: example holds no crawl; give the directory that was named with -o
    """

    def __init__(self, path: Path) -> None:
        check_is_crawl(path)
        self.path = path
        self._directory = Directory(path)
        self._kept: dict[str, tuple[Any, Any]] = {}
        self._locks: dict[str, Lock] = {}
        self._lock = Lock()

    @property
    def is_running(self) -> bool:
        """Does a process crawl here at the moment?"""
        return self._directory.is_in_use

    @property
    def present(self) -> float:
        """The time for which figures are shown, in seconds since 1970."""
        return time.time()

    @property
    def process(self) -> int:
        """The process that crawls here, or 0."""
        return self._directory.crawler

    @property
    def settings(self) -> Settings:
        """As they are in crawl.toml."""
        return self.keep("settings", _stamp(self.path / "crawl.toml"), self._directory.look)

    def summary(self) -> Summary:
        """What the crawl last said of itself; nothing, when it has said nothing yet."""
        try:
            return read_summary(self.path)
        except DirectoryError:
            return NOTHING

    def keep(self, name: str, mark: Any, read: Callable[[], _Read]) -> _Read:
        """What `read` gives, read once for each mark. Others who ask for it meanwhile wait."""
        with self._lock:
            lock = self._locks.setdefault(name, Lock())
        with lock:
            known = self._kept.get(name)
            if known is None or known[0] != mark:
                known = self._kept[name] = mark, read()
            found: _Read = known[1]
            return found

    def keep_for(self, seconds: float, name: str, read: Callable[[], _Read]) -> _Read:
        """What `read` gives, read again when it is older than this."""
        return self.keep(name, int(time.monotonic() / seconds), read)


def _stamp(file: Path) -> tuple[int, int]:
    about = file.stat()
    return about.st_mtime_ns, about.st_size
