"""Files that are mapped into memory."""

import mmap
from pathlib import Path

import numpy as np
import numpy.typing as npt

from gossamer.core.errors import DirectoryError
from gossamer.graph.bv.bit_codes import SPARE_BYTES


def map_bytes(path: Path) -> tuple[npt.NDArray[np.uint8], int]:
    """A file's bytes, mapped, and how many there are; behind them there are a few zeros that may be read."""
    try:
        with open(path, "rb") as file:
            size = file.seek(0, 2)
            if -size % mmap.PAGESIZE >= SPARE_BYTES:  # the rest of the last page is zeros
                mapped = mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ)
                return np.frombuffer(mapped, np.uint8), size
            data = np.zeros(size + SPARE_BYTES, np.uint8)
            file.seek(0)
            file.readinto(data[:size].data)
    except OSError as error:
        raise DirectoryError(f"{path} cannot be read: {error.strerror}") from None
    data.flags.writeable = False
    return data, size
