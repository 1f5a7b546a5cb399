"""The crawl that is shown: its directory, and what was read of it, until that is old."""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread
from typing import Any, TypeVar

from gossamer.core.directory import Directory, check_is_crawl
from gossamer.core.errors import DirectoryError, GossamerError
from gossamer.core.settings import Settings
from gossamer.dashboard.file_stamp import stamp, stamps
from gossamer.dashboard.jobs import Jobs
from gossamer.dashboard.remote_crawl_view import RemoteCrawlView
from gossamer.engine.control.active_commands import ActiveCommands
from gossamer.engine.control.command_journal import RecordedCommands
from gossamer.engine.status_file import read_summary
from gossamer.engine.summary import NOTHING, Summary

_Read = TypeVar("_Read")


class ShownCrawl:
    """A crawl directory for many readers at once; any thread may ask.

    What is costly to read is kept under a name, with a mark of what it was read from. As long as the mark
    is the same, it is not read again.

    >>> crawl = ShownCrawl(Path("example"))
    Traceback (most recent call last):
    gossamer.core.errors.DirectoryError: example holds no crawl; give the directory that was named with -o
    """

    def __init__(self, path: Path, in_storage: RemoteCrawlView | None = None) -> None:
        """`in_storage`: only what is needed of the crawl is in this directory; the rest is in remote
        storage."""
        check_is_crawl(path)
        self.path = path
        self.in_storage = in_storage
        self.jobs = Jobs(path)
        self.siblings: tuple[str, ...] = ()
        """The names of all crawls that the same server shows, if there are several …"""
        self.own_name = ""
        """… and of this one."""
        self._directory = Directory(path)
        self._kept: dict[str, tuple[Any, Any]] = {}
        self._locks: dict[str, Lock] = {}
        self._lock = Lock()
        self._read_aside: set[str] = set()
        """What a thread reads at the moment."""

    @property
    def is_running(self) -> bool:
        """Does a process crawl here at the moment, or elsewhere?"""
        return self._elsewhere.is_running if self._elsewhere else self._directory.is_in_use

    @property
    def _elsewhere(self) -> RemoteCrawlView | None:
        """The crawl, if it does not run here but is only looked at."""
        return None if self.in_storage is None or self.in_storage.is_beside else self.in_storage

    @property
    def name(self) -> str:
        """The name of the crawl for people."""
        return self.in_storage.name if self.in_storage is not None else self.path.resolve().name

    @property
    def notes(self) -> list[str]:
        """Notes on the place that this is read from; none when all is here."""
        return [*self.in_storage.notes()] if self.in_storage is not None else []

    @property
    def is_whole(self) -> bool:
        """Are all tables here, so that it is known what they do not say?"""
        return self.in_storage is None or self.in_storage.is_whole

    def attend(self) -> None:
        """Bring the copy of remote storage up to date, as a browser asks."""
        if self.in_storage is not None:
            self.in_storage.want()

    def check_accepts_commands(self) -> None:
        """Complain of commands that nobody would hear."""
        if self._elsewhere is not None:
            raise DirectoryError(
                f"commands can be given only where the crawl runs; this is a view of {self._elsewhere.url}"
            )

    def check_is_here(self) -> None:
        """Complain of work that needs the whole crawl in its directory."""
        if self.in_storage is not None:
            raise DirectoryError(
                f"the crawl is at {self.in_storage.url}; download it first: gossamer download URL -o DIR"
            )

    @property
    def present(self) -> float:
        """The time for which figures are shown, in seconds since 1970."""
        return self._elsewhere.present if self._elsewhere else time.time()

    @property
    def process(self) -> int:
        """The process that crawls here, or 0."""
        return self._directory.crawler

    @property
    def silent_seconds(self) -> float:
        """Since the crawl here wrote its status; 0 when there is none, or it runs elsewhere."""
        status = self._directory.status
        if self._elsewhere is not None or not status.exists():
            return 0.0
        return max(0.0, time.time() - status.stat().st_mtime)

    @property
    def is_paused(self) -> bool:
        """Was it paused by a command, or by the program that runs it?"""
        if self._elsewhere is not None:
            return self._elsewhere.summary().is_paused
        return self.active_commands.is_paused or self.summary().is_paused

    @property
    def changes(self) -> object:
        """Another one when the crawl begins, ends, is told something or says how it goes."""
        return self.is_running, stamp(self._directory.status), stamps(self._orders)

    @property
    def _orders(self) -> list[Path]:
        return sorted(self._directory.control.glob("journal-*.log"))

    @property
    def active_commands(self) -> ActiveCommands:
        """The active commands, as far as they are recorded here."""
        return self.keep("active_commands", stamps(self._orders), self._view_commands)

    def _view_commands(self) -> ActiveCommands:
        with suppress(GossamerError, OSError):  # damaged: the crawl says so
            return RecordedCommands(self._directory.control).active_commands
        return ActiveCommands()

    @property
    def settings(self) -> Settings:
        """As they are in crawl.toml."""
        return self.keep("settings", stamp(self.path / "crawl.toml"), self._directory.look)

    def summary(self) -> Summary:
        """The summary in the crawl's last status; None when there is none yet."""
        if self._elsewhere is not None:
            return self._elsewhere.summary()
        try:
            return read_summary(self.path)
        except DirectoryError:
            return NOTHING

    def keep(self, name: str, mark: Any, read: Callable[[], _Read]) -> _Read:
        """Return the result of `read`, read once for each mark; other callers wait meanwhile."""
        with self._lock:
            lock = self._locks.setdefault(name, Lock())
        with lock:
            known = self._kept.get(name)
            if known is None or known[0] != mark:
                known = self._kept[name] = mark, read()
            found: _Read = known[1]
            return found

    def keep_aside(self, name: str, mark: Any, read: Callable[[], _Read], until: _Read) -> _Read:
        """The same without waiting: what was read last, or `until`, while a thread reads what is new."""
        with self._lock:
            known = self._kept.get(name)
            if (known is None or known[0] != mark) and name not in self._read_aside:
                self._read_aside.add(name)
                Thread(target=self._read, args=(name, mark, read), name=name, daemon=True).start()
        found: _Read = until if known is None else known[1]
        return found

    def _read(self, name: str, mark: Any, read: Callable[[], Any]) -> None:
        try:
            with suppress(GossamerError, OSError):  # it is tried again at the next look
                self.keep(name, mark, read)
        finally:
            with self._lock:
                self._read_aside.discard(name)

    def keep_soon(
        self, seconds: float, name: str, mark: Any, read: Callable[[], _Read]
    ) -> _Read | None:
        """Return the result of `read` if it is ready within this time; else None, and reading goes on."""
        if not self._is_kept(name, mark):
            thread = Thread(target=self._try_to_keep, args=(name, mark, read), daemon=True)
            thread.start()
            thread.join(seconds)
            if thread.is_alive() and not self._is_kept(name, mark):
                return None
        return self.keep(name, mark, read)

    def last_kept(self, name: str) -> Any:
        """The value that was read last, however old; None before the first."""
        known = self._kept.get(name)
        return None if known is None else known[1]

    def _is_kept(self, name: str, mark: Any) -> bool:
        known = self._kept.get(name)
        return known is not None and known[0] == mark

    def _try_to_keep(self, name: str, mark: Any, read: Callable[[], Any]) -> None:
        with suppress(GossamerError, OSError):  # who asks is told, as nothing is kept
            self.keep(name, mark, read)

    def keep_for(self, seconds: float, name: str, read: Callable[[], _Read]) -> _Read:
        """Return the result of `read`, read again when it is older than this."""
        return self.keep(name, int(time.monotonic() / seconds), read)
