"""What is sent home at a commit, in one object: a *crate*.

A crate says how the files of a partition have changed since the crate before, and holds the bytes that are
new. Large pieces lie beside it, in objects of their own that are there before it is. So a commit is at home
when its crate is, and not before.

    00000003-0000000017.crate          the seventeenth crate of the third life of the partition
    00000003-0000000017-2.piece        a large piece of it

A life of a partition begins with a *base*, a crate that names all files. So does every checkpoint, so that
those who come home read few crates.
"""

import re
from struct import Struct as Layout
from zlib import crc32

import msgspec
from msgspec import Struct

from gossamer.cluster.home.storage import HomeError

FORMAT = 1
"""Of crates. It changes when an older Gossamer could not read them."""

_HEAD = Layout("<4sHIII")
"""Magic, format, bytes of the contents, their checksum, and that of all that stands before."""
_MAGIC = b"GOSH"
_NAME = re.compile(r"([0-9]{8})-([0-9]{10})\.crate")
_encode = msgspec.msgpack.Encoder().encode


class Extent(Struct, frozen=True, array_like=True):
    """Bytes of a file, and where they are kept."""

    home: str
    """The object; empty for the crate that says so."""
    start: int
    size: int
    check: int


class Contents(Struct, frozen=True, array_like=True):
    """How files have changed."""

    epoch: int
    """Which life of the partition."""
    number: int
    """Which of its crates."""
    base: int
    """The last crate that names all files."""
    changed: dict[str, tuple[int, list[Extent]]] = {}
    """By the path of the file: how many of its extents stay, and those that follow."""
    gone: list[str] = []


class CrateName(Struct, frozen=True, order=True):
    """Which crate it is."""

    epoch: int
    number: int

    def text(self, folder: str) -> str:
        return f"{folder}/{self.epoch:08}-{self.number:010}.crate"

    def piece(self, folder: str, number: int) -> str:
        return f"{folder}/{self.epoch:08}-{self.number:010}-{number}.piece"


def read_name(name: str) -> CrateName | None:
    """The crate of this name; None for other objects.

    >>> read_name("state/00000/00000003-0000000017.crate")
    CrateName(epoch=3, number=17)
    """
    found = _NAME.fullmatch(name.rpartition("/")[2])
    return CrateName(int(found[1]), int(found[2])) if found else None


def epoch_of(name: str) -> int:
    """The life that an object belongs to; 0 when it belongs to none."""
    digits = name.rpartition("/")[2][:8]
    return int(digits) if digits.isdigit() else 0


def pack_crate(contents: Contents, body: bytes) -> tuple[bytes, int]:
    """A crate, and where its bytes begin."""
    data = _encode(contents)
    fields = (_MAGIC, FORMAT, len(data), crc32(data))
    head = _HEAD.pack(*fields, crc32(_HEAD.pack(*fields, 0)))
    return b"".join((head, data, body)), len(head) + len(data)


def list_size(data: bytes) -> int:
    """How many bytes at the beginning of a crate say what is in it, by its first bytes."""
    return _HEAD.size + int(_HEAD.unpack_from(data)[2]) if len(data) >= _HEAD.size else 0


def unpack_crate(data: bytes, name: str) -> tuple[Contents, int]:
    """The contents of a crate, by its first bytes, and where those of its files begin."""
    if len(data) < _HEAD.size:
        raise HomeError(f"{name} is cut short; restore it from a copy")
    magic, version, size, check, head_check = _HEAD.unpack_from(data)
    if magic != _MAGIC or crc32(_HEAD.pack(magic, version, size, check, 0)) != head_check:
        raise HomeError(f"{name} is damaged, or no crate; restore it from a copy")
    if version != FORMAT:
        raise HomeError(
            f"{name} was written by another version of Gossamer (format {version}, this one reads "
            f"{FORMAT}); continue with that version"
        )
    inside = data[_HEAD.size : _HEAD.size + size]
    if crc32(inside) != check:
        raise HomeError(f"{name} is damaged; restore it from a copy")
    contents = msgspec.msgpack.decode(inside, type=Contents)
    for path in (*contents.changed, *contents.gone):
        if path.startswith("/") or ".." in path.split("/"):
            raise HomeError(f"{name} names a file outside of the crawl: {path!r}; do not trust it")
    return contents, _HEAD.size + size
