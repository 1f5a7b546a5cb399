"""A look at a crawl that is in remote storage: as much of it in a folder here as is needed to show it.

Tables, what the last checkpoint knew, and the index of the archive come here, and what is new of them
whenever `refresh` is called. Records of the archive stay where they are: each that is wanted is fetched by
itself. The crawl may be running, and is not disturbed.

A file appears here under its name when it is whole, or grows at its end. What belongs to a checkpoint is here
before the checkpoint, and goes after it.
"""

import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from gossamer.cluster.storage.commit_bundle import Extent
from gossamer.cluster.storage.incremental_reading import FollowedManifest
from gossamer.cluster.storage.joined_cdxj import INDEX, join_indexes
from gossamer.cluster.storage.object_storage import Storage
from gossamer.cluster.storage.partition_storage import storage_folder
from gossamer.cluster.storage.restore import fetch
from gossamer.cluster.storage.stored_log import STORED_LOG
from gossamer.core.clock import Clock
from gossamer.core.directory import partition_name
from gossamer.core.disk import disk_files as files
from gossamer.core.disk.disk_files import CopySystem, delete, write_whole

_TABLES = ("pages", "links")
_RUN = "warc/.cdxj-"
_JOINED = "warc/.cdxj-home.run"
"""What all partitions have of the index, under a name that no crawl writes."""
_CHECKPOINT, _FRONTIER = "checkpoint", "frontier"
RESERVE = 1 << 30
"""Bytes of the disk that are left to others."""
MOST_FRONTIER = 512 << 20
"""Bytes of what waits, all partitions together, that come here; more stay in remote storage."""
_MOST_RECORDS = 256 << 20
"""Bytes of records of the archive that are kept here."""

Extents = dict[str, list[Extent]]


class Missing(Struct, frozen=True):
    """Files that are in remote storage and not here."""

    files: int = 0
    """Of the tables; there is no room for them."""
    bytes: int = 0
    coming: int = 0
    """Files of the tables that are on their way."""
    frontier: int = 0
    """Bytes of what waits, if that is too much to be brought."""


