"""Numbers of URLs, and URLs of numbers: `NAME.keys` and `NAME.blocks`."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import numpy as np
import numpy.typing as npt

from gossamer.core.disk.disk_files import sync_file
from gossamer.core.errors import DirectoryError
from gossamer.graph.bv.bit_mapping import map_bytes
from gossamer.graph.bv.block_checks import (
    REBUILD,
    BlockChecks,
    BlockSums,
    CheckedFile,
    Notes,
)
from gossamer.graph.urls.front_coding import (
    BLOCK,
    LONGEST,
    find_keys,
    measure_keys,
    pack_keys,
    read_keys,
)
from gossamer.graph.urls.url_keys import Octets, Places, keys_of, urls_of

if TYPE_CHECKING:
    import pyarrow

_TOGETHER = 1 << 16


class UrlMap:
    """URLs in the order of their keys, numbered from 0 on; mapped into memory."""

    def __init__(self, name: str | Path, sums: BlockSums | None = None) -> None:
        """With `sums`, blocks of the files are compared when they are first read."""
        self._path = Path(name).with_suffix(".keys")
        self._data, self._size = map_bytes(self._path)
        blocks, size = map_bytes(self._path.with_suffix(".blocks"))
        self._blocks = blocks[: size // 8 * 8].view(np.int64)
        self._checks = BlockChecks(
            sums,
            CheckedFile(self._path.with_suffix(".blocks"), blocks, size),
            CheckedFile(self._path, self._data, self._size),
        )
        self._checks.check_bytes(0, max(0, size - 8), size)
        self._count = int(self._blocks[-1]) if len(self._blocks) else -1
        if len(self._blocks) != -(-self._count // BLOCK) + 1:
            self._complain()

    def __len__(self) -> int:
        return self._count

    @property
    def bytes(self) -> int:
        return self._size + self._blocks.nbytes

    def urls(self, numbers: npt.ArrayLike) -> list[str]:
        """The URLs of these numbers."""
        offsets, text = urls_of(*self.keys(numbers))
        data, ends = text.tobytes(), offsets.tolist()
        return [data[begin:end].decode("utf-8", "replace") for begin, end in pairwise(ends)]

    def url_array(self, numbers: npt.ArrayLike) -> "pyarrow.Array":
        """The same, as a column of Arrow's."""
        from pyarrow import LargeStringArray, py_buffer

        offsets, text = urls_of(*self.keys(numbers))
        return LargeStringArray.from_buffers(len(offsets) - 1, py_buffer(offsets), py_buffer(text))

    def number(self, url: str) -> int | None:
        """The number of a URL in its one spelling; None when it is not there."""
        found = int(self.numbers([url])[0])
        return found if found >= 0 else None

    def numbers(self, urls: Sequence[str]) -> Places:
        """The numbers of URLs, -1 for those that are not there."""
        texts = [url.encode("utf-8", "replace") for url in urls]
        offsets = np.cumsum([0, *map(len, texts)], dtype=np.int64)
        return self.find(*keys_of(offsets, np.frombuffer(b"".join(texts), np.uint8)))

    def keys(self, numbers: npt.ArrayLike) -> tuple[Places, Octets]:
        """Keys laid end to end."""
        wanted = np.array(np.atleast_1d(numbers), np.int64)
        if len(wanted) and not (wanted.min() >= 0 and wanted.max() < self._count):
            raise IndexError(f"{self._path} has URLs from 0 to {self._count - 1} only")
        offsets = np.zeros(len(wanted) + 1, np.int64)
        notes, done = self._checks.notes(), 0
        is_read = False
        while not is_read:
            done += measure_keys(
                self._data, self._size, self._blocks, self._checks.seen, notes, wanted[done:],
                offsets[done:],
            )  # fmt: skip
            is_read = self._is_read(notes, len(wanted) - done)
        buffer_ = np.empty(int(offsets[-1]), np.uint8)
        place = self._data, self._size, self._blocks
        read_keys(*place, wanted, offsets, buffer_, np.empty(LONGEST, np.uint8))
        return offsets, buffer_

    def find(self, offsets: Places, text: Octets) -> Places:
        """The numbers of keys that are laid end to end, -1 for those that are not there."""
        numbers = np.empty(len(offsets) - 1, np.int64)
        wanted, notes, done = np.array(text), self._checks.notes(), 0
        while True:
            done += find_keys(
                self._data, self._size, self._blocks, self._checks.seen, notes, self._count,
                offsets[done:], wanted, numbers[done:],
            )  # fmt: skip
            if self._is_read(notes, len(numbers) - done):
                return numbers

    def _is_read(self, notes: Notes, left: int) -> bool:
        """Compare blocks that were read for the first time; is nothing left?"""
        if not self._checks.settle(notes) and left:
            self._complain()
        return left == 0

    def all_keys(self, together: int = _TOGETHER) -> Iterator[tuple[Places, Octets]]:
        """All keys in order, some at a time."""
        for begin in range(0, self._count, together):
            yield self.keys(np.arange(begin, min(begin + together, self._count)))

    def _complain(self) -> NoReturn:
        raise DirectoryError(f"{self._path} is damaged; {REBUILD}")


class UrlMapWriter:
    """Takes keys in ascending order, each once."""

    def __init__(self, name: str | Path, sums: BlockSums | None = None) -> None:
        """With `sums`, blocks of the files are compared when they are first read."""
        self._path = Path(name).with_suffix(".keys")
        self._keys = open(self._path, "wb")  # noqa: SIM115
        self._blocks = open(self._path.with_suffix(".blocks"), "wb")  # noqa: SIM115
        self._last = np.empty(0, np.uint8)
        self._size = self.count = 0

    def add(self, offsets: Places, text: Octets) -> None:
        keys = len(offsets) - 1
        buffer_ = np.empty(int(offsets[-1] - offsets[0]) + 8 * keys + 8, np.uint8)
        blocks = np.empty(keys // BLOCK + 2, np.int64)
        size, begun = pack_keys(offsets, np.array(text), self.count, self._last, buffer_, blocks)
        self._keys.write(buffer_[:size].data)
        self._blocks.write((blocks[:begun] + self._size).data)
        self._size += size
        self.count += keys
        if keys:
            self._last = np.array(text[offsets[-2] : offsets[-1]])

    def close(self) -> None:
        """All keys are there, and durable."""
        self._blocks.write(np.array([self.count], np.int64).data)
        for file in (self._keys, self._blocks):
            file.close()
            sync_file(Path(file.name))
