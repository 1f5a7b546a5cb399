"""Read what the redundancy filters knew of URLs at the last checkpoint of each partition."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gossamer.analyzers.redundancy.redundancy_filter import RedundancyState


def read_watches(crawl: Path) -> Iterator["RedundancyState"]:
    from gossamer.analyzers.redundancy.redundancy_filter import RedundancyFilter, read_state
    from gossamer.core.directory import Directory
    from gossamer.engine.ledger import Ledger

    for partition in range(Directory(crawl).partitions):
        checkpoint = Ledger.read_checkpoint(Directory(crawl, partition).state)
        yield read_state(checkpoint.components.get(RedundancyFilter.name, b""))
