"""The home of a crawl, as the crawl sees it: a second place for its record, which outlives its machine.

What is there, and how it gets there, is in `cluster/home`.
"""

from typing import Protocol

from gossamer.core.directory import Directory
from gossamer.engine.ledger import SecondPlace


class CrawlReplica(Protocol):
    """A place for all that is recorded."""

    def claim(self, directory: Directory, *, is_new: bool) -> None:
        """From now on the crawl of this directory has the home to itself."""

    def partition(self, directory: Directory) -> SecondPlace:
        """The part of one partition. It is asked for in the process that will use it."""

    def store_commands(self, directory: Directory) -> None:
        """When this returns, all orders that were recorded are here, too."""
