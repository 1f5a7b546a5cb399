"""A file of records in checked blocks, written as a whole at a checkpoint."""

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, TypeVar

from isal import isal_zlib
from msgspec.msgpack import Decoder, Encoder

from gossamer.core.disk.block import HEADER_SIZE, block_size, pack, unpack
from gossamer.core.disk.disk_files import open_file, write_whole
from gossamer.core.errors import DamageError

_PART = 20_000
"""Items written together."""

_END = pack([])
"""Behind the last part, so that it shows when one is missing."""

_encode = Encoder().encode
_Item = TypeVar("_Item")


def write(path: Path, parts: Iterable[object]) -> int:
    """Write all parts, or no file at all; returns the CRC-32 of the file."""
    check = 0

    def write_parts(file: BinaryIO) -> None:
        nonlocal check
        for block in chain((pack([_encode(part)]) for part in parts), [_END]):
            check = isal_zlib.crc32(block, check)
            file.write(block)

    write_whole(path, write_parts)
    return check


def read(path: Path, kind: type[_Item], check: int = -1) -> Iterator[_Item]:
    """All parts of a file; one that is not what was written is a `DamageError`.

    `check` is the CRC-32 of the file, if it is known.
    """
    decode, found = Decoder(kind).decode, 0
    with open_file(path) as file:
        while True:
            block = _next_block(file, path)
            found = isal_zlib.crc32(block, found)
            if not (records := unpack(block, path)):
                break
            try:
                part = decode(records[0])
            except ValueError as error:  # the block is whole, and of another file
                raise DamageError(path, f"does not hold what was written to it ({error})") from None
            yield part
        if check not in (-1, found):
            raise DamageError(path, "is damaged: its checksum is wrong")
        if file.read(1):
            raise DamageError(path, "is damaged: it is longer than what was written")


def _next_block(file: BinaryIO, path: Path) -> bytes:
    header = file.read(HEADER_SIZE)
    size = block_size(header, path) - HEADER_SIZE
    return header + file.read(min(size, path.stat().st_size))


def in_parts(items: Iterable[_Item]) -> Iterator[list[_Item]]:
    """Cut many items into short lists, so that no part takes up much memory.

    >>> list(in_parts("abc"))
    [['a', 'b', 'c']]
    """
    walk = iter(items)
    while part := list(islice(walk, _PART)):
        yield part
