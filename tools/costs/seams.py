"""Counts what passes the simulator's seams: files that must be durable, and frames between partitions."""

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from gossamer.cluster.frames import Frame
from gossamer.core.disk import disk_files
from gossamer.core.disk.disk_files import System
from gossamer.lab.simulator.simulated_connections import Direction


class CountedDisk(System):
    """Passes everything on to the real disk."""

    def __init__(self, counts: Counter[str]) -> None:
        self._counts = counts

    def write(self, descriptor: int, data: memoryview) -> int:
        self._counts["writes"] += 1
        written = super().write(descriptor, data)
        self._counts["bytes written"] += written
        if Path(os.readlink(f"/proc/self/fd/{descriptor}")).name.startswith("journal-"):
            self._counts["journal bytes"] += written
        return written

    def sync(self, descriptor: int) -> None:
        self._counts["fsyncs"] += 1
        super().sync(descriptor)

    def sync_folder(self, folder: Path) -> None:
        self._counts["fsyncs"] += 1
        super().sync_folder(folder)


@contextmanager
def counted_seams(counts: Counter[str]) -> Iterator[None]:
    """Count what is asked of the disk, and what is sent on the lines between partitions and supervisor."""
    send = Direction.send

    def count_and_send(line: Direction, frame: Frame) -> None:
        counts["frames"] += 1
        counts["frame bytes"] += len(frame.body)
        send(line, frame)

    with (
        patch.object(disk_files, "system", CountedDisk(counts)),
        patch.object(Direction, "send", count_and_send),
    ):
        yield
