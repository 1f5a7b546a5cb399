"""The remote storage of a whole crawl: its settings, who may send, its status, and how it is brought back."""

import logging
import time
import tomllib
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec.structs import asdict, replace

from gossamer.cluster.storage.joined_cdxj import INDEX, join_indexes
from gossamer.cluster.storage.object_storage import RemoteStorageError, Storage, open_storage
from gossamer.cluster.storage.partition_files import OUTPUT
from gossamer.cluster.storage.partition_storage import (
    PartitionStorage,
    make_watermark,
    storage_folder,
)
from gossamer.cluster.storage.restore import download, read_manifest
from gossamer.cluster.storage.retrying_storage import RetryingStorage
from gossamer.cluster.storage.storage_claim import ClaimNote, StorageClaim, put_claim, read_claim
from gossamer.cluster.storage.storage_manifest import StorageManifest
from gossamer.cluster.storage.storage_snapshot import StorageSnapshot
from gossamer.cluster.storage.stored_log import STORED_LOG, StoredLog
from gossamer.core.clock import Clock
from gossamer.core.crawl_identity import read_last_line
from gossamer.core.directory import COPIED_FROM, Directory, partition_name
from gossamer.core.disk.disk_files import delete, lock_folder, write_whole
from gossamer.core.disk.journal import find_end
from gossamer.core.disk.journal_watermark import Watermark, read_watermark
from gossamer.core.errors import DirectoryError
from gossamer.engine.status_file import crawl_of, decode_checked, encode_status
from gossamer.engine.summary import COPIED, Summary

_SETTINGS, _STATUS = "crawl.toml", "status.json"
_ORDERS = "control"
"""The folder for orders that were given, here and in `state/`."""
_FOLDERS = ("", _ORDERS, "state", "log", *OUTPUT)
"""What a crawl sends is in these folders; others (index, graph) have writers of their own."""
_NOTE = "state/home"
"""In a crawl directory: which claims of its remote storage were its own."""
SILENT = 60.0
"""Seconds after which a crawl that said nothing here was killed."""
_TELL_EVERY = 10.0
"""Seconds between two words about how a crawl is doing."""
_INCARNATIONS = 10_000
"""Lives of a partition in one run, at most: this many numbers are kept for them."""
_LEEWAY = 1.05
"""Leases of others are waited for a little longer: clocks differ."""
_STILL_THERE = (
    "%s: the run before did not end cleanly; waiting %g s until its partitions have stopped"
)
_log = logging.getLogger("gossamer")


class _SentStatus(Summary, frozen=True):
    """The status of a crawl in remote storage."""

    sent_at: float = 0.0
    """When, in seconds since 1970, by its own clock."""


def _without_time(status: _SentStatus) -> Summary:
    return Summary(**{name: getattr(status, name) for name in Summary.__struct_fields__})


