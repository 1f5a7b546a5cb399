"""The home of a crawl, as the crawl sees it: a second place for its record, which outlives its machine.

What is there, and how it gets there, is in `cluster/home`.
"""

from typing import Protocol

from gossamer.base.directory import Directory
from gossamer.crawl.ledger import SecondPlace


class Home(Protocol):
    """A place for all that is on record."""

    def claim(self, directory: Directory, *, is_new: bool) -> None:
        """From now on the crawl of this directory has the home to itself."""

    def partition(self, directory: Directory) -> SecondPlace:
        """The part of one partition. It is asked for in the process that will use it."""

    def keep_orders(self, directory: Directory) -> None:
        """When this returns, all orders that were put on record are here, too."""
