"""Rows and index lines that are not in a finished file yet, kept safe on disk until then.

Rows of a table and lines of the index are collected until there are enough for a file. Meanwhile they
are appended to a spool at each group commit, so that a crash loses none. When the file is there, a new
generation of the spool begins; the former is kept until the next commit has said so.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from struct import Struct as Layout
from typing import Any

import msgspec
from msgspec import Raw, Struct
from xxhash import xxh3_64

from gossamer.core.disk.disk_files import AppendOnlyFile, check_length, delete, sync_folder
from gossamer.core.errors import DamageError
from gossamer.output.utf8_text import well_formed

_HEAD = Layout("<IQ")
"""Bytes of a batch, and their checksum."""
_LIST, _LIST_HEAD = Layout(">BI"), 0xDD
"""How msgpack spells that a list begins."""

_encode = msgspec.msgpack.Encoder().encode
_batch = msgspec.msgpack.Decoder(list[Raw])
unpack = msgspec.msgpack.decode


class SpoolState(Struct, frozen=True, array_like=True):
    generation: int = 0
    length: int = 0


class Spool:
    """An append-only file of batches of packed items, one generation after the other.

    Each batch has a checksum. All of it is read when a crawl is resumed, and so is checked then.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> spool = Spool(folder, "rows", SpoolState())
    >>> spool.append([pack(1), pack("two")])
    >>> state = spool.commit()
    >>> spool.append([pack(3)])
    >>> [unpack(item) for item in Spool(folder, "rows", state).load()]
    [1, 'two']
    """

    def __init__(self, folder: Path, name: str, state: SpoolState) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._name = name
        self._generation = self._committed = state.generation
        self._file = self._open(state.generation, state.length)
        self.tidy()

    def append(self, batch: Sequence[bytes]) -> None:
        """Take packed items, which become one list of msgpack; they are not copied."""
        if batch:
            pieces = [_LIST.pack(_LIST_HEAD, len(batch)), *batch]
            self._file.append([_HEAD.pack(sum(map(len, pieces)), _checksum(pieces)), *pieces])

    def commit(self) -> SpoolState:
        """Make all that was appended durable; returns what it takes to come back to it."""
        self._file.sync()
        self._committed = self._generation
        return SpoolState(self._generation, self._file.length)

    def renew(self) -> None:
        """Begin again: what was here is in a finished file."""
        file = self._open(self._generation + 1, 0)
        self._file.abandon()
        self._file = file
        self._generation += 1

    def load(self) -> list[bytes]:
        """All items, batch after batch; `DamageError` when they are not what was written."""
        data = self._file.read(0, self._file.length)
        return list(map(bytes, _items(data, self._file.path)))

    def tidy(self) -> None:
        """The last commit is recorded: delete the generations that it does not need."""
        needed = {self._path(self._committed), self._path(self._generation)}
        for path in self._folder.glob(f"{self._name}-*.spool"):
            if path not in needed:
                delete(path)

    def close(self) -> None:
        self._file.close()

    def _open(self, generation: int, length: int) -> AppendOnlyFile:
        file = AppendOnlyFile(self._path(generation), length)
        sync_folder(self._folder)
        return file

    def _path(self, generation: int) -> Path:
        return _path(self._folder, self._name, generation)


def read_spool(folder: Path, name: str, state: SpoolState) -> list[Any]:
    """All items of a spool that is left as it is; `DamageError` when they are not what was written."""
    path = _path(folder, name, state.generation)
    if not state.length and not path.exists():
        return []
    check_length(path, state.length)
    with path.open("rb") as file:
        data = file.read(state.length)
    return [unpack(item) for item in _items(data, path)]


def _path(folder: Path, name: str, generation: int) -> Path:
    return folder / f"{name}-{generation:06}.spool"


def _items(data: bytes, path: Path) -> Iterator[Raw]:
    position = 0
    while position < len(data):
        begin = position + _HEAD.size
        size, checksum = _HEAD.unpack(data[position:begin].ljust(_HEAD.size, b"\0"))
        body = data[begin : begin + size]
        if len(body) < size or _checksum([body]) != checksum or not body:
            raise DamageError(path, f"is damaged at {position}: its checksum is wrong")
        yield from _batch.decode(body)
        position = begin + size


def _checksum(pieces: Sequence[bytes]) -> int:
    check = xxh3_64()
    for piece in pieces:
        check.update(piece)
    return check.intdigest()


def pack(item: Any) -> bytes:
    """As msgpack."""
    try:
        return _encode(item)
    except UnicodeEncodeError:  # rare, so that text is not checked before
        return _encode(_well_formed(item))


def _well_formed(value: Any) -> Any:
    if isinstance(value, str):
        return well_formed(value)
    return list(map(_well_formed, value)) if isinstance(value, (list, tuple)) else value
