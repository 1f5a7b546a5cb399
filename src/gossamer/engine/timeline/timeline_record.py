"""A point as bytes. All points of a file have one size; its head says what is in them."""

from collections.abc import Sequence
from struct import Struct as Layout
from zlib import crc32

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Struct

_MAGIC = b"GOTL"
_START = Layout("<4sII")
"""The magic, the length of the head behind it, and the head's checksum."""
_CHECK = Layout("<I")
_WHEN = Layout("<dd")

Points = npt.NDArray[np.void]
"""Records with the fields `check`, `time`, `seconds` and `rows`."""


class Head(Struct, frozen=True, array_like=True):
    """The fields of each point."""

    partitions: int
    columns: tuple[str, ...]

    @property
    def layout(self) -> np.dtype[np.void]:
        rows = (self.partitions, len(self.columns))
        return np.dtype(
            [("check", "<u4"), ("time", "<f8"), ("seconds", "<f8"), ("rows", "<i8", rows)]
        )

    def encode(self) -> bytes:
        """The bytes with which a file begins."""
        body = msgspec.msgpack.encode(self)
        return _START.pack(_MAGIC, len(body), crc32(body)) + body

    def point(self, time: float, seconds: float, rows: Sequence[Sequence[int]]) -> bytes:
        """A point as it is appended."""
        body = _WHEN.pack(time, seconds) + np.array(rows, "<i8").tobytes()
        return _CHECK.pack(crc32(body)) + body

    def fit(self, other: "Head", points: Points) -> Points:
        """Points of a file with another head, as this one has them; figures that it lacks are 0."""
        if other == self:
            return points
        fitted = np.zeros(len(points), self.layout)
        for name in ("time", "seconds"):
            fitted[name] = points[name]
        both = min(self.partitions, other.partitions)
        for place, name in enumerate(self.columns):
            if name in other.columns:
                column = points["rows"][:, :both, other.columns.index(name)]
                fitted["rows"][:, :both, place] = column
        return sealed(fitted)


def sealed(points: Points) -> Points:
    """The same points, with the checksums they have on disk."""
    size, data = points.dtype.itemsize, points.tobytes()
    points = points.copy()
    points["check"] = [
        crc32(data[start + _CHECK.size : start + size]) for start in range(0, len(data), size)
    ]
    return points


def decode(data: bytes) -> tuple[Head, Points, bool]:
    """The head and the points of a file, and whether every byte of it is as it was written.

    Points that are not are left out. A file without a head has no points, and no columns.
    """
    head, start = _decode_head(data)
    layout = head.layout
    count = (len(data) - start) // layout.itemsize if head.partitions else 0
    points = np.frombuffer(data, layout, count, start) if count else np.zeros(0, layout)
    is_good = points["check"] == sealed(points)["check"]
    is_whole = bool(is_good.all()) and start + count * layout.itemsize == len(data)
    return head, points[is_good], is_whole and head.partitions > 0


def _decode_head(data: bytes) -> tuple[Head, int]:
    nothing = Head(0, ()), len(data)
    if len(data) < _START.size:
        return nothing
    magic, length, check = _START.unpack_from(data)
    body = data[_START.size : _START.size + length]
    if magic != _MAGIC or crc32(body) != check:
        return nothing
    try:
        return msgspec.msgpack.decode(body, type=Head), _START.size + length
    except msgspec.MsgspecError:
        return nothing
