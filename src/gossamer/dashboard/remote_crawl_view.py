"""A crawl whose files are in remote storage: the shown parts come here, as long as a browser asks."""

import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Lock, Thread

from msgspec.structs import replace

from gossamer.cluster.storage import CrawlStorage
from gossamer.cluster.storage.crawl_storage import SILENT
from gossamer.core.clock import SystemClock
from gossamer.core.errors import GossamerError
from gossamer.core.quantities import write_bytes
from gossamer.engine.summary import NOTHING, Summary

_EVERY = 10.0
"""Seconds between two looks at what is new."""


class RemoteCrawlView:
    """Brings what is new in a thread of its own. Any thread may ask."""

    def __init__(self, url: str, path: Path, *, is_beside: bool) -> None:
        """`is_beside`: the crawl runs here, and its supervisor says in this folder how it goes."""
        self.url = url
        self.is_beside = is_beside
        self._path = path
        self._storage = CrawlStorage(url, SystemClock())
        if not is_beside:
            self._storage.make_shell(path)
        self._look = self._storage.look(path, has_stored_log=not is_beside)
        self._told: tuple[Summary, float] = (NOTHING, 0.0)
        self._heard = self._changed = 0.0
        """When it was last asked how it goes, and last said something new, by this machine's clock."""
        self._trouble = ""
        self._wanted, self._lock = Event(), Lock()
        self._hear()

    @property
    def name(self) -> str:
        """The name of the crawl for people."""
        return self.url.rstrip("/").rpartition("/")[2]

    def start(self) -> None:
        """Begin to bring it; it ends with the process."""
        self.want()
        Thread(target=self._work, name="home", daemon=True).start()

    def want(self) -> None:
        """Note that a browser asks."""
        self._wanted.set()

    def refresh(self) -> None:
        """Bring what is new, once. An error is told by `notes`."""
        try:
            self._hear()
            self._look.refresh()
            self._trouble = ""
        except Exception as error:  # each library of fsspec has errors of its own
            said = " ".join(str(error).split()) or type(error).__name__
            self._trouble = said.removeprefix(f"{self.url}: ")

    def _work(self) -> None:
        while self._wanted.wait():
            self._wanted.clear()
            self.refresh()
            time.sleep(_EVERY)

    # How it goes, by its own word in remote storage.

    def _hear(self) -> None:
        if not self.is_beside:
            self._storage.refresh_shell(self._path)
            before, self._told = self._told[1], self._storage.read_status()
            self._heard = time.time()
            if before and before != self._told[1]:
                self._changed = self._heard

    @property
    def is_running(self) -> bool:
        """Does it run elsewhere, as far as is known here?"""
        summary, at = self._told
        return not summary.stopped_by and self._heard - max(at, self._changed) < SILENT

    @property
    def present(self) -> float:
        """The time of its last status."""
        return self._told[1] or time.time()

    def summary(self) -> Summary:
        told = self._told[0]
        return told if told.stopped_by or self.is_running else replace(told, stopped_by="killed")

    @property
    def trouble(self) -> str:
        """The reason why it cannot be read at the moment; empty when it can."""
        return f"{self.url}: {self._trouble}" if self._trouble else ""

    # What is not here.

    @property
    def is_whole(self) -> bool:
        """Are all tables here that were there at the last look?"""
        missing = self._look.missing
        return self._look.as_of > 0 and not (missing.files or missing.coming)

    def bring_record(self, file: str, offset: int, length: int) -> None:
        """Have a record of the archive here; `GossamerError` when it cannot be had."""
        with self._lock:
            try:
                self._look.bring_record(file, offset, length)
            except FileNotFoundError:
                self.want()
                raise GossamerError(
                    f"warc/{file} has changed at {self.url}; load the page again"
                ) from None
            except Exception as error:
                said = " ".join(str(error).split()) or type(error).__name__
                raise GossamerError(
                    f"warc/{file} cannot be fetched from {self.url}: {said}; load the page again"
                ) from None

    def check_frontier(self) -> None:
        """Complain when what waits is too much to be brought here."""
        if size := self._look.missing.frontier:
            raise GossamerError(
                f"the frontier at {self.url} is too large to show remotely ({write_bytes(size)}); "
                f"run `gossamer download {self.url} -o DIR`, then `gossamer serve DIR`"
            )

    def refuse(self, what: str, how: str) -> None:
        """Complain that something is not made where a crawl is only shown."""
        raise GossamerError(
            f"{what} needs the files of the crawl, which are at {self.url}; run "
            f"`gossamer download {self.url} -o DIR`, then `{how}` and `gossamer serve DIR`"
        )

    def notes(self) -> Iterator[str]:
        """Notes to show on every page."""
        what = "Pages, links and records are" if self.is_beside else "All that is shown is"
        if moment := self._look.as_of:
            yield f"{what} read from {self.url}, as it was at {_clock(moment)}."
        else:
            yield f"{what} being downloaded from {self.url}."
        if not self.is_beside:
            yield "Commands can be given only where the crawl runs."
        missing = self._look.missing
        if missing.coming:
            yield f"{missing.coming:,} files of the tables are being downloaded: lists are incomplete."
        if missing.files:
            yield (
                f"{missing.files:,} files of the tables ({write_bytes(missing.bytes)}) do not fit "
                "on this disk: lists are incomplete. On a larger disk, run `gossamer download "
                f"{self.url} -o DIR`."
            )
        if self._trouble:
            yield f"{self.url} cannot be read at the moment: {self._trouble}"


def _clock(moment: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(moment))
