"""What a frontier on disk has in memory, written to one file at a checkpoint."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from msgspec import Struct
from msgspec.msgpack import Decoder, Encoder

from gossamer.base.disk.block import HEADER_SIZE, DamageError, block_size, pack, unpack
from gossamer.base.disk.chunks import ChunksState
from gossamer.base.disk.files import write_whole
from gossamer.base.disk.queue import QueueState
from gossamer.cycle.frontier.host import Host
from gossamer.cycle.frontier.line import Line

_PART = 20_000
"""Items written together."""


class FrontierState(Struct, frozen=True):
    """A frontier at a checkpoint: what the crawl's manifest keeps of it."""

    generation: int
    """The number of the snapshot's file."""
    waiting: int
    not_before: float
    front: list[QueueState]
    hosts: ChunksState
    later: ChunksState


class LineState(Struct, array_like=True, gc=False):
    chain: bytearray
    taken: int
    head: list[bytes]
    tail: list[bytes]

    @classmethod
    def of(cls, line: Line) -> "LineState":
        return cls(line.chain, line.taken, [] if line.is_head_on_disk else line.head, line.tail)

    def to_line(self) -> Line:
        line = Line(self.chain, self.taken)
        line.head = self.head
        for record in self.tail:
            line.append(record)
        return line


class HostState(Struct, array_like=True, gc=False):
    name: str
    ready: float
    lines: dict[int, LineState]

    @classmethod
    def of(cls, host: Host) -> "HostState":
        lines = {level: LineState.of(line) for level, line in host.lines.items()}
        return cls(host.name, host.ready, lines)

    def to_host(self) -> Host:
        host = Host(self.name, self.ready)
        host.lines = {level: line.to_line() for level, line in self.lines.items()}
        host.weight += sum(line.weigh() for line in host.lines.values())
        return host


class Part(Struct, array_like=True):
    """A stretch of a snapshot."""

    present: list[HostState] = []
    parked: dict[str, bytes] = {}
    resting: dict[str, float] = {}
    leased: list[bytes] = []
    near: list[tuple[float, int, bytes]] = []
    far: dict[int, LineState] = {}
    skipped: list[int] = []


_encode = Encoder().encode
_decode = Decoder(Part).decode
decode_state = Decoder(FrontierState).decode
encode_state = _encode


def write(path: Path, parts: Iterator[Part]) -> None:
    """Write all parts, or no file at all."""

    def write_parts(file: BinaryIO) -> None:
        file.writelines(pack([_encode(part)]) for part in parts)

    write_whole(path, write_parts)


def read(path: Path) -> Iterator[Part]:
    with open(path, "rb") as file:
        while header := file.read(HEADER_SIZE):
            body = file.read(block_size(header) - HEADER_SIZE)
            try:
                yield _decode(unpack(header + body)[0])
            except DamageError as error:
                raise DamageError(f"{path}: {error}") from None


def in_parts(items: Any) -> Iterator[Any]:
    """Cut a long list or dictionary into short ones, so that no part takes up much memory.

    >>> list(in_parts({"a": 1}))
    [{'a': 1}]
    """
    kind = type(items)
    walk = iter(items.items() if kind is dict else items)
    while part := kind(islice(walk, _PART)):
        yield part
