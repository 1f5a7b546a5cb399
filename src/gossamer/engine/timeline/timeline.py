"""Reads the timeline of a crawl, which may be running."""

from pathlib import Path

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from gossamer.core.directory import Directory, check_is_crawl
from gossamer.core.disk.disk_files import read_whole
from gossamer.engine.timeline.timeline_columns import COLUMNS
from gossamer.engine.timeline.timeline_record import Head, decode

Numbers = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]


class Timeline(Struct, frozen=True, eq=False):
    """The figures of a crawl over time: a point about every second of the last ten minutes, every minute of
    the last day, and fewer of all before.
    """

    times: Numbers
    """When each point was, in seconds since 1970, growing."""
    seconds: Numbers
    """For how long the crawl had run by then, all runs together: a pause between two runs is not in it."""
    columns: tuple[str, ...]
    """What there is a curve of; `COLUMNS` says what they mean."""
    figures: Counts
    """By point, partition and column."""

    def __len__(self) -> int:
        return len(self.times)

    @property
    def partitions(self) -> int:
        return int(self.figures.shape[1])

    def column(self, name: str, partition: int | None = None) -> Counts:
        """The figures under a name, point by point: of one partition, or of the whole crawl."""
        figures = self.figures[:, :, self.columns.index(name)]
        whole: Counts = figures.sum(axis=1) if partition is None else figures[:, partition]
        return whole

    def rates(self, name: str, partition: int | None = None) -> Numbers:
        """By how much a figure grew in each second, from the point before; 0 for the first.

        A crawl that was killed may have lost its last second, and be a little behind what it was.
        """
        grown = np.maximum(np.diff(self.column(name, partition)), 0)
        took = np.maximum(np.diff(self.times), 1e-3)
        return np.concatenate([np.zeros(min(1, len(self))), grown / took])

    def since(self, time: float) -> "Timeline":
        """The points from a time on."""
        first = int(np.searchsorted(self.times, time))
        return Timeline(
            self.times[first:], self.seconds[first:], self.columns, self.figures[first:]
        )


def read_timeline(path: Path) -> Timeline:
    """The timeline of the crawl in a directory; without points, if it has none yet."""
    check_is_crawl(path)
    directory = Directory(path)
    file = directory.timeline
    head, points, _ = decode(read_whole(file) if file.is_file() else b"")
    wanted = Head(head.partitions or max(1, directory.partitions), tuple(COLUMNS))
    points = wanted.fit(head, points)
    points = points[np.argsort(points["time"], kind="stable")]
    return Timeline(
        np.ascontiguousarray(points["time"]),
        np.ascontiguousarray(points["seconds"]),
        wanted.columns,
        np.ascontiguousarray(points["rows"]),
    )