class StorageSnapshot:
    """Files of a crawl in a folder of this machine. One thread at a time may refresh it."""

    def __init__(
        self, storage: Storage, root: Path, partitions: int, clock: Clock, *, has_stored_log: bool
    ) -> None:
        """`has_stored_log`: log and timeline are brought, too; without it, they are written here."""
        self._storage = storage
        self._root = root
        self._clock = clock
        self._system = CopySystem(files.system)
        self._followed = [
            FollowedManifest(storage, storage_folder(number)) for number in range(partitions)
        ]
        self._stored_log = FollowedManifest(storage, STORED_LOG) if has_stored_log else None
        self._here: Extents = {}
        """What each file here was made of."""
        self._indexes: list[list[Extent]] = []
        self._records: set[tuple[str, int]] = set()
        self._record_bytes = 0
        self.missing = Missing()
        self.as_of = 0.0
        """When all was brought that was new, in seconds since 1970; 0 before that."""

    def refresh(self) -> None:
        """Bring what is new since the last time; an error leaves what is here, and may be tried again."""
        began = self._clock.now()
        if self._stored_log is not None and self._stored_log.look():
            self._bring_log(self._stored_log.manifest.files)
        for manifest in self._followed:
            manifest.look()
        self._measure_frontier()
        for number, manifest in enumerate(self._followed):
            self._bring_state(number, manifest.manifest.files)
        self._join_indexes()
        self._bring_tables()
        self.as_of = began

    def _bring_log(self, known: Extents) -> None:
        for name, extents in known.items():
            self._bring(name, extents)
        self._drop(name for name in self._here if name.startswith("log/") and name not in known)

    # What the last checkpoints knew.

    def _measure_frontier(self) -> None:
        """Measure the frontier; if it is too large, it stays in remote storage."""
        size = sum(
            manifest.manifest.size(name)
            for manifest in self._followed
            for name in manifest.manifest.files
            if name.split("/")[2:3] == [_FRONTIER]
        )
        self.missing = replace(self.missing, frontier=size if size > MOST_FRONTIER else 0)

    def _bring_state(self, number: int, known: Extents) -> None:
        folder = storage_folder(number)
        checkpoint, frontier = f"{folder}/{_CHECKPOINT}", f"{folder}/{_FRONTIER}/"
        if checkpoint not in known:
            return
        waiting = (
            [] if self.missing.frontier else [one for one in known if one.startswith(frontier)]
        )
        runs = [name for name in known if name.startswith(_RUN)]
        for name in (*waiting, *runs, checkpoint):
            self._bring(name, known[name])
        own = (frontier, f"{_RUN}{partition_name(number)}-")
        self._drop(name for name in self._here if name.startswith(own) and name not in known)

    # The index of the archive.

    def _join_indexes(self) -> None:
        """Each line that a partition has; they may have the index in common, or each its own."""
        parts = [manifest.manifest.files.get(INDEX, []) for manifest in self._followed]
        if parts == self._indexes or not any(parts):
            return
        drafts = [self._root / f".index-{number}" for number in range(len(parts))]
        try:
            for extents, draft in zip(parts, drafts, strict=True):
                with draft.open("wb") as file:
                    file.writelines(fetch(self._storage, extent) for extent in extents)
            (self._root / _JOINED).parent.mkdir(exist_ok=True)
            join_indexes(drafts, self._root / _JOINED, self._system)
        finally:
            for draft in drafts:
                draft.unlink(missing_ok=True)
        self._indexes = parts

    # Tables.

    def _bring_tables(self) -> None:
        """The latest first, as long as there is room."""
        known = {
            name: extents
            for manifest in self._followed
            for name, extents in manifest.manifest.files.items()
            if name.startswith(_TABLES)
        }
        self._drop(name for name in self._here if name.startswith(_TABLES) and name not in known)
        wanted = [name for name in _latest_first(known) if self._here.get(name) != known[name]]
        left_out: list[int] = []
        for number, name in enumerate(wanted):
            self._count(left_out, len(wanted) - number)
            size = sum(extent.size for extent in known[name])
            if shutil.disk_usage(self._root).free - size < RESERVE:
                left_out.append(size)
            else:
                self._bring(name, known[name])
        self._count(left_out, 0)

    def _count(self, left_out: list[int], rest: int) -> None:
        self.missing = replace(self.missing, files=len(left_out), bytes=sum(left_out), coming=rest)

    # Records of the archive.

    def bring_record(self, file: str, offset: int, length: int) -> None:
        """Have a record here, at its place in a file that is otherwise empty."""
        path = self._root / "warc" / file
        if (file, offset) in self._records:
            return
        if self._record_bytes + length > _MOST_RECORDS:
            self._forget_records()
        data = self._read(f"warc/{file}", offset, length)
        path.parent.mkdir(exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
        try:
            os.pwrite(descriptor, data, offset)
        finally:
            os.close(descriptor)
        self._records.add((file, offset))
        self._record_bytes += length

    def _forget_records(self) -> None:
        for name in {file for file, _ in self._records}:
            (self._root / "warc" / name).unlink(missing_ok=True)
        self._records.clear()
        self._record_bytes = 0

    def _read(self, name: str, start: int, size: int) -> bytes:
        """Some bytes of a file in remote storage; `FileNotFoundError` when it is not there."""
        for manifest in self._followed:
            if name in manifest.manifest.files:
                return b"".join(_pieces(self._storage, manifest.manifest.files[name], start, size))
        raise FileNotFoundError(f"{self._storage.url}: {name} is not there")

    # Files.

    def _bring(self, name: str, extents: list[Extent]) -> None:
        """Have a file here as it is in remote storage."""
        before, path = self._here.get(name), self._root / name
        if before == extents:
            return
        self._here.pop(name, None)  # an error leaves half of a file, which is made again
        path.parent.mkdir(parents=True, exist_ok=True)
        if before and extents[: len(before)] == before:
            with open(path, "ab") as grown:
                grown.write(
                    b"".join(fetch(self._storage, extent) for extent in extents[len(before) :])
                )
        else:
            write_whole(
                path,
                lambda file: file.writelines(fetch(self._storage, extent) for extent in extents),
                self._system,
            )
        self._here[name] = list(extents)

    def _drop(self, names: Iterator[str]) -> None:
        for name in [*names]:
            delete(self._root / name)
            del self._here[name]


def _latest_first(names: Mapping[str, object]) -> list[str]:
    """Pages before links, the files with the highest numbers first."""
    return sorted(
        names, key=lambda name: (name.partition("/")[0] == "pages", name.rpartition("-")[2])
    )[::-1]


def _pieces(storage: Storage, extents: list[Extent], start: int, size: int) -> Iterator[bytes]:
    end = start + size
    for extent in extents:
        if start < extent.size and end > 0:
            first = max(0, start)
            yield storage.get(extent.remote, extent.start + first, min(end, extent.size) - first)
        start, end = start - extent.size, end - extent.size
