"""The log and the timeline of a crawl, in remote storage: they are kept when a machine is lost.

They are files of the whole crawl, and go to remote storage as the files of a partition do (`uploader.py`), in
a folder of their own: what is new, now and then. Nothing in a crawl depends on them. So an error costs the
lines since the last time, until the next one; no crawl stops for it, and none waits.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gossamer.cluster.storage.object_storage import RemoteStorageError, Storage
from gossamer.cluster.storage.partition_files import Tree
from gossamer.cluster.storage.restore import last_epoch, read_manifest
from gossamer.cluster.storage.storage_claim import StorageClaim, read_claim
from gossamer.cluster.storage.storage_manifest import StorageManifest
from gossamer.cluster.storage.uploader import Shipper
from gossamer.core.clock import Clock
from gossamer.core.directory import Directory
from gossamer.engine.event_log import log_files

STORED_LOG = "whole_crawl"
"""The folder in remote storage."""
_TIDY_AFTER = 30
"""Sendings, after which small pieces are joined."""


class StoredLog:
    """The log and the timeline that one run of a crawl adds."""

    def __init__(self, directory: Directory, token: str, clock: Clock, epoch: int) -> None:
        """`token` is the run's claim of the remote storage; `epoch` is above those of all runs before."""
        self._directory = directory
        self._token = token
        self._clock = clock
        self._epoch = epoch
        self._shipper: Shipper | None = None
        self._sent = 0

    def send(self, storage: Storage) -> None:
        """Send home what is new. After an error, the next call looks again what is there."""
        shipper, self._shipper = self._shipper or self._begin(storage), None
        self._sent += 1
        shipper.ship(is_checkpoint=not self._sent % _TIDY_AFTER)
        self._shipper = shipper

    def _begin(self, storage: Storage) -> Shipper:
        if read_claim(storage).token != self._token:
            raise RemoteStorageError(f"{storage.url} is now used by another crawl")
        may_send = StorageClaim(storage, self._token, self._clock).check
        self._epoch = max(last_epoch(storage, STORED_LOG) + 1, self._epoch)
        tree = StoredLogTree(self._directory)
        return Shipper(storage, STORED_LOG, tree, self._epoch, _known(storage), may_send)


def _known(storage: Storage) -> StorageManifest:
    """Read the existing files; when they are damaged, all is sent again."""
    try:
        return read_manifest(storage, STORED_LOG)
    except RemoteStorageError:
        return StorageManifest()


class StoredLogTree(Tree):
    """Files of the whole crawl. Old ones of the log go, and nobody misses them."""

    def __init__(self, directory: Directory) -> None:
        super().__init__(directory)
        self._own = directory

    @contextmanager
    def held(self) -> Iterator[None]:
        """The process that writes them is this one."""
        yield

    def _files(self, is_checkpoint: bool) -> Iterator[tuple[str, Path]]:
        for path in (*log_files(self._own.log), self._own.timeline):
            if path.is_file():
                yield path.relative_to(self._own.path).as_posix(), path

    def _counts(self, name: str, is_checkpoint: bool) -> bool:
        return True

    def _check_deleted(self, gone: list[str]) -> None:
        """It is the log's own affair which files it keeps."""
