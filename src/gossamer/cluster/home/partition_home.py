"""The home of one partition, for one life of it."""

import re
from collections.abc import Callable
from heapq import nlargest
from pathlib import Path
from typing import NamedTuple

from gossamer.base.directory import Directory, partition_name
from gossamer.base.disk.files import Deletions
from gossamer.base.disk.journal import find_end
from gossamer.base.disk.seal import Seal
from gossamer.cluster.home.arrivals import Arrivals
from gossamer.cluster.home.manifest import HomeManifest
from gossamer.cluster.home.restore import (
    bring,
    bring_behind,
    fetch_parts,
    last_epoch,
    read_manifest,
)
from gossamer.cluster.home.shipper import Shipper, full_at_home
from gossamer.cluster.home.storage import Storage
from gossamer.cluster.home.tree import Tree, is_harvest
from gossamer.crawl.ledger import Ledger

_LARGE = 1 << 20
"""Bytes of a file from which a partition begins without it."""
_MOST_LATER = 200
"""Files that are on their way at a time, the largest ones: each has a descriptor."""
_COMES_LATER = re.compile(
    r"state/\d+/.*/(generation-\d+|\d+\.segment)|state/\d+/content/\w+\.log|warc/.*\.warc\.gz"
)
"""Files that are read through `base/disk/files.py` alone, or not at all."""


def home_folder(partition: int) -> str:
    """Where the crates of a partition are.

    >>> home_folder(3)
    'state/00003'
    """
    return f"state/{partition_name(partition)}"


class Arrived(NamedTuple):
    """What a life of a partition begins with, on a machine that had nothing of it."""

    tree: Tree
    manifest: HomeManifest
    """What is at home; files that nobody has changed since are the same here."""
    arrivals: Arrivals
    """Files that are not here yet, or not all of them."""
    fetched: int
    """Bytes."""


def come_home(
    storage: Storage, directory: Directory, *, lets_go: bool = False, goes_ahead: bool = False
) -> Arrived:
    """Make the files of a partition as they are at home, or those of a new one.

    `lets_go`: without those that nobody who goes on needs. `goes_ahead`: large files come later; whoever
    reads them has to wait for them (`ArrivingSystem`).
    """
    manifest, state = read_manifest(storage, home_folder(directory.partition)), directory.state
    state.mkdir(parents=True, exist_ok=True)
    if not manifest.files:
        Ledger.begin(state)
        tree = Tree(directory, Deletions(directory.path))
        return Arrived(tree, manifest, Arrivals(storage, fetch_parts), 0)
    left = full_at_home(manifest) if lets_go else set()
    later = _later(manifest, lets_go) - left if goes_ahead else set()
    not_now = left | later
    total = bring(storage, manifest, directory.path, lambda path: path not in not_now)
    arrivals = bring_behind(storage, manifest, directory.path, sorted(later, key=_rank))
    make_seal(state)
    tree = Tree(directory, Deletions(directory.path))
    tree.let_go(left)
    tree.note_brought(path for path in manifest.files if path not in left)
    arrivals.begin()
    return Arrived(tree, manifest, arrivals, total)


def _later(manifest: HomeManifest, lets_go: bool) -> set[str]:
    """Large files whose readers can wait for their bytes.

    Archives are not read, unless files have to stay here because pages are taken out of them.
    """
    large = [
        path
        for path in manifest.files
        if manifest.size(path) >= _LARGE and _COMES_LATER.fullmatch(path)
        if lets_go or not is_harvest(path)
    ]
    return set(nlargest(_MOST_LATER, large, key=manifest.size))


def _rank(path: str) -> tuple[int, str]:
    """What is asked of first: contents. What is only appended to comes last: archives."""
    return (0 if "/content/" in path else 2 if is_harvest(path) else 1), path


def make_seal(state: Path) -> None:
    """The note of how far the journal has come, which never leaves its machine."""
    number = Ledger.read_checkpoint(state).number
    Seal(state / "journal", find_end(state / "journal", number)).close()


class PartitionHome:
    """Has all at home that is on record."""

    def __init__(
        self,
        storage: Storage,
        directory: Directory,
        may_send: Callable[[], None] = lambda: None,
        least_epoch: int = 0,
        lets_go: bool = False,
        arrived: Arrived | None = None,
    ) -> None:
        """`least_epoch` is above that of every earlier life, also of those that never sent anything.

        `lets_go`: files that are full are deleted here when they are at home. `arrived`: all files came from
        home.
        """
        folder = home_folder(directory.partition)
        self.epoch = max(last_epoch(storage, folder) + 1, least_epoch)
        self._arrivals = arrived.arrivals if arrived else Arrivals(storage, fetch_parts)
        tree, known = (
            (arrived.tree, arrived.manifest)
            if arrived  # what came home meanwhile is not here
            else (Tree(directory), read_manifest(storage, folder))
        )
        self._shipper = Shipper(storage, folder, tree, self.epoch, known, may_send, lets_go)

    def ship(self, *, is_checkpoint: bool = False, is_last: bool = False) -> None:
        """A commit is on record here: it is at home when this returns."""
        self._arrivals.check()
        self._arrivals.fetch_all()  # the partition is open: it has what it needs at once
        self._shipper.ship(is_checkpoint=is_checkpoint, is_last=is_last)

    @property
    def sent_bytes(self) -> int:
        return self._shipper.sent_bytes
