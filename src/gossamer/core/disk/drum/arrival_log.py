"""Log of arrivals in their order: the one file of an epoch that must not be lost.

A block is a header, the operations, the lengths of the auxiliary data of those that ask something, and these
data. The header has a checksum of all that follows.
"""

import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import xxhash

from gossamer.core.disk.disk_files import AppendOnlyFile
from gossamer.core.disk.drum.operations import Records
from gossamer.core.disk.drum.traffic import Traffic
from gossamer.core.errors import DamageError

_HEADER = struct.Struct("<4sIIQQ")
"""Mark, operations, auxiliary data, bytes of these, checksum."""
_MARK = b"DRUM"

Lengths = npt.NDArray[np.uint32]


class Block:
    """A stretch of the log."""

    __slots__ = ("aux", "lengths", "records")

    def __init__(self, records: Records, lengths: Lengths, aux: bytes) -> None:
        self.records, self.lengths, self.aux = records, lengths, aux


class Log:
    """The log of an epoch. It grows by blocks, and is read from the beginning, once or twice."""

    def __init__(
        self, path: Path, record: np.dtype[Any], traffic: Traffic, length: int = 0
    ) -> None:
        self._record, self._traffic = record, traffic
        self._file = AppendOnlyFile(path, length)

    @property
    def name(self) -> str:
        return self._file.path.name

    @property
    def length(self) -> int:
        return self._file.length

    def append(self, records: Records, aux: Sequence[bytes]) -> None:
        """Take a block, whole or, when the disk is full, not at all."""
        lengths = np.fromiter(map(len, aux), np.uint32, len(aux))
        body = b"".join([records.tobytes(), lengths.tobytes(), *aux])
        size = int(lengths.sum(dtype=np.int64))
        check = xxhash.xxh3_64_intdigest(body)
        self._file.append([_HEADER.pack(_MARK, len(records), len(aux), size, check), body])
        self._traffic.written += _HEADER.size + len(body)

    def blocks(self, start: int = 0) -> Iterator[tuple[Block, int]]:
        """Each block from an offset on, and where the next one begins."""
        while start < self.length:
            block, start = self._read(start)
            yield block, start

    def sync(self) -> None:
        self._file.sync()

    def write_out(self) -> None:
        self._file.write_out()

    def abandon(self) -> None:
        self._file.abandon()

    def _read(self, start: int) -> tuple[Block, int]:
        head = self._file.read(start, _HEADER.size)
        if len(head) < _HEADER.size or not head.startswith(_MARK):
            raise DamageError(self._file.path, f"is damaged at {start}")
        _, records, lengths, size, check = _HEADER.unpack(head)
        middle = records * self._record.itemsize
        end = middle + 4 * lengths
        left = self.length - start - _HEADER.size
        body = self._file.read(start + _HEADER.size, min(end + size, left))
        if len(body) != end + size or xxhash.xxh3_64_intdigest(body) != check:
            said = f"is damaged at {start}: its checksum is wrong"
            raise DamageError(self._file.path, said)
        self._traffic.read += _HEADER.size + len(body)
        block = Block(
            np.frombuffer(body, self._record, records),
            np.frombuffer(body, np.uint32, lengths, middle),
            body[end:],
        )
        return block, start + _HEADER.size + len(body)
