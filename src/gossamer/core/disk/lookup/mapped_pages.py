"""A file of pages: mapped into memory to change many of them, read to look at one."""

import mmap
import os
from pathlib import Path

import numpy as np
import numpy.typing as npt

from gossamer.core.disk import disk_files
from gossamer.core.disk.lookup.buckets import PAGE, Numbers, Words

_LEAST = 16
"""Pages by which the file grows; later by an eighth of itself."""
_CLOSED = -1


class MappedPages:
    """Pages of zeros, as many as were asked for so far; see `keys` and `words`."""

    def __init__(self, path: Path, *, is_new: bool) -> None:
        """Make a file, or open one, whose pages are whatever they are."""
        mode = os.O_RDWR | os.O_CREAT | (os.O_TRUNC if is_new else 0)
        self._descriptor = os.open(path, mode, 0o666)
        size = os.fstat(self._descriptor).st_size // PAGE
        self._map(size) if size else self.grow()

    def grow(self) -> None:
        """Add some pages; the room for them is taken from the disk at once, or not at all."""
        pages = len(self.keys) if hasattr(self, "keys") else 0
        pages += max(_LEAST, pages // 8)
        disk_files.system.allocate(self._descriptor, pages * PAGE)
        self._map(pages)

    def read(self, page: int, into: memoryview) -> None:
        """Copy one page.

        Touching it where it is mapped takes ten times as long when that part of the map is not in memory:
        the kernel maps its neighbours, too, and has to let go of all of them again.
        """
        disk_files.system.read_into(self._descriptor, into, page * PAGE)

    def release(self) -> None:
        """Let go of the memory; what it held is in the kernel's cache of the file, or on disk."""
        self._memory.madvise(mmap.MADV_DONTNEED)

    def sync(self) -> None:
        """Make all pages durable."""
        self._memory.flush()
        disk_files.system.sync(self._descriptor)

    def close(self) -> None:
        if self._descriptor != _CLOSED:
            os.close(self._descriptor)
            self._descriptor = _CLOSED

    def _map(self, pages: int) -> None:
        # A map that arrays refer to cannot be made larger; it goes when the last of them does.
        self._memory = mmap.mmap(self._descriptor, pages * PAGE)
        self._memory.madvise(mmap.MADV_RANDOM)
        whole: npt.NDArray[np.uint8] = np.frombuffer(self._memory, np.uint8)
        self.keys: Numbers = whole.view(np.uint64).reshape(pages, PAGE // 8)
        self.words: Words = whole.view(np.uint32).reshape(pages, PAGE // 4)
