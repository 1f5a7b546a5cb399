"""A commit bundle: one object with all that a commit sends to remote storage.

A commit bundle says how the files of a partition have changed since the commit bundle before, and holds
the bytes that are new. Large pieces lie beside it, in objects of their own that are there before it is. So
a commit is in remote storage when its commit bundle is, and not before.

    00000003-0000000017.bundle     the seventeenth commit bundle of the partition's third incarnation
    00000003-0000000017-2.piece    a large piece of it

An incarnation of a partition begins with a *base*, a commit bundle that names all files. So does every
checkpoint, so that those who come to remote storage read few commit bundles.
"""

import re
from struct import Struct as Layout
from zlib import crc32

import msgspec
from msgspec import Struct

from gossamer.cluster.storage.object_storage import RemoteStorageError

FORMAT = 1
"""Of commit bundles. It changes when an older Gossamer could not read them."""

_HEAD = Layout("<4sHIII")
"""Magic, format, bytes of the contents, their checksum, and that of all that stands before."""
_MAGIC = b"GOSH"
_NAME = re.compile(r"([0-9]{8})-([0-9]{10})\.bundle")
_encode = msgspec.msgpack.Encoder().encode


class Extent(Struct, frozen=True, array_like=True):
    """Bytes of a file, and where they are kept."""

    remote: str
    """The object; empty for the commit bundle that says so."""
    start: int
    size: int
    check: int


class Contents(Struct, frozen=True, array_like=True):
    """Changes of files in one commit."""

    epoch: int
    """Which life of the partition."""
    number: int
    """Which of its commit bundles."""
    base: int
    """The last commit bundle that names all files."""
    changed: dict[str, tuple[int, list[Extent]]] = {}
    """By the path of the file: how many of its extents stay, and those that follow."""
    gone: list[str] = []


class CommitBundleName(Struct, frozen=True, order=True):
    """The identity of a commit bundle: epoch and number."""

    epoch: int
    number: int

    def text(self, folder: str) -> str:
        return f"{folder}/{self.epoch:08}-{self.number:010}.bundle"

    def piece(self, folder: str, number: int) -> str:
        return f"{folder}/{self.epoch:08}-{self.number:010}-{number}.piece"


def read_name(name: str) -> CommitBundleName | None:
    """The commit bundle of this name; None for other objects.

    >>> read_name("state/00000/00000003-0000000017.bundle")
    CommitBundleName(epoch=3, number=17)
    """
    found = _NAME.fullmatch(name.rpartition("/")[2])
    return CommitBundleName(int(found[1]), int(found[2])) if found else None


def epoch_of(name: str) -> int:
    """The incarnation that an object belongs to; 0 when it belongs to none."""
    digits = name.rpartition("/")[2][:8]
    return int(digits) if digits.isdigit() else 0


def pack_bundle(contents: Contents, body: bytes) -> tuple[bytes, int]:
    """A commit bundle, and where its bytes begin."""
    data = _encode(contents)
    fields = (_MAGIC, FORMAT, len(data), crc32(data))
    head = _HEAD.pack(*fields, crc32(_HEAD.pack(*fields, 0)))
    return b"".join((head, data, body)), len(head) + len(data)


def list_size(data: bytes) -> int:
    """Read from its first bytes how long a commit bundle's list of contents is."""
    return _HEAD.size + int(_HEAD.unpack_from(data)[2]) if len(data) >= _HEAD.size else 0


def unpack_bundle(data: bytes, name: str) -> tuple[Contents, int]:
    """The contents of a commit bundle, by its first bytes, and where those of its files begin."""
    if len(data) < _HEAD.size:
        raise RemoteStorageError(f"{name} is cut short; restore it from a copy")
    magic, version, size, check, head_check = _HEAD.unpack_from(data)
    if magic != _MAGIC or crc32(_HEAD.pack(magic, version, size, check, 0)) != head_check:
        raise RemoteStorageError(f"{name} is damaged, or no commit bundle; restore it from a copy")
    if version != FORMAT:
        raise RemoteStorageError(
            f"{name} was written by another version of Gossamer (format {version}, this one reads "
            f"{FORMAT}); continue with that version"
        )
    inside = data[_HEAD.size : _HEAD.size + size]
    if crc32(inside) != check:
        raise RemoteStorageError(f"{name} is damaged; restore it from a copy")
    contents = msgspec.msgpack.decode(inside, type=Contents)
    for path in (*contents.changed, *contents.gone):
        if path.startswith("/") or ".." in path.split("/"):
            raise RemoteStorageError(
                f"{name} names a file outside of the crawl: {path!r}; do not trust it"
            )
    return contents, _HEAD.size + size
