"""The home of one partition, for one life of it."""

from collections.abc import Callable
from pathlib import Path

from gossamer.base.directory import Directory, partition_name
from gossamer.base.disk.files import Deletions
from gossamer.base.disk.journal import find_end
from gossamer.base.disk.seal import Seal
from gossamer.cluster.home.restore import bring, last_epoch, read_manifest
from gossamer.cluster.home.shipper import Shipper, full_at_home
from gossamer.cluster.home.storage import Storage
from gossamer.cluster.home.tree import Tree
from gossamer.crawl.ledger import Ledger


def home_folder(partition: int) -> str:
    """Where the crates of a partition are.

    >>> home_folder(3)
    'state/00003'
    """
    return f"state/{partition_name(partition)}"


def come_home(storage: Storage, directory: Directory, *, lets_go: bool = False) -> int:
    """Make the files of a partition as they are at home, or those of a new one; returns the bytes fetched.

    `lets_go`: without those that nobody who goes on needs.
    """
    manifest, state = read_manifest(storage, home_folder(directory.partition)), directory.state
    state.mkdir(parents=True, exist_ok=True)
    if not manifest.files:
        Ledger.begin(state)
        return 0
    left = full_at_home(manifest) if lets_go else set()
    total = bring(storage, manifest, directory.path, lambda path: path not in left)
    Tree(directory).let_go(left)
    make_seal(state)
    return total


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
        brought: Deletions | None = None,
    ) -> None:
        """`least_epoch` is above that of every earlier life, also of those that never sent anything.

        `lets_go`: files that are full are deleted here when they are at home. `brought`: all files came from
        home, and these are the ones that were deleted since.
        """
        folder = home_folder(directory.partition)
        self.epoch = max(last_epoch(storage, folder) + 1, least_epoch)
        known = read_manifest(storage, folder)
        self._shipper = Shipper(
            storage, folder, Tree(directory, brought), self.epoch, known, may_send, lets_go
        )

    def ship(self, *, is_checkpoint: bool = False, is_last: bool = False) -> None:
        """A commit is on record here: it is at home when this returns."""
        self._shipper.ship(is_checkpoint=is_checkpoint, is_last=is_last)

    @property
    def sent_bytes(self) -> int:
        return self._shipper.sent_bytes
