"""Checksums of blocks, compared when a block is first read.

Kernels read mapped files wherever a row leads them. They compare nothing: they note blocks that were not
compared yet, and go on, since they trust no number. Before what they found is handed out, noted blocks are
compared here, each once for as long as the files are open; a block that differs is an error. So what is read
again costs one look at a byte, and a disk is read no further than the rows that are asked for.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from xxhash import xxh3_64_intdigest

from gossamer.core.errors import DirectoryError
from gossamer.core.kernel import Numbers, inlined_kernel, inner_kernel

REBUILD = "rebuild it: `gossamer graph build DIR --rebuild`"
"""What to do about damage."""
BLOCK_BITS = 16
"""A block has 64 KiB."""
_BLOCK = 1 << BLOCK_BITS
_NOTES = 128
MOST_NOTES = _NOTES - 16
"""With more, a kernel must stop, so that they are settled first."""

BlockSums = Mapping[str, npt.NDArray[np.uint64]]
"""XXH3 of each block, by the name of a file."""
Notes = npt.NDArray[np.int64]
"""How many notes there are, and for each the first and the last block."""


def sums_of(data: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint64]:
    """The checksums of a file's blocks."""
    places = range(0, len(data), _BLOCK)
    return np.array([_sum_of(data[begin : begin + _BLOCK]) for begin in places], np.uint64)


def _sum_of(block: npt.NDArray[np.uint8]) -> int:
    return xxh3_64_intdigest(block.data)


class CheckedFile(NamedTuple):
    path: Path
    data: npt.NDArray[np.uint8]
    """Its bytes; there may be more behind them."""
    size: int

    @property
    def blocks(self) -> int:
        """Numbers of blocks, so that the end of the file is in one, too."""
        return (self.size >> BLOCK_BITS) + 1


class BlockChecks:
    """Notes which blocks of some files were compared; blocks are numbered through all files."""

    def __init__(self, sums: BlockSums | None, *files: CheckedFile) -> None:
        """Without checksums, of a foreign graph or of one that is being built, nothing is compared."""
        self._files = files
        self._begins = np.cumsum([0, *(file.blocks for file in files)])
        self._sums = [(sums or {}).get(file.path.name) for file in files]
        self.seen = np.ones(int(self._begins[-1]), np.uint8)
        """For kernels: 0 for a block that must be noted."""
        for begin, known in zip(self._begins.tolist(), self._sums, strict=False):
            self.seen[begin : begin + (0 if known is None else len(known))] = 0

    @staticmethod
    def notes() -> Notes:
        """Room for what one call of a kernel notes."""
        notes = np.empty(1 + 2 * _NOTES, np.int64)
        notes[0] = 0
        return notes

    def settle(self, notes: Notes) -> bool:
        """Compare the blocks that were noted; False if there were none."""
        count = int(notes[0])
        for at in range(count):
            for block in range(int(notes[2 * at + 1]), int(notes[2 * at + 2]) + 1):
                self._compare(block)
        notes[0] = 0
        return count > 0

    def check_bytes(self, file: int, begin: int, end: int) -> None:
        """Compare the blocks of some bytes of a file that were read in order."""
        first = int(self._begins[file])
        blocks = range(first + (begin >> BLOCK_BITS), first + (end >> BLOCK_BITS) + 1)
        for block in blocks:
            self._compare(block)

    def _compare(self, block: int) -> None:
        if self.seen[block]:
            return
        number = int(np.searchsorted(self._begins, block, "right")) - 1
        (path, data, size), sums = self._files[number], self._sums[number]
        begin = (block - int(self._begins[number])) << BLOCK_BITS
        found = _sum_of(data[begin : min(begin + _BLOCK, size)])
        assert sums is not None, "a file without checksums has no block to be compared"
        if found != sums[begin >> BLOCK_BITS]:
            raise DirectoryError(f"{path} is damaged behind byte {begin}; {REBUILD}")
        self.seen[block] = 1


@inner_kernel
def _note(seen: Numbers, notes: Numbers, first: int, last: int) -> None:
    for block in range(first, last + 1):
        if seen[block] == 0:
            at = notes[0]
            notes[0] = at + 1
            notes[2 * at + 1], notes[2 * at + 2] = first, last
            break


@inlined_kernel
def note_blocks(seen: Numbers, notes: Numbers, first: int, last: int) -> None:
    """Note some blocks if one of them was not compared yet."""
    if seen[first] == 0 or seen[last] == 0 or last > first + 1:
        _note(seen, notes, first, last)


@inlined_kernel
def are_full(notes: Numbers) -> bool:
    """Must a kernel stop, so that its notes are settled first?"""
    return notes[0] > MOST_NOTES
