"""The home of one partition, for one life of it."""

from collections.abc import Callable

from gossamer.base.directory import Directory, partition_name
from gossamer.cluster.home.restore import last_epoch, read_manifest
from gossamer.cluster.home.shipper import Shipper
from gossamer.cluster.home.storage import Storage
from gossamer.cluster.home.tree import Tree


def home_folder(partition: int) -> str:
    """Where the crates of a partition are.

    >>> home_folder(3)
    'state/00003'
    """
    return f"state/{partition_name(partition)}"


class PartitionHome:
    """Has all at home that is on record."""

    def __init__(
        self, storage: Storage, directory: Directory, may_send: Callable[[], None] = lambda: None
    ) -> None:
        folder = home_folder(directory.partition)
        self.epoch = last_epoch(storage, folder) + 1
        known = read_manifest(storage, folder)
        self._shipper = Shipper(storage, folder, Tree(directory), self.epoch, known, may_send)

    def ship(self, *, is_checkpoint: bool = False, is_last: bool = False) -> None:
        """A commit is on record here: it is at home when this returns."""
        self._shipper.ship(is_checkpoint=is_checkpoint, is_last=is_last)

    @property
    def sent_bytes(self) -> int:
        return self._shipper.sent_bytes
