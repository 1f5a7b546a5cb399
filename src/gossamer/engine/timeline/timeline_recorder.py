"""Writes the timeline of a running crawl."""

from collections.abc import Sequence
from math import inf
from pathlib import Path

import numpy as np

from gossamer.core.disk.disk_files import AppendOnlyFile, read_whole, write_whole
from gossamer.engine.summary import Summary
from gossamer.engine.timeline.thinning import MOST, which_stay
from gossamer.engine.timeline.timeline_columns import COLUMNS, figures
from gossamer.engine.timeline.timeline_record import Head, Points, decode

_EVERY = 1.0
"""Seconds between two points, at least."""
_MORE = 1_500
"""Points above those that stay: when there are this many, the file is thinned out."""


class TimelineRecorder:
    """Appends a point now and then. The file is open only while that happens: nobody has to close it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._head = Head(0, tuple(COLUMNS))
        self._length = self._count = 0
        """Bytes and points in the file, as far as we know."""
        self._last = -inf
        """When the last point was."""

    def note(self, time: float, seconds: float, parts: Sequence[Summary]) -> None:
        """Take a point, if it is time for one: the summary of each partition, in their order.

        `seconds` says for how long the crawl has run, all runs together.
        """
        is_last = any(part.stopped_by for part in parts)
        if self._last <= time < self._last + _EVERY and not is_last:
            return
        if len(parts) != self._head.partitions or not self._is_as_we_left_it:
            self._head = Head(len(parts), tuple(COLUMNS))
            self._begin()
        self._append(self._head.point(time, seconds, [figures(part) for part in parts]))
        self._last = time
        if self._count >= MOST + _MORE:
            self._begin()

    @property
    def _is_as_we_left_it(self) -> bool:
        return self._path.is_file() and self._path.stat().st_size == self._length

    def _begin(self) -> None:
        """Go on with what there is: what a crash tore is cut off, and points that are too many go."""
        data = read_whole(self._path) if self._path.is_file() else b""
        head, points, is_whole = decode(data)
        if is_whole and head == self._head and len(points) < MOST + _MORE:
            self._length, self._count = len(data), len(points)
            return
        points = _thinned(self._head.fit(head, points))
        content = self._head.encode() + points.tobytes()
        write_whole(self._path, lambda file: file.write(content))
        self._length, self._count = len(content), len(points)

    def _append(self, point: bytes) -> None:
        file = AppendOnlyFile(self._path, self._length)
        try:
            file.append([point])
            file.write_out()
            self._length, self._count = file.length, self._count + 1
        finally:
            file.abandon()


def _thinned(points: Points) -> Points:
    """A clock that was set back between two runs has points lie behind later ones: they are sorted first."""
    points = points[np.argsort(points["time"], kind="stable")]
    return points[which_stay(points["time"])]
