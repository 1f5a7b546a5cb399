"""A file of records in checked blocks, written as a whole at a checkpoint."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO, TypeVar

from msgspec.msgpack import Decoder, Encoder

from gossamer.base.disk.block import HEADER_SIZE, DamageError, block_size, pack, unpack
from gossamer.base.disk.files import write_whole

_PART = 20_000
"""Items written together."""

_encode = Encoder().encode
_Item = TypeVar("_Item")


def write(path: Path, parts: Iterable[object]) -> None:
    """Write all parts, or no file at all."""

    def write_parts(file: BinaryIO) -> None:
        file.writelines(pack([_encode(part)]) for part in parts)

    write_whole(path, write_parts)


def read(path: Path, kind: type[_Item]) -> Iterator[_Item]:
    decode = Decoder(kind).decode
    with open(path, "rb") as file:
        while header := file.read(HEADER_SIZE):
            body = file.read(block_size(header) - HEADER_SIZE)
            try:
                yield decode(unpack(header + body)[0])
            except DamageError as error:
                raise DamageError(f"{path}: {error}") from None


def in_parts(items: Iterable[_Item]) -> Iterator[list[_Item]]:
    """Cut many items into short lists, so that no part takes up much memory.

    >>> list(in_parts("abc"))
    [['a', 'b', 'c']]
    """
    walk = iter(items)
    while part := list(islice(walk, _PART)):
        yield part
