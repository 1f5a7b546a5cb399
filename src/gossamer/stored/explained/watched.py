"""What the partitions of a crawl had found out about URLs when each made its last checkpoint."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gossamer.cycle.scope import WatchState


def read_watches(crawl: Path) -> Iterator["WatchState"]:
    from gossamer.base.directory import Directory
    from gossamer.crawl.ledger import Ledger
    from gossamer.cycle.scope import Watch, read_state

    for partition in range(Directory(crawl).partitions):
        checkpoint = Ledger.read_checkpoint(Directory(crawl, partition).state)
        yield read_state(checkpoint.rooms.get(Watch.name, b""))
