"""The remote storage of one partition, for one incarnation of it."""

import re
from collections.abc import Callable
from heapq import nlargest
from pathlib import Path
from typing import NamedTuple

from gossamer.cluster.storage.background_downloads import Arrivals
from gossamer.cluster.storage.object_storage import Storage
from gossamer.cluster.storage.partition_files import Tree, is_output
from gossamer.cluster.storage.restore import (
    bring_behind,
    download,
    fetch_parts,
    last_epoch,
    read_manifest,
)
from gossamer.cluster.storage.storage_manifest import StorageManifest
from gossamer.cluster.storage.uploader import Shipper, full_in_storage
from gossamer.core.directory import Directory, partition_name
from gossamer.core.disk.disk_files import Deletions
from gossamer.core.disk.journal import find_end
from gossamer.core.disk.journal_watermark import Watermark
from gossamer.engine.ledger import Ledger

_LARGE = 1 << 20
"""Bytes of a file from which a partition begins without it."""
_MOST_LATER = 200
"""Files that are on their way at a time, the largest ones: each has a descriptor."""
_COMES_LATER = re.compile(
    r"state/\d+/.*/(generation-\d+|\d+\.segment)|state/\d+/content/\w+\.log|warc/.*\.warc\.gz"
)
"""Files that are read through `core/disk/disk_files.py` alone, or not at all."""


def storage_folder(partition: int) -> str:
    """The folder for the commit bundles of a partition.

    >>> storage_folder(3)
    'state/00003'
    """
    return f"state/{partition_name(partition)}"


class Arrived(NamedTuple):
    """The files that an incarnation starts with on a machine that had none of them."""

    tree: Tree
    manifest: StorageManifest
    """What is in remote storage; files that nobody has changed since are the same here."""
    arrivals: Arrivals
    """Files that are not here yet, or not all of them."""
    fetched: int
    """Bytes."""


def come_to_storage(
    storage: Storage, directory: Directory, *, lets_go: bool = False, goes_ahead: bool = False
) -> Arrived:
    """Make the files of a partition as they are in remote storage, or those of a new one.

    `lets_go`: without files that a resumed crawl does not need. `goes_ahead`: large files come later; readers
    wait for them (`ArrivingSystem`).
    """
    manifest, state = read_manifest(storage, storage_folder(directory.partition)), directory.state
    state.mkdir(parents=True, exist_ok=True)
    if not manifest.files:
        Ledger.begin(state)
        tree = Tree(directory, Deletions(directory.path))
        return Arrived(tree, manifest, Arrivals(storage, fetch_parts), 0)
    left = full_in_storage(manifest) if lets_go else set()
    later = _later(manifest, lets_go) - left if goes_ahead else set()
    not_now = left | later
    total = download(storage, manifest, directory.path, lambda path: path not in not_now)
    arrivals = bring_behind(storage, manifest, directory.path, sorted(later, key=_rank))
    make_watermark(state)
    tree = Tree(directory, Deletions(directory.path))
    tree.let_go(left)
    tree.note_brought(path for path in manifest.files if path not in left)
    arrivals.begin()
    return Arrived(tree, manifest, arrivals, total)


def _later(manifest: StorageManifest, lets_go: bool) -> set[str]:
    """Large files whose readers can wait for their bytes.

    Archives are not read, unless files have to stay here because pages are taken out of them.
    """
    large = [
        path
        for path in manifest.files
        if manifest.size(path) >= _LARGE and _COMES_LATER.fullmatch(path)
        if lets_go or not is_output(path)
    ]
    return set(nlargest(_MOST_LATER, large, key=manifest.size))


def _rank(path: str) -> tuple[int, str]:
    """The order of downloads: contents first, archives, which are only appended to, last. What is only
    appended to comes last: archives."""
    return (0 if "/content/" in path else 2 if is_output(path) else 1), path


def make_watermark(state: Path) -> None:
    """The note of how far the journal has come, which never leaves its machine."""
    number = Ledger.read_checkpoint(state).number
    Watermark(state / "journal", find_end(state / "journal", number)).close()


class PartitionStorage:
    """Has all in remote storage that is recorded."""

    def __init__(
        self,
        storage: Storage,
        directory: Directory,
        may_send: Callable[[], None] = lambda: None,
        least_epoch: int = 0,
        lets_go: bool = False,
        arrived: Arrived | None = None,
    ) -> None:
        """`least_epoch` is above that of every earlier incarnation, also of those that never sent anything.

        `lets_go`: files that are full are deleted here when they are in remote storage. `arrived`: all
        files came from home.
        """
        folder = storage_folder(directory.partition)
        self.epoch = max(last_epoch(storage, folder) + 1, least_epoch)
        self._arrivals = arrived.arrivals if arrived else Arrivals(storage, fetch_parts)
        tree, known = (
            (arrived.tree, arrived.manifest)
            if arrived  # what came to remote storage meanwhile is not here
            else (Tree(directory), read_manifest(storage, folder))
        )
        self._shipper = Shipper(storage, folder, tree, self.epoch, known, may_send, lets_go)

    def ship(self, *, is_checkpoint: bool = False, is_last: bool = False) -> None:
        """A commit is recorded here: it is in remote storage when this returns."""
        self._arrivals.check()
        self._arrivals.fetch_all()  # the partition is open: it has what it needs at once
        self._shipper.ship(is_checkpoint=is_checkpoint, is_last=is_last)

    @property
    def sent_bytes(self) -> int:
        return self._shipper.sent_bytes
