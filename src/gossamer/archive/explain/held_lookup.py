"""Was a URL held back? What the state of a crawl said at its last checkpoint."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from gossamer.archive.explain.redundancy_facts import read_watches

if TYPE_CHECKING:
    from gossamer.core.disk.queue import QueueState
    from gossamer.core.url import Url


def is_held(url: "Url", crawl: Path) -> bool | None:
    """Is it among the URLs that were held back, because their like brought nothing new?

    None when it cannot be told, because a running crawl makes its next checkpoint at this very moment.
    """
    try:
        return any(key == url.key for key in held_keys(crawl))
    except OSError:
        return None


def held_keys(crawl: Path) -> Iterator[int]:
    """The keys of all URLs that were held back; `OSError` while a checkpoint is made."""
    from gossamer.core.directory import Directory

    for partition, watch in enumerate(read_watches(crawl)):
        folder = Directory(crawl, partition).state / "held"
        if watch.held is not None and watch.held.waiting and folder.exists():
            yield from _keys(folder, watch.held)


def _keys(folder: Path, state: "QueueState") -> Iterator[int]:
    """Read a queue in a copy, for opening it cuts off what came after the checkpoint."""
    from gossamer.core.disk.queue import Queue
    from gossamer.pipeline.seen import unpack

    with TemporaryDirectory() as place:
        copy = shutil.copytree(folder, Path(place) / "held")
        queue = Queue(copy, state)
        try:
            while len(queue):
                yield unpack(queue.pop()).url.key
        finally:
            queue.close()
