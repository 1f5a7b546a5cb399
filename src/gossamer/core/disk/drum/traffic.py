"""Bytes to and from the disk, counted; and the plain file operations that count them."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from gossamer.core.disk import disk_files
from gossamer.core.errors import DamageError

if TYPE_CHECKING:
    from typing_extensions import Buffer


class Traffic:
    """Bytes that a DRUM has moved since it was opened: α of the paper times the bytes of all URLs."""

    def __init__(self) -> None:
        self.read = 0
        self.written = 0

    def write_at(self, path: Path, offset: int, data: memoryview) -> None:
        """Write a piece of a file; what lies behind it, if anything, is of no value."""
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT, 0o666)
        try:
            os.lseek(descriptor, offset, os.SEEK_SET)
            self.written += write_all(descriptor, data)
        finally:
            os.close(descriptor)

    def read_records(
        self, descriptor: int, path: Path, kind: np.dtype[Any], start: int, count: int
    ) -> npt.NDArray[Any]:
        """Records from an open file, from the one numbered `start` on."""
        records = np.empty(count, kind)
        rest, offset = as_bytes(records), start * kind.itemsize
        while rest:
            got = disk_files.system.read_into(descriptor, rest, offset)
            if not got:
                raise DamageError(
                    path, f"is damaged: it ends at {offset}, {len(rest)} bytes too early"
                )
            rest, offset = rest[got:], offset + got
        self.read += records.nbytes
        return records


class NewFile:
    """A file that is written once, from beginning to end."""

    def __init__(self, path: Path, traffic: Traffic) -> None:
        self.path = path
        self._traffic = traffic
        self._descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)

    def write(self, records: npt.NDArray[Any]) -> None:
        self._traffic.written += write_all(self._descriptor, as_bytes(records))

    def close(self) -> None:
        os.close(self._descriptor)

    def abandon(self) -> None:
        self.close()
        disk_files.delete(self.path)


def write_all(descriptor: int, data: memoryview) -> int:
    rest = data
    while rest:
        rest = rest[disk_files.system.write(descriptor, rest) :]
    return len(data)


def as_bytes(records: npt.NDArray[Any]) -> memoryview:
    flat = np.ascontiguousarray(records).view(np.uint8)
    return memoryview(cast("Buffer", flat))
