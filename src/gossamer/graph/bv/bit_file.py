"""Bits that are written to a file as soon as they make bytes."""

from typing import BinaryIO

import numpy as np

from gossamer.core.disk.disk_files import system
from gossamer.graph.bv.bit_codes import SPARE_BYTES


class BitFile:
    """Bits, written to a file as soon as they make bytes."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._rest = np.zeros(1, np.uint8)
        self.bits = 0

    def buffer(self, most: int) -> tuple["np.typing.NDArray[np.uint8]", int]:
        """Room for this many bits more, and the place where they begin."""
        buffer_ = np.zeros(most // 8 + 2 * SPARE_BYTES, np.uint8)
        buffer_[0] = self._rest[0]
        return buffer_, self.bits & 7

    def add(self, buffer_: "np.typing.NDArray[np.uint8]", place: int) -> None:
        """Bits were written to the buffer that was given, up to a place."""
        whole = place >> 3
        self._file.write(buffer_[:whole].data)
        self._rest[0] = buffer_[whole]
        self.bits += place - (self.bits & 7)

    def end(self) -> None:
        """The last bits make a byte with zeros."""
        if self.bits & 7:
            self._file.write(self._rest.data)

    def close(self, is_whole: bool) -> None:
        if is_whole:
            self.end()
        self._file.flush()
        system.sync(self._file.fileno())
        self._file.close()
