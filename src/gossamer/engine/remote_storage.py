"""Remote storage as the engine sees it: a second place for the record of a crawl.

`cluster/storage` implements it.
"""

from typing import Protocol

from gossamer.core.directory import Directory
from gossamer.engine.ledger import SecondPlace


class CrawlReplica(Protocol):
    """A place for all that is recorded."""

    def claim(self, directory: Directory, *, is_new: bool) -> None:
        """From now on only the crawl of this directory may write to the remote storage."""

    def partition(self, directory: Directory) -> SecondPlace:
        """The part of one partition. It is asked for in the process that will use it."""

    def store_commands(self, directory: Directory) -> None:
        """Store all recorded commands in remote storage; they are there when this returns."""