class CrawlStorage:
    """Remote storage by its URL. One crawl at a time may send anything there."""

    def __init__(
        self,
        url: str,
        clock: Clock,
        lease: float = 0.0,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        """`lease`: for how long partitions on other machines go on unheard; 0: there are none."""
        self.url = url
        self._clock = clock
        self._lease = lease
        self._pause = pause
        self._plain = open_storage(url)
        """For what is not worth a wait."""
        self._storage = RetryingStorage(self._plain)
        self._claim = ClaimNote()
        self._stored_log: StoredLog | None = None
        self._told = 0.0
        self._crawl = ""
        """The identity of the crawl that has the remote storage."""

    # While a crawl runs.

    @property
    def is_claimed(self) -> bool:
        return bool(self._claim.token)

    def claim(self, directory: Directory, *, is_new: bool) -> None:
        """From now on the crawl of this directory has the remote storage to itself.

        It must be the one that was here last: one that has gone on elsewhere knows more.
        """
        there = read_claim(self._storage)
        if is_new and there.token:
            raise RemoteStorageError(
                f"{self.url} holds a crawl; continue it: gossamer resume {self.url}"
            )
        if there.token not in _own_claims(directory.path):
            raise RemoteStorageError(
                f"{directory.path} is older than {self.url}: the crawl was continued "
                f"elsewhere; download it: gossamer resume {self.url} -o OTHER"
            )
        claim = ClaimNote.after(there, self._lease)
        _note_claims(directory.path, [there.token, claim.token])
        put_claim(self._storage, claim)
        self._storage.put(_SETTINGS, directory.recipe.encode())
        self._crawl = directory.crawl
        if there.lease:
            _log.warning(_STILL_THERE, self.url, there.lease)
            self._pause(there.lease * _LEEWAY)
        with suppress(Exception):  # each library of fsspec has errors of its own
            self._plain.delete_parts(_FOLDERS)  # of a run that was killed: nobody else sends now
        self._claim = claim
        self._stored_log = StoredLog(directory, claim.token, self._clock, self.epoch())

    def store_commands(self, directory: Directory) -> None:
        """Send all recorded commands; they are stored when this returns. There are few of them."""
        self._check_claim()
        files = sorted(directory.control.glob("journal-*.log"))
        own = {f"{_ORDERS}/{file.name}": file for file in files}
        there = set(self._storage.names(_ORDERS))
        for name, file in own.items():
            if name not in there or file in files[-2:]:  # others that are here were full before
                self._storage.put_file(name, file)
        self._storage.delete(sorted(there - own.keys()))
        self._storage.put(_SETTINGS, directory.recipe.encode())

    def partition(self, directory: Directory) -> PartitionStorage:
        """The remote storage of one of its partitions, which may be in a process of its own: so is its
        connection."""
        storage = RetryingStorage(open_storage(self.url))
        claim = StorageClaim(storage, self._claim.token, self._clock)
        return PartitionStorage(storage, directory, claim.check, self.epoch())

    @property
    def token(self) -> str:
        """The token that this crawl's partitions send with their writes."""
        return self._claim.token

    def epoch(self, incarnation: int = 0) -> int:
        """A number for an incarnation of a partition in this run: above those of all runs before."""
        return self._claim.run * _INCARNATIONS + incarnation

    def log_if_due(self, summary: Summary) -> None:
        """Say how the crawl is doing, now and then; its log and timeline go along."""
        now = self._clock.now()
        if self.is_claimed and not 0 <= now - self._told < _TELL_EVERY:
            self._told = now
            self._tell(summary)
            self._send_log(self._plain)

    def leave(self, directory: Directory, summary: Summary) -> None:
        """The crawl has ended. Its index is for people, too."""
        self._check_claim()
        if self._lease:
            self._put_joined_index(directory.path)
        elif (directory.path / INDEX).exists():
            self._storage.put_file(INDEX, directory.path / INDEX)
        self._tell(summary)
        if not self._send_log(self._plain):
            self._send_log(self._storage)
        self._claim = ClaimNote()

    def release(self) -> None:
        """No partition is left that could send or ask anything: the next run need not wait."""
        if self._claim.lease:
            self._check_claim()
            self._claim = msgspec.structs.replace(self._claim, lease=0.0)
            put_claim(self._storage, self._claim)

    def _check_claim(self) -> None:
        if read_claim(self._storage).token != self._claim.token:
            raise RemoteStorageError(f"{self.url} is now used by another crawl")

    def _put_joined_index(self, path: Path) -> None:
        self._bring_index([*self._manifests().values()], path)
        if (path / INDEX).exists():
            self._storage.put_file(INDEX, path / INDEX)

    def _tell(self, summary: Summary) -> None:
        status = _SentStatus(
            **{**asdict(summary), "directory": self.url}, sent_at=self._clock.now()
        )
        self._storage.put(_STATUS, encode_status(status, self._crawl))

    def _send_log(self, storage: Storage) -> bool:
        """No crawl stops because of its log: what cannot be sent now is sent the next time."""
        if self._stored_log is not None:
            with suppress(Exception):  # each library of fsspec has errors of its own
                self._stored_log.send(storage)
                return True
        return False

    # Afterwards.

    def settings(self) -> str:
        """The text of `crawl.toml`; `RemoteStorageError` when this storage holds no crawl."""
        found = self._read(_SETTINGS).decode()
        if not found:
            raise RemoteStorageError(
                f"{self.url} holds no crawl; give the URL that was named with --storage"
            )
        return found

    def summary(self) -> Summary:
        """The last summary that the crawl has stored; an old one means that it was killed, or cannot reach
        the storage."""
        status, at = self.read_status()
        is_silent = at and self._clock.now() - at > SILENT
        return (
            replace(status, stopped_by="killed") if is_silent and not status.stopped_by else status
        )

    def read_status(self) -> tuple[Summary, float]:
        """The same, and when that was, in seconds since 1970; 0 when that is not known."""
        settings = self.settings()
        if not (found := self._read(_STATUS)):
            raise RemoteStorageError(
                f"{self.url} holds a crawl that has no status yet; try again later"
            )
        status = self._decode(found, settings)
        return _without_time(status), status.sent_at

    def _decode(self, found: bytes, settings: str) -> "_SentStatus":
        last = read_last_line(settings.encode())
        try:
            status = decode_checked(found, _SentStatus)
            if last is not None and crawl_of(found) != last.crawl:
                raise ValueError("it belongs to another crawl")
            return status
        except ValueError as error:
            raise RemoteStorageError(
                f"{self.url}: {_STATUS} is damaged: {error}; the crawl writes it again when it is resumed"
            ) from None

    def download(self, path: Path) -> int:
        """Make a crawl directory of what is in remote storage; returns how many bytes were fetched.

        A copy that was broken off goes on: what is here already is kept.
        """
        settings = self.settings()
        is_continued = (path / COPIED_FROM).is_file()
        if path.exists() and not is_continued and not _is_vacant(path):
            raise DirectoryError(f"{path} exists and is not empty; choose another directory for -o")
        path.mkdir(parents=True, exist_ok=True)
        with lock_folder(path):
            if is_continued:
                self._check_source(path)
            else:
                _write(path / COPIED_FROM, self.url.encode())
            return self._copy(path, settings, is_continued=is_continued)

    def _copy(self, path: Path, settings: str, *, is_continued: bool) -> int:
        """Last comes `crawl.toml`: with it, the copy is complete."""
        if (path / _SETTINGS).exists():
            delete(path / COPIED_FROM)
            return 0
        manifests = self._manifests()
        if is_continued:
            _delete_others(path, manifests.values())
        total = sum(
            download(self._storage, manifest, path, _is_own, is_continued=is_continued)
            for manifest in manifests.values()
        )
        self._bring_index(list(manifests.values()), path)
        for number in manifests:
            make_watermark(Directory(path, number).state)
        self._bring_what_is_told(path, settings, COPIED)
        self._finish(path, settings)
        delete(path / COPIED_FROM)
        return total

    def _check_source(self, path: Path) -> None:
        source = (path / COPIED_FROM).read_text("utf-8").strip()
        if source != self.url:
            raise DirectoryError(
                f"{path} is an incomplete copy from {source}; choose another directory for -o"
            )

    def make_shell(self, path: Path) -> None:
        """Make a crawl directory for a supervisor: settings and empty folders, for all else stays in
        remote storage."""
        settings = self.settings()
        parsed = tomllib.loads(settings).get("crawl", {})
        for number in range(parsed.get("partitions") or 1):
            Directory(path, number).state.mkdir(parents=True)
        self._bring_what_is_told(path, settings)
        self._finish(path, settings)

    def look(self, path: Path, *, has_stored_log: bool) -> StorageSnapshot:
        """Show the crawl in a directory that `make_shell` has made, or in that of its supervisor.

        The latter writes log and timeline there itself, so it must not have the log from remote storage.
        """
        partitions = Directory(path).partitions
        return StorageSnapshot(
            self._plain, path, partitions, self._clock, has_stored_log=has_stored_log
        )

    def refresh_shell(self, path: Path) -> None:
        """Bring what has changed of orders and settings."""
        self._bring_commands(path)
        if (settings := self.settings()) != (path / _SETTINGS).read_text("utf-8"):
            Directory(path).write_recipe(settings)

    def _finish(self, path: Path, settings: str) -> None:
        """All else is there: from now on it is a crawl directory."""
        _note_claims(path, [read_claim(self._storage).token])
        Directory(path).write_recipe(settings)

    def _bring_what_is_told(self, path: Path, settings: str, ending: str = "") -> None:
        """Orders, log, timeline and status. `ending`: how a crawl ended that has not said so."""
        self._bring_commands(path)
        try:
            download(self._storage, read_manifest(self._storage, STORED_LOG), path)
        except RemoteStorageError as error:  # no crawl depends on it
            _log.warning("log and timeline cannot be downloaded: %s", error)
        if found := self._read(_STATUS):
            try:
                status = _without_time(self._decode(found, settings))
            except RemoteStorageError as error:  # nor on this
                _log.warning("%s", error)
                return
            status = replace(status, directory=str(path), stopped_by=status.stopped_by or ending)
            _write(Directory(path).status, encode_status(status, crawl_of(found)))

    def _bring_commands(self, path: Path) -> None:
        """Old files that are gone in remote storage go first, and others come in order: so no gap is ever
        seen here."""
        folder, names = Directory(path).control, self._storage.names(_ORDERS)
        there = [Path(name).name for name in names]
        here = sorted(file.name for file in folder.glob("journal-*.log"))
        for name in here:
            if name not in there:
                delete(folder / name)
        was_full = {*here[:-2]} & {*there[:-2]}
        for name in there:
            if name not in was_full:
                folder.mkdir(parents=True, exist_ok=True)
                _write(folder / name, self._storage.get(f"{_ORDERS}/{name}"))
        if there:
            _note_end(folder, there)

    def _manifests(self) -> dict[int, StorageManifest]:
        found: dict[int, StorageManifest] = {}
        while (manifest := read_manifest(self._storage, storage_folder(len(found)))).files:
            found[len(found)] = manifest
        return found

    def _bring_index(self, manifests: list[StorageManifest], path: Path) -> None:
        """The index as all partitions saw it: each line that one of them has."""
        parts: list[Path] = []
        for number, manifest in enumerate(manifests):
            if INDEX in manifest.files:
                part = path / f".index-{partition_name(number)}"
                download(self._storage, manifest, part, lambda name: name == INDEX)
                parts.append(part)
        if parts:
            (path / INDEX).parent.mkdir(exist_ok=True)
            join_indexes([part / INDEX for part in parts], path / INDEX)
        for part in parts:
            (part / INDEX).unlink()
            (part / "warc").rmdir()
            part.rmdir()

    def _read(self, name: str) -> bytes:
        try:
            return self._storage.get(name)
        except FileNotFoundError:
            return b""


def _write(path: Path, data: bytes) -> None:
    write_whole(path, lambda file: file.write(data))


def _note_end(folder: Path, names: list[str]) -> None:
    """Write the watermark of the commands, which never leaves its machine."""
    first = min(int(Path(name).stem.rpartition("-")[2]) for name in names)
    reached = find_end(folder, first)
    if read_watermark(folder) != reached:
        Watermark(folder, reached).close()


def _own_claims(path: Path) -> list[str]:
    """The claim before the last and the last: a crash may have come between the two."""
    note = path / _NOTE
    return note.read_text().split("\n") if note.exists() else [""]


def _note_claims(path: Path, claims: list[str]) -> None:
    write_whole(path / _NOTE, lambda file: file.write("\n".join(claims).encode()))


def _is_vacant(path: Path) -> bool:
    """Is nothing here, or only the rest of a copy that was killed at its beginning?"""
    return path.is_dir() and {one.name for one in path.iterdir()} <= {f".{COPIED_FROM}.tmp"}


def _delete_others(path: Path, manifests: Iterable[StorageManifest]) -> None:
    """Of a copy that was broken off, keep only what is still in remote storage, under the same name."""
    known = {name for manifest in manifests for name in manifest.files} - {INDEX}
    for file in [one for one in path.rglob("*") if one.is_file()]:
        name = file.relative_to(path).as_posix()
        if name not in known and name != COPIED_FROM:
            delete(file)
    for number in range(len([*path.glob(".index-*")])):
        delete(path / f".index-{partition_name(number)}")


def _is_own(name: str) -> bool:
    return name != INDEX
